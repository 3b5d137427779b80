package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"baton/ui/frametest"
	"baton/ui/theme"
)

// The sizes that looks are reviewed in.
var reviewed = [][2]int{{120, 40}, {80, 24}, {40, 12}, {20, 10}}

// worn are the themes as a terminal gets them. Others look like one of these: a test of
// ui/theme says which.
var worn = []struct {
	name, theme string
	dark        bool
}{
	{"ansi16", "ansi16", true}, {"dark", "dark", true}, {"light", "light", false},
	{"high-contrast", "high-contrast", true}, {"on light", "high-contrast", false}, {"mono", "mono", true},
}

// wear draws the screen with a theme.
func (p *pump) wear(name string, dark bool) []string {
	p.t.Helper()
	word, id := p.m.word, p.m.deps.Theme.ID
	p.m.deps.Restyle = func(string) (theme.Theme, error) { return theme.Named(name, dark) }
	if err := (&host{m: p.m}).SetTheme(name); err != nil {
		p.t.Fatal(err)
	}
	p.m.word, p.m.deps.Theme.ID = word, id // which theme is in use is the same in all pictures
	p.m.refresh()
	return strings.Split(p.m.View(), "\n")
}

// Every surface, in every size, in every theme, and with ASCII alone.
func TestFrames(t *testing.T) {
	zone := time.Local
	time.Local = time.UTC // clock times are shown
	defer func() { time.Local = zone }()
	for name, s := range surfaces {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := s.shown(t)
				for _, size := range reviewed {
					p.m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					p.picture(t, fmt.Sprintf("screen/%s-%dx%d", strings.ReplaceAll(name, " ", "-"), size[0], size[1]))
					if size[0] >= 40 {
						p.reads(t, s.words)
					}
				}
				p.end()
			})
		})
	}
}

// picture compares the screen with its golden file.
func (p *pump) picture(t *testing.T, name string) {
	t.Helper()
	var looks []frametest.Look
	for _, w := range worn {
		looks = append(looks, frametest.Look{Name: w.name, Lines: p.wear(w.theme, w.dark)})
	}
	ascii := theme.ASCII(strings.Join(looks[0].Lines, "\n"))
	own := strings.NewReplacer("世界", "", "👨‍👩‍👧‍👦", "").Replace(ascii) // what was said stays as it is
	if i := strings.IndexFunc(own, func(r rune) bool { return r >= 0x80 }); i >= 0 {
		t.Errorf("%s in ASCII has %q", name, []rune(own[i:])[0])
	}
	caret := "no caret"
	if x, y, ok := p.m.Cursor(); ok {
		caret = fmt.Sprintf("caret %d,%d", x, y)
	}
	frametest.Looks(t, name, looks, strings.Split(ascii, "\n"), caret)
}

// reads fails unless the words are on the screen, however they are wrapped.
func (p *pump) reads(t *testing.T, words []string) {
	t.Helper()
	text := strings.Join(strings.Fields(p.screen()), " ")
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%dx%d: no %q on\n%s", p.m.screen.w, p.m.screen.h, w, p.screen())
		}
	}
}

// With sixteen rows 80 by 24 shows five of them and the count of the rest, and leaves
// the transcript most of the room; 40 by 10 shows two, a line of the composer and the
// indicator.
func TestRoomForEachPart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := surfaces["full"].shown(t)
		p.press("ctrl+c") // the draft that found no room
		rows := func() (n int) {
			for _, l := range p.lines() {
				if strings.Contains(l, "follow-up number") {
					n++
				}
			}
			return n
		}
		p.size(80, 24)
		p.sees("+11 more", "queue 16/16 full", "┃ Explain the queue to me", "An answer that comes", "● Busy")
		if n := len(p.m.chat.View(80, 100)); n == 0 || rows() != 5 {
			t.Errorf("%d rows", rows())
		}
		if at := strings.LastIndex(p.screen(), "────"); strings.Count(p.screen()[:at], "\n")-1 < 6 { // less the header
			t.Errorf("the transcript has too few lines\n%s", p.screen())
		}
		p.size(40, 10)
		composers := 0
		for _, l := range p.lines() {
			if l == "┃" {
				composers++
			}
		}
		if rows() != 2 || composers != 1 || len(p.lines()) != 10 {
			t.Errorf("%d rows, %d lines of composer, %d lines\n%s", rows(), composers, len(p.lines()), p.screen())
		}
		p.sees("● Busy")
		p.end()
	})
}

