package model

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"baton/queue"
)

var update = flag.Bool("update", false, "write the frames that golden tests compare with")

// frame is the whole screen without styles, the caret marked, every line ended by a bar.
func (p *pump) frame() string {
	var b strings.Builder
	for _, l := range strings.Split(p.m.View(), "\n") {
		b.WriteString(ansi.Strip(l) + "|\n")
	}
	if x, y, ok := p.m.Cursor(); ok {
		fmt.Fprintf(&b, "caret %d,%d\n", x, y)
	} else {
		b.WriteString("no caret\n")
	}
	return b.String()
}

// golden compares the screen with testdata/frames/screen/NAME.txt of the repository.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("..", "testdata", "frames", "screen", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("no frame to compare with (run with -update): %v", err)
	}
	if d := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); d != "" {
		t.Errorf("%s changed (-reviewed +drawn):\n%s", name, d)
	}
}

// scenes are the states that frames and sizes are tried in.
var scenes = map[string]struct {
	script []step
	play   func(p *pump)
}{
	"welcome": {[]step{hangs}, func(*pump) {}},
	"streaming": {[]step{and("# An answer\n\nThat is **still** coming, in a line that is long enough to be wrapped on most screens", hangs)}, func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.say("first line of three\\")
		p.typ("second")
		p.keys("ctrl+j")
		p.typ("third")
		p.press("enter")
		p.say("/new")
		p.typ("a draft")
	}},
	"backoff": {[]step{and("the beginning of", asks)}, func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.run(480 * time.Millisecond)
	}},
	"failed": {[]step{and("the beginning of", after(2*time.Second, answers(401)))}, func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.run(5 * time.Second)
	}},
	"editing": {[]step{hangs}, func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.say("and a row behind it")
		p.typ("a draft")
		p.press("tab", "enter", "ctrl+j")
		p.typ("over two lines")
	}},
	"full": {[]step{and("An answer that comes", hangs)}, func(p *pump) {
		p.say("Explain the queue to me")
		for i := range 16 {
			p.say(fmt.Sprintf("follow-up number %d", i+1))
		}
		p.say("one too many")
	}},
	"help":     {[]step{hangs}, func(p *pump) { p.press("f1") }},
	"complete": {[]step{hangs}, func(p *pump) { p.typ("/"); p.press("down") }},
	"files": {[]step{hangs}, func(p *pump) {
		p.say("Explain the queue to me")
		p.m.write.files = []queue.Attachment{{Path: "/tmp/some notes.txt"}}
		p.typ("with a file")
	}},
}

func scene(t *testing.T, name string) *pump {
	t.Helper()
	s := scenes[name]
	p := open(t, s.script...)
	s.play(p)
	return p
}

func TestFrames(t *testing.T) {
	for name := range scenes {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := scene(t, name)
				for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 10}, {120, 40}} {
					p.size(size[0], size[1])
					golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), p.frame())
				}
				p.end()
			})
		})
	}
}

// With sixteen rows 80 by 24 shows five of them and the count of the rest, and leaves
// the transcript most of the room; 40 by 10 shows two, a line of the composer and the
// indicator.
func TestRoomForEachPart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := scene(t, "full")
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
		if at := strings.Index(p.screen(), "────"); strings.Count(p.screen()[:at], "\n")-1 < 6 { // less the header
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

// In every size the screen fits its window, the caret is inside, and nothing panics.
func TestSizes(t *testing.T) {
	for name := range scenes {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := scene(t, name)
				check := func(w, h int) {
					p.m.Update(tea.WindowSizeMsg{Width: w, Height: h})
					view := p.m.View()
					lines := strings.Split(view, "\n")
					if len(lines) > max(h, 1) {
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
				for w := 1; w <= 60; w++ {
					for h := 1; h <= 30; h++ {
						check(w, h)
					}
				}
				for _, s := range [][2]int{{0, 0}, {-1, -1}, {300, 1}, {1, 300}, {400, 120}} {
					check(s[0], s[1])
				}
				p.end()
			})
		})
	}
}
