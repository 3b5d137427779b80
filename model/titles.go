package model

import (
	"cmp"
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/catalog"
	"baton/ui/picker"
)

const (
	// offeredSessions is how many sessions a completion offers, those written last first.
	offeredSessions = 50
	// titlesWait is how long looking for their titles may take; what was found by then is offered.
	titlesWait = 500 * time.Millisecond
	// titlesFresh is how long they are good for.
	titlesFresh = 10 * time.Second
)

// titles are the sessions that the completion of /resume offers.
type titles struct {
	infos  []catalog.Info
	at     time.Time // when they were looked up, zero for never
	asking bool
}

// sessionsNamed brings them.
type sessionsNamed struct{ infos []catalog.Info }

// askSessions looks the sessions up when one of them is being typed, unless that was done a moment ago.
func (m *Model) askSessions() tea.Cmd {
	k := &m.write.known
	if o, _ := m.offering(); o != sessionTitles || k.asking || m.deps.Sessions == "" || !k.at.IsZero() && m.deps.Now().Sub(k.at) < titlesFresh {
		return nil
	}
	k.asking = true
	dir := m.deps.Sessions
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), titlesWait)
		defer cancel()
		return sessionsNamed{catalog.Latest(ctx, dir, "", offeredSessions)}
	}
}

func (m *Model) tellSessions(msg sessionsNamed) {
	m.write.known = titles{infos: msg.infos, at: m.deps.Now()}
}

// titles are the entries of the completion, but for one session: what it is about, and the name that is taken.
func (m *Model) titles(but string) []picker.Item {
	var items []picker.Item
	for _, i := range m.write.known.infos {
		if i.ID != but {
			items = append(items, picker.Item{Name: cmp.Or(i.Title, i.ID), Hint: i.ID})
		}
	}
	return items
}
