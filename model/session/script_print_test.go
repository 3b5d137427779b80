package session

import (
	"fmt"
	"reflect"
	"strings"

	"baton/queue"
)

// event tells a fact in one line. What is not recorded stands in parentheses.
func (r *script) event(e Event) string {
	k, recorded := byType[reflect.TypeOf(e)]
	if !recorded {
		return "(" + passing(e) + ")"
	}
	s := rowFact(e)
	if s == "" {
		s = turnFact(e)
	}
	if s == "" {
		r.t.Fatalf("no words for %T", e)
	}
	return strings.TrimSpace(k.Name + " " + s)
}

// passing tells an event that is gone with the process.
func passing(e Event) string {
	switch e := e.(type) {
	case AttemptBegan:
		return fmt.Sprintf("attempt %d", e.N)
	case PhaseEntered:
		return phaseName(e.Phase)
	case Streamed:
		return "streamed" + parts("", e.Text, "why", e.Reasoning)
	case QuitRequested:
		return "quitting"
	case Refused:
		return fmt.Sprintf("refused, %s: %s", e.Why, e.Text)
	}
	return fmt.Sprintf("%T %+v", e, e)
}

func rowFact(e Event) string {
	switch e := e.(type) {
	case RowQueued:
		return fmt.Sprintf("%s %s at %d", e.Row.ID, rowText(e.Row), e.Index+1)
	case RowEdited:
		return fmt.Sprintf("%s %s", e.Row.ID, rowText(e.Row))
	case RowMoved:
		return fmt.Sprintf("%s to %d", e.Row, e.To+1)
	case RowsRemoved:
		return join(e.Rows)
	case RowPromoted:
		return fmt.Sprintf("%s as turn %d", e.Row, e.Turn)
	case RowMarked:
		if e.Mark.Row == "" {
			return "none"
		}
		return fmt.Sprintf("%s when turn %d ends", e.Mark.Row, e.Mark.Turn)
	case GateChanged:
		return gateText(e.Gate)
	case DueChanged:
		return map[bool]string{true: "yes", false: "no"}[e.Due]
	case EditorOpened:
		if e.Draft != nil {
			return fmt.Sprintf("%s with %s", e.Row, draftText(*e.Draft))
		}
		return string(e.Row)
	case EditorClosed:
		return string(e.Row)
	case EditKept:
		return fmt.Sprintf("%s %d + %s + %d", e.Row, e.Front, draftText(e.Draft), e.Back)
	case UndoKept:
		return undoText(e.Undo)
	case UndoUsed:
		if e.Composer != nil {
			return "to the composer: " + draftText(*e.Composer)
		}
		return "all"
	}
	return ""
}

func turnFact(e Event) string {
	switch e := e.(type) {
	case SessionOpened:
		return strings.TrimSpace(e.Session + " " + e.Agent)
	case AgentSwitched:
		return e.Agent
	case CarryStarted:
		return "to " + e.To
	case RowsCarried:
		return "to " + e.To
	case Noted:
		return quoted(e.Text)
	case TurnStarted:
		s := fmt.Sprintf("%d %s", e.Turn, draftText(Draft{Text: e.Text, Attachments: e.Attachments}))
		if e.Chain != e.Turn {
			s += fmt.Sprintf(" again, chain %d", e.Chain)
		}
		return s
	case TurnPartial:
		return fmt.Sprintf("%d attempt %d%s", e.Turn, e.N, parts("", e.Text, "why", e.Reasoning))
	case ToolSeen:
		return fmt.Sprintf("%d %s %s %s", e.Turn, e.Part.ID, e.Part.Name, e.Part.Status)
	case RetryPlanned:
		return fmt.Sprintf("%d attempt %d of %d, %s, %s, wait %v", e.Turn, e.N, e.Max, e.Mode, e.Attempt.Cause.Line(), e.Delay)
	case RetryBegan:
		return fmt.Sprintf("%d attempt %d", e.Turn, e.N)
	case StopRequested:
		return fmt.Sprintf("%d", e.Turn)
	case BatonPassed:
		return fmt.Sprintf("%d", e.Turn)
	case PrepareStarted:
		if e.Row == "" {
			return fmt.Sprintf("%d for chain %d", e.Turn, e.Chain)
		}
		return fmt.Sprintf("%d for %s", e.Turn, e.Row)
	case PrepareEnded:
		return fmt.Sprintf("%d: %s", e.Turn, e.Why)
	case CommandStarted:
		return strings.TrimSpace(fmt.Sprintf("%d %s %s", e.ID, quoted(e.Text), e.Row))
	case CommandEnded:
		return fmt.Sprintf("%d %s", e.ID, map[bool]string{true: "done", false: "not done: " + e.Why}[e.Done])
	}
	return settlementFact(e)
}

