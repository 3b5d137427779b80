package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// nested is a list in a list in a list, so many levels deep.
func nested(levels int) json.RawMessage {
	return json.RawMessage(strings.Repeat("[", levels) + strings.Repeat("]", levels))
}

// spelled encodes itself with line ends in between, as a foreign encoder may.
type spelled string

func (s spelled) MarshalJSON() ([]byte, error) { return []byte(s), nil }

// TestDeepestData: at the limit a line can be read back, one level more is refused, whoever encodes the data.
func TestDeepestData(t *testing.T) {
	for name, entry := range map[string]func(json.RawMessage) Entry{
		"data":  func(v json.RawMessage) Entry { return Entry{Kind: "k", Data: v} },
		"value": func(v json.RawMessage) Entry { return Entry{Kind: "k", Value: v} },
	} {
		line, err := encodeBatch(Batch{Seq: 1, Entries: []Entry{entry(nested(maxDepth - dataDepth))}}, MaxLine)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, why := decodeBatch(line[:len(line)-1]); why != "" {
			t.Errorf("%s at the limit %s", name, why)
		}
		if _, err := encodeBatch(Batch{Seq: 1, Entries: []Entry{entry(nested(maxDepth - dataDepth + 1))}}, MaxLine); !errors.Is(err, errTooDeep) {
			t.Errorf("%s beyond the limit: %v", name, err)
		}
	}
}

// TestDepth compares with the levels that the decoder's tokens tell.
func TestDepth(t *testing.T) {
	var value func(levels int) *rapid.Generator[any]
	value = func(levels int) *rapid.Generator[any] {
		text := rapid.StringOf(rapid.SampledFrom([]rune(`a"\{}[],:`)))
		leaf := rapid.OneOf(rapid.Map(text, func(s string) any { return s }), rapid.Map(rapid.Int(), func(n int) any { return n }))
		if levels == 0 {
			return leaf
		}
		below := rapid.Deferred(func() *rapid.Generator[any] { return value(levels - 1) })
		return rapid.OneOf(leaf,
			rapid.Map(rapid.SliceOfN(below, 0, 3), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(text, below, 0, 3), func(m map[string]any) any { return m }))
	}
	rapid.Check(t, func(t *rapid.T) {
		text := must(json.Marshal(value(6).Draw(t, "value")))
		want, now := 0, 0
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			token, err := d.Token()
			if err != nil {
				break
			}
			switch token {
			case json.Delim('{'), json.Delim('['):
				now++
				want = max(want, now)
			case json.Delim('}'), json.Delim(']'):
				now--
			}
		}
		if got := depth(text); got != want {
			t.Fatalf("%s is %d deep, want %d", text, got, want)
		}
	})
}

// TestValues: a value gives the very line that its JSON gives, whatever it is made of; what cannot be encoded is
// refused and uses up no number.
func TestValues(t *testing.T) {
	at := time.Unix(0, 0).UTC()
	for _, v := range []any{
		7, "", "a\nb\u2028<&>\x00\"\\", []string{"x"}, map[string]any{"a": nil}, spelled("{\n \"a\": [\r\n1]\n}"), json.RawMessage("[\n1,\n2]"),
		struct {
			Text string `json:"text"`
		}{"two\nlines"},
	} {
		var data bytes.Buffer
		encoder := json.NewEncoder(&data)
		encoder.SetEscapeHTML(false)
		check(t, encoder.Encode(v))
		want := must(encodeBatch(Batch{Seq: 1, Time: at, Entries: []Entry{{Kind: "k", Data: data.Bytes()}}}, MaxLine))
		got := must(encodeBatch(Batch{Seq: 1, Time: at, Entries: []Entry{{Kind: "k", Value: v}}}, MaxLine))
		if !bytes.Equal(got, want) || bytes.Count(got, []byte{'\n'}) != 1 {
			t.Errorf("%#v:\n%q, want\n%q", v, got, want)
		}
		if _, why := decodeBatch(got[:len(got)-1]); why != "" {
			t.Errorf("%#v %s", v, why)
		}
	}
	w := must(Create(t.TempDir(), "s", Header{}))
	defer w.Close()
	for _, v := range []any{make(chan int), math.Inf(1), json.RawMessage(`1},{"kind":"x"`), json.RawMessage("\"a\nb\""), spelled(`{`)} {
		if _, err := w.Append(at, []Entry{{Kind: "k", Value: v}}); err == nil || errors.Is(err, ErrKept) {
			t.Errorf("%#v: %v", v, err)
		}
	}
	if b := must(w.Append(at, []Entry{{Kind: "k", Value: 1}})); b.Seq != 1 {
		t.Errorf("number %d after refusals", b.Seq)
	}
}

// BenchmarkLongAnswer compares the line of a 50 MB answer with its bare encoding, in turns: as the program's own
// value, and as data that must be checked. The time of the latter includes the encoding, so that both do the same.
func BenchmarkLongAnswer(b *testing.B) {
	answer := struct {
		Answer string `json:"answer"`
	}{strings.Repeat("Some *text* of a long answer, \"quoted\", with {code[1]} and ümläuts.\n", 50<<20/70)}
	encode := func() []byte {
		var buf bytes.Buffer
		encoder := json.NewEncoder(&buf)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(answer); err != nil {
			b.Fatal(err)
		}
		return buf.Bytes()
	}
	line := func(e Entry) {
		if _, err := encodeBatch(Batch{Seq: 1, Entries: []Entry{e}}, MaxLine); err != nil {
			b.Fatal(err)
		}
	}
	bare, own, foreign := time.Hour, time.Hour, time.Hour
	timed := func(best *time.Duration, f func()) {
		runtime.GC() // what one leaves behind is not the next one's cost
		begin := time.Now()
		f()
		*best = min(*best, time.Since(begin))
	}
	encode()
	b.SetBytes(int64(len(answer.Answer)))
	for b.Loop() {
		timed(&bare, func() { encode() })
		timed(&own, func() { line(Entry{Kind: "turn.succeeded", Value: answer}) })
		timed(&foreign, func() { line(Entry{Kind: "turn.succeeded", Data: encode()}) })
	}
	b.ReportMetric(float64(own)/float64(bare), "own/encode")
	b.ReportMetric(float64(foreign)/float64(bare), "checked/encode")
}
