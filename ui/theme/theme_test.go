package theme

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func TestEveryTableHasExactlyTheSlots(t *testing.T) {
	th := new(Styles)
	slots := th.slots()
	for _, s := range sets {
		for variant, table := range map[string]tokens{"dark": s.dark(), "light": s.light()} {
			for slot := range slots {
				if _, ok := table[slot]; !ok {
					t.Errorf("%s/%s does not say how %q looks", s.name, variant, slot)
				}
			}
			for slot := range table {
				if _, ok := slots[slot]; !ok {
					t.Errorf("%s/%s styles %q, which no theme has", s.name, variant, slot)
				}
			}
		}
	}
}

func TestColoursKeepToTheirPalette(t *testing.T) {
	for _, s := range sets {
		for _, table := range []tokens{s.dark(), s.light()} {
			for slot, k := range table {
				for _, c := range []string{k.fg, k.bg} {
					n, err := strconv.Atoi(c)
					switch {
					case c == "":
					case s.name == "mono":
						t.Errorf("mono: %s has the colour %s", slot, c)
					case err != nil || s.name == "ansi16" && n > 15 || s.name != "ansi16" && (n < 16 || n > 255):
						t.Errorf("%s: %s has the colour %q", s.name, slot, c)
					}
				}
			}
		}
	}
}

func TestUnknownNameListsTheKnown(t *testing.T) {
	_, err := Named("neon", true)
	if err == nil {
		t.Fatal("an unknown theme was accepted")
	}
	for _, n := range append(Names(), "neon") {
		if !strings.Contains(err.Error(), n) {
			t.Errorf("%q does not name %s", err, n)
		}
	}
}

func TestRenderingIgnoresTheOutput(t *testing.T) {
	// The test's stdout is no terminal, and still there are colours.
	th := must(t, "ansi16", true, termenv.ANSI)
	if got, want := th.Error.Render("x"), "\x1b[1;31mx\x1b[0m"; got != want {
		t.Errorf("error style gives %q, want %q", got, want)
	}
}

func TestNoColourKeepsAttributes(t *testing.T) {
	for _, name := range Names() {
		th := must(t, name, true, termenv.Ascii)
		for slot, st := range th.slots() {
			if s := st.Render("x"); strings.Contains(s, "[3") || strings.Contains(s, ";3") || strings.Contains(s, "[4;") || strings.Contains(s, "8;5") {
				t.Errorf("%s without colour: %s gives %q", name, slot, s)
			}
		}
		if s := th.Selected.Render("x"); !strings.Contains(s, "\x1b[7m") {
			t.Errorf("%s without colour: a selection is %q, not reversed", name, s)
		}
	}
}

func TestStylesKeepGraphemesWhole(t *testing.T) {
	const family = "👨‍👩‍👧 e\u0301"
	for _, name := range Names() {
		th := must(t, name, false, termenv.ANSI256)
		for slot, st := range th.slots() {
			if got := st.Render(family); !strings.Contains(got, family) || ansi.Strip(got) != family {
				t.Errorf("%s: %s tears graphemes: %q", name, slot, got)
			}
		}
	}
}

func TestUnderlineCoversEveryLine(t *testing.T) {
	th := must(t, "mono", true, termenv.ANSI)
	for _, line := range strings.Split(th.Link.Render("a\nb"), "\n") {
		if !strings.HasPrefix(line, "\x1b[4m") || !strings.HasSuffix(line, "\x1b[0m") {
			t.Errorf("line %q is not underlined from end to end", line)
		}
	}
}

