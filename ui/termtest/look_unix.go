//go:build unix

package termtest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
)

// frameWait bounds the wait for the end of a frame that is being drawn; only a program that stalls needs it.
const frameWait = time.Second

// whole takes the lock when no frame is half drawn (mode 2026): terminals show whole ones.
func (s *Session) whole() {
	s.mu.Lock()
	limit := time.After(frameWait)
	for s.screen.Mode(2026) {
		changed := s.changed
		s.mu.Unlock()
		over := false
		select {
		case <-changed:
		case <-s.exited:
			over = true
		case <-limit:
			over = true
		}
		s.mu.Lock()
		if over {
			return
		}
	}
}

// Lines returns what stands on the screen, row by row, blanks at the ends removed.
func (s *Session) Lines() []string {
	s.whole()
	defer s.mu.Unlock()
	return s.screen.Lines()
}

// Screen returns what stands on the screen, rows joined by newlines.
func (s *Session) Screen() string { return strings.Join(s.Lines(), "\n") }

// Cells returns what stands on the screen, and how it is drawn.
func (s *Session) Cells() [][]Cell {
	s.whole()
	defer s.mu.Unlock()
	return s.screen.Cells()
}

// Cursor returns the cursor's column and row from 0, and whether it is shown.
func (s *Session) Cursor() (x, y int, shown bool) {
	s.whole()
	defer s.mu.Unlock()
	return s.screen.Cursor()
}

// AltScreen reports whether the alternate screen is shown.
func (s *Session) AltScreen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.AltScreen()
}

// Mode reports whether a DEC private mode is set, 2004 for bracketed paste.
func (s *Session) Mode(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.Mode(n)
}

// Title returns the window's title.
func (s *Session) Title() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.title
}

// Notices returns the desktop notifications (OSC 9 and OSC 777) so far.
func (s *Session) Notices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.screen.notices)
}

// Clipboard returns what was put on the clipboard (OSC 52) so far, in base64.
func (s *Session) Clipboard() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.screen.clipboard)
}

// Bells counts the BEL characters so far, those that end a sequence not included.
func (s *Session) Bells() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.bells
}

// Violations lists what reached the terminal and is not on the allow-list, at most 50 of them.
func (s *Session) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.screen.violations)
}

// Output returns every byte the program wrote.
func (s *Session) Output() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.output.Bytes())
}

// Picture shows the screen to people; blank rows behind a blank row are only counted.
func (s *Session) Picture() string {
	x, y, shown := s.Cursor()
	var b strings.Builder
	blank := 0
	for _, l := range append(s.Lines(), "end") {
		if l == "" {
			blank++
			continue
		}
		if blank > 0 {
			fmt.Fprintf(&b, "(%d blank)\n", blank)
		}
		blank = 0
		b.WriteString("|" + l + "\n")
	}
	fmt.Fprintf(&b, "cursor %d,%d shown %t, alternate screen %t", x, y, shown, s.AltScreen())
	return b.String()
}

// Has reports whether text stands on one row of the screen.
func (s *Session) Has(text string) bool {
	return slices.ContainsFunc(s.Lines(), func(l string) bool { return strings.Contains(l, text) })
}

// WaitFor waits until text stands on one row of the screen.
func (s *Session) WaitFor(text string) {
	s.t.Helper()
	s.Until(fmt.Sprintf("%q on the screen", text), func() bool { return s.Has(text) })
}

// WaitGone waits until text stands on no row of the screen.
func (s *Session) WaitGone(text string) {
	s.t.Helper()
	s.Until(fmt.Sprintf("%q gone from the screen", text), func() bool { return !s.Has(text) })
}

// Until waits until ok holds. It fails the test with a picture of the screen after 90 s, or when the program ends and ok
// still does not hold.
func (s *Session) Until(what string, ok func() bool) {
	s.t.Helper()
	limit := time.After(patience)
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		running := s.Running()
		switch {
		case ok():
			return
		case !running:
			s.t.Fatalf("the program ended (%v) without %s\n%s", s.cmd.ProcessState, what, s.Picture())
		}
		select {
		case <-changed:
		case <-s.exited:
		case <-time.After(5 * time.Millisecond): // ok may look at something else
		case <-limit:
			s.t.Fatalf("no %s\n%s", what, s.Picture())
		}
	}
}
