package plain

import (
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

// PickSession lists the sessions that were kept, but for this one.
func (h host) PickSession() error {
	dir := h.Sessions
	if dir == "" {
		return errors.New("sessions are not kept here")
	}
	h.start(func() engine.Result {
		infos, err := catalog.List(dir)
		return engine.Result{Apply: func() engine.Outcome {
			if err != nil {
				return engine.Outcome{Said: "cannot list the sessions: " + err.Error()}
			}
			return engine.Outcome{Said: h.sessions(infos)}
		}}
	})
	return nil
}

// sessions is the list in words. /resume takes its numbers.
func (p *program) sessions(infos []catalog.Info) string {
	var ls, ids []string
	for _, i := range infos {
		if i.ID == p.eng.Session() || len(ids) == listedMost {
			continue
		}
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
