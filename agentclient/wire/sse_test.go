package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// events renders everything a reader yields, for comparison.
func events(r io.Reader) (string, error) {
	e := NewEvents(r)
	var b strings.Builder
	for {
		ev, err := e.Next()
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return b.String(), err
		}
		if ev.Alive {
			b.WriteString("alive\n")
			continue
		}
		fmt.Fprintf(&b, "%q %q\n", ev.Name, ev.Data)
	}
}

var streams = []struct{ name, in, want string }{
	{"case83_lf", "data: a\n\ndata: b\n\n", "\"\" \"a\"\n\"\" \"b\"\n"},
	{"case83_crlf", "data: a\r\n\r\ndata: b\r\n\r\n", "\"\" \"a\"\n\"\" \"b\"\n"},
	{"case83_crlf_multi_line", "data: a\r\ndata: b\r\n\r\n", "\"\" \"a\\nb\"\n"},
	{"case83_cr", "data: a\r\rdata: b\r\r", "\"\" \"a\"\n\"\" \"b\"\n"},
	{"case83_mixed", "data: a\r\n\ndata: b\n\r\n", "\"\" \"a\"\n\"\" \"b\"\n"},
	{"case83_no_space", "data:a\n\ndata:  b\n\n", "\"\" \"a\"\n\"\" \" b\"\n"},
	{"case83_multi_line", "data: a\ndata: b\ndata\n\n", "\"\" \"a\\nb\\n\"\n"},
	{"case83_bom", "\xEF\xBB\xBFdata: a\n\n", "\"\" \"a\"\n"},
	{"case83_bom_only_at_the_start", "data: a\n\n\xEF\xBB\xBFdata: b\n\n", "\"\" \"a\"\n"},
	{"case83_ids_and_retry", "id: 7\nretry: 10\nevent: x\ndata: a\n\n", "\"x\" \"a\"\n"},
	{"case83_utf8", "data: 世界 👩‍👩‍👧\n\n", "\"\" \"世界 👩\\u200d👩\\u200d👧\"\n"},
	{"case87_comments", ": keep-alive\n\n:\ndata: a\n\n", "alive\nalive\n\"\" \"a\"\n"},
	{"name_ends_with_its_event", "event: x\n\ndata: a\n\n", "\"\" \"a\"\n"},
	{"empty_data_is_an_event", "data:\n\n", "\"\" \"\"\n"},
	{"colon_in_value", "data: a:b\n\n", "\"\" \"a:b\"\n"},
	{"unknown_field", "datax: a\nfoo\n\ndata: b\n\n", "\"\" \"b\"\n"},
	{"unfinished_event_is_dropped", "data: a\n\ndata: b\n", "\"\" \"a\"\n"},
	{"unfinished_line_is_dropped", "data: a\n\ndata: b", "\"\" \"a\"\n"},
	{"nothing", "", ""},
}

func TestEvents(t *testing.T) {
	for _, s := range streams {
		t.Run(s.name, func(t *testing.T) {
			for cut := 0; cut <= len(s.in); cut++ {
				r := io.MultiReader(strings.NewReader(s.in[:cut]), strings.NewReader(s.in[cut:]))
				if got, err := events(r); err != nil || got != s.want {
					t.Fatalf("cut at %d: got %s %v, want %s", cut, got, err, s.want)
				}
			}
			if got, err := events(iotest.OneByteReader(strings.NewReader(s.in))); err != nil || got != s.want {
				t.Fatalf("one byte a read: got %s %v, want %s", got, err, s.want)
			}
		})
	}
}

// naive is the standard's text turned into code, for a whole stream at once.
func naive(in string) string {
	in = strings.TrimPrefix(in, "\xEF\xBB\xBF")
	in = strings.ReplaceAll(strings.ReplaceAll(in, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(in, "\n")
	lines = lines[:len(lines)-1] // what follows the last line end is unfinished
	var out, data strings.Builder
	name := ""
	for _, line := range lines {
		field, value, _ := strings.Cut(line, ":")
		switch {
		case line == "":
			if data.Len() > 0 {
				fmt.Fprintf(&out, "%q %q\n", name, data.String()[:data.Len()-1])
			}
			data.Reset()
			name = ""
		case line[0] == ':':
			out.WriteString("alive\n")
		case field == "data":
			data.WriteString(strings.TrimPrefix(value, " ") + "\n")
		case field == "event":
			name = strings.TrimPrefix(value, " ")
		}
	}
	return out.String()
}

func FuzzEvents(f *testing.F) {
	for _, s := range streams {
		f.Add([]byte(s.in), uint8(1))
	}
	f.Fuzz(func(t *testing.T, in []byte, step uint8) {
		want := naive(string(in))
		size := int(step)%7 + 1
		var readers []io.Reader
		for rest := in; len(rest) > 0; {
			n := min(size, len(rest))
			readers = append(readers, bytes.NewReader(rest[:n]))
			rest = rest[n:]
		}
		got, err := events(io.MultiReader(readers...))
		if err != nil || got != want {
			t.Errorf("%q in steps of %d:\ngot  %s%v\nwant %s", in, size, got, err, want)
		}
	})
}

// endless repeats a pattern for n bytes without ever holding them.
type endless struct {
	pattern string
	at, n   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = e.pattern[e.at%len(e.pattern)]
		e.at++
	}
	n := min(len(p), e.n)
	e.n -= n
	return n, nil
}

func TestEventsAreBounded(t *testing.T) {
	for _, c := range []struct {
		name    string
		in      io.Reader
		err     error
		maxHeap uint64
	}{
		{"W2_line_of_100_MB", &endless{pattern: "x", n: 100 << 20}, ErrEventTooLong, 40 << 20},
		{"W2_data_line_of_100_MB", io.MultiReader(strings.NewReader("data: "), &endless{pattern: "x", n: 100 << 20}), ErrEventTooLong, 40 << 20},
		{"W2_event_of_many_lines", &endless{pattern: "data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", n: 100 << 20}, ErrEventTooLong, 40 << 20},
		{"W2_million_empty_data_lines", &endless{pattern: "data:\n", n: 6_000_000}, nil, 40 << 20},
		{"W2_million_comments", &endless{pattern: ":\n", n: 2_000_000}, nil, 40 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			e := NewEvents(c.in)
			var err error
			for err == nil {
				_, err = e.Next()
			}
			runtime.ReadMemStats(&after)
			if c.err == nil {
				c.err = io.EOF
			}
			if !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > c.maxHeap {
				t.Errorf("allocated %d bytes, more than %d", grown, c.maxHeap)
			}
		})
	}
}

func TestEventLimit(t *testing.T) {
	fits := strings.Repeat("x", MaxEvent-len("data:")) // the longest line
	for _, c := range []struct {
		name string
		in   string
		err  error
	}{
		{"limit", "data:" + fits + "\n\n", nil},
		{"limit+1", "data:" + fits + "x\n\n", ErrEventTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := events(strings.NewReader(c.in)); !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
		})
	}
}
