package picture

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"baton/ui/termtest"
)

// screen is what stands on a terminal of that width that was sent output.
func screen(width int, output string) Frame {
	s := termtest.NewScreen(width, 2)
	_, _ = s.Write([]byte(output))
	f := Frame{Title: "a & b", Cells: s.Cells()}
	f.X, f.Y, f.Caret = s.Cursor()
	return f
}

type element struct {
	name, text string
	attr       map[string]string
}

// elements reads a picture as what it is, XML; a mistake in it fails the test.
func elements(t *testing.T, svg []byte) []element {
	t.Helper()
	var all []element
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		switch tok, err := d.Token(); tok := tok.(type) {
		case xml.StartElement:
			e := element{name: tok.Name.Local, attr: map[string]string{}}
			for _, a := range tok.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			all = append(all, e)
		case xml.CharData:
			if n := len(all); n > 0 {
				all[n-1].text += strings.Trim(string(tok), "\n")
			}
		case nil:
			if !errors.Is(err, io.EOF) {
				t.Fatalf("%v\n%s", err, svg)
			}
			return all
		}
	}
}

// Every piece of text stands where its first cell is and is as wide as its cells, whatever the font.
func TestEachCharacterHasItsPlace(t *testing.T) {
	f := screen(30, "ab <c>  \x1b[1mbold\x1b[0m 你x é\x1b[2;1H\x1b[7m r \x1b[0m\x1b[4m_\x1b[0m─┃")
	want := map[string]struct {
		x, y float64
		wide float64
	}{"ab <c>": {0, 0, 6}, "bold": {8, 0, 4}, "你": {13, 0, 2}, "x": {15, 0, 1}, "é": {17, 0, 1}, "r": {1, 1, 1}, "_": {3, 1, 1}}
	found := 0
	for _, e := range elements(t, Draw(f)) {
		w, ok := want[e.text]
		if e.name != "text" || e.text == f.Title {
			continue
		}
		if !ok {
			t.Errorf("%q is drawn", e.text)
			continue
		}
		found++
		x, y := place(int(w.x), int(w.y))
		if e.attr["x"] != px(x) || e.attr["y"] != px(y+base) || e.attr["textLength"] != px(w.wide*wide) {
			t.Errorf("%q stands at %v", e.text, e.attr)
		}
	}
	if found != len(want) {
		t.Errorf("%d pieces of %d", found, len(want))
	}
}

func TestLooks(t *testing.T) {
	svg := string(Draw(screen(20, "\x1b[31ma\x1b[0m\x1b[2mb\x1b[0m\x1b[7mc\x1b[0m\x1b[38;5;196md\x1b[0m\x1b[3;4;9me\x1b[0m\x1b[38;5;244mf\x1b[0m\x1b[44mg\x1b[0m")))
	for _, want := range []string{
		`fill="` + sixteen[1] + `">a<`, `fill="` + faintly(ink) + `">b<`, `fill="` + ground + `">c<`, `height="18" fill="` + ink + `"/>`, `fill="#ff0000">d<`,
		`font-style="italic" text-decoration="underline line-through">e<`, `fill="#808080">f<`, `fill="` + sixteen[4] + `"/>`, "<title>a &amp; b</title>",
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
}

// Every colour is read on the ground with a contrast of 4.5 to 1 (WCAG 2.1), black aside, which no theme writes with.
func TestColoursCanBeRead(t *testing.T) {
	for _, c := range append(sixteen[1:], ink, faintly(ink), faintly(sixteen[1]), faintly(sixteen[4])) {
		least := 4.5
		if c == sixteen[8] || c == faintly(sixteen[1]) || c == faintly(sixteen[4]) {
			least = 3
		}
		if got := (luminance(c) + 0.05) / (luminance(ground) + 0.05); got < least {
			t.Errorf("%s has a contrast of %.1f", c, got)
		}
	}
}

func luminance(colour string) float64 {
	sum := 0.0
	for i, share := range []float64{0.2126, 0.7152, 0.0722} {
		var n int
		_, _ = fmt.Sscanf(colour[1+2*i:3+2*i], "%02x", &n)
		v := float64(n) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += share * v
	}
	return sum
}

// What differs from run to run is drawn as one says, and what stands beside it stays where it is.
func TestReplace(t *testing.T) {
	for _, c := range []struct{ row, pattern, text, want string }{
		{"Busy 1:07 · x        right", `\d+:\d\d`, "0:42", "Busy 0:42 · x        right"},
		{"at 127.0.0.1:80 x    right", `127\S+`, "example", "at example x         right"},
		{"in 5s · x            right", `in \d+s`, "in 38s", "in 38s · x           right"},
		{"left        at host:123456", `host:\d+`, "longer.host", "left        at longer.host"},
		{"left        at host:123456", `host:\d+`, "host.example", "left       at host.example"},
		{"left        at host:123456", `host:\d+`, "host", "left               at host"},
		{"left              你 1 end", `\d`, "22", "left             你 22 end"},
		{"nothing of it", `\d`, "2", "nothing of it"},
		{"x 5", `5`, "5678", "x 5678"},
	} {
		f := screen(26, c.row)
		f.Replace(regexp.MustCompile(c.pattern), c.text)
		if got, _ := lineOf(f.Cells[0]); strings.TrimRight(got, " ") != c.want || len(f.Cells[0]) != 26 {
			t.Errorf("%q: %q, want %q", c.row, got, c.want)
		}
	}
}
