package term

import (
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// maxCrashLine bounds what standard error gets of a panic, in bytes.
const maxCrashLine = 400

// crash catches panics, in whatever goroutine of ours or command of the model, and keeps the first.
type crash struct {
	opts Options
	stop func() // asks the loop to end; must not wait for it

	mu   sync.Mutex
	line string
}

// caught records a recovered panic and stops the program. It must run in the deferred call that recovered, so that the
// stack still shows where the panic began.
func (c *crash) caught(r any) {
	stack := debug.Stack()
	c.mu.Lock()
	if c.line == "" {
		c.line = c.report(r, stack)
	}
	c.mu.Unlock()
	c.stop()
}

// reported returns the line about the first panic, "" if there was none.
func (c *crash) reported() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.line
}

// start is the only way a goroutine begins here: its panic ends the program with the terminal restored.
func (c *crash) start(f func()) {
	go func() {
		defer func() {
			if r := recover(); r != nil {
				c.caught(r)
			}
		}()
		f()
	}()
}

// guard makes cmd, and the commands that it returns in a batch or a sequence, recover.
func (c *crash) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = nil
				c.caught(r)
			}
		}()
		return c.guardAll(cmd())
	}
}

// guardAll guards the commands of a batch or a sequence, in a copy: the model may hold the original. The sequence's type has
// no name outside Bubble Tea, so it is known by its elements.
func (c *crash) guardAll(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	guarded := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		guarded.Index(i).Set(reflect.ValueOf(c.guard(v.Index(i).Interface().(tea.Cmd))))
	}
	return guarded.Interface()
}

// Report writes a panic that was recovered elsewhere, with its stack, to the file that the options name, and returns the
// line for standard error: made for a terminal, secrets removed. One that came from another goroutine and has a method
// Origin() (value any, stack []byte) is reported with these.
func Report(o Options, recovered any, stack []byte) string {
	return (&crash{opts: o}).report(recovered, stack)
}

// report writes the stack to its file and returns the line for standard error. Options come from outside, so a panic in
// them must not hide the first.
func (c *crash) report(r any, stack []byte) (line string) {
	defer func() {
		if recover() != nil {
			line = "internal error (its report failed too)"
		}
	}()
	if from, ok := r.(interface{ Origin() (any, []byte) }); ok { // it was brought here from another goroutine
		r, stack = from.Origin()
	}
	redact := c.opts.Redact
	if redact == nil {
		redact = func(s string) string { return s }
	}
	text := redact(fmt.Sprint(r))
	line = "internal error: " + oneLine(text)
	if c.opts.CrashFile == nil {
		return line
	}
	path := c.opts.CrashFile()
	if path == "" {
		return line
	}
	if err := writeNew(path, redact(c.opts.About)+"\n"+text+"\n\n"+redact(string(stack))); err != nil {
		return line + " (no stack kept: " + oneLine(err.Error()) + ")"
	}
	return line + " (stack in " + oneLine(path) + ")"
}

// oneLine makes text safe for a terminal: white space collapsed, control characters dropped, shortened.
func oneLine(s string) string {
	if len(s) > maxCrashLine {
		s = s[:maxCrashLine] + "…"
	}
	return plain(strings.Join(strings.Fields(s), " "))
}

// writeNew creates path for its owner alone. An existing file is left alone: it may be a link to another.
func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
