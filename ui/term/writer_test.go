//go:build unix

package term

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// gate is a terminal that can stop taking output.
type gate struct {
	mu     sync.Mutex
	got    bytes.Buffer
	writes int
	most   int
	open   chan struct{} // nil: open
	err    error
}

func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	if open != nil {
		<-open
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err != nil {
		return 0, g.err
	}
	g.writes++
	g.most = max(g.most, len(p))
	return g.got.Write(p)
}

func (g *gate) text() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.got.String()
	g.got.Reset()
	return s
}

func frameOf(text string) Frame { return Frame{Text: text, W: 20, H: 3} }

func TestWriterDrawsTheNewestFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		w := newWriter(g, Window{Title: "name"})
		go w.run()
		w.enter()
		for _, s := range []string{"one", "two", "three"} {
			w.present(frameOf(s))
			synctest.Wait() // stalled with the first
		}
		close(g.open)
		synctest.Wait()
		got := g.text()
		if !strings.HasPrefix(got, pushTitle+setModes+"\x1b]2;name\a") {
			t.Errorf("begins %q", got)
		}
		if strings.Contains(got, "two") || !strings.Contains(got, "three") {
			t.Errorf("drew %q", got)
		}
		if !w.leave(time.Second) || g.text() != resetModes {
			t.Error("leave is not all that leave writes")
		}
		w.present(frameOf("four"))
		w.write("\a")
		w.dress(Window{Title: "later"})
		synctest.Wait()
		if got := g.text(); got != "" {
			t.Errorf("wrote %q on a terminal that is not ours", got)
		}
		w.enter()
		synctest.Wait()
		if got := g.text(); !strings.Contains(got, "\x1b]2;later\a") || !strings.Contains(got, eraseAll) || !strings.Contains(got, "four") {
			t.Errorf("came back with %q", got)
		}
		w.close()
		<-w.done
	})
}

func TestWriterRepaints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{}
		w := newWriter(g, Window{Mouse: true})
		go w.run()
		w.enter()
		w.present(frameOf("text"))
		synctest.Wait()
		g.text()
		w.present(frameOf("text"))
		synctest.Wait()
		if got := g.text(); got != "" {
			t.Errorf("the same frame writes %q", got)
		}
		w.repaint()
		w.present(frameOf("text"))
		synctest.Wait()
		got := g.text()
		if !strings.HasPrefix(got, setModes+setMouse) || !strings.Contains(got, eraseAll) || !strings.Contains(got, "text") {
			t.Errorf("repaint writes %q", got)
		}
		if strings.Contains(got, pushTitle) {
			t.Error("repaint pushes the title a second time")
		}
		w.close()
		<-w.done
	})
}

// What a model asks of its window is written once, when it changes, and set again when the screen comes back.
func TestWriterDressesTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{}
		w := newWriter(g, Window{Title: "one"})
		go w.run()
		w.enter()
		synctest.Wait()
		g.text()
		for _, c := range []struct {
			want Window
			sent string
		}{
			{Window{Title: "one"}, ""},
			{Window{Title: "two\x1b]0;x\a"}, "\x1b]2;two]0;x\a"},
			{Window{Title: "two\x1b]0;x\a"}, ""},
			{Window{Mouse: true}, setMouse},
			{Window{Title: "two]0;x"}, resetMouse},
			{Window{Title: "three", Mouse: true}, "\x1b]2;three\a" + setMouse},
		} {
			w.dress(c.want)
			synctest.Wait()
			if got := g.text(); got != c.sent {
				t.Errorf("%+v writes %q, want %q", c.want, got, c.sent)
			}
		}
		w.leave(time.Second)
		g.text()
		w.dress(Window{Title: "four", Mouse: true})
		synctest.Wait()
		if got := g.text(); got != "" {
			t.Errorf("wrote %q to a terminal that is not ours", got)
		}
		w.enter()
		synctest.Wait()
		if got, want := g.text(), pushTitle+setModes+setMouse+"\x1b]2;four\a"; got != want {
			t.Errorf("came back with %q, want %q", got, want)
		}
		w.close()
		<-w.done
	})
}

func TestWriterAbort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{}
		w := newWriter(g, Window{})
		go w.run()
		big := Frame{Text: strings.Repeat(strings.Repeat("x", 999)+"\n", 99), W: 1000, H: 100}
		w.present(big)
		synctest.Wait()
		if g.most > piece || g.writes < 20 {
			t.Errorf("%d writes of up to %d bytes", g.writes, g.most)
		}
		g.text()
		w.painter.forget()
		g.mu.Lock()
		g.open = make(chan struct{})
		g.mu.Unlock()
		big.Text += "y"
		w.present(big)
		began := time.Now()
		if w.leave(time.Second) {
			t.Error("left through a stalled terminal")
		}
		if took := time.Since(began); took != time.Second {
			t.Error("leave waited", took)
		}
		w.abort()
		close(g.open)
		<-w.done
		if n := len(g.text()); n > piece {
			t.Errorf("%d bytes after the abort", n)
		}
		if w.leave(time.Hour) {
			t.Error("left through a writer that has ended")
		}
	})
}

// After a failed write nothing is known of the screen.
func TestWriterDrawsAnewAfterAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{err: errors.New("gone")}
		w := newWriter(g, Window{})
		go w.run()
		w.present(frameOf("text"))
		synctest.Wait()
		g.mu.Lock()
		g.err = nil
		g.mu.Unlock()
		w.present(frameOf("text"))
		synctest.Wait()
		if got := g.text(); !strings.Contains(got, "text") {
			t.Errorf("drew %q", got)
		}
		w.close()
		<-w.done
	})
}

func BenchmarkDiff(b *testing.B) {
	lines := strings.Repeat("line of some text that fills about half of a usual line\n", 39)
	frames := [2]Frame{{Text: lines + "a", W: 120, H: 40}, {Text: lines + "b", W: 120, H: 40}}
	w := newWriter(io.Discard, Window{})
	b.ReportAllocs()
	for i := range b.N {
		w.draw(nil, &frames[i%2])
	}
}

// The commands of Init compete with nothing for the first frame: they begin behind it, or, where the terminal takes none,
// a moment after the start.
func TestCommandsWaitForTheFirstFrame(t *testing.T) {
	for name, taken := range map[string]bool{"taken": true, "stalled": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := &gate{open: make(chan struct{})}
				term := &terminal{writer: newWriter(g, Window{}), done: make(chan struct{})}
				go term.writer.run()
				began := make(chan time.Time, 1)
				cmd := term.behind(func() tea.Msg { began <- time.Now(); return nil })
				start := time.Now()
				go cmd()
				term.writer.enter()
				term.writer.present(frameOf("one"))
				synctest.Wait()
				if len(began) > 0 {
					t.Fatal("a command began before the first frame was written")
				}
				want := firstWait
				if taken {
					time.Sleep(10 * time.Millisecond)
					close(g.open)
					want = 10 * time.Millisecond
				}
				if waited := (<-began).Sub(start); waited != want {
					t.Errorf("it began after %v, want %v", waited, want)
				}
				if !taken {
					close(g.open)
				}
				term.writer.close()
				<-term.writer.done
			})
		})
	}
	if (&terminal{}).behind(nil) != nil {
		t.Error("no command has become one")
	}
}
