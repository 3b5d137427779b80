package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestLineRoundTrip: whatever text the entries hold, a batch is one line, is JSON, and comes back the same.
func TestLineRoundTrip(t *testing.T) {
	odd := rapid.SampledFrom([]rune{0, '\n', '\r', '"', '\\', '<', 0x7f, 0x85, 0x2028, 0x2029, 0xfeff, 0x1f600, 'a'})
	text := rapid.StringOf(rapid.OneOf(odd, rapid.Rune()))
	entry := rapid.Custom(func(t *rapid.T) Entry {
		e := Entry{Kind: text.Draw(t, "kind")}
		if rapid.Bool().Draw(t, "has data") {
			// Unescaped, so that U+2028 and its like stand raw in the line.
			var buf bytes.Buffer
			enc := json.NewEncoder(&buf)
			enc.SetEscapeHTML(false)
			_ = enc.Encode(map[string]any{"text": text.Draw(t, "text"), "n": rapid.Int().Draw(t, "n")})
			e.Data = bytes.TrimSpace(buf.Bytes())
		}
		return e
	})
	rapid.Check(t, func(t *rapid.T) {
		want := Batch{
			Seq:     rapid.Uint64Min(1).Draw(t, "seq"),
			Time:    time.Unix(rapid.Int64Range(0, 1<<35).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC(),
			Entries: rapid.SliceOfN(entry, 1, 5).Draw(t, "entries"),
		}
		line, err := encodeBatch(want, MaxLine)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(line, []byte{'\n'}) != 1 || line[len(line)-1] != '\n' || !json.Valid(line) {
			t.Fatalf("not one line of JSON: %q", line)
		}
		got, why := decodeBatch(line[:len(line)-1])
		if why != "" {
			t.Fatal(why)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestRawSeparators (J3): NEL, U+2028 and U+2029 standing raw in a string do not end a record.
func TestRawSeparators(t *testing.T) {
	t.Run("J3", func(t *testing.T) {
		data := json.RawMessage("\"a\u0085b\u2028c\u2029d\"")
		dir := t.TempDir()
		w := must(Create(dir, "s", Header{}))
		must(w.Append(time.Now(), []Entry{{Kind: "k", Data: data}}))
		check(t, w.Close())
		if c := must(Read(dir, "s")); len(c.Batches) != 1 || !bytes.Equal(c.Batches[0].Entries[0].Data, data) {
			t.Fatalf("%+v", c)
		}
	})
}

// TestCastagnoli pins the checksum by the check value of CRC-32C (RFC 3720 B.4: 32 zero bytes).
func TestCastagnoli(t *testing.T) {
	if got := seal(make([]byte, 32)); !bytes.HasSuffix(got, []byte(`,"crc32c":"8a9136aa"}`+"\n")) {
		t.Fatalf("%q", got)
	}
}

// TestSealSeesEveryBit: no flipped bit and no changed digit case passes.
func TestSealSeesEveryBit(t *testing.T) {
	line := bytes.TrimSuffix(seal([]byte(`{"seq":1`)), []byte("\n"))
	for i := range line {
		for bit := range 8 {
			line[i] ^= 1 << bit
			if unseal(line) == "" {
				t.Fatalf("byte %d bit %d unseen: %q", i, bit, line)
			}
			line[i] ^= 1 << bit
		}
	}
}

func TestUnknownMembersAreSkipped(t *testing.T) {
	line := seal([]byte(`{"seq":3,"later":{"a":[1]},"time":"2026-01-02T03:04:05Z","entries":[{"kind":"k","data":7,"by":"x"}]`))
	got, why := decodeBatch(line[:len(line)-1])
	if why != "" || got.Seq != 3 || len(got.Entries) != 1 || string(got.Entries[0].Data) != "7" {
		t.Fatalf("%+v %s", got, why)
	}
	head := seal([]byte(`{"format":1,"session":"s","flags":["x"],"created":"2026-01-02T03:04:05Z","app":"1"`))
	if h, err := decodeHeader(head[:len(head)-1]); err != nil || h.Session != "s" {
		t.Fatalf("%+v %v", h, err)
	}
}

// TestRefusedEntries: what could not be read back is not accepted, and uses up no number.
func TestRefusedEntries(t *testing.T) {
	w := must(Create(t.TempDir(), "s", Header{}))
	defer w.Close()
	now := time.Now()
	for name, data := range map[string]string{
		"not JSON":       `{"a":`,
		"two values":     `1 2`,
		"splices a line": `1},{"kind":"x","data":1`,
		"raw line feed":  "\"a\nb\"",
		"too deep":       strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999),
	} {
		if _, err := w.Append(now, []Entry{{Kind: "k", Data: json.RawMessage(data)}}); err == nil || errors.Is(err, ErrKept) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Append(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), nil); err == nil {
		t.Error("year 10000 accepted")
	}
	b := must(w.Append(now, []Entry{{Kind: "k", Data: json.RawMessage("{\n \"a\": 1\n}")}}))
	if b.Seq != 1 {
		t.Errorf("number %d after refusals", b.Seq)
	}
}

// TestLongestLine: the limit counts the line without its line feed, as reading does.
func TestLongestLine(t *testing.T) {
	b := Batch{Seq: 1, Time: time.Unix(0, 0).UTC(), Entries: say("some text")}
	line := must(encodeBatch(b, MaxLine))
	size := len(line) - 1
	if _, err := encodeBatch(b, size); err != nil {
		t.Fatal(err)
	}
	if _, err := encodeBatch(b, size-1); !errors.Is(err, ErrTooLong) {
		t.Fatal(err)
	}
	for limit, long := range map[int]bool{size: false, size - 1: true} {
		if got := must(newScanner(bytes.NewReader(line)).next(limit)); got.long != long {
			t.Fatalf("limit %d: long is %v", limit, got.long)
		}
	}
}
