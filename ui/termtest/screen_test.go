package termtest

import (
	"slices"
	"strings"
	"testing"
)

func shown(w, h int, output string) *Screen {
	s := NewScreen(w, h)
	_, _ = s.Write([]byte(output))
	return s
}

func TestScreenDraws(t *testing.T) {
	for name, c := range map[string]struct {
		output string
		want   []string
	}{
		"addressed":             {"\x1b[2;3Hab\x1b[Hc", []string{"c", "  ab", ""}},
		"wide":                  {"你好\x1b[1;3Hx", []string{"你x", "", ""}},
		"a half is blanked":     {"你\x1b[1;2Hx", []string{" x", "", ""}},
		"a mark joins":          {"e\u0301x", []string{"e\u0301x", "", ""}},
		"a family is one":       {"👨\u200d👩\u200d👧x", []string{"👨\u200d👩\u200d👧x", "", ""}},
		"marks do not jump":     {"e\x1b[1;2H\u0301x", []string{"ex", "", ""}},
		"erase to the right":    {"abcdef\x1b[1;3H\x1b[K", []string{"ab", "", ""}},
		"erase to the left":     {"abcdef\x1b[1;3H\x1b[1K", []string{"   def", "", ""}},
		"erase the line":        {"abcdef\x1b[2K", []string{"", "", ""}},
		"erase all":             {"abc\x1b[3;1Hd\x1b[2J", []string{"", "", ""}},
		"erase below":           {"abc\x1b[2;1Hdef\x1b[3;1Hg\x1b[2;2H\x1b[J", []string{"abc", "d", ""}},
		"erase above":           {"abc\x1b[2;1Hdef\x1b[3;1Hg\x1b[2;2H\x1b[1J", []string{"", "  f", "g"}},
		"scrolled up":           {"a\x1b[2;1Hb\x1b[3;1Hc\x1b[S", []string{"b", "c", ""}},
		"scrolled down":         {"a\x1b[2;1Hb\x1b[3;1Hc\x1b[2T", []string{"", "", "a"}},
		"in a region":           {"a\x1b[2;1Hb\x1b[3;1Hc\x1b[2;3r\x1b[S", []string{"a", "c", ""}},
		"a whole region again":  {"a\x1b[2;1Hb\x1b[3;1Hc\x1b[2;3r\x1b[r\x1b[S", []string{"b", "c", ""}},
		"wrapped":               {"0123456789x", []string{"0123456789", "x", ""}},
		"not wrapped":           {"\x1b[?7l0123456789x", []string{"012345678x", "", ""}},
		"lines scroll":          {"a\r\nb\r\nc\r\nd", []string{"b", "c", "d"}},
		"colours":               {"\x1b[1;31mred\x1b[m plain\x1b[38:2::1:2:3m", []string{"red plain", "", ""}},
		"alternate and back":    {"main\x1b[?1049h\x1b[Halt\x1b[?1049l", []string{"main", "", ""}},
		"alternate":             {"main\x1b[?1049h\x1b[Halt", []string{"alt", "", ""}},
		"an update half drawn":  {"old\x1b[?2026h\x1b[Hnew", []string{"old", "", ""}},
		"an update drawn":       {"old\x1b[?2026h\x1b[Hnew\x1b[?2026l", []string{"new", "", ""}},
		"beyond the edges":      {"\x1b[99;99Hx", []string{"", "", "         x"}},
		"titles are not shown":  {"\x1b]2;name\aa\x1b]0;other\x1b\\b", []string{"ab", "", ""}},
		"an unfinished control": {"a\x1b[3", []string{"a", "", ""}},
	} {
		s := shown(10, 3, c.output)
		if got := s.Lines(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if len(s.violations) > 0 {
			t.Errorf("%s: %q", name, s.violations)
		}
		cut := NewScreen(10, 3)
		for _, b := range []byte(c.output) {
			_, _ = cut.Write([]byte{b})
		}
		if got := cut.Lines(); !slices.Equal(got, c.want) {
			t.Errorf("%s, byte by byte: %q", name, got)
		}
	}
}

func TestScreenFindsWhatIsNotAllowed(t *testing.T) {
	for _, output := range []string{
		"\x1b[c", "\x1b[>c", "\x1b[6n", "\x1b[?6n", "\x1b[5n", "\x1b]11;?\a", "\x1b]10;?\x1b\\", "\x1b[?2026$p", "\x1b[>q", "\x1b[18t",
		"\x1b[14t", "\x1bP+q544e\x1b\\", "\x1b_Gi=1\x1b\\", "\x1b^pm\x1b\\", "\x1bXsos\x1b\\", "\x1bc", "\x1b7", "\x1b(0", "\x1b]52;c;?\a",
		"\x1b]8;;http://x\a", "\x1b]9;4;1;50\a", "\x1b]52;p;aGk=\a", "\x1b]4;1;?\a", "\x1b[?1003h", "\x1b[4h", "\x1b[!p", "\x1b[2 q", "\x1b[u", "\x1b[?u", "\x1b[>1u",
		"\x1b[23;0t", "\x1b[22;1t", "a\bb", "\t", "\x00", "\x7f", "\x0e", "\x0b", "\x0c", "\u009b", "\u0085", "\x9b6n", "\xff", "\xe4x", "\u202e", "\u2066", "\u200b", "\ufeff",
		"\u2028", "\U000E0041", "\x1b[?1049ha\nb", "\x1b[?1049ha\rb", "\x1b[3\x18", "\x1b[3\x1b[4m", "\x1b]2;a\x1b[m", "\x1b]2;a\nb\a", "\x18", "\x1b[=5h",
	} {
		if s := shown(10, 3, output); len(s.violations) == 0 {
			t.Errorf("%q is let through", output)
		}
	}
	for _, output := range []string{"\a", "a\r\nb", "\x1b[22;0t\x1b]2;x\a\x1b[23;0t", "\x1b]9;done\a", "\x1b]52;c;aGk=\x1b\\", "\x1b[?1049h\x1b[?2004h\x1b[?1004h\x1b[?1007l\x1b[?7l", "👨\u200d👩", "\ufffd"} {
		if s := shown(10, 3, output); len(s.violations) > 0 {
			t.Errorf("%q: %q", output, s.violations)
		}
	}
}

func TestScreenRemembers(t *testing.T) {
	s := shown(10, 3, "\x1b[22;0t\x1b[?1049h\x1b[?25l\x1b]2;name\a\x1b]9;done\a\x1b]52;c;aGk=\a\a\x1b[2;4H")
	if x, y, on := s.Cursor(); x != 3 || y != 1 || on || !s.AltScreen() || s.title != "name" || s.bells != 1 {
		t.Errorf("cursor %d,%d %t, title %q, %d bells", x, y, on, s.title, s.bells)
	}
	if !slices.Equal(s.notices, []string{"done"}) || !slices.Equal(s.clipboard, []string{"aGk="}) {
		t.Errorf("%q %q", s.notices, s.clipboard)
	}
	if got := s.Unrestored(); len(got) != 3 { // alternate screen, cursor, title
		t.Errorf("unrestored: %q", got)
	}
	_, _ = s.Write([]byte("\x1b[?25h\x1b[23;0t\x1b[?1049l"))
	if got := s.Unrestored(); len(got) != 0 || s.title != "" {
		t.Errorf("unrestored: %q, title %q", got, s.title)
	}
}

func TestScreenResizes(t *testing.T) {
	s := shown(10, 3, "\x1b[?7l0123你好89\x1b[3;1Hlast\x1b[2;3r")
	s.Resize(5, 2)
	if got := s.Lines(); !slices.Equal(got, []string{"0123", ""}) {
		t.Errorf("%q", got)
	}
	s.Resize(0, 0)
	_, _ = s.Write([]byte("\x1b[Hab你\x1b[5S\x1b[Hz"))
	if got := s.Lines(); !slices.Equal(got, []string{"z"}) {
		t.Errorf("%q", got)
	}
}

func TestMarksStayCheap(t *testing.T) {
	s := shown(10, 3, "e"+strings.Repeat("\u0301", 100_000)+"x")
	if x, _, _ := s.Cursor(); x != 2 || !strings.HasSuffix(s.Lines()[0], "x") {
		t.Errorf("cursor at %d", x)
	}
}

func TestKeyNames(t *testing.T) {
	for key, want := range map[string]string{"ctrl+y": "\x19", "ctrl+_": "\x1f", "alt+_": "\x1b_", "alt+up": "\x1b[1;3A", "x": "x", "你": "你", "K": "K"} {
		if got, ok := keyBytes(key); !ok || got != want {
			t.Errorf("%s sends %q", key, got)
		}
	}
	for _, key := range []string{"", "entr", "ctrl+", "ctrl+up2", "ctrl+é"} {
		if got, ok := keyBytes(key); ok {
			t.Errorf("%q sends %q", key, got)
		}
	}
}

func TestScreenKeepsLooks(t *testing.T) {
	s := shown(12, 2, "\x1b[1;31ma\x1b[0mb\x1b[2;7;38;5;80;48;5;231m\u4f60\x1b[22;27mc\x1b[39;49;4md\x1b[24;9;3;97me\x1b[m\x1b[104m\x1b[38;2;1;2;3mf")
	var got []Look
	for _, c := range s.Cells()[0][:8] {
		got = append(got, c.Look)
	}
	want := []Look{
		{Fg: 2, Bold: true}, {},
		{Fg: 81, Bg: 232, Faint: true, Reverse: true}, {Fg: 81, Bg: 232, Faint: true, Reverse: true}, {Fg: 81, Bg: 232},
		{Underline: true}, {Fg: 16, Italic: true, Strike: true}, {Bg: 13},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if c := s.Cells()[0][3]; !c.Half || c.Text != "" {
		t.Errorf("the right half of a wide character is %+v", c)
	}
}
