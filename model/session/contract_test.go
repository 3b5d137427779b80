package session

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"baton/queue"
)

// step is one Decide with what stood before and after.
type step struct {
	node          *node
	before, after State
	in            Input
	events        []Event
	effects       []Effect
}

// started returns the row that this step started, "" if none, and whether a turn
// without a row (idle text, retry) started.
func (c *step) started() (row queue.ID, any bool) {
	for _, e := range c.events {
		switch e := e.(type) {
		case PrepareStarted:
			return e.Row, true
		case CommandStarted:
			return e.Row, true
		case RowPromoted:
			return e.Row, true
		case TurnStarted:
			return "", true
		}
	}
	return "", false
}

// overEditor reports whether a row is a command that an open editor makes wait.
func overEditor(s State, r queue.Row) bool { return r.Command && s.Editing != "" }

func (c *step) settlement() Event {
	for _, e := range c.events {
		switch e.(type) {
		case TurnSucceeded, TurnFailed, TurnStopped:
			return e
		}
	}
	return nil
}

// isOpen is the checker's own view of an open gate.
func isOpen(g Gate) bool {
	return !g.Failed && !g.Stopped && g.Limit.IsZero() && !g.Restored && !g.Paused && len(g.Blocked) == 0
}

func unpaused(g Gate) Gate {
	g.Paused = false
	return g
}

func idle(s State) bool { return s.Life != nil && !s.Life.Busy() }

func stoppingTurn(s State) (TurnID, bool) {
	l, _ := s.Running()
	_, yes := l.Phase.(Stopping)
	return l.Turn, yes
}

// personal reports whether an input is an act of the person.
func personal(in Input) bool {
	switch in.(type) {
	case Submit, Park, Rewrite, RemoveRows, BeginEdit, EndEdit, RemoveRow, MoveRow, ClearRows, UndoLast, Play, SendNow, SetPaused, Retry, RetryNow, Stop:
		return true
	}
	return false
}

// remember updates the checker's own memory.
func (c *step) remember(n *node) {
	m := c.node
	switch in := c.in.(type) {
	case Submit:
		if strings.TrimSpace(in.Text) != "" {
			m.texts = n.texts + 1
		}
	case Add, Park, Rewrite:
		if key(c.before) != key(c.after) {
			m.texts = n.texts + 1
		}
	case EndEdit:
		if in.Draft.Text != "" && in.Row != "gone" {
			if r, _ := c.before.Queue.Get(in.Row); r.Text != in.Draft.Text {
				m.texts = n.texts + 1
			}
		}
	case KeepEdit:
		m.texts = n.texts + 1
	case RemoveRow:
		if in.Draft != nil {
			m.texts = n.texts + 1
		}
	case ClearRows:
		if in.Draft != nil {
			m.texts = n.texts + 1
		}
	}
	_, was := stoppingTurn(c.before)
	if _, is := stoppingTurn(c.after); is && !was {
		m.stopOpen = isOpen(c.before.Gate)
	}
	_, any := c.started()
	failedNow := false
	if _, ok := c.settlement().(TurnFailed); ok {
		failedNow = true
	}
	_, opened := c.in.(Opened)
	if p, ok := c.in.(Park); ok && !p.Pause && !c.refused() { // as restored rows are
		opened = true
	}
	if any || failedNow || opened || c.after.Queue.Len() == 0 {
		m.due = false
	} else if c.passes(n) && c.before.Queue.Len() > 0 && (c.before.Editing != "" || c.before.Gate.Paused) && isOpen(unpaused(c.before.Gate)) {
		m.due = true
	}
	if in, ok := c.in.(Adopt); ok { // rows arrive as behind a queued command
		m.due = in.Open && in.Paused && len(in.Rows) > 0
	}
	if personal(c.in) {
		m.halted = false
	}
	if _, quit := c.in.(Quit); quit {
		m.halted = true
	}
	if _, ok := c.settlement().(TurnStopped); ok && !any {
		m.halted = true
	}
}

