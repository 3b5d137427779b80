package term

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

type tick struct{}

// counter counts ticks, keeps keys and knows how often it was drawn.
type counter struct {
	n, views int
	keys     string
	size     tea.WindowSizeMsg
	err      error
}

func (c *counter) Init() tea.Cmd { return nil }
func (c *counter) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case tick:
		c.n++
	case tea.KeyMsg:
		c.keys += m.String()
	case tea.WindowSizeMsg:
		c.size = m
	case error:
		c.err = m
	}
	return c, nil
}
func (c *counter) View() string             { c.views++; return fmt.Sprint(c.n, " ", c.keys) }
func (c *counter) Cursor() (int, int, bool) { return 3, 0, true }

// stage runs a real Program in a synctest bubble and notes when frames come.
type stage struct {
	*tea.Program
	mu    sync.Mutex
	at    []time.Duration
	last  Frame
	cost  int64
	began time.Time
	done  chan struct{}
}

func play(c *counter) *stage {
	s := &stage{began: time.Now(), done: make(chan struct{})}
	screen := &Screen{
		Present: func(f Frame) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.at, s.last = append(s.at, time.Since(s.began)), f
		},
		Cost: func() int64 { s.mu.Lock(); defer s.mu.Unlock(); return s.cost },
		Send: func(m tea.Msg) { s.Send(m) },
	}
	s.Program = tea.NewProgram(newRoot(c, screen, noDevice{}, 80, 24), tea.WithInput(nil), tea.WithOutput(io.Discard),
		tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	go func() {
		defer close(s.done)
		_, _ = s.Run()
	}()
	return s
}

func (s *stage) frames() (int, time.Duration, Frame) {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.at), s.at[len(s.at)-1], s.last
}

func (s *stage) end() {
	s.Quit()
	<-s.done
}

func TestFramesArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &counter{}
		s := play(c)
		defer s.end()
		for range 10_000 {
			s.Send(tick{})
			time.Sleep(100 * time.Microsecond)
		}
		n, _, _ := s.frames()
		if n < 58 || n > 62 {
			t.Errorf("%d frames in a second", n)
		}
		if c.views != n {
			t.Errorf("%d Views for %d frames", c.views, n)
		}
		time.Sleep(time.Second)
		n, _, f := s.frames()
		if f.Text != "10000 " || f.X != 3 || !f.ShowCursor || f.W != 80 || f.H != 24 {
			t.Errorf("the last frame is %+v", f)
		}
		time.Sleep(time.Minute)
		if idle, _, _ := s.frames(); idle != n {
			t.Error("an idle program is drawn")
		}
	})
}

func TestKeysAreDrawnAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &counter{}
		s := play(c)
		defer s.end()
		for i, m := range []tea.Msg{
			tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("k")}, tea.MouseMsg{}, tea.WindowSizeMsg{Width: 9, Height: 9},
			suspendMsg{}, repaintMsg{}, inputMsg{msg: tea.KeyMsg{Type: tea.KeyUp}},
		} {
			s.Send(tick{}) // waits for its frame
			before, _, _ := s.frames()
			now := time.Since(s.began)
			s.Send(m)
			if n, at, _ := s.frames(); n != before+1 || at != now {
				t.Errorf("message %d (%T): %d frames, the last at %v, want one at %v", i, m, n-before, at, now)
			}
			time.Sleep(time.Millisecond)
		}
		before, _, _ := s.frames()
		for range 1000 { // keys with others behind them in the queue
			s.Send(inputMsg{msg: tea.KeyMsg{Type: tea.KeyUp}, more: true})
		}
		if n, _, _ := s.frames(); n > before+1 {
			t.Errorf("%d frames for one burst of keys", n-before)
		}
	})
}

