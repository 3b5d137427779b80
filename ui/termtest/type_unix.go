//go:build unix

package termtest

import (
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// escGap is how long a person leaves between ESC and the next key at least. Without it the two are one alt key.
const escGap = 60 * time.Millisecond

// Type sends text as typed and waits until the program has read it, so that a key behind it is a read of its own: what
// comes behind a carriage return in one read is a paste.
func (s *Session) Type(text string) {
	s.t.Helper()
	if wait := escGap - time.Since(s.escAt); wait > 0 && !s.escAt.IsZero() {
		time.Sleep(wait)
	}
	s.Raw(text)
	s.consumed()
}

// Key sends keys by name, one read each: "enter", "alt+up", "ctrl+y", "x".
func (s *Session) Key(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		b, ok := keyBytes(k)
		if !ok {
			s.t.Fatalf("no key is called %q", k)
		}
		s.Type(b)
		if k == "esc" {
			s.escAt = time.Now()
		}
	}
}

// Paste sends text in brackets (mode 2004), the line ends as terminals send them.
func (s *Session) Paste(text string) {
	s.t.Helper()
	s.Type("\x1b[200~" + strings.ReplaceAll(text, "\n", "\r") + "\x1b[201~")
}

// Raw sends bytes and waits for nothing but the terminal to take them.
func (s *Session) Raw(text string) {
	s.t.Helper()
	sent := make(chan error, 1)
	go func() {
		_, err := s.keys.WriteString(text)
		sent <- err
	}()
	select {
	case err := <-sent:
		if err != nil {
			s.t.Fatal(err)
		}
	case <-time.After(patience):
		s.t.Fatalf("the program does not read its input\n%s", s.Picture())
	}
}

// consumed waits until the program has read everything that was typed, or is over.
func (s *Session) consumed() {
	s.t.Helper()
	limit := time.Now().Add(patience)
	for s.Running() && s.unread() {
		if time.Now().After(limit) {
			s.t.Fatalf("the program does not read its input\n%s", s.Picture())
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// unread reports whether input waits in the terminal. A line discipline that is not raw yet shows only whole lines.
func (s *Session) unread() bool {
	conn, err := s.tty.SyscallConn()
	if err != nil {
		return false
	}
	waiting := false
	_ = conn.Control(func(fd uintptr) {
		var set unix.FdSet
		set.Set(int(fd))
		n, err := unix.Select(int(fd)+1, &set, nil, nil, &unix.Timeval{})
		waiting = err == nil && n > 0
	})
	return waiting
}