// passes reports whether this input hands the baton on: the Promote of the turn
// that succeeded last and that nothing followed, or the end of a queued command.
func (c *step) passes(*node) bool {
	switch in := c.in.(type) {
	case Promote:
		last, ok := c.before.LastTurn()
		_, ready := c.before.Life.(LifeReady)
		return ok && ready && last.ID == in.Turn && last.Outcome == Succeeded && c.before.Awaiting == in.Turn && !c.before.Quitting
	case CommandDone:
		l, ok := c.before.Life.(LifeCommand)
		return ok && l.ID == in.ID && l.Row != "" && in.Why == "" && in.Carry == "" && !in.Leave
	}
	return false
}

func (c *step) check(n *node) string {
	for _, f := range []func(*node) string{c.checkStart, c.checkContinue, c.checkTexts, c.checkLife, c.checkStale, c.checkEditor, c.checkStop, c.checkGate, c.checkRows, c.checkWords} {
		if msg := f(n); msg != "" {
			return msg
		}
	}
	return ""
}

// checkStart is C1: which inputs may start a row, and which row.
func (c *step) checkStart(n *node) string {
	row, any := c.started()
	head, _ := c.before.Queue.Head()
	switch in := c.in.(type) {
	case Promote, CommandDone:
		open := c.passes(n) && isOpen(c.before.Gate) && c.before.Editing == ""
		rest := c.before.Queue
		if l, ok := c.before.Life.(LifeCommand); ok {
			rest, _ = rest.Remove(l.Row)
		}
		head, there := rest.Head()
		switch {
		case open && there && row != head.ID:
			return fmt.Sprintf("C1: the head %s had to start, not %q", head.ID, row)
		case (!open || !there) && any:
			return "C1: nothing may start here"
		}
	case Play:
		if any && (row != head.ID || !idle(c.before)) {
			return "C1: play starts the head, when idle"
		}
		if !any && idle(c.before) && head.ID != "" && head.ID != c.before.Editing && !c.before.Quitting && !overEditor(c.before, head) {
			return "C1: play must start the head"
		}
	case SendNow:
		if any && row != in.Row {
			return "C1: send-now starts its own row"
		}
		if any && in.Turn != c.before.Work() {
			return "C1: a stale send-now started a row"
		}
	case EndEdit, RemoveRow, ClearRows, SetPaused:
		can := n.due && idle(c.before) && !c.before.Quitting && c.releases()
		if any && !can {
			return "C1: nothing was due"
		}
		if can && !any {
			return "C10: a due promotion must go when its last obstacle goes"
		}
	case Submit, Retry, Prepared, Adopt:
		// start what they name: checked by checkRows
	case Ready, GaveUp, StoppedByClient, StopTimedOut:
		return c.checkSettledStart(n, row, any)
	default:
		if any {
			return fmt.Sprintf("C1: %T started something", c.in)
		}
	}
	return ""
}

// releases reports whether this step took the editor or the pause out of the way
// and nothing is left in it.
func (c *step) releases() bool {
	for _, e := range c.events { // look at the moment before the start
		switch e.(type) {
		case RowPromoted, PrepareStarted, CommandStarted:
			return true
		}
	}
	gone := c.before.Editing != "" && c.after.Editing == "" || c.before.Gate.Paused && !c.after.Gate.Paused
	return gone && isOpen(c.after.Gate) && c.after.Editing == "" && c.after.Queue.Len() > 0
}

func (c *step) checkSettledStart(n *node, row queue.ID, any bool) string {
	id, stop := stoppingTurn(c.before)
	settled := c.settlement() != nil
	head, there := c.before.Queue.Head()
	if _, ok := c.in.(Ready); ok { // its success may take a generated row away
		for _, r := range c.before.Queue.Rows() {
			if c.after.Queue.Index(r.ID) >= 0 || r.ID == row {
				head = r
				break
			}
		}
	}
	_, silent := c.in.(StopTimedOut)
	drain := stop && settled && c.before.Settings.Drain && n.stopOpen && isOpen(c.before.Gate) && c.before.Editing == "" && !silent && c.before.Mark.Row == "" && !c.before.Quitting
	promised, _ := c.before.Queue.Get(c.before.Mark.Row)
	marked := stop && settled && promised.ID != "" && c.before.Mark.Turn == id && !c.before.Quitting && !overEditor(c.before, promised)
	if _, ok := c.in.(Ready); ok && promised.Generated != 0 && c.after.Queue.Index(promised.ID) < 0 && !any {
		marked = false // the success took it away: there is nothing to continue
	}
	switch {
	case marked && row != c.before.Mark.Row:
		return "the row that was promised to go next did not start"
	case drain && there && row != head.ID && c.after.Queue.Len() > 0:
		return "drain goes first in first out"
	case any && !marked && !drain:
		return "C1: a settlement started something"
	}
	return ""
}

