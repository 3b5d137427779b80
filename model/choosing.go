package model

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/catalog"
	"baton/model/session"
	"baton/ui/choose"
	"baton/ui/keymap"
	"baton/ui/status"
)

// choice is a list over the whole screen from which the person takes one thing.
type choice struct {
	choose.Model
	take   string               // the command that gets what was taken
	use    func(id string)      // what takes it, if no command does
	items  func() []choose.Item // for a list that grows while it is shown; nil for one that does not
	search bool                 // what is typed is looked for in the sessions' texts
	asked  string               // what was looked for last
	stop   context.CancelFunc   // ends that search
}

// searchPause is how long typing has to rest before sessions are searched.
const searchPause = 150 * time.Millisecond

type (
	// sessionsListed brings the list of sessions.
	sessionsListed struct {
		line  string // the command that wanted it
		infos []catalog.Info
		err   error
	}
	// sessionsFound brings what a search found.
	sessionsFound struct {
		typed string
		hits  []choose.Hit
		err   error
	}
)

// chooseSession lists the sessions that were kept, but for the one on the screen.
func (m *Model) chooseSession(line string) (tea.Cmd, error) {
	dir := m.deps.Sessions
	if dir == "" {
		return nil, errors.New("sessions are not kept here")
	}
	m.screen.choice = &choice{Model: choose.New(m.deps.Theme, "resume a session", nil), take: "/resume", search: true}
	m.screen.choice.Looking()
	return func() tea.Msg {
		infos, err := catalog.List(dir)
		return sessionsListed{line, infos, err}
	}, nil
}

func (m *Model) listed(msg sessionsListed) {
	c := m.screen.choice
	if c == nil || !c.search {
		return
	}
	if msg.err != nil {
		m.closeChoice()
		m.refuse("cannot list the sessions: "+msg.err.Error(), msg.line)
		return
	}
	var items []choose.Item
	for _, i := range msg.infos {
		if i.ID != m.eng.Session() || m.eng.ReadOnly() != "" {
			items = append(items, sessionItem(i, m.deps.Now()))
		}
	}
	if len(items) == 0 {
		m.closeChoice()
		m.refuse("there is no other session yet", msg.line)
		return
	}
	c.SetItems(items)
	if c.asked == "" { // else a search goes on
		c.Found(c.Typed(), nil)
	}
}

// sessionItem is how a session reads in a list.
func sessionItem(i catalog.Info, now time.Time) choose.Item {
	detail := []string{when(i.Modified, now)}
	if i.Waiting > 0 {
		detail = append(detail, fmt.Sprintf("%d waiting", i.Waiting))
	}
	if i.Holder != 0 {
		detail = append(detail, "open elsewhere")
	}
	if i.Trouble != "" {
		detail = append(detail, i.Trouble)
	}
	title := i.Title
	if title == "" {
		title = i.ID
	}
	return choose.Item{ID: i.ID, Title: title, Detail: strings.Join(detail, " · "), Text: i.ID}
}

