package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"baton/model/catalog"
	"baton/model/outside"
	"baton/model/session"
	"baton/retrypolicy"
	"baton/ui/sanitize"
)

// receipts writes replies and works out how the command ends.
type receipts struct {
	*queueing
	begun bool // something was told already
	err   error
}

// reply takes one reply in.
func (p *receipts) reply(r outside.Reply) {
	p.begun = true
	if p.err != nil {
		return
	}
	switch {
	case p.json:
		p.err = p.output(func(w *bufio.Writer) error { return writeReply(w, r) })
	case r.Kind == outside.Refused:
	case r.Queue != nil:
		p.err = p.output(func(w *bufio.Writer) error { writeQueue(w, r.Queue); return nil })
	case r.Kind == outside.Held: // it is about the waiting, and no step on the row's way
		fmt.Fprintln(p.Stderr, sanitize.Line("baton: "+r.Text))
	default:
		p.err = p.output(func(w *bufio.Writer) error {
			_, err := fmt.Fprintln(w, sanitize.Line(strings.TrimLeft(r.ID+"  "+r.Text, " ")))
			return err
		})
	}
	switch r.Kind {
	case outside.Refused:
		if p.err == nil {
			p.err = failure("", "%s", r.Text)
		}
	case outside.Failed:
		p.code = codeOf(session.TurnFailed{Cause: session.Cause{Kind: retrypolicy.Kind(r.Why)}, Exhausted: r.Exhausted})
	case outside.Stopped, outside.Removed, outside.Left:
		p.code = ExitFailed
	}
}

// writeReply writes a reply as one line of JSON.
func writeReply(w *bufio.Writer, r outside.Reply) error {
	var v any = r
	if r.Queue != nil {
		v = r.Queue
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	catalog.PlainJSON(w, append(b, '\n')) // errors of writing stay in w
	return nil
}

// rowCells is how much of a row's text the list shows.
const rowCells = 60

// writeQueue writes the header and a line for each row: number, id, word, and the text as it is typed.
func writeQueue(w *bufio.Writer, q *outside.Queue) {
	where := "parked"
	if q.Running {
		where = "open"
	}
	fmt.Fprintln(w, sanitize.Line(q.Header+" · session "+q.Session+" · "+where))
	ids, wide := shortIDs(q.Rows), 0
	words := make([]string, len(q.Rows))
	idWide := 0
	for i, r := range q.Rows {
		words[i] = sanitize.Truncate(sanitize.Line(strings.ReplaceAll(r.Word, "enter plays", "baton queue play starts it")), rowCells)
		wide, idWide = max(wide, sanitize.Width(words[i])), max(idWide, len(ids[i]))
	}
	for i, r := range q.Rows {
		first, rest, more := strings.Cut(strings.TrimSpace(session.Draft{Text: r.Text, Command: r.Command}.Typed()), "\n")
		text := sanitize.Truncate(sanitize.Line(first), rowCells)
		if more {
			text += fmt.Sprintf(" (+%d lines)", 1+strings.Count(rest, "\n"))
		}
		if len(r.Files) > 0 {
			text += " [" + sanitize.Line(strings.Join(r.Files, ", ")) + "]"
		}
		pad := strings.Repeat(" ", wide-sanitize.Width(words[i]))
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%2d  %-*s  %s%s  %s", r.N, idWide, sanitize.Line(ids[i]), words[i], pad, text), " "))
	}
}

// shortIDs are the ends of the rows' ids where they tell the rows apart.
func shortIDs(rows []outside.Row) []string {
	count := map[string]int{}
	end := func(id string) string { return id[max(strings.LastIndexByte(id, '.'), 0):] }
	for _, r := range rows {
		count[end(r.ID)]++
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
		if e := end(r.ID); count[e] == 1 {
			ids[i] = e
		}
	}
	return ids
}
