package catalog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
	"baton/ui/sanitize"
)

// Format is what a session is exported as.
type Format string

// The formats.
const (
	Markdown Format = "md"    // CommonMark for people
	HTML     Format = "html"  // one page that needs nothing else
	Lines    Format = "jsonl" // the recorded events for programs, one a line; see docs/sessions.md
)

// FormatOf is the format that a file's name ends in; ok is false if it ends in no known one.
func FormatOf(file string) (f Format, ok bool) {
	f = Format(strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), "."))
	if f == "htm" {
		f = HTML
	}
	return f, slices.Contains(Formats(), f)
}

// Formats lists them, the default first.
func Formats() []Format { return []Format{Markdown, HTML, Lines} }

// Export writes a session as a document, reading it without locking or changing it. Nothing but LF and TAB of what it
// writes is a control character, whatever the session holds. What could not be read is said in the document. The errors
// are those of journal.Read but for a damaged header, and w's own.
func Export(w io.Writer, dir, id string, f Format) error {
	out := bufio.NewWriterSize(w, 64<<10)
	err := export(out, dir, id, f)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("export session %s: %w", id, err)
	}
	return nil
}

func export(out *bufio.Writer, dir, id string, f Format) error {
	switch f {
	case Lines:
		return writeLines(out, dir, id)
	case Markdown, HTML:
	default:
		return fmt.Errorf("there is no format %q", f)
	}
	r := readAll(dir, id)
	if r.err != nil && !errors.Is(r.err, journal.ErrHeader) {
		return r.err
	}
	if f == HTML {
		return writePage(out, readDocument(id, r))
	}
	writeMarkdown(out, readDocument(id, r))
	return nil
}

// document is a session as a person reads it. Its texts are as recorded; who writes them makes them printable.
type document struct {
	title, id, agent string
	created          time.Time
	missing          int // parts of the log that could not be read
	parts            []part
	held             string // why the rows wait as a whole
	waiting          []waitingRow
}

// part is a row of the transcript, or Again alone: the prompt above is tried again by hand.
type part struct {
	session.Row
	again      bool
	unfinished bool
}

type waitingRow struct {
	word  string
	text  string
	files []string
}

func readDocument(id string, r reading) document {
	state := r.state
	d := document{id: id, agent: state.Agent, created: r.header.Created, missing: r.unread, title: forked(r.header, titleOf(state))}
	if d.title == "" {
		d.title = "Session " + id
	}
	for n, it := range state.Items.All() {
		if it.Turn != nil && it.Turn.Retry() {
			d.parts = append(d.parts, part{again: true})
		}
		for _, r := range it.Rows(n) {
			d.parts = append(d.parts, part{Row: r})
		}
	}
	if _, running := state.Running(); running {
		for _, r := range []session.Row{{Kind: session.ReasoningRow, Text: state.LiveReasoning()}, {Kind: session.AgentRow, Text: state.LiveText()}} {
			if r.Text != "" {
				d.parts = append(d.parts, part{Row: r, unfinished: true})
			}
		}
	}
	now := time.Now()
	d.held = state.Held(now)
	for _, r := range state.Queue.Rows() {
		d.waiting = append(d.waiting, waitingRow{state.Word(r.ID, now), r.Text, paths(r.Attachments)})
	}
	return d
}

func paths(files []queue.Attachment) []string {
	var ps []string
	for _, f := range files {
		ps = append(ps, f.Path)
	}
	return ps
}

// facts are the lines below the title.
func (d document) facts() []string {
	fs := []string{"Session " + d.id}
	if !d.created.IsZero() {
		fs = append(fs, "Begun "+d.created.Local().Format("2006-01-02 15:04"))
	}
	if d.agent != "" {
		fs = append(fs, "Agent "+sanitize.Line(d.agent))
	}
	if d.missing > 0 {
		fs = append(fs, damaged(d.missing)+" missing here")
	}
	return fs
}

func damaged(parts int) string {
	if parts == 1 {
		return "1 damaged part of the log is"
	}
	return fmt.Sprintf("%d damaged parts of the log are", parts)
}

// heading names who speaks in a part of a person or an agent, "" for the others.
func (p part) heading() string {
	speaker := map[session.RowKind]string{session.UserRow: "You", session.AgentRow: "Agent"}[p.Kind]
	switch {
	case speaker == "":
		return ""
	case p.unfinished:
		return speaker + ", unfinished"
	case p.Failed:
		return speaker + ", in a failed attempt"
	case p.Interrupted:
		return speaker + ", interrupted"
	}
	return speaker
}

// queueHeading says how many rows wait, and why.
func (d document) queueHeading() string {
	s := fmt.Sprintf("Waiting: %d rows", len(d.waiting))
	if len(d.waiting) == 1 {
		s = "Waiting: 1 row"
	}
	if d.held != "" {
		s += " · " + sanitize.Line(d.held)
	}
	return s
}

const againText = "Tried again by hand"