func settlementFact(e Event) string {
	switch e := e.(type) {
	case TurnSucceeded:
		s := fmt.Sprintf("%d%s", e.Turn, parts("answer", e.Answer, "why", e.Reasoning))
		if e.Answer == "" {
			s += " no text"
		}
		if e.Cut {
			s += " cut"
		}
		return s + made(e.N)
	case TurnFailed:
		s := fmt.Sprintf("%d %s%s", e.Turn, e.Cause.Line(), parts("lost", e.Lost, "why", e.Reasoning))
		if e.Exhausted {
			s += " exhausted"
		}
		return s + made(e.N)
	case TurnStopped:
		s := fmt.Sprintf("%d%s", e.Turn, parts("partial", e.Partial, "lost", e.Lost, "why", e.Reasoning))
		if e.Interrupted {
			s += " interrupted"
		}
		return s + made(e.N)
	}
	return ""
}

func made(n int) string { return fmt.Sprintf(", attempts %d", n) }

func effect(e Effect) string {
	switch e := e.(type) {
	case Prepare:
		return fmt.Sprintf("prepare %d:%s", e.Turn, fileText(e.Attachments))
	case StartTurn:
		return fmt.Sprintf("start turn %d", e.Turn)
	case CancelTurn:
		return fmt.Sprintf("cancel %d", e.Turn)
	case SkipWait:
		return fmt.Sprintf("skip the wait after attempt %d of turn %d", e.Attempt, e.Turn)
	case RunCommand:
		return fmt.Sprintf("run command %d %s", e.ID, quoted(e.Text))
	case Exit:
		return "exit"
	}
	return fmt.Sprintf("%T %+v", e, e)
}

// stateLine says how the session stands: lifecycle, gate, rows with their words,
// and what an undo would bring back.
func (r *script) stateLine() string {
	s := r.n.s
	ps := []string{"= " + lifeText(s.Life), gateText(s.Gate)}
	if s.Due {
		ps = append(ps, "due")
	}
	ps = append(ps, r.rowWords())
	if s.Undo != nil {
		ps = append(ps, "undo: "+undoText(*s.Undo))
	}
	l := strings.Join(ps, " | ")
	if l == r.state {
		return "= as before"
	}
	r.state = l
	return l
}

// rowWords lists the rows; neighbours with the same word share it.
func (r *script) rowWords() string {
	s := r.n.s
	if s.Queue.Len() == 0 {
		return "no rows"
	}
	out, last := "", ""
	for i, row := range s.Queue.Rows() {
		w := s.Word(row.ID, r.now)
		switch {
		case i > 0 && w == last:
			out += ", "
		case i > 0:
			out += " " + last + "; "
		}
		out += rowText(row)
		last = w
	}
	return out + " " + last
}