// when writes a time as shortly as it stays clear.
func when(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	switch {
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return t.Format("15:04")
	case t.Year() == now.Year():
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2 Jan 2006")
}

// chooseTurn lists the prompts of this session, the newest first. Older ones join it as
// they are read.
func (m *Model) chooseTurn() (tea.Cmd, error) {
	items := m.turnItems()
	if len(items) == 0 {
		return nil, errors.New("there is no turn to fork from yet")
	}
	m.screen.choice = &choice{Model: choose.New(m.deps.Theme, "fork behind a turn", items), take: "/fork", items: m.turnItems}
	return m.older(homeBytes), nil
}

// searchedAnswer is how much of each answer, in bytes, a list of turns is narrowed down by.
const searchedAnswer = 200

func (m *Model) turnItems() []choose.Item {
	var items []choose.Item
	last := map[session.TurnID]session.Outcome{}
	for n, t := range m.eng.State().Numbered() {
		if t.Outcome == session.Unsettled {
			continue
		}
		if _, seen := last[t.Chain]; !seen {
			last[t.Chain] = t.Outcome
		}
		if !t.Retry() {
			items = append(items, choose.Item{ID: strconv.Itoa(n), Title: catalog.Title(t.Text, t.Attachments),
				Detail: fmt.Sprintf("turn %d · %s", n, last[t.Chain]), Text: t.Answer[:min(len(t.Answer), searchedAnswer)]})
		}
	}
	return items
}

// actChoice: while a list is open, keys go to it.
func (m *Model) actChoice(a keymap.Action) (tea.Cmd, bool) {
	c := m.screen.choice
	if c == nil || m.screen.help {
		return nil, false
	}
	page := max(m.screen.h-3, 1)
	switch a {
	case keymap.Stop, keymap.Interrupt:
		m.closeChoice()
	case keymap.PopupUp:
		c.MoveSelection(-1)
	case keymap.PopupDown:
		c.MoveSelection(1)
	case keymap.ScrollUp:
		c.MoveSelection(-page)
	case keymap.ScrollDown:
		c.MoveSelection(page)
	case keymap.Send, keymap.PopupAccept:
		return m.takeChoice(), true
	case keymap.DeleteLeft:
		c.Erase()
	case keymap.KillWord:
		c.EraseWord()
	case keymap.KillToStart:
		c.Clear()
	case keymap.Suspend, keymap.Redraw, keymap.Help:
		return nil, false
	}
	return m.search(), true
}

// typedChoice puts text into the line that narrows the list down.
func (m *Model) typedChoice(text string) tea.Cmd {
	m.screen.choice.Insert(text)
	return m.search()
}

// search looks for what is typed in the texts of the sessions, once typing rests.
func (m *Model) search() tea.Cmd {
	c := m.screen.choice
	if c == nil || !c.search || c.Typed() == c.asked {
		return nil
	}
	if c.stop != nil {
		c.stop()
	}
	c.asked = c.Typed()
	if c.asked == "" {
		return nil
	}
	c.Looking()
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	dir, typed := m.deps.Sessions, c.asked
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return sessionsFound{typed: typed, err: ctx.Err()}
		case <-time.After(searchPause):
		}
		found, err := catalog.Find(ctx, dir, typed)
		var hits []choose.Hit
		for _, f := range found {
			hits = append(hits, choose.Hit{ID: f.ID, Excerpt: f.Excerpt})
		}
		return sessionsFound{typed, hits, err}
	}
}

func (m *Model) found(msg sessionsFound) {
	c := m.screen.choice
	if c == nil || !c.search {
		return
	}
	c.Found(msg.typed, msg.hits)
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		m.say("cannot search the sessions: " + msg.err.Error())
	}
}

// closeChoice closes the list and ends its search.
func (m *Model) closeChoice() {
	if c := m.screen.choice; c != nil && c.stop != nil {
		c.stop()
	}
	m.screen.choice = nil
}

// takeChoice runs the command with what is selected.
func (m *Model) takeChoice() tea.Cmd {
	c := m.screen.choice
	it, ok := c.Selected()
	if !ok {
		return nil
	}
	m.closeChoice()
	if c.use != nil {
		c.use(it.ID)
		return nil
	}
	return m.command(c.take + " " + it.ID)
}

// command submits a command that was not typed: what stands in the composer stays.
func (m *Model) command(text string) tea.Cmd {
	return m.after(m.eng.Step(session.Submit{Draft: session.Draft{Text: text, Command: true}}))
}

// choiceView draws the list over the whole screen, a word below it.
func (m *Model) choiceView(w, h int) []string {
	c := m.screen.choice
	word := status.Notice(m.deps.Theme, m.currentWord(), w, min(h/3, h-3))
	room := h - len(word)
	lines := c.View(w, room)
	if len(word) > 0 {
		for len(lines) < room {
			lines = append(lines, "")
		}
	}
	m.screen.x, m.screen.y = c.Caret(w, room)
	m.screen.caret = true
	return append(lines, word...)
}
