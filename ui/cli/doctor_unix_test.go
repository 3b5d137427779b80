//go:build unix

package cli_test

import (
	"bytes"
	"testing"

	"baton/ui/termtest"
)

// In a terminal doctor knows the window's size, and asks the terminal nothing: not one
// escape sequence is sent.
func TestDoctorAsksTheTerminalNothing(t *testing.T) {
	t.Parallel()
	s := termtest.Start(t, termtest.Options{Width: 91, Height: 40, Args: []string{"doctor"}})
	if code := s.Wait(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, s.Output())
	}
	out := s.Output()
	if bytes.ContainsRune(out, 0x1b) || !bytes.Contains(out, []byte("the window has 91 columns and 40 lines")) || bytes.Contains(out, []byte("standard input is")) {
		t.Errorf("%q", out)
	}
}