func TestCostlyFramesAreRarer(t *testing.T) {
	for cost, want := range map[int64]int{0: 60, byteBudget / 60: 60, byteBudget / 20: 20, byteBudget: 8, 1 << 40: 8} {
		synctest.Test(t, func(t *testing.T) {
			s := play(&counter{})
			s.mu.Lock()
			s.cost = cost
			s.mu.Unlock()
			defer s.end()
			for range 1000 {
				s.Send(tick{})
				time.Sleep(time.Millisecond)
			}
			if n, _, _ := s.frames(); n < want-1 || n > want+2 {
				t.Errorf("frames of %d bytes: %d a second, want %d", cost, n, want)
			}
		})
	}
}

// A frame's timer lets View look at the clock; it must not draw by itself.
func TestTimerForcesNoFrame(t *testing.T) {
	c := &counter{}
	m := NewRoot(c, 10, 2, func(Frame) {})
	m.Init()
	m.View()
	m, _ = m.Update(frameMsg{})
	if m.View(); c.views != 1 {
		t.Error("drawn", c.views, "times")
	}
}

func TestRootWithoutTerminal(t *testing.T) {
	c := &counter{}
	var frames []Frame
	m := NewRoot(c, 40, 5, func(f Frame) { frames = append(frames, f) })
	if c.size != (tea.WindowSizeMsg{Width: 40, Height: 5}) {
		t.Error("the first size came as", c.size)
	}
	for _, k := range "abc" { // no frame waits, as there is no loop to come back to
		m, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{k}})
		m.View()
		m, _ = m.Update(tick{})
		m.View()
	}
	if len(frames) != 6 || frames[5].Text != "3 abc" || frames[5].W != 40 {
		t.Errorf("%+v", frames)
	}
	for _, cmd := range []tea.Cmd{Suspend, Repaint, Copy("x"), Notify(Bell, "x"), Notify(OSC9, "x")} {
		m, _ = m.Update(cmd())
	}
	m, cmd := m.Update(Exec(exec.Command("true"), func(err error) tea.Msg { return err })())
	if m.Update(cmd()); !errors.Is(c.err, ErrNotTerminal) {
		t.Error("Exec without a terminal reports", c.err)
	}
}

func TestPlainText(t *testing.T) {
	hostile := "a\x1b]0;x\a\x9b\u009b\u202e\u2028\r\n\tb日👩\u200d👧\x00"
	if got, want := plain(hostile), "a]0;xb日👩\u200d👧"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if n := len(plain(strings.Repeat("x", 1000))); n != maxPlain {
		t.Error(n)
	}
	env := map[string]string{}
	get := func(k string) string { return env[k] }
	if got := clipboard("hi\x1b", get); got != "\x1b]52;c;aGkb\x07" {
		t.Errorf("%q", got)
	}
	env["TMUX"] = "x"
	if got := clipboard("hi", get); !strings.HasPrefix(got, "\x1b]52;c;aGk=\a\x1bPtmux;") {
		t.Errorf("%q", got)
	}
}

func TestLeaveUndoesEnter(t *testing.T) {
	modes := func(s, final string) map[string]bool {
		found := map[string]bool{}
		for part := range strings.SplitSeq(s, "\x1b[?") {
			if n, ok := strings.CutSuffix(strings.TrimSuffix(part, popTitle), final); ok {
				found[n] = true
			}
		}
		return found
	}
	set, reset := modes(setModes+setMouse, "h"), modes(setModes, "l")
	if len(set) != 5 || len(reset) != 2 {
		t.Fatal(set, reset)
	}
	for m := range set {
		if !strings.Contains(resetModes, "\x1b[?"+m+"l") {
			t.Error("mode", m, "stays on")
		}
	}
	for m := range reset {
		if !strings.Contains(resetModes, "\x1b[?"+m+"h") {
			t.Error("mode", m, "stays off")
		}
	}
	for _, s := range []string{popTitle, "\x1b[?25h", "\x1b[m", "\x1b[r", "\x1b[?2026l"} {
		if !strings.Contains(resetModes, s) {
			t.Errorf("%q is missing", s)
		}
	}
}