// checkContinue is C2.
func (c *step) checkContinue(*node) string {
	if _, ok := c.settlement().(TurnFailed); !ok {
		return ""
	}
	was, is := c.before.Queue.Rows(), c.after.Queue.Rows()
	has := slices.ContainsFunc(was, func(r queue.Row) bool { return r.Generated != 0 })
	if len(was) > 0 && len(was) < c.before.Queue.Cap() && !has {
		if len(is) != len(was)+1 || is[0].Text != ContinueText || is[0].Generated == 0 {
			return "C2: the row Continue must be the new head"
		}
		is = is[1:]
	}
	if !sameRows(was, is) {
		return "C2: a give-up keeps every row in order"
	}
	if !c.after.Gate.Failed && c.after.Gate.Limit.IsZero() {
		return "C2: a give-up must hold the queue"
	}
	return ""
}

func sameRows(a, b []queue.Row) bool {
	return slices.EqualFunc(a, b, func(x, y queue.Row) bool { return x.ID == y.ID && x.Text == y.Text })
}

// places lists every text a person entered by where it is now.
func places(s State) []string {
	var p []string
	for _, r := range s.Queue.Rows() {
		if r.Generated == 0 {
			p = append(p, r.Text)
		}
	}
	for _, it := range s.Items.All() {
		if it.Turn != nil && it.Turn.ID == it.Turn.Chain && it.Turn.Text != ContinueText {
			p = append(p, it.Turn.Text)
		}
	}
	if s.Undo != nil {
		p = append(p, undoTexts(*s.Undo)...)
	}
	if s.Draft != nil {
		p = append(p, s.Draft.Text)
	}
	sort.Strings(p)
	return p
}

func undoTexts(u Undo) []string {
	var p []string
	for _, r := range u.Rows {
		p = append(p, r.Row.Text)
	}
	if u.Draft != nil {
		p = append(p, u.Draft.Text)
	}
	return p
}

// checkTexts is C3: nothing entered is lost or doubled.
func (c *step) checkTexts(*node) string {
	want := map[string]int{}
	for _, p := range places(c.before) {
		want[p]++
	}
	optional := map[string]bool{}
	for _, e := range c.events {
		switch e := e.(type) {
		case UndoKept: // the discard before this one is gone for good
			if c.before.Undo != nil {
				for _, p := range undoTexts(*c.before.Undo) {
					optional[p] = true
				}
			}
		case RowEdited:
			r, _ := c.before.Queue.Get(e.Row.ID)
			optional[r.Text] = true
			want[e.Row.Text]++
		case UndoUsed:
			if e.Composer != nil {
				optional[e.Composer.Text] = true
			}
		case EditKept:
			if c.before.Draft != nil {
				optional[c.before.Draft.Text] = true
			}
		case EditorClosed: // what stood in the editor went into the row, the undo slot, or nowhere new
			if c.before.Draft != nil {
				optional[c.before.Draft.Text] = true
			}
		case RowsCarried:
			for _, r := range c.before.Queue.Rows() {
				optional[r.Text] = true
			}
		case CommandEnded:
			if l, ok := c.before.Life.(LifeCommand); ok && e.Done {
				r, _ := c.before.Queue.Get(l.Row)
				optional[r.Text] = true
			}
		}
	}
	c.entered(want)
	for _, p := range places(c.after) {
		want[p]--
		if want[p] < 0 {
			return fmt.Sprintf("C3: %q is in two places", p)
		}
	}
	for p, n := range want {
		if n > 0 && !optional[p] {
			return fmt.Sprintf("C3: %q is lost", p)
		}
	}
	return ""
}

