package model

import (
	"fmt"
	"os"
	"os/exec"

	tea "github.com/charmbracelet/bubbletea"

	"baton/queue"
	"baton/ui/term"
)

// edited is what the person's own editor left.
type edited struct {
	row  queue.ID // "" for the composer
	text string
	err  error
}

// openEditor hands the text to the person's editor. The loop goes on meanwhile.
func (m *Model) openEditor() tea.Cmd {
	ed := m.text()
	if ed == nil {
		return nil
	}
	argv := m.deps.Editor()
	if len(argv) == 0 {
		m.say("set $VISUAL or $EDITOR to edit there")
		return nil
	}
	was := ed.Value()
	file, err := m.write.keep.place.Scratch(was)
	if err != nil {
		m.say(err.Error())
		return nil
	}
	row := m.row.id
	if ed == &m.write.Editor {
		row = ""
	}
	return term.Exec(exec.Command(argv[0], append(argv[1:], file)...), func(err error) tea.Msg {
		b, rerr := os.ReadFile(file)
		switch {
		case err != nil && rerr == nil && string(b) != was:
			return edited{err: fmt.Errorf("the editor failed (%w); the text here is as it was, what it left is in %s", err, file)}
		case rerr != nil:
			err = fmt.Errorf("read what the editor left: %w", rerr)
		case err != nil:
			err = fmt.Errorf("the editor failed, the text is as it was: %w", err)
		}
		os.Remove(file)
		return edited{row: row, text: string(b), err: err}
	})
}

// editorDone takes the editor's text. If its row has gone meanwhile the text goes to
// the composer.
func (m *Model) editorDone(e edited) {
	text := trimLastNewline(queue.Normalize(e.text))
	switch {
	case e.err != nil:
		m.say(e.err.Error())
	case e.row == "":
		m.write.SetValue(text)
	case e.row == m.row.id:
		m.row.SetValue(text)
	default:
		m.giveBack(draftFrom(text))
	}
}
