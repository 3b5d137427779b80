package term

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// say writes messages down so that runs of text read the same however they were cut.
func say(msgs []tea.Msg) string {
	var b strings.Builder
	for _, m := range msgs {
		switch m := m.(type) {
		case tea.KeyMsg:
			switch {
			case m.Paste:
				fmt.Fprintf(&b, "{paste %q}", string(m.Runes))
			case m.Type == tea.KeyRunes && !m.Alt:
				b.WriteString(string(m.Runes))
			case m.Type == tea.KeySpace && !m.Alt:
				b.WriteString(" ")
			default:
				fmt.Fprintf(&b, "{%s}", m)
			}
		case tea.MouseMsg:
			fmt.Fprintf(&b, "{%s %d,%d}", m, m.X, m.Y)
		default:
			fmt.Fprintf(&b, "{%T}", m)
		}
	}
	return b.String()
}

// reads feeds each part as a read of its own and flushes at the end.
func reads(parts ...string) string {
	var d Decoder
	var out []tea.Msg
	for _, p := range parts {
		out = append(out, d.Feed([]byte(p))...)
	}
	return say(append(out, d.Flush()...))
}

func TestDecoderKeys(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"text", "aé日", "aé日"},
		{"space", "a b", "a b"},
		{"controls", "\x01\x7f\t\x00\x1f", "{ctrl+a}{backspace}{tab}{ctrl+@}{ctrl+_}"},
		{"line feed is the newline key", "\n", "{ctrl+j}"},
		{"arrows", "\x1b[A\x1bOB\x1b[1;1C", "{up}{down}{right}"},
		{"alt+arrows", "\x1b[1;3A\x1b[1;3B", "{alt+up}{alt+down}"},
		{"alt+arrow with a second ESC", "\x1b\x1b[A\x1b\x1bOB", "{alt+up}{alt+down}"},
		{"ESC before a paste stays a key", "\x1b\x1b[200~x\x1b[201~", "{esc}{paste \"x\"}"},
		{"modifiers", "\x1b[1;5D\x1b[1;2A\x1b[1;6B\x1b[5;5~\x1b[1;7A", "{ctrl+left}{shift+up}{ctrl+shift+down}{ctrl+pgup}{alt+ctrl+up}"},
		{"a missing modifier is none", "\x1b[1;A\x1b[1;0B", "{up}{down}"},
		{"home, end and friends", "\x1b[H\x1b[4~\x1b[3~\x1b[2~\x1b[6~", "{home}{end}{delete}{insert}{pgdown}"},
		{"function keys", "\x1bOP\x1b[15~\x1b[[B\x1b[24~", "{f1}{f5}{f2}{f12}"},
		{"F3 with a modifier", "\x1b[1;2R\x1b[1;8R", "{f3}{alt+f3}"},
		{"a cursor report", "\x1b[1;9R\x1b[12;40R\x1b[1;1Rx", "x"},
		{"shift+tab", "\x1b[Z", "{shift+tab}"},
		{"shift+enter, kitty and xterm", "\x1b[13;2u\x1b[27;2;13~", "{ctrl+j}{ctrl+j}"},
		{"alt+enter", "\x1b\r\x1b[13;3u\x1b[27;3;13~", "{alt+enter}{alt+enter}{alt+enter}"},
		{"enter by code", "\x1b[13u\x1b[13;5u", "{enter}{enter}"},
		{"letters by code", "\x1b[97;5u\x1b[97;3u\x1b[97;2u\x1b[47;5u", "{ctrl+a}{alt+a}A{ctrl+_}"},
		{"codes that are no characters", "\x1b[57358u\x1b[55296u\x1b[9999999999u\x1b[0uz", "z"},
		{"alt keys", "\x1bx\x1bé\x1b\x7f\x1b ", "{alt+x}{alt+é}{alt+backspace}{alt+ }"},
		{"rxvt", "\x1b[a\x1bOd\x1b[5^", "{shift+up}{ctrl+left}{ctrl+pgup}"},
		{"focus", "\x1b[I\x1b[O", "{tea.FocusMsg}{tea.BlurMsg}"},
		{"wheel", "\x1b[<64;3;4M\x1b[<65;1;1M\x1b[<80;1;1M", "{wheel up 2,3}{wheel down 0,0}{ctrl+wheel up 0,0}"},
		{"wheel sideways is not down", "\x1b[<67;1;1M", "{wheel right 0,0}"},
		{"clicks are swallowed", "\x1b[<0;3;4M\x1b[<0;3;4mx", "x"},
		{"old mouse reports", "\x1b[M`!!\x1b[M !!x", "{wheel up 0,0}x"},
		{"hostile mouse", "\x1b[<999999999999;1;1M\x1b[<64;999999999999;1M\x1b[<64;0;-5Mx", "x"},
		{"replies", "\x1b[?62;22c\x1b[>1;2;3c\x1b[?2026;2$y\x1b[8;24;80t\x1b[0n\x1b[?1ux", "x"},
		{"OSC reply", "\x1b]11;rgb:0000/0000/0000\x1b\\a\x1b]11;rgb:0/0/0\ab", "ab"},
		{"DCS, APC, PM, SOS", "\x1bP>|xterm\x1b\\a\x1b_Gi=1\x1b\\b\x1b^x\x1b\\c\x1bXx\x1b\\d", "abcd"},
		{"a string cut by a key", "\x1b]11;rgb\x1b[Ax", "{up}x"},
		{"alt keys that begin strings", "\x1b_\x1b]\x1b^", "{alt+_}{alt+]}{alt+^}"},
		{"alt key, then ESC", "\x1b_\x1b", "{alt+_}{esc}"},
		{"lone ESC", "\x1b", "{esc}"},
		{"ESC ESC", "\x1b\x1b", "{esc}{esc}"},
		{"alt+[ and alt+O", "\x1bO\x1b[", "{alt+O}{alt+[}"},
		{"a broken sequence is no text", "\x1b[12", ""},
		{"a broken character", "\xe6\x97", "\ufffd\ufffd"},
		{"ESC and 256 digits", "\x1b[" + strings.Repeat("1", 256) + "Ax", "x"},
		{"ESC and 256 letters", "\x1b" + strings.Repeat("a", 256), "{alt+a}" + strings.Repeat("a", 255)},
	} {
		t.Run("K4, "+c.name, func(t *testing.T) {
			if got := reads(c.in); got != c.want {
				t.Errorf("%q says %s, want %s", c.in, got, c.want)
			}
			if got := reads(strings.Split(c.in, "")...); !strings.Contains(c.in, "\r") && !strings.ContainsRune(c.in, 0xfffd) && got != c.want {
				t.Errorf("a byte a read: %q says %s, want %s", c.in, got, c.want)
			}
		})
	}
}

