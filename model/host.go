package model

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/engine"
	"baton/model/session"
	"baton/ui/theme"
)

// host lets commands reach the program. cmd collects what they start.
type host struct {
	m    *Model
	line string // as the command was typed
	cmd  tea.Cmd
}

func (h *host) do(cmd tea.Cmd) { h.cmd = tea.Batch(h.cmd, cmd) }

// Say shows a passing word.
func (h *host) Say(text string) { h.m.say(text) }

// ShowHelp opens the help.
func (h *host) ShowHelp() { h.m.screen.help = true }

// RetryLast does what the retry key does.
func (h *host) RetryLast() { h.do(h.m.typedTwice(h.m.retry)) }

// receipts is how many turns RetryInfo lists.
const receipts = 5

// RetryInfo lists what the attempts of the last turns met.
func (h *host) RetryInfo() error {
	var ls []string
	for n, t := range h.m.eng.State().Numbered() {
		if len(ls) < receipts {
			ls = append([]string{strings.Join(t.Receipt(n), "\n")}, ls...)
		}
	}
	if len(ls) == 0 {
		return errors.New("there is no turn yet")
	}
	h.do(h.m.after(h.m.eng.Note(strings.Join(ls, "\n"))))
	return nil
}

// Quit ends the program.
func (h *host) Quit() { h.do(h.m.quit()) }

// PauseQueue holds the queue or lets it go on.
func (h *host) PauseQueue(on bool) {
	s := h.m.eng.State()
	switch held := s.Held(h.m.deps.Now()); {
	case on || s.Gate.Paused:
	case held != "":
		h.m.refuse("the queue is not paused but "+held+"; enter on the empty line plays it", "")
		return
	default:
		h.m.refuse("the queue is not paused, and nothing holds it", "")
		return
	}
	h.do(h.m.step(session.SetPaused{On: on}))
}

// PlayQueue starts the head.
func (h *host) PlayQueue() { h.do(h.m.step(session.Play{})) }

// ClearQueue removes all rows.
func (h *host) ClearQueue() {
	h.do(h.m.discarding(session.ClearRows{Draft: h.m.openDraft()}, "cleared"))
}

// UndoQueue brings back what the queue lost last.
func (h *host) UndoQueue() { h.do(h.m.undoQueue()) }

// DescribeQueue says how the queue stands.
func (h *host) DescribeQueue() string {
	s := h.m.eng.State()
	if s.Queue.Len() == 0 {
		return "the queue is empty: while the agent works, enter puts a prompt into it"
	}
	return s.Header(h.m.deps.Now())
}

// SetTheme changes the colours. Without a name it says which themes there are.
func (h *host) SetTheme(name string) error {
	if name == "" {
		h.Say("themes: " + strings.Join(theme.Names(), ", "))
		return nil
	}
	th, err := h.m.deps.Restyle(name)
	if err != nil {
		return err
	}
	m := h.m
	m.deps.Theme = th
	m.list.SetTheme(th)
	m.chat.SetTheme(th)
	m.write.ChipStyle, m.row.ChipStyle = render(th), render(th)
	m.help = newHelp(m.deps)
	m.pop.Restyle(th)
	if m.write.popOf.offer == themeNames {
		m.write.popOf = offered{} // another one is in use
	}
	if m.screen.choice != nil {
		m.screen.choice.Restyle(th)
	}
	return nil
}

// CopyAnswer puts the last answer on the clipboard.
func (h *host) CopyAnswer() error {
	text := h.m.lastAnswer()
	if text == "" {
		return errors.New("there is no answer to copy yet")
	}
	h.do(h.m.copy(text, "", h.line))
	return nil
}

// Attach adds a file to the next prompt.
func (h *host) Attach(path string) error {
	abs, err := h.m.attachable(path)
	if err != nil {
		return err
	}
	h.m.attach(abs)
	h.m.say("attached " + filepath.Base(abs) + "; it goes with the next prompt")
	return nil
}

// attachable is Attachable for the agent that is talked to.
func (m *Model) attachable(path string) (string, error) {
	abs, err := Attachable(path)
	if err == nil {
		err = m.eng.Takes(abs)
	}
	return abs, err
}

// Attachable resolves the path of a file to attach as a person types it: quoted, with ~, or as dropped from
// a file manager with escaped spaces.
func Attachable(path string) (string, error) {
	path = strings.Trim(path, `"'`)
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if _, err := os.Stat(path); err != nil {
		if plain := strings.ReplaceAll(path, `\ `, " "); plain != path {
			path = plain
		}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("there is no file %s", path)
	case err != nil:
		return "", fmt.Errorf("cannot attach %s: %w", path, err)
	case info.IsDir():
		return "", fmt.Errorf("%s is a directory; attach a file", path)
	case info.Size() > engine.MaxAttachment:
		return "", fmt.Errorf("%s is too large: %d bytes, at most %d", path, info.Size(), engine.MaxAttachment)
	case !info.Mode().IsRegular(): // a device, or a pipe: it may never end
		return "", fmt.Errorf("%s is not a regular file, and cannot be attached", path)
	}
	return filepath.Abs(path)
}

// PickSession opens the list of sessions, narrowed down to those with the words, and goes on in the one if it is one.
func (h *host) PickSession(words string) error {
	cmd, err := h.m.chooseSession(h.line, words)
	h.do(cmd)
	return err
}

// PickTurn opens the list of turns.
func (h *host) PickTurn() error {
	cmd, err := h.m.chooseTurn()
	h.do(cmd)
	return err
}

// Export writes the session to a file.
func (h *host) Export(path string) error {
	cmd, err := h.m.export(path, h.line)
	h.do(cmd)
	return err
}

// ArmFaults makes the sandbox fail.
func (h *host) ArmFaults(list string) error {
	if h.m.deps.Faults == nil {
		return errors.New("there is no sandbox here")
	}
	return h.m.deps.Faults(list)
}
