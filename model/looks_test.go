package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"baton/ui/theme"
)

// lookSizes are those that looks are reviewed in.
var lookSizes = [][2]int{{120, 40}, {80, 24}, {40, 12}}

// Whatever the program shows, with ASCII alone nothing of it is beyond, and nothing has moved.
func TestASCIIScreens(t *testing.T) {
	for name := range scenes {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := scene(t, name)
				for _, size := range lookSizes {
					p.size(size[0], size[1])
					full := p.frame()
					plain := theme.ASCII(full)
					if i := strings.IndexFunc(plain, func(r rune) bool { return r >= 0x80 }); i >= 0 {
						t.Errorf("%q is left of\n%s", []rune(plain[i:])[0], plain)
					}
					if len([]rune(plain)) != len([]rune(full)) {
						t.Error("the picture has changed its shape")
					}
					golden(t, fmt.Sprintf("../ascii/%s-%dx%d", name, size[0], size[1]), plain)
				}
				p.end()
			})
		})
	}
}

// Each theme as the terminal gets it, and without colours: a picture with its styles.
func TestThemeFrames(t *testing.T) {
	looks := map[string]termenv.Profile{"no-colour": termenv.Ascii}
	for _, name := range theme.Names() {
		looks[name] = termenv.ANSI256
	}
	for name, profile := range looks {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := scene(t, "failed")
				of := name
				if profile == termenv.Ascii {
					of = theme.Default
				}
				p.m.deps.Restyle = func(string) (theme.Theme, error) { return theme.For(of, true, profile) }
				if err := (&host{m: p.m}).SetTheme(of); err != nil {
					t.Fatal(err)
				}
				p.m.word = word{}
				p.m.refresh()
				for _, size := range lookSizes {
					p.size(size[0], size[1])
					golden(t, fmt.Sprintf("../themes/%s-%dx%d", name, size[0], size[1]), strings.ReplaceAll(p.m.View(), "\x1b", "^")+"\n")
				}
				p.end()
			})
		})
	}
}

// With reduced motion a picture changes once a second at most, and counts in seconds.
func TestReducedMotion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(3*time.Second, asks), hangs)
		p.m.deps.Calm = true
		p.say("go")
		pictures := map[string]bool{}
		for range 29 {
			p.run(100 * time.Millisecond)
			pictures[p.screen()] = true
		}
		if len(pictures) > 4 {
			t.Errorf("%d pictures in three seconds", len(pictures))
		}
		p.seesNot("⠋", "⠙", "⠹", "⠸")
		p.run(time.Second)
		p.sees("retrying 2/5 in")
		for range 40 {
			p.run(100 * time.Millisecond)
			if _, rest, ok := strings.Cut(p.screen(), "retrying 2/5 in "); ok && strings.Contains(strings.SplitN(rest, "s", 2)[0], ".") {
				t.Fatalf("tenths of a second\n%s", p.screen())
			}
		}
		p.end()
	})
}

// A settled turn says quietly how long it took, with its retries and the waits between them; a running one says how long it runs.
func TestTook(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(2*time.Second, asks), after(3*time.Second, says("an answer")), after(500*time.Millisecond, says("fast")))
		p.say("go")
		p.run(time.Second)
		p.seesNot("took")
		p.run(14 * time.Second)
		p.sees("an answer", "○ Ready", "took 0:12")
		p.say("again")
		p.run(2 * time.Second)
		p.sees("fast")
		p.seesNot("took")
		p.end()
	})
}