// A CR is Enter only where a person can have typed it.
func TestDecoderCarriageReturn(t *testing.T) {
	for _, c := range []struct {
		name  string
		reads []string
		want  string
	}{
		{"typed", []string{"a", "\r"}, "a{enter}"},
		{"last of a read", []string{"a\r"}, "a{enter}"},
		{"pasted without brackets", []string{"one\rtwo\rthree"}, `{paste "one\ntwo\nthree"}`},
		{"pasted with CRLF", []string{"one\r\ntwo"}, `{paste "one\ntwo"}`},
		{"an empty line is no Enter", []string{"one\r\rtwo"}, `{paste "one\n\ntwo"}`},
		{"the last one is Enter", []string{"one\rtwo\r"}, `{paste "one\ntwo"}{enter}`},
		{"Enter and an arrow in one read", []string{"\r\x1b[A"}, "{enter}{up}"},
		{"Enter and a focus report", []string{"a\r\x1b[O"}, "a{enter}{tea.BlurMsg}"},
		{"coloured text is a paste", []string{"a\r\x1b[31mb"}, "a{ctrl+j}b"},
		{"behind a paste", []string{"\x1b[200~x\x1b[201~\r"}, "{paste \"x\"}{ctrl+j}"},
		{"behind a paste, next read", []string{"\x1b[200~x\x1b[201~", "\r"}, "{paste \"x\"}{enter}"},
		{"a key behind a paste, then Enter", []string{"\x1b[200~x\x1b[201~y\r"}, "{paste \"x\"}y{enter}"},
		{"an end mark inside a paste", []string{"\x1b[200~x\x1b[201~\rrm\r\x1b[201~"}, "{paste \"x\"}{ctrl+j}rm{ctrl+j}"},
		{"an empty paste", []string{"\x1b[200~\x1b[201~\r"}, "{ctrl+j}"},
		{"after a timed-out sequence", []string{"\x1b[1\r"}, "{enter}"},
	} {
		if got := reads(c.reads...); got != c.want {
			t.Errorf("%s: %q says %s, want %s", c.name, c.reads, got, c.want)
		}
	}
	var d Decoder
	for range 16 { // each submit is a read of its own
		if got := say(d.Feed([]byte("x\r"))); got != "x{enter}" {
			t.Fatal(got)
		}
	}
}