// With a row open one sees where the keys go, wherever that is, in every window: one bar or rule is thick, and the others are
// thin.
func TestOneThingIsThick(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := surfaces["editing elsewhere"].shown(t)
		for _, c := range []struct {
			key   string
			focus focus
			thick string
		}{{"", onTranscript, "the rule"}, {"shift+tab", onQueue, "the open row"}, {"shift+tab", onComposer, "the composer"}} {
			if c.key != "" {
				p.press(c.key)
			}
			if p.m.screen.focus != c.focus {
				t.Fatalf("the keys go to %d, not to %s", p.m.screen.focus, c.thick)
			}
			for _, size := range reviewed {
				p.size(size[0], size[1])
				var thick []string
				queue := false
				for _, l := range p.lines() {
					queue = queue || strings.HasPrefix(l, "queue ")
					switch {
					case strings.Contains(l, "━"):
						thick = append(thick, "the rule")
					case queue && strings.HasPrefix(l, "┃ and then"):
						thick = append(thick, "the open row")
					case queue && l == "┃":
						thick = append(thick, "the composer")
					}
				}
				if strings.Join(thick, ",") != c.thick {
					t.Errorf("%dx%d: %q thick, want %s\n%s", size[0], size[1], thick, c.thick, p.screen())
				}
			}
		}
		p.end()
	})
}

// A passing word is whole in a small window too: half of the window is its for the moment.
func TestWordsAreWholeWhereThereIsLittleRoom(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.size(20, 10)
		p.say("/fault 500")
		p.reads(t, []string{"/fault is for the sandbox only: /agent sandbox goes there", "┃ /fault 500", "○ Ready"})
		p.end()
	})
}

// A long reason takes its further lines from the transcript alone, and leaves it a quarter
// of the window while the keys go elsewhere.
func TestRoomForALongReason(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := surfaces["long reason"].shown(t)
		p.say("hang")
		for p.m.eng.State().Queue.Len() < 16 {
			p.say("follow-up")
		}
		for range 9 {
			p.typ("a line of a draft")
			p.keys("ctrl+j")
		}
		for _, c := range []struct{ w, h, rows, talk int }{{80, 24, 5, 6}, {40, 10, 2, 2}, {20, 10, 2, 2}, {80, 40, 10, 10}} {
			p.size(c.w, c.h)
			rows, talk := 0, -1
			for i, l := range p.lines() {
				if strings.Contains(l, " held ") && !strings.Contains(l, "16/16") {
					rows++
				}
				if strings.Contains(l, "16/16") {
					talk = i
				}
			}
			if c.h >= headerFrom {
				talk -= 2 // the header and the rule
			}
			if rows < c.rows || talk < c.talk {
				t.Errorf("%dx%d: %d rows, %d lines of transcript\n%s", c.w, c.h, rows, talk, p.screen())
			}
		}
		p.end()
	})
}

// windows calls f for sizes from 1x1 to 200x60: every width up to 60, the heights at which
// the screen gains a part, and a few that no window should have.
func windows(f func(w, h int)) {
	for w := 1; w <= 60; w++ {
		for _, h := range []int{1, 2, 4, 7, 12, 24} {
			f(w, h)
		}
	}
	for _, w := range []int{1, 8, 20, 80, 200} {
		for _, h := range []int{3, 5, 6, 8, 9, 10, 11, 15, 16, 17, 40, 60} {
			f(w, h)
		}
	}
	for _, s := range [][2]int{{0, 0}, {-1, -1}, {0, 5}, {5, 0}, {300, 1}, {1, 300}, {400, 120}} {
		f(s[0], s[1])
	}
}

// In every window each surface has exactly its lines, none wider than the window, the
// caret inside, and nothing panics.
func TestSizes(t *testing.T) {
	for name, s := range surfaces {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := s.shown(t)
				windows(func(w, h int) { p.fits(t, w, h) })
				p.end()
			})
		})
	}
}

// fits draws the screen for a window and fails unless it is exactly that.
func (p *pump) fits(t *testing.T, w, h int) {
	t.Helper()
	p.m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	view := p.m.View()
	lines := strings.Split(view, "\n")
	if (w < 1 || h < 1) && view != "" || w > 0 && h > 0 && len(lines) != h {
		t.Fatalf("%dx%d: %d lines\n%s", w, h, len(lines), view)
	}
	for _, l := range lines {
		if n := ansi.StringWidth(l); n > max(w, 0) {
			t.Fatalf("%dx%d: a line of %d cells: %q", w, h, n, ansi.Strip(l))
		}
	}
	if x, y, ok := p.m.Cursor(); ok && (x < 0 || y < 0 || x >= w || y >= h) {
		t.Fatalf("%dx%d: caret at %d,%d\n%s", w, h, x, y, view)
	}
}
