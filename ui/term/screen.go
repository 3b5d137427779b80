package term

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	frameTime  = time.Second / 60
	slowFrame  = time.Second / 8
	byteBudget = 48 << 10 // bytes a second that paced frames may cost: what a slow line carries
)

// Frame is one picture of the window: lines joined by newlines, each self-contained in its styles, and where the cursor
// stands, in cells from the top left corner. Of more than H lines the last H are shown; lines wider than W are cut.
type Frame struct {
	Text       string
	W, H       int
	X, Y       int
	ShowCursor bool
}

// Screen decides when a model is drawn. It knows no terminal and takes time from the clock alone, so it runs in a synctest
// bubble. All methods belong to the goroutine that runs the model.
type Screen struct {
	// Present takes a finished frame; it must not block.
	Present func(Frame)
	// Send brings a message back into the model's loop when a frame becomes due; nil means no frame ever waits.
	Send func(tea.Msg)
	// Cost returns the bytes that the last frame took; nil means nothing.
	Cost func() int64
	// Dress takes what a [Windowed] model asks of its window, with every frame; nil means nobody cares.
	Dress func(Window)
	// Glyphs is as in [Options].
	Glyphs func(string) string

	w, h   int
	last   time.Time
	dirty  bool // the picture may have changed
	urgent bool // and somebody is waiting to see it
	armed  bool // a timer runs
}

// frameMsg lets View look at the clock again. It must not force a frame.
type frameMsg struct{}

// resize sets the window's size in cells.
func (s *Screen) resize(w, h int) { s.w, s.h = w, h }

// touch says that the picture may have changed; when urgent the next draw does not wait.
func (s *Screen) touch(urgent bool) {
	s.dirty = true
	s.urgent = s.urgent || urgent
}

func (s *Screen) interval() time.Duration {
	if s.Cost == nil {
		return frameTime
	}
	cost := min(s.Cost(), byteBudget)
	return max(frameTime, min(slowFrame, time.Duration(cost)*time.Second/byteBudget))
}

// draw asks m for its View if a frame is due, else sees to it that draw is called again when it will be.
func (s *Screen) draw(m tea.Model) {
	if !s.dirty {
		return
	}
	now := time.Now()
	if wait := s.interval() - now.Sub(s.last); wait > 0 && !s.urgent && s.Send != nil {
		if !s.armed {
			s.armed = true
			send := s.Send
			time.AfterFunc(wait, func() { send(frameMsg{}) })
		}
		return
	}
	s.dirty, s.urgent, s.last = false, false, now
	f := Frame{Text: m.View(), W: s.w, H: s.h}
	if c, ok := m.(Model); ok {
		f.X, f.Y, f.ShowCursor = c.Cursor()
	}
	if s.Glyphs != nil {
		f.Text = s.Glyphs(f.Text)
	}
	if d, ok := m.(Windowed); ok && s.Dress != nil {
		s.Dress(d.Window()) // first, so that a title is never behind the picture it belongs to
	}
	s.Present(f)
}
