package model

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/catalog"
)

// exported tells how writing a session to a file went.
type exported struct {
	path, line string // line is the command that wanted it
	err        error
}

// export writes the session to a file that does not exist yet, as what its name ends in
// says. It reads what is on disk, so it disturbs nothing that runs.
func (m *Model) export(path, line string) (tea.Cmd, error) {
	dir, id := m.deps.Sessions, m.eng.Session()
	if dir == "" || !m.eng.Kept() {
		return nil, errors.New("this session is not on disk: there is nothing to export")
	}
	path = strings.Trim(path, `"'`)
	if path == "" {
		path = "baton-" + id + ".md"
	}
	format, ok := catalog.FormatOf(path)
	if !ok {
		return nil, fmt.Errorf("a session is written as .md, .html or .jsonl, not as %s", filepath.Base(path))
	}
	path, err := atHome(path)
	if err != nil {
		return nil, err
	}
	return func() tea.Msg { return exported{path, line, exportTo(path, dir, id, format)} }, nil
}

func exportTo(path, dir, id string, format catalog.Format) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; name another", filepath.Base(path))
	}
	if err != nil {
		return err
	}
	err = errors.Join(catalog.Export(file, dir, id, format), file.Close())
	if err != nil {
		_ = os.Remove(path) // half of a document would look like a whole one
	}
	return err
}

func (m *Model) toldExport(msg exported) {
	if msg.err != nil {
		m.refuse("not exported: "+msg.err.Error(), msg.line)
		return
	}
	m.say("exported to " + msg.path)
}

// atHome resolves a path as a person types it, with ~ for the home directory.
func atHome(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		path = filepath.Join(home, rest)
	}
	return filepath.Abs(path)
}
