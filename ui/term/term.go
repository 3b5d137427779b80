// Package term is the terminal layer under Bubble Tea's loop: it reads keys, draws frames, answers signals and gives the
// terminal back as it found it. It must know nothing of chats, queues or agents, and it never sends the terminal a query.
//
// On unix reading and writing are done here; on Windows Bubble Tea's own input and renderer stand behind the same calls,
// without paced frames, the real cursor, suspension and the restoring of the title.
//
// Some ends cannot be caught by any program: SIGKILL, a panic in a goroutine that a library started, and the runtime's
// fatal errors (concurrent map writes, out of memory). They leave the terminal in raw mode; `reset` brings it back.
package term

import (
	"errors"
	"os"
	"os/exec"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	_ "baton/ui/term/guard" // so that no importer of this package can be asked for its background
)

// Model is a Bubble Tea model that also says where the caret stands, in cells from the top left corner of its View.
// With ok false no cursor is shown.
type Model interface {
	tea.Model
	Cursor() (x, y int, ok bool)
}

// Timed is a [Model] that is told, before an Update, when the terminal sent what that Update takes. On a busy machine this
// is earlier than the Update, and a lone ESC is known to be a key only some time after it came. Windows does not tell.
type Timed interface{ Arrived(at time.Time) }

// Windowed is a [Model] that also says how its window is to be. It is asked whenever a frame is drawn.
type Windowed interface{ Window() Window }

// Window is what a program asks of its window; it is put back at the end. The zero value asks for nothing.
type Window struct {
	// Title of the window, "" leaves the one it has. Control characters are dropped; at most 200 characters stay.
	Title string
	// Mouse turns on reports of the wheel, which takes plain selection with the mouse away in most terminals.
	Mouse bool
}

// Options for [Run]. The zero value is usable.
type Options struct {
	// Title of the window until a [Windowed] model says another; "" leaves it alone.
	Title string
	// Glyphs rewrites each picture before it is drawn, character by character in the same cells; nil changes nothing.
	Glyphs func(string) string
	// CrashFile names the file that takes the stack of a panic. It is created with mode 0600 and must not exist yet;
	// nil or "" keeps no stack.
	CrashFile func() string
	// About is the first line of that file: which program this is.
	About string
	// Redact removes secrets from the text of a panic and from its stack; nil changes nothing.
	Redact func(string) string
}

var (
	// ErrNotTerminal says that standard input or output is not a terminal.
	ErrNotTerminal = errors.New("not a terminal")
	// ErrReported says that the program ended by a panic and that one line about it is on standard error already.
	ErrReported = errors.New("internal error, already reported")
	// ErrBusy is what [Exec] reports when another program has the terminal.
	ErrBusy = errors.New("the terminal is in use by another program")
)

// SignalMsg is a request from outside to end: SIGHUP, SIGINT, SIGQUIT or SIGTERM. The model answers with tea.Quit; it has
// 1.5 s to do so before the program ends without it. SIGHUP also stands for a terminal that has gone away.
type SignalMsg struct{ Signal os.Signal }

// ResumeMsg follows a [Suspend]. Stopped is false when nothing could stop the process, as in a group without a shell.
type ResumeMsg struct{ Stopped bool }

// Messages between the commands below and the root model.
type (
	suspendMsg struct{}
	repaintMsg struct{}
	writeMsg   string // a control sequence for the terminal
	execMsg    struct {
		cmd  *exec.Cmd
		done func(error) tea.Msg
	}
	execDoneMsg struct{ msg tea.Msg }
)

// Suspend is a command that hands the terminal back and stops the process group, as ctrl+z does in a shell's job.
func Suspend() tea.Msg { return suspendMsg{} }

// Repaint is a command that sets the terminal's modes and draws everything anew.
func Repaint() tea.Msg { return repaintMsg{} }

// Exec runs cmd with the terminal handed over to it while the model's loop goes on, then delivers done's message. Standard
// streams that cmd leaves unset are the terminal. done, which must
// not be nil, is told why cmd could not run or how it ended.
func Exec(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg { return execMsg{cmd, done} }
}

// Copy puts text on the clipboard with OSC 52, where the terminal allows it.
func Copy(text string) tea.Cmd {
	return func() tea.Msg { return writeMsg(clipboard(text, os.Getenv)) }
}
