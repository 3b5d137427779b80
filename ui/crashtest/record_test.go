//go:build unix

package crashtest

import (
	"errors"
	"slices"
	"testing"

	"baton/model/engine"
	"baton/model/journal"
	"baton/model/session"
)

// actual is where every text is, by the logs of all sessions in a directory, as the next process will find it.
type actual struct {
	rows    []string       // of people: no generated row and no command
	turns   map[string]int // user rows by text
	undo    []string       // of the session that goes on
	session string         // the one that goes on: the one that holds the rows, else the newest
	running bool           // its last turn was interrupted
	starts  map[string]int // turns started by text, retries included
	events  map[string]int // how many there are of each kind
}

// logOf is one session as it will be when it is taken up.
type logOf struct {
	id    string
	raw   session.State
	state session.State
	kept  journal.Contents
}

// readLogs reads the logs whole. Each must be readable but for the line that a crash cut short.
func readLogs(t testing.TB, dir string) []logOf {
	t.Helper()
	found, err := journal.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	var logs []logOf
	for _, f := range found {
		kept, err := journal.Read(dir, f.ID)
		if errors.Is(err, journal.ErrEmpty) || err == nil && len(kept.Batches) == 0 {
			continue // it was killed before it came to be
		}
		if err != nil {
			t.Fatalf("session %s: %v", f.ID, err)
		}
		if len(kept.Damage) > 0 {
			t.Fatalf("session %s: %+v", f.ID, kept.Damage)
		}
		s := session.New(session.Settings{})
		s.Session = f.ID
		s, skipped := engine.Replay(s, kept)
		if skipped != "" {
			t.Fatalf("session %s: %s", f.ID, skipped)
		}
		logs = append(logs, logOf{id: f.ID, raw: s, state: opened(s), kept: kept})
	}
	slices.SortFunc(logs, func(a, b logOf) int { return a.kept.Header.Created.Compare(b.kept.Header.Created) })
	return logs
}

// opened is a session after it was taken up.
func opened(s session.State) session.State {
	events, _ := session.Decide(s, session.Opened{Session: s.Session})
	for _, ev := range events {
		s = session.Apply(s, ev)
	}
	return s
}

// readActual puts the logs together. Rows that were on their way to another session are there if its first batch is.
func readActual(t testing.TB, dir string) actual {
	t.Helper()
	a := actual{turns: map[string]int{}, starts: map[string]int{}, events: map[string]int{}}
	logs := readLogs(t, dir)
	for _, l := range logs {
		for _, b := range l.kept.Batches {
			for _, en := range b.Entries {
				a.events[en.Kind]++
			}
		}
		for _, it := range l.state.Items.All() {
			if it.Turn == nil || it.Turn.Text == session.ContinueText {
				continue
			}
			a.starts[it.Turn.Text]++
			if !it.Turn.Retry() {
				a.turns[it.Turn.Text]++
			}
		}
		to := l.raw.CarryTo
		if to != "" && slices.ContainsFunc(logs, func(x logOf) bool { return x.id == to }) {
			continue
		}
		rows := personal(l.state)
		if len(rows) > 0 && len(a.rows) > 0 {
			t.Fatalf("rows wait in two sessions: %s and %s", brief(a.rows), brief(rows))
		}
		a.rows = append(a.rows, rows...)
		if len(rows) > 0 || len(a.rows) == 0 {
			a.session = l.id
		}
	}
	for _, l := range logs {
		if l.id == a.session {
			a.undo = undoTexts(l.state)
			_, a.running = l.raw.Running()
		}
	}
	return a
}

func personal(s session.State) []string {
	var texts []string
	for _, r := range s.Queue.Rows() {
		if r.Generated == 0 && !r.Command {
			texts = append(texts, r.Text)
		}
	}
	return texts
}

func undoTexts(s session.State) []string {
	if s.Undo == nil {
		return nil
	}
	var texts []string
	for _, p := range s.Undo.Rows {
		if !p.Row.Command {
			texts = append(texts, p.Row.Text)
		}
	}
	if s.Undo.Draft != nil {
		texts = append(texts, s.Undo.Draft.Text)
	}
	return texts
}

// undoOf is what the session that goes on can undo.
func undoOf(t testing.TB, dir, id string) *undo {
	t.Helper()
	for _, l := range readLogs(t, dir) {
		if l.id != id || l.state.Undo == nil {
			continue
		}
		u := &undo{}
		for _, p := range l.state.Undo.Rows {
			e := p.Row.Text
			if p.Row.Command {
				e = other + e
			}
			u.rows, u.at = append(u.rows, e), append(u.at, p.Index)
		}
		if d := l.state.Undo.Draft; d != nil {
			u.draft = d.Text
			if r, ok := l.state.Queue.Get(l.state.Undo.Row); ok {
				u.of = r.Text
			}
		}
		return u
	}
	return nil
}
