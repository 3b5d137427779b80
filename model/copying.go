package model

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/ui/term"
)

const (
	// maxOSC52 is the longest text, in bytes, that is given to the terminal for its
	// clipboard: many take no more than 100,000 bytes of base64.
	maxOSC52 = 74_994
	// clipboardWait is how long a clipboard's tool may take.
	clipboardWait = 2 * time.Second
)

// clipboards are the tools that take a text for the clipboard on their standard input,
// and the variable without which they have no clipboard to talk to.
var clipboards = []struct {
	needs string
	argv  []string
}{
	{"WAYLAND_DISPLAY", []string{"wl-copy"}},
	{"DISPLAY", []string{"xclip", "-selection", "clipboard"}},
	{"DISPLAY", []string{"xsel", "--clipboard", "--input"}},
	{"", []string{"pbcopy"}},
	{"", []string{"clip.exe"}},
}

// copied tells where a text went. line is the command that wanted it.
type copied struct {
	said, line string
	err        error
}

// copy puts a text where it can be pasted from: the terminal's clipboard, which does not
// say whether it took it, and a clipboard's own tool if there is one. What is too long for
// the first and has no second goes to a file that is named.
func (m *Model) copy(text, what, line string) tea.Cmd {
	var cmds []tea.Cmd
	if len(text) <= maxOSC52 {
		cmds = append(cmds, term.Copy(text))
	}
	return tea.Batch(append(cmds, func() tea.Msg {
		said, err := copyText(text, what)
		return copied{said, line, err}
	})...)
}

func (m *Model) toldCopy(msg copied) {
	if msg.err != nil {
		m.refuse("not copied: "+msg.err.Error(), msg.line)
		return
	}
	m.say(msg.said)
}

func copyText(text, what string) (said string, err error) {
	size := fmt.Sprintf("%s%d bytes", what, len(text))
	tool, err := toClipboard(text)
	switch {
	case tool != "" && err == nil:
		return "copied " + size + " with " + tool, nil
	case len(text) <= maxOSC52:
		return "copied " + size + ", if this terminal allows it (OSC 52)", nil
	}
	path, err := toFile(text)
	return "too long for this terminal's clipboard: " + size + " are in " + path, err
}

// toClipboard gives a text to the first tool that works; "" if there is none.
func toClipboard(text string) (tool string, err error) {
	for _, c := range clipboards {
		if c.needs != "" && os.Getenv(c.needs) == "" {
			continue
		}
		path, lookErr := exec.LookPath(c.argv[0])
		if lookErr != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), clipboardWait)
		cmd := exec.CommandContext(ctx, path, c.argv[1:]...)
		cmd.Stdin = strings.NewReader(text)
		cmd.WaitDelay = time.Second / 2 // the tool may leave a child behind that holds on to what it was given
		err = cmd.Run()
		cancel()
		if err == nil {
			return c.argv[0], nil
		}
	}
	return "", err
}

// toFile writes a text into a new private file.
func toFile(text string) (string, error) {
	f, err := os.CreateTemp("", "baton-copy-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return filepath.Clean(f.Name()), nil
}