func TestDecoderPaste(t *testing.T) {
	if got := reads("\x1b[200~a\r\nb\rc\n\x1b[31m日\x1b[200~\x1b[201~z"); got != "{paste \"a\\nb\\nc\\n\\x1b[31m日\\x1b[200~\"}z" {
		t.Error(got)
	}
	if got := reads("\x1b[200~lost end \x1b[20"); got != "{paste \"lost end \\x1b[20\"}" {
		t.Error("a paste without an end loses bytes:", got)
	}
	var d Decoder
	d.limit = 8
	in := "\x1b[200~" + strings.Repeat("é日\r\n", 50) + "\x1b[201~"
	var text string
	parts := 0
	for i := range len(in) {
		for _, m := range d.Feed([]byte(in[i : i+1])) {
			text += string(m.(tea.KeyMsg).Runes)
			parts++
		}
	}
	if want := strings.Repeat("é日\n", 50); text != want || parts < 10 {
		t.Errorf("%d parts: %q", parts, text)
	}
}

func TestDecoderPending(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"": 0, "a": 0, "\x1b": escWait, "\x1b[": escWait, "\x1b\x1b": escWait, "\x1b_": escWait, "\x1b\x1b[": escWait,
		"\x1b[1;": seqWait, "\xe6": seqWait, "\x1b]11;": seqWait, "\x1b[200~abc": pasteWait, "\x1b[A": 0,
	} {
		var d Decoder
		d.Feed([]byte(in))
		if got := d.Pending(); got != want {
			t.Errorf("%q waits %v, want %v", in, got, want)
		}
		if d.Flush(); d.Pending() != 0 {
			t.Errorf("%q still waits after Flush", in)
		}
	}
}

func TestDecoderUnbracketed(t *testing.T) {
	in := []byte(strings.Repeat("你", 300))
	for size := 1; size < len(in); size += 7 {
		var d Decoder
		n := 0
		for rest := in; len(rest) > 0; {
			k := min(size, len(rest))
			for _, m := range d.Feed(rest[:k]) {
				n += len(m.(tea.KeyMsg).Runes)
			}
			rest = rest[k:]
		}
		if n != 300 || d.Pending() != 0 {
			t.Fatalf("reads of %d: %d characters", size, n)
		}
	}
	var d Decoder
	if msgs := d.Feed([]byte(strings.Repeat("some words ", 1000))); len(msgs) != 1 {
		t.Errorf("a long read became %d messages", len(msgs))
	}
	if msgs := d.Feed([]byte("jj")); len(msgs) != 2 {
		t.Errorf("two keys became %d messages", len(msgs))
	}
}

