package cli

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"baton/model/session"
	"baton/ui/sanitize"
)

func (a *app) sessionsShowCommand() *cobra.Command {
	var receipts bool
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Print a session's transcript, or what its requests met; also while it is in use",
		Example: "  baton sessions show 20261130-154210-4fzq\n  baton sessions show 20261130-154210-4fzq --receipts",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := a.sessionsDir()
			if err != nil {
				return err
			}
			return a.showSession(dir, args[0], receipts)
		},
	}
	cmd.Flags().BoolVar(&receipts, "receipts", false, "print each turn's attempts instead: when, how it went, what was waited for")
	return cmd
}

func (a *app) showSession(dir, id string, receipts bool) error {
	r := readSession(dir, id)
	if r.err != nil {
		return unreadable(id, r.err)
	}
	err := a.output(func(w *bufio.Writer) error {
		p := &printer{w: w}
		p.line("session " + id + opened(r) + " · " + turns(r.state))
		if receipts {
			p.receipts(r.state)
		} else {
			p.transcript(r.state)
			p.queue(r.state)
		}
		return p.err
	})
	for _, text := range damages(r) {
		fmt.Fprintln(a.Stderr, "baton: "+sanitize.Line(text))
	}
	return err
}

func opened(r reading) string {
	if r.header.Created.IsZero() {
		return ""
	}
	return " · " + r.header.Created.Local().Format("2006-01-02 15:04")
}

func turns(s session.State) string {
	n := 0
	for _, it := range s.Items.All() {
		if it.Turn != nil {
			n++
		}
	}
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}

// shownDamages is how many damaged parts are told one by one.
const shownDamages = 5

// damages says what of the log could not be read, a line each.
func damages(r reading) []string {
	var ls []string
	if r.trouble != nil && r.skipped == "" {
		ls = append(ls, r.trouble.Error())
	}
	if r.skipped != "" {
		ls = append(ls, r.skipped)
	}
	for i, d := range r.kept.Damage {
		if i == shownDamages {
			ls = append(ls, fmt.Sprintf("  … and %d more", len(r.kept.Damage)-i))
			break
		}
		ls = append(ls, fmt.Sprintf("  line %d: %s", d.Line, d.Reason))
	}
	if r.kept.Torn > 0 {
		ls = append(ls, fmt.Sprintf("%d bytes of an unfinished line at the end were left out; it may be under way", r.kept.Torn))
	}
	return ls
}

// printer writes text from outside, made printable, and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(text string) {
	if _, err := fmt.Fprintln(p.w, text); err != nil && p.err == nil {
		p.err = fmt.Errorf("print the session: %w", err)
	}
}

// block prints a heading and, indented below it, a text of any number of lines.
func (p *printer) block(heading, text string) {
	p.line("")
	p.line(sanitize.Line(heading))
	p.indented(text)
}

func (p *printer) indented(text string) {
	text = strings.Trim(sanitize.Text(text), "\n")
	if text == "" {
		return
	}
	for l := range strings.SplitSeq(text, "\n") {
		p.line(strings.TrimRight("  "+l, " "))
	}
}

// headings name who speaks. Rows that are one line stand in the heading themselves.
var headings = map[session.RowKind]string{
	session.UserRow: "you", session.AgentRow: "agent", session.ReasoningRow: "agent, thinking", session.ToolRow: "tool",
}

func (p *printer) transcript(s session.State) {
	for n, it := range s.Items.All() {
		for _, r := range it.Rows(n) {
			p.row(r)
		}
	}
	if _, running := s.Running(); running {
		if why := s.LiveReasoning(); why != "" {
			p.block("agent, thinking, unfinished", why)
		}
		p.block("agent, unfinished", s.LiveText())
	}
}

func (p *printer) row(r session.Row) {
	heading, spoken := headings[r.Kind]
	switch {
	case r.Failed:
		heading += ", in a failed attempt"
	case r.Interrupted:
		heading += ", interrupted"
	}
	text := r.Text
	if !spoken { // a note may have lines, the others are one
		heading, text, _ = strings.Cut(r.Text, "\n")
		heading = "· " + heading
	}
	p.block(heading, text)
	if r.Kind != session.RetryRow { // its details are the receipts
		for _, d := range r.Details {
			p.indented(d)
		}
	}
}

// queue prints the rows that wait, and why.
func (p *printer) queue(s session.State) {
	if s.Queue.Len() == 0 {
		return
	}
	now := time.Now()
	heading := fmt.Sprintf("queue %d/%d", s.Queue.Len(), s.Queue.Cap())
	if held := s.Held(now); held != "" {
		heading += " · " + held
	}
	p.block(heading, "")
	for i, row := range s.Queue.Rows() {
		p.indented(fmt.Sprintf("%d %s", i+1, row.Text))
		for _, file := range row.Attachments {
			p.indented("  [" + file.Path + "]")
		}
	}
}

func (p *printer) receipts(s session.State) {
	var all [][]string
	for n, t := range s.Numbered() {
		all = append(all, t.Receipt(n))
	}
	for _, ls := range slices.Backward(all) {
		p.line("")
		for _, l := range ls {
			p.line(strings.Repeat(" ", len(l)-len(strings.TrimLeft(l, " "))) + sanitize.Line(l))
		}
	}
}