func TestProfile(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want termenv.Profile
	}{
		{map[string]string{"TERM": "xterm-256color"}, termenv.ANSI256},
		{map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}, termenv.Ascii},
		{map[string]string{"TERM": "xterm-256color", "NO_COLOR": ""}, termenv.ANSI256},
		{map[string]string{"TERM": "dumb", "COLORTERM": "truecolor"}, termenv.Ascii},
		{map[string]string{"TERM": "xterm"}, termenv.ANSI},
		{map[string]string{"TERM": "xterm", "COLORTERM": "truecolor"}, termenv.ANSI256},
		{map[string]string{"TERM": "screen"}, termenv.ANSI},
		{map[string]string{"TERM": "linux", "COLORTERM": "1"}, termenv.ANSI},
		{map[string]string{"TERM": "xterm-kitty"}, termenv.ANSI256},
		{map[string]string{"TERM": "dumb", "FORCE_COLOR": "1"}, termenv.ANSI},
		{map[string]string{"TERM": "dumb", "FORCE_COLOR": "3"}, termenv.ANSI256},
		{map[string]string{"TERM": "xterm-256color", "FORCE_COLOR": "1"}, termenv.ANSI256},
		{map[string]string{"TERM": "xterm-256color", "FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"}, termenv.Ascii},
		{map[string]string{"TERM": "xterm-256color", "FORCE_COLOR": "1", "NO_COLOR": "1"}, termenv.Ascii},
		{map[string]string{"TERM": "xterm-256color", "CLICOLOR": "0"}, termenv.Ascii},
		{map[string]string{"TERM": "xterm-256color", "CLICOLOR": "1"}, termenv.ANSI256},
		{map[string]string{"TERM": "xterm-256color", "CLICOLOR": "0", "CLICOLOR_FORCE": "1"}, termenv.ANSI256},
		{map[string]string{"TERM": "dumb", "CLICOLOR_FORCE": "1"}, termenv.ANSI},
		{map[string]string{"TERM": "dumb", "CLICOLOR_FORCE": "0"}, termenv.Ascii},
	} {
		if got := Profile(func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%v gives %s, want %s", c.env, got.Name(), c.want.Name())
		}
	}
}

func TestDark(t *testing.T) {
	for v, want := range map[string]bool{"": true, "15;0": true, "0;15": false, "0;default;15": false, "12;8": true, "0;7": false, "7;x": true, "1;99": true} {
		if got := Dark(func(string) string { return v }); got != want {
			t.Errorf("COLORFGBG=%q is dark: %v, want %v", v, got, want)
		}
	}
}

// TestFixedColoursAreReadable holds the fixed colours to the contrast WCAG 2.1 asks of text (4.5:1; 7:1 where the theme
// promises a high one), against common backgrounds; lines that carry no text need 3:1.
func TestFixedColoursAreReadable(t *testing.T) {
	plain := map[string]bool{"rule": true, "tableborder": true, "border": true}
	for _, v := range []struct {
		name   string
		table  tokens
		ground string
		text   float64
	}{{"dark", inkDark(), "235", 4.5}, {"light", inkLight(), "231", 4.5}, {"stark dark", starkDark(), "235", 7}, {"stark light", starkLight(), "231", 7}} {
		for slot, k := range v.table {
			if k.fg == "" {
				continue
			}
			ground, need := k.bg, v.text
			if ground == "" {
				ground = v.ground
			}
			if plain[slot] {
				need = 3
			}
			if c := contrast(t, k.fg, ground); c < need {
				t.Errorf("%s: %s has contrast %.2f, needs %.1f", v.name, slot, c, need)
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance (WCAG 2.1) of a palette colour 16..255.
func luminance(t *testing.T, c string) float64 {
	n, err := strconv.Atoi(c)
	if err != nil || n < 16 {
		t.Fatalf("no fixed shade: %q", c)
	}
	step := func(i int) float64 { return []float64{0, 95, 135, 175, 215, 255}[i] }
	r, g, b := step((n-16)/36%6), step((n-16)/6%6), step((n-16)%6)
	if n >= 232 {
		r = float64(8 + 10*(n-232))
		g, b = r, r
	}
	linear := func(v float64) float64 {
		if v /= 255; v <= 0.03928 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func must(t *testing.T, name string, dark bool, p termenv.Profile) Theme {
	t.Helper()
	th, err := For(name, dark, p)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// Every component holds the theme, and it travels through calls by value. 23 KB of styles a copy were half a megabyte of
// stack in the first frame.
func TestThemeIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(Theme{}); size > 32 {
		t.Errorf("a theme takes %d bytes", size)
	}
	a := must(t, Default, true, termenv.ANSI)
	if b := a; b.Styles != a.Styles {
		t.Error("a copy has styles of its own")
	}
}
