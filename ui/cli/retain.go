package cli

import (
	"fmt"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model"
	"baton/model/catalog"
	"baton/model/engine"
	"baton/ui/sanitize"
	"baton/ui/term"
)

// tidyAfter leaves the start of the chat alone.
const tidyAfter = 300 * time.Millisecond

// tidyScreen is screen with old sessions let go in the background. What went is told when the chat is left.
func (a *app) tidyScreen(s *setup, e *engine.Engine) error {
	var said atomic.Pointer[string]
	spare := e.Session()
	err := a.screen(s, e, func(m *model.Model) term.Model {
		if s.conf.Sessions.Keep == 0 {
			return m
		}
		return tidier{m, tea.Tick(tidyAfter, func(now time.Time) tea.Msg {
			line := s.retain(spare, now)
			said.Store(&line)
			return nil
		})}
	})
	if line := said.Load(); line != nil && *line != "" {
		fmt.Fprintln(a.Stderr, "baton: "+sanitize.Line(*line))
	}
	return err
}

// tidier begins something with the first message, the window's size, then leaves the program alone.
type tidier struct {
	*model.Model
	begin tea.Cmd
}

// Update passes the message on.
func (t tidier) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := t.Model.Update(msg)
	return m, tea.Batch(cmd, t.begin)
}

// retain lets go of sessions that are older than sessions.keep, but for the one named spare, and says in one line what
// went, "" for nothing. It reads many files and may take a while: it is for the background.
func (s *setup) retain(spare string, now time.Time) (said string) {
	keep := s.conf.Sessions.Keep
	if keep == 0 || s.sessions() == "" {
		return ""
	}
	gone, err := catalog.Retain(s.sessions(), keep, now, spare)
	days := fmt.Sprintf("%d days", keep/(24*time.Hour))
	switch len(gone) {
	case 0:
	case 1:
		said = fmt.Sprintf("removed 1 session not used for %s: %s (sessions.keep)", days, gone[0].ID)
	default:
		said = fmt.Sprintf("removed %d sessions not used for %s (sessions.keep)", len(gone), days)
	}
	if err != nil {
		if said != "" {
			said += "; "
		}
		said += "some old sessions could not be removed: " + err.Error()
	}
	return said
}
