package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"baton/model/catalog"
	"baton/model/session"
	"baton/ui/sanitize"
)

// exitPipe is what a shell says of a program whose reader has gone away: 128 and SIGPIPE.
const exitPipe = 141

// output writes to standard output and says what could not be written, so that a full disk is not taken for a short
// answer. A reader that has gone away ends it without a word.
func (a *app) output(write func(w *bufio.Writer) error) error {
	w := bufio.NewWriterSize(a.Stdout, 64<<10)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	var ex *exitError
	switch {
	case err == nil, errors.As(err, &ex):
		return err
	case errors.Is(err, syscall.EPIPE):
		a.code = exitPipe
		return nil
	}
	return failure("", "cannot write the output: %w", err)
}

// outputLines writes lines to standard output, made printable.
func (a *app) outputLines(lines ...string) error {
	return a.output(func(w *bufio.Writer) error {
		for _, l := range lines {
			fmt.Fprintln(w, sanitize.Line(l)) // the writer keeps an error until it is flushed
		}
		return nil
	})
}

// size writes a number of bytes the way people read it.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

func minute(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// standing says in a few words how a session stands: "failed, 2 waiting, in use by 4711", "" for nothing of note.
func standing(i catalog.Info) string {
	var words []string
	if i.Last == session.Failed || i.Last == session.Stopped {
		words = append(words, string(i.Last))
	}
	if i.Waiting > 0 {
		words = append(words, fmt.Sprintf("%d waiting", i.Waiting))
	}
	switch {
	case i.Holder > 0:
		words = append(words, fmt.Sprintf("in use by %d", i.Holder))
	case i.Holder != 0:
		words = append(words, "in use")
	}
	return strings.Join(words, ", ")
}
