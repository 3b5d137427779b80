package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/catalog"
	"baton/model/session"
	"baton/ui/choose"
)

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
	// sessionsMeant brings the sessions that the words of a command may mean.
	sessionsMeant struct {
		of    *choice // the list that waits for them
		words string
		found []catalog.Match
		err   error
	}
)

// chooseSession lists the sessions that were kept, but for the one on the screen. Words narrow the list down, and if they
// mean one session alone, it is taken.
func (m *Model) chooseSession(line, words string) (tea.Cmd, error) {
	dir := m.deps.Sessions
	if dir == "" {
		return nil, errors.New("sessions are not kept here")
	}
	c := &choice{Model: m.newList("resume a session", "resumes", nil), take: "/resume", search: true}
	m.screen.choice = c
	list := func() tea.Msg {
		infos, err := catalog.List(dir)
		return sessionsListed{line, infos, err}
	}
	if words == "" {
		c.Looking()
		return list, nil
	}
	c.Insert(words)
	c.Looking()
	ctx, stop := context.WithCancel(context.Background())
	c.asked, c.stop, c.line = c.Typed(), stop, line
	words, but := c.Typed(), m.here()
	return tea.Batch(list, func() tea.Msg {
		found, err := catalog.Meant(ctx, dir, words, but)
		return sessionsMeant{c, words, found, err}
	}), nil
}

// here is the session that the person is in: another one is meant.
func (m *Model) here() string {
	if m.eng.ReadOnly() != "" { // it may be free by now
		return ""
	}
	return m.eng.Session()
}

// meant takes the session that the words of a command mean, shows those of several, or says that there is none. A list that
// was closed or is typed in by now goes its own way.
func (m *Model) meant(msg sessionsMeant) tea.Cmd {
	c := m.screen.choice
	if c == nil || c != msg.of || c.line == "" {
		return nil
	}
	line := c.line
	c.line = ""
	switch {
	case c.Typed() != msg.words:
	case msg.err != nil:
		m.closeChoice()
		m.refuse("cannot look for sessions: "+msg.err.Error(), line)
	case len(msg.found) == 0:
		m.closeChoice()
		m.refuse(catalog.None(msg.words).Error(), line)
	case len(msg.found) == 1:
		m.closeChoice()
		return m.resume(msg.found[0].ID, line)
	default:
		c.Found(msg.words, hitsOf(msg.found))
	}
	return nil
}

// resume goes on in a session, for the line that was typed.
func (m *Model) resume(id, line string) tea.Cmd {
	out := m.eng.Step(session.Submit{Draft: session.Draft{Text: "/resume " + id, Command: true}})
	m.began(out.Events, line)
	cmd := m.after(out)
	if out.Refused != nil {
		m.giveLine(line)
	}
	return cmd
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
		if i.ID != m.here() {
			items = append(items, sessionItem(i, m.deps.Now()))
		}
	}
	if len(items) == 0 && c.line == "" {
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
		return sessionsFound{typed, hitsOf(found), err}
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

// hitsOf are sessions as a list takes them that knows more of each.
func hitsOf(found []catalog.Match) []choose.Hit {
	var hits []choose.Hit
	for _, f := range found {
		hits = append(hits, choose.Hit{ID: f.ID, Excerpt: f.Excerpt})
	}
	return hits
}