// Work must grow with the paste, not with its square: bytes allocated tell.
func TestDecoderPasteIsLinear(t *testing.T) {
	cost := func(size int) float64 {
		in := append(append([]byte("\x1b[200~"), bytes.Repeat([]byte("some text 日本\r"), size/16)...), pasteEndSeq...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var d Decoder
		n := 0
		for rest := in; len(rest) > 0; {
			k := min(256, len(rest))
			n += len(d.Feed(rest[:k]))
			rest = rest[k:]
		}
		runtime.ReadMemStats(&after)
		if n != 1 {
			t.Fatal(n, "messages")
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if small, large := cost(1<<17), cost(1<<20); large > 12*small {
		t.Errorf("8 times the paste costs %.1f times the memory", large/small)
	}
}

// A terminal that brackets no paste must not make keys of it: what is pasted is text.
func TestDecoderUnbracketedPaste(t *testing.T) {
	for _, c := range []struct {
		name  string
		reads []string
		want  string
	}{
		{"a tab between text", []string{"a\tsd"}, `{paste "a\tsd"}`},
		{"indented code", []string{"if x:\n\tsend(c)\n\tdone"}, `{paste "if x:\n\tsend(c)\n\tdone"}`},
		{"columns, then Enter", []string{"col1\tcol2\rd1\tdescr\r"}, `{paste "col1\tcol2\nd1\tdescr"}{enter}`},
		{"an indent before much text", []string{"\tsome words and more"}, `{paste "\tsome words and more"}`},
		{"keys behind much text", []string{"some words and more\x03"}, "some words and more{ctrl+c}"},
		{"a correction within much text", []string{"some words and more\x15ok"}, "some words and more{ctrl+u}ok"},
		{"Enter, then a key", []string{"hello\r\t"}, "hello{enter}{tab}"},
		{"Enter, then ctrl+c", []string{"hello\r\x03"}, "hello{enter}{ctrl+c}"},
		{"Enter twice", []string{"\r\r"}, "{enter}{enter}"},
		{"two lines, then a tab", []string{"one\ttwo\t"}, `{paste "one\ttwo"}{tab}`},
		{"a character cut by the read", []string{"a\tb\xe6\x97", "\xa5"}, `{paste "a\tb"}日`},
		{"tab and keys", []string{"\tdd"}, "{tab}dd"},
		{"text and tab", []string{"abc\t"}, "abc{tab}"},
		{"keys around a control key", []string{"ab\x17cd"}, "ab{ctrl+w}cd"},
		{"keys with an arrow", []string{"a\t\x1b[Bd"}, "a{tab}{down}d"},
		{"a correction", []string{"ab\x7fc\td"}, "ab{backspace}c{tab}d"},
	} {
		if got := reads(c.reads...); got != c.want {
			t.Errorf("%s: %q says %s, want %s", c.name, c.reads, got, c.want)
		}
	}
}

// meaning is what messages say in the end: whether a control character came as a key or
// within a paste makes no difference to a text.
func meaning(parts ...string) string {
	var d Decoder
	var out []tea.Msg
	for _, p := range parts {
		out = append(out, d.Feed([]byte(p))...)
	}
	var b strings.Builder
	for _, m := range append(out, d.Flush()...) {
		k, ok := m.(tea.KeyMsg)
		switch {
		case ok && !k.Alt && (k.Type == tea.KeyRunes || k.Type == tea.KeySpace):
			b.WriteString(string(k.Runes))
		case ok && !k.Alt && k.Type >= 0 && k.Type < ' ' && k.Type != tea.KeyEsc:
			b.WriteByte(byte(k.Type))
		default:
			b.WriteString(say([]tea.Msg{m}))
		}
	}
	return b.String()
}

// cutEqual compares one read with random cuts.
func cutEqual(t *testing.T, in []byte, r *rand.Rand) {
	t.Helper()
	want := meaning(string(in))
	for range 4 {
		var parts []string
		for rest := in; len(rest) > 0; {
			n := 1 + r.IntN(min(9, len(rest)))
			parts = append(parts, string(rest[:n]))
			rest = rest[n:]
		}
		if got := meaning(parts...); got != want {
			t.Fatalf("%q\n in parts %q\n says %s\n want %s", in, parts, got, want)
		}
	}
}

var fragments = []string{
	"a", "é", "日", " ", "\x1b", "\x1b[", "\x1bO", "\x1b[A", "\x1b[1;3B", "\x1b[200~", "\x1b[201~", "\x1b[13;2u", "\x1b]11;rgb:0/0", "\x1b\\", "\a",
	"\x1bP", "\x1b_", "\x18", "\n", "\x7f", "\x1b[<64;3;4M", "\x1b[M", "\x1b[[", "12;", "\x1b[?1", "c", "~", "\xff", "\xe6", "\x9b", "👩‍👩‍👧", "\x1b[1;2R",
}

func TestDecoderCuts(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var in []byte
		for range 1 + r.IntN(30) {
			in = append(in, fragments[r.IntN(len(fragments))]...)
		}
		cutEqual(t, in, r)
	}
}

func FuzzDecoder(f *testing.F) {
	for _, s := range fragments {
		f.Add([]byte(s+"x"+s), uint64(1))
	}
	f.Add([]byte("\x1b[200~"+strings.Repeat("日\n", 40)+"\x1b[201~z"), uint64(2))
	f.Add([]byte("\x1b["+strings.Repeat("9", 300)+"A"), uint64(3))
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) {
		in = bytes.ReplaceAll(in, []byte("\r"), []byte("\n")) // what CR means depends on reads, by design
		cutEqual(t, in, rand.New(rand.NewPCG(seed, 2)))
	})
}