// refused reports whether the input was.
func (c *step) refused() bool {
	return slices.ContainsFunc(c.events, func(e Event) bool { _, ok := e.(Refused); return ok })
}

// entered adds the texts that this input brought in.
func (c *step) entered(want map[string]int) {
	refused := c.refused()
	changed := func(row queue.ID, d *Draft) bool {
		r, ok := c.before.Queue.Get(row)
		return ok && d != nil && !refused && d.Text != r.Text
	}
	switch in := c.in.(type) {
	case Adopt:
		for _, r := range in.Rows {
			want[r.Text]++
		}
	case Submit:
		kept := !in.Command || strings.HasPrefix(in.Text, "/compact ") || c.before.Busy() || c.before.Quitting
		if !refused && kept {
			want[in.Draft.entered().Text]++
		}
	case Add: // tried while a turn stops, where even a command waits
		if !refused {
			want[in.Draft.entered().Text]++
		}
	case Park:
		if !refused {
			want[in.Draft.entered().Text]++
		}
	case EndEdit:
		if !in.Save && changed(in.Row, &in.Draft) {
			want[in.Draft.Text]++
		}
	case KeepEdit: // what was kept before is replaced by the person's own words
		if len(c.events) > 0 && changed(in.Row, &in.Draft) {
			want[in.Draft.Text]++
		}
	case RemoveRow:
		if changed(in.Row, in.Draft) {
			want[in.Draft.Text]++
		}
	case ClearRows:
		if changed(c.before.Editing, in.Draft) {
			want[in.Draft.Text]++
		}
	}
}

// checkLife is C4, C5 and C6.
func (c *step) checkLife(*node) string {
	users := map[TurnID]int{}
	for _, it := range c.after.Items.All() {
		if it.Turn == nil {
			continue
		}
		for _, r := range it.Rows(0) {
			if r.Kind == UserRow {
				users[it.Turn.Chain]++
			}
		}
	}
	for chain, n := range users {
		if n != 1 {
			return fmt.Sprintf("C4: chain %d has %d user rows", chain, n)
		}
	}
	if l, ok := c.before.Running(); ok {
		after, still := c.after.Running()
		if set := c.settlement(); set == nil && (!still || after.Turn != l.Turn) {
			return "C5: a turn that has not settled must stay busy"
		} else if set != nil && still && after.Turn == l.Turn {
			return "C6: a settled turn still runs"
		}
	}
	settled := 0
	for _, e := range c.events {
		switch e.(type) {
		case TurnSucceeded, TurnFailed, TurnStopped:
			settled++
		}
	}
	if settled > 1 {
		return "C6: two settlements in one step"
	}
	for _, it := range c.before.Items.All() {
		if it.Turn == nil || it.Turn.Outcome == Unsettled {
			continue
		}
		if now, ok := c.after.Turn(it.Turn.ID); !ok || now.Outcome != it.Turn.Outcome {
			return "C6: a settlement was taken back"
		}
	}
	return ""
}

// checkStale is C7.
func (c *step) checkStale(*node) string {
	var id TurnID
	n := -1
	switch in := c.in.(type) {
	case Ready:
		id, n = in.Turn, in.N
	case GaveUp:
		id, n = in.Turn, in.N
	case Delta:
		id, n = in.Turn, in.N
	case StoppedByClient:
		id = in.Turn
	case Stop:
		id = in.Turn
	case StopTimedOut:
		id = in.Turn
	case Prepared:
		id = in.Turn
	case CommandDone:
		id = in.ID
	default:
		return ""
	}
	l, _ := c.before.Running()
	stale := id != c.before.Work() || n >= 0 && n != l.Attempt
	if stale && (key(c.before) != key(c.after) || len(c.effects) > 0) {
		return "C7: a stale message changed something"
	}
	return ""
}