func lifeText(l Lifecycle) string {
	switch l := l.(type) {
	case LifeReady:
		return "Ready"
	case LifeError:
		return fmt.Sprintf("Error after turn %d", l.Turn)
	case LifePreparing:
		return fmt.Sprintf("Busy preparing %d", l.Turn)
	case LifeCommand:
		return fmt.Sprintf("Busy command %d", l.ID)
	case LifeTurn:
		s := fmt.Sprintf("Busy turn %d", l.Turn)
		if l.Attempt > 0 {
			s += fmt.Sprintf(".%d", l.Attempt)
		}
		s += " " + phaseName(l.Phase)
		if b, ok := l.Phase.(Backoff); ok {
			s += fmt.Sprintf(" %d/%d in %v", b.Failed+1, b.Max, b.Delay)
		}
		return s
	}
	return "Boot"
}

func gateText(g Gate) string {
	var rs []string
	add := func(on bool, s string) {
		if on {
			rs = append(rs, s)
		}
	}
	add(g.Failed, "failed")
	add(g.Stopped, "stopped")
	add(!g.Limit.IsZero(), "limit until "+g.Limit.Format("15:04"))
	add(g.Restored, "restored")
	add(g.Paused, "paused")
	for _, b := range g.Blocked {
		rs = append(rs, fmt.Sprintf("blocked %s (%s)", b.Row, b.Why))
	}
	if len(rs) == 0 {
		return "open"
	}
	return strings.Join(rs, ", ")
}

func undoText(u Undo) string {
	var ps []string
	for _, p := range u.Rows {
		ps = append(ps, fmt.Sprintf("%s at %d", rowText(p.Row), p.Index+1))
	}
	if u.Draft != nil {
		ps = append(ps, fmt.Sprintf("edit %s of %s", draftText(*u.Draft), u.Row))
	}
	if !u.Gate.Open() {
		ps = append(ps, gateText(u.Gate))
	}
	return strings.Join(ps, ", ")
}

func rowText(r queue.Row) string {
	s := draftText(draftOf(r))
	if r.Generated != 0 {
		s += fmt.Sprintf(" (made by turn %d)", r.Generated)
	}
	return s
}

func draftText(d Draft) string { return quoted(d.Text) + fileText(d.Attachments) }

// fileText names files; a size says that they were read.
func fileText(as []queue.Attachment) string {
	s := ""
	for _, a := range as {
		s += " @" + a.Path
		if a.Size > 0 {
			s += fmt.Sprintf(" (%d bytes)", a.Size)
		}
	}
	return s
}

func quoted(s string) string {
	if len(s) > 60 {
		return fmt.Sprintf("%q… (%d bytes)", s[:8], len(s))
	}
	return fmt.Sprintf("%q", s)
}

// parts names the texts that are there: name, text, name, text.
func parts(nameAndText ...string) string {
	s := ""
	for i := 0; i < len(nameAndText); i += 2 {
		if nameAndText[i+1] != "" {
			s += " " + strings.TrimSpace(nameAndText[i]+" "+quoted(nameAndText[i+1]))
		}
	}
	return s
}

func join(ids []queue.ID) string {
	var ss []string
	for _, id := range ids {
		ss = append(ss, string(id))
	}
	return strings.Join(ss, " ")
}

// transcript lists the rows a person sees.
func (r *script) transcript() (out []string) {
	for i, it := range r.n.s.Items.All() {
		for _, row := range it.Rows(i) {
			l := fmt.Sprintf("%-9s %s", row.Kind, row.Text)
			if row.Failed {
				l += "  [failed]"
			}
			if row.Interrupted {
				l += "  [interrupted]"
			}
			out = append(out, l)
			for _, d := range row.Details {
				out = append(out, "            "+d)
			}
		}
	}
	return out
}

// context lists what a request of the newest turn carries.
func (r *script) context() (out []string) {
	last, _ := r.n.s.LastTurn()
	for _, m := range r.n.s.Context(last.ID, Items{}) {
		who := "user"
		if m.Assistant {
			who = "assistant"
		}
		out = append(out, fmt.Sprintf("%-9s %s%s", who, quoted(m.Text), fileText(m.Attachments)))
	}
	return out
}
