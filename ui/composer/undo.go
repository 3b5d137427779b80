package composer

import "unicode"

const (
	// UndoSteps and UndoBytes bound what undo and redo keep together. The oldest
	// steps go first; the newest always stays, so a cleared draft of any size
	// can be brought back.
	UndoSteps = 1000
	UndoBytes = 16 << 20

	// stepUnits is the longest run of deletions that is undone at once.
	stepUnits = 256
	// unitBytes is about what the bookkeeping of a grapheme or a line takes.
	unitBytes = 32
)

type kind int

const (
	whole    kind = iota // a step of its own
	typed                // joins the typing before it
	backward             // joins the backspaces before it
	forward              // joins the deletes before it
)

// step says how to go back: put old where from..to is now.
type step struct {
	from, to      pos
	old           []*line
	before, after pos // caret
	kind          kind
	cost          int
	beside        any // what was taken away together with the text; see ClearWith
}

func (s *step) weigh() {
	s.cost = size(s.old)
	for _, ln := range s.old {
		s.cost += unitBytes
		if ln.split && ln.units.len() > stepUnits {
			ln.fold()
		}
		if ln.split {
			s.cost += unitBytes * ln.units.len()
		}
	}
}

// log is the undo history. A run of typing or of deletions is one step; any
// motion ends the run, and so does the beginning of a word.
type log struct {
	undo, redo []step
	cost       int
	sealed     bool
	blank      bool // the last typed character was white space
}

func (l *log) seal() { l.sealed = true }

// word ends the run of typing where r begins a word.
func (l *log) word(r rune) {
	space := unicode.IsSpace(r)
	if l.blank && !space {
		l.sealed = true
	}
	l.blank = space
}

// record notes a step; to is where the replaced text ended before the change.
func (l *log) record(s step, to pos) {
	for _, r := range l.redo {
		l.cost -= r.cost
	}
	l.redo = nil
	if n := len(l.undo); n > 0 && !l.sealed && l.undo[n-1].absorb(s, to, &l.cost) {
		return
	}
	l.sealed = s.kind == whole
	l.push(&l.undo, s)
}

func (l *log) push(stack *[]step, s step) {
	s.weigh()
	l.cost += s.cost
	*stack = append(*stack, s)
	for len(l.undo)+len(l.redo) > 1 && (l.cost > UndoBytes || len(l.undo)+len(l.redo) > UndoSteps) {
		oldest := &l.undo
		if n := len(l.undo); n == 0 || n == 1 && stack == oldest {
			oldest = &l.redo // undo holds nothing but the newest step
		}
		l.cost -= (*oldest)[0].cost
		(*oldest)[0] = step{}
		*oldest = (*oldest)[1:]
	}
}

func (l *log) pop(stack *[]step) (step, bool) {
	n := len(*stack)
	if n == 0 {
		return step{}, false
	}
	s := (*stack)[n-1]
	(*stack)[n-1] = step{}
	*stack = (*stack)[:n-1]
	l.cost -= s.cost
	l.sealed = true
	return s, true
}

// absorb makes next part of s if both belong to one run, adding to cost. to is
// where the text that next replaced ended.
func (s *step) absorb(next step, to pos, cost *int) bool {
	if s.kind != next.kind || len(s.old) > 1 || len(next.old) > 1 {
		return false
	}
	if s.to.row != to.row || s.from.row != next.to.row {
		return false
	}
	if next.kind == typed {
		return s.absorbTyped(next, to)
	}
	was := s.cost
	if !s.absorbErased(next, to) {
		return false
	}
	s.weigh()
	*cost += s.cost - was
	return true
}

// absorbTyped takes next in if it changed nothing but what s had put in.
func (s *step) absorbTyped(next step, to pos) bool {
	if next.from.before(s.from) || s.to.before(to) {
		return false
	}
	s.to.col += next.to.col - to.col
	s.after = next.after
	return true
}

// absorbErased takes next in if it removed what stood beside what s removed.
func (s *step) absorbErased(next step, to pos) bool {
	if s.from != s.to || next.from != next.to || s.old[0].len() >= stepUnits {
		return false
	}
	switch {
	case next.kind == backward && to == s.from:
		s.old[0].put(0, next.old[0])
	case next.kind == forward && next.from == s.from:
		s.old[0].put(s.old[0].len(), next.old[0])
	default:
		return false
	}
	s.from, s.to, s.after = next.from, next.to, next.after
	return true
}

// Undo takes the last step back. It returns false if there is none.
func (e *Editor) Undo() bool {
	_, ok := e.UndoWith()
	return ok
}

// UndoWith is Undo, and returns what the step took away beside the text; nil for nothing.
func (e *Editor) UndoWith() (beside any, ok bool) {
	s, ok := e.log.pop(&e.log.undo)
	if ok {
		e.swap(s, &e.log.redo)
		e.caret = s.before
	}
	return s.beside, ok
}

// Redo repeats what Undo took back. It returns false if there is nothing, for
// example after the next edit.
func (e *Editor) Redo() bool {
	_, ok := e.RedoWith()
	return ok
}

// RedoWith is Redo, and returns what the step takes away beside the text; nil for nothing.
func (e *Editor) RedoWith() (beside any, ok bool) {
	s, ok := e.log.pop(&e.log.redo)
	if ok {
		e.swap(s, &e.log.undo)
		e.caret = s.after
	}
	return s.beside, ok
}

// ClearWith is Clear for a text that something else goes with, which the caller takes away
// together with it: UndoWith gives both back. There need be no text.
func (e *Editor) ClearWith(beside any) {
	e.ready()
	e.beside(pos{}, e.end(), beside)
}

// Beside notes, as a step that changes no text, that the caller took away what goes with
// it: UndoWith gives that back.
func (e *Editor) Beside(taken any) {
	e.ready()
	e.beside(e.caret, e.caret, taken)
}

func (e *Editor) beside(from, to pos, taken any) {
	e.edit(from, to, []*line{newLine("")}, whole)
	e.log.undo[len(e.log.undo)-1].beside = taken
}

func (e *Editor) swap(s step, onto *[]step) {
	s.old, s.to = e.splice(s.from, s.to, s.old)
	e.goal = -1
	s.kind = whole
	e.log.push(onto, s)
}