// checkEditor is C10: the open row never starts.
func (c *step) checkEditor(*node) string {
	row, any := c.started()
	if any && row != "" && row == c.before.Editing && row == c.after.Editing {
		return "C10: the open row started"
	}
	if c.before.Editing != "" && !any {
		return c.checkOpenRow()
	}
	if c.before.Editing == "" || !any {
		return ""
	}
	switch c.in.(type) {
	case Promote, CommandDone:
		return "C10: promoted behind an open editor"
	}
	return ""
}

// checkOpenRow: what does not come from its editor leaves the open row alone.
func (c *step) checkOpenRow() string {
	open := c.before.Editing
	switch in := c.in.(type) {
	case Rewrite:
		if in.Row == open && key(c.before) != key(c.after) {
			return "the open row was rewritten behind its editor"
		}
	case RemoveRows:
		if slices.Contains(in.Rows, open) && key(c.before) != key(c.after) {
			return "the open row was removed behind its editor"
		}
	case MoveRow:
		if in.Closed && in.Row == open && key(c.before) != key(c.after) {
			return "the open row was moved behind its editor"
		}
	}
	return ""
}

// checkStop is C12.
func (c *step) checkStop(n *node) string {
	if _, stop := c.in.(Stop); stop && c.before.Work() != 0 && c.in.(Stop).Turn == c.before.Work() {
		if !sameRows(c.before.Queue.Rows(), c.after.Queue.Rows()) {
			return "C12: a stop moved rows"
		}
		_, again := stoppingTurn(c.before)
		if !again && !slices.Contains(c.effects, Effect(CancelTurn{c.before.Work()})) {
			return "C12: a stop must cancel"
		}
		if again && (c.after.Mark.Row != "" || len(c.effects) > 0) {
			return "a second stop only drops the mark"
		}
	}
	_, any := c.started()
	if any && n.halted && !personal(c.in) {
		if _, ok := c.in.(Prepared); !ok {
			return "C12: something started after a stop by itself"
		}
	}
	if id, stop := stoppingTurn(c.before); stop {
		if _, failed := c.settlement().(TurnFailed); failed {
			return fmt.Sprintf("C12: the stopped turn %d failed", id)
		}
	}
	return ""
}

// checkGate holds the gate against its table, written down again.
func (c *step) checkGate(*node) string {
	b, a := c.before.Gate, c.after.Gate
	emptied := c.after.Queue.Len() == 0
	is := func(kinds ...Input) bool {
		return slices.ContainsFunc(kinds, func(k Input) bool { return reflect.TypeOf(k) == reflect.TypeOf(c.in) })
	}
	succeeded := false
	if _, ok := c.settlement().(TurnSucceeded); ok {
		succeeded = true
	}
	if succeeded && (b.Failed && a.Failed || !b.Limit.IsZero() && !a.Limit.IsZero()) {
		return "gate: success must remove failed and limit"
	}
	if _, stop := stoppingTurn(c.before); stop && c.settlement() != nil {
		_, any := c.started()
		drained := c.before.Settings.Drain && isOpen(b) && c.before.Editing == "" && c.before.Mark.Row == ""
		if !any && !a.Stopped && !drained {
			return "gate: a settled stop must hold the queue"
		}
	}
	person := is(Play{}, SendNow{})
	for _, r := range []struct {
		name     string
		was, now bool
		off, on  bool
	}{
		{"failed", b.Failed, a.Failed, person || succeeded || is(GaveUp{}), is(GaveUp{}, AgentChanged{})},
		{"limit", !b.Limit.IsZero(), !a.Limit.IsZero(), person || succeeded || is(GaveUp{}, AgentChanged{}), is(GaveUp{})},
		{"stopped", b.Stopped, a.Stopped, person || succeeded, is(Stop{}, StopTimedOut{}, StoppedByClient{}, GaveUp{}, Ready{}, Opened{}, Quit{})},
		{"restored", b.Restored, a.Restored, person || emptied, is(Opened{}, UndoLast{}, Adopt{}, Park{})},
		{"paused", b.Paused, a.Paused, is(SetPaused{}) || emptied, is(SetPaused{}, UndoLast{}, Adopt{}, Park{})},
		{"blocked", len(b.Blocked) > 0, len(a.Blocked) > 0, person || emptied || is(RemoveRow{}, RemoveRows{}, Rewrite{}, ClearRows{}, EndEdit{}, Prepared{}, CommandDone{}, Ready{}), is(Unprepared{}, CommandDone{}, UndoLast{})},
	} {
		if r.was && !r.now && !r.off {
			return fmt.Sprintf("gate: %T removed %s", c.in, r.name)
		}
		if !r.was && r.now && !r.on {
			return fmt.Sprintf("gate: %T added %s", c.in, r.name)
		}
	}
	if _, opened := c.in.(Opened); opened && c.after.Queue.Len() > 0 && !a.Restored {
		return "gate: rows of an earlier run must be held"
	}
	if emptied && (a.Paused || a.Restored || len(a.Blocked) > 0 || c.after.Due) {
		return "gate: an empty queue holds nothing"
	}
	return ""
}

