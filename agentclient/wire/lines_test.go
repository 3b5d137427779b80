package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// lines renders everything a reader yields, a line end after each.
func lines(r io.Reader) (string, error) {
	l := NewLines(r)
	var b strings.Builder
	for {
		line, err := l.Next()
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return b.String(), err
		}
		b.Write(line)
		b.WriteByte('\n')
	}
}

var lineStreams = []struct{ name, in, want string }{
	{"case83_lf", "1\n2\n", "1\n2\n"},
	{"case83_crlf", "1\r\n2\r\n", "1\n2\n"},
	{"case83_blank_lines", "\n\r\n1\n \t\n2\n\n", "\n\n1\n\n2\n\n"},
	{"case83_no_end_of_the_last_line", "1\n2", "1\n2\n"},
	{"case83_bom", "\xEF\xBB\xBF1\n2\n", "1\n2\n"},
	{"case83_bom_only_at_the_start", "1\n\xEF\xBB\xBF2\n", "1\n\xEF\xBB\xBF2\n"},
	{"case83_utf8", "\"世界 👩‍👩‍👧\"\n", "\"世界 👩‍👩‍👧\"\n"},
	{"a_cr_ends_nothing", "1\r2\n", "1\r2\n"},
	{"case76_unfinished_line_is_dropped", "1\n{\"a\":", "1\n"},
	{"nothing", "", ""},
	{"blanks_alone", "\n \n ", "\n\n"},
}

func TestLines(t *testing.T) {
	for _, s := range lineStreams {
		t.Run(s.name, func(t *testing.T) {
			for cut := 0; cut <= len(s.in); cut++ {
				r := io.MultiReader(strings.NewReader(s.in[:cut]), strings.NewReader(s.in[cut:]))
				if got, err := lines(r); err != nil || got != s.want {
					t.Fatalf("cut at %d: got %q %v, want %q", cut, got, err, s.want)
				}
			}
			if got, err := lines(iotest.OneByteReader(strings.NewReader(s.in))); err != nil || got != s.want {
				t.Fatalf("one byte a read: got %q %v, want %q", got, err, s.want)
			}
		})
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range lineStreams {
		f.Add([]byte(s.in), uint8(1))
	}
	f.Fuzz(func(t *testing.T, in []byte, step uint8) {
		var want strings.Builder
		for line := range bytes.Lines(bytes.TrimPrefix(in, []byte("\xEF\xBB\xBF"))) {
			whole := bytes.HasSuffix(line, []byte("\n")) || json.Valid(line)
			if whole {
				want.WriteString(string(bytes.TrimSpace(line)) + "\n")
			}
		}
		var readers []io.Reader
		for rest := in; len(rest) > 0; {
			n := min(int(step)%7+1, len(rest))
			readers, rest = append(readers, bytes.NewReader(rest[:n])), rest[n:]
		}
		if got, err := lines(io.MultiReader(readers...)); err != nil || got != want.String() {
			t.Errorf("%q: got %q %v, want %q", in, got, err, want.String())
		}
	})
}

// An unfinished line is worth reading when the stream ended there, not when it broke.
func TestLinesOfABrokenStream(t *testing.T) {
	broke := errors.New("broke")
	got, err := lines(io.MultiReader(strings.NewReader("1\n2"), iotest.ErrReader(broke)))
	if got != "1\n" || !errors.Is(err, broke) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestLinesAreBounded(t *testing.T) {
	fits := strings.Repeat("1", MaxEvent)
	for _, c := range []struct {
		name string
		in   io.Reader
		err  error
	}{
		{"limit", strings.NewReader("1\n" + fits + "\n"), nil},
		{"limit_without_end", strings.NewReader(fits), nil},
		{"limit+1", strings.NewReader(fits + "1\n"), ErrEventTooLong},
		{"limit+1_a_byte_a_read", iotest.OneByteReader(strings.NewReader(fits + "1\n")), ErrEventTooLong},
		{"W2_line_of_100_MB", &endless{pattern: "x", n: 100 << 20}, ErrEventTooLong},
		{"W2_million_blank_lines", &endless{pattern: "\n", n: 5_000_000}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			l := NewLines(c.in)
			var err error
			for err == nil {
				_, err = l.Next()
			}
			runtime.ReadMemStats(&after)
			if c.err == nil {
				c.err = io.EOF
			}
			if !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 40<<20 {
				t.Errorf("allocated %d bytes", grown)
			}
		})
	}
}

func TestFollowLines(t *testing.T) {
	for _, c := range []struct {
		name, body, got string
		lenient         bool
		condition       retrypolicy.Condition // none: it ends well
	}{
		{"ended", "{1}\n {2}\r\n{end}\n{3}\n", "{1} {2} {end} ", false, ""},
		{"76_broke_off", "{1}\n", "{1} ", false, retrypolicy.CondTruncated},
		{"76_in_a_line", "{1}\n{\"en", "{1} ", false, retrypolicy.CondTruncated},
		{"76_lenient", "{1}\n", "{1} ", true, ""},
		{"W2_too_long", "{1}\n{" + strings.Repeat("x", MaxEvent+1), "{1} ", true, retrypolicy.CondMalformed},
		{"87_blank", "{1}\n\n{end}\n", "{1} alive {end} ", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { wiretest.Write(conn, wiretest.Head+c.body) })
			answer, err := client(t, Options{BaseURL: server.URL()}).Do(t.Context(), post, func(agentclient.Piece) {})
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Close()
			var got string
			r := answer.Relay(func(agentclient.Piece) { got += "alive " })
			err = r.FollowLines(c.lenient, func(line []byte) (bool, error) {
				got += string(line) + " "
				return string(line) == "{end}", nil
			})
			if got != c.got {
				t.Errorf("got %q, want %q", got, c.got)
			}
			if c.condition == "" {
				if err != nil {
					t.Error(err)
				}
			} else if f := failed(t, err); f.Condition != c.condition {
				t.Errorf("condition %q, want %q", f.Condition, c.condition)
			}
		})
	}
}
