package plain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"baton/model/catalog"
	"baton/model/engine"
	"baton/model/session"
	"baton/ui/sanitize"
)

// listedMost is how many sessions or turns are said at once.
const listedMost = 20

// PickSession goes on in the session that has the words. If several have, it lists those; without words, all but this one.
func (h host) PickSession(words string) error {
	dir, here := h.Sessions, h.eng.Session()
	if dir == "" {
		return errors.New("sessions are not kept here")
	}
	h.start(func() engine.Result {
		found, err := catalog.Meant(context.Background(), dir, words, here)
		return engine.Result{Apply: func() engine.Outcome {
			switch {
			case err != nil:
				return engine.Outcome{Said: "cannot look for sessions: " + err.Error()}
			case words != "" && len(found) == 0:
				return engine.Outcome{Said: catalog.None(words).Error()}
			case words != "" && len(found) == 1:
				return h.eng.Step(session.Submit{Draft: session.Draft{Text: "/resume " + found[0].ID, Command: true}})
			}
			return engine.Outcome{Said: h.sessions(found)}
		}}
	})
	return nil
}

// sessions is the list in words. /resume takes its numbers.
func (p *program) sessions(found []catalog.Match) string {
	var ls, ids []string
	for _, i := range found[:min(len(found), listedMost)] {
		ids = append(ids, i.ID)
		l := fmt.Sprintf("%d: %s, used %s", len(ids), sanitize.Line(i.Title), i.Modified.Local().Format("2 Jan 2006 15:04"))
		if i.Waiting > 0 {
			l += ", " + waiting(i.Waiting)
		}
		if i.Holder != 0 {
			l += ", open elsewhere"
		}
		ls = append(ls, l)
	}
	p.entry.listed = ids
	if len(ids) == 0 {
		return "there is no other session yet"
	}
	return strings.Join(append(ls, "/resume and a number goes on in that session."), "\n")
}

// PickTurn lists the turns of this session, the newest last.
func (h host) PickTurn() error {
	var ls []string
	for n, t := range h.eng.State().Numbered() {
		if t.Outcome == session.Unsettled || t.Retry() {
			continue
		}
		ls = append([]string{fmt.Sprintf("%d: %s", n, sanitize.Line(catalog.Title(t.Text, t.Attachments)))}, ls...)
		if len(ls) == listedMost {
			break
		}
	}
	if len(ls) == 0 {
		return errors.New("there is no turn to fork from yet")
	}
	h.say(strings.Join(append(ls, "/fork and a number goes on in a copy that ends with that turn."), "\n"))
	return nil
}

// Export writes the session to a file.
func (h host) Export(path string) error {
	if !h.eng.Kept() {
		return errors.New("this session is not on disk: there is nothing to export")
	}
	id := h.eng.Session()
	h.start(func() engine.Result {
		file, err := h.program.Export(id, path)
		said := "exported to " + file
		if err != nil {
			said = "not exported: " + err.Error()
		}
		return engine.Result{Apply: func() engine.Outcome { return engine.Outcome{Said: said} }}
	})
	return nil
}

// discard takes rows away and says how to get them back.
func (p *program) discard(in session.Input) {
	before := p.eng.State().Undo
	out := p.step(in)
	if out.Refused == nil && p.eng.State().Undo != before {
		p.say("/queue undo brings back what was removed.")
	}
}