// checkRows: nothing runs twice, and effects match the events.
func (c *step) checkRows(*node) string {
	turns, starts := 0, 0
	for _, e := range c.events {
		if _, ok := e.(TurnStarted); ok {
			turns++
		}
	}
	for _, e := range c.effects {
		if _, ok := e.(StartTurn); ok {
			starts++
		}
	}
	if turns != starts || turns > 1 {
		return fmt.Sprintf("%d turns and %d starts in a step", turns, starts)
	}
	if turns == 1 && c.before.Busy() && c.settlement() == nil {
		switch c.in.(type) {
		case Prepared, CommandDone, SendNow:
		default:
			return "a second turn beside a running one"
		}
	}
	seen := map[queue.ID]bool{}
	for _, r := range c.after.Queue.Rows() {
		if seen[r.ID] {
			return "a row is in the queue twice"
		}
		seen[r.ID] = true
	}
	if c.after.Mark.Row != "" {
		if id, stop := stoppingTurn(c.after); !stop || id != c.after.Mark.Turn || c.after.Editing == c.after.Mark.Row {
			return "a mark outlived its turn"
		}
	}
	if c.after.Due != c.node.due {
		return fmt.Sprintf("due is %v and should be %v", c.after.Due, c.node.due)
	}
	return ""
}

// checkWords: no hold without a word, no row without one.
func (c *step) checkWords(*node) string {
	for i, r := range c.after.Queue.Rows() {
		w := c.after.Word(r.ID, epoch)
		special := r.ID == c.after.Editing || r.ID == c.after.Locked() || r.ID == c.after.Mark.Row
		switch {
		case w == "":
			return "a row without a word"
		case !special && !c.after.Busy() && !isOpen(c.after.Gate) && !strings.HasPrefix(w, "held: "):
			return "a hold without a word: " + w
		case w == "ready: enter plays" && (i != 0 || c.after.Busy() || c.after.Due):
			return "a row that enter does not play says it does"
		}
	}
	return ""
}

// checkReachable: every row can be discarded, and every row can be sent.
func checkReachable(t *testing.T, n *node) {
	s := n.s
	if s.Quitting {
		return
	}
	if s.Busy() { // a person can always stop
		s = fold(s, Stop{s.Work()})
		s = fold(s, StopTimedOut{s.Work()})
		if s.Busy() && n.s.Mark.Row == "" {
			t.Fatalf("a stop does not lead to rest:\n%s", n.trail())
		}
	}
	for _, r := range s.Queue.Rows() {
		if r.ID == s.Locked() {
			continue
		}
		if got := fold(s, RemoveRow{Row: r.ID}); got.Queue.Index(r.ID) >= 0 {
			t.Fatalf("row %s cannot be removed:\n%s", r.ID, n.trail())
		}
		if s.Busy() || r.ID == s.Editing || r.Command && s.Editing != "" { // the editor can be closed
			continue
		}
		if got := fold(s, SendNow{Row: r.ID}); !got.Busy() {
			t.Fatalf("row %s cannot be sent:\n%s", r.ID, n.trail())
		}
	}
}

func fold(s State, in Input) State {
	evs, _ := Decide(s, in)
	for _, e := range evs {
		s = Apply(s, e)
	}
	return s
}
