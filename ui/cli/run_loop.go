package cli

import (
	"context"
	"fmt"
	"io"
	"syscall"
	"time"

	"baton/model"
	"baton/model/engine"
	"baton/model/session"
)

// runner is one headless run.
type runner struct {
	*app
	eng     *engine.Engine
	state   string // the directory of the drafts of chats, "" if none are kept
	jsonl   bool
	watch   *ends
	reader  *reader
	results chan engine.Result
	begun   bool
	waiting []engine.Job // until it has begun
	exit    bool
	code    int

	unwritten error // why the answers cannot be written
}

// run sends the prompts and returns the exit code.
func (r *runner) run(ctx context.Context, p plan, given []session.Draft) int {
	signals := r.watch.listen()
	if why := p.nothing(r.eng.State(), len(given)); why != "" {
		r.tell(why)
		return ExitOK
	}
	if r.jsonl {
		r.header()
	}
	if !r.exit || broken(r.unwritten) { // a reader that has left loses no prompt
		r.begin(&p, given)
		r.begun = true
		r.heard(r.reader.gone())
		r.start(r.waiting)
	}
	ended := ctx.Done()
	for !r.exit && (r.eng.State().Busy() || r.goOn(&p)) {
		select {
		case res := <-r.results:
			r.take(res)
		case s := <-signals:
			r.signalled(s)
		case <-r.reader.look():
			gone := r.reader.gone()
			select {
			case s := <-signals: // an interrupt that ended the reader too is a stop
				r.signalled(s)
			default:
				r.heard(gone)
			}
		case <-ended:
			ended = nil // once
			r.code = ExitFailed
			r.after(r.eng.Step(session.Quit{}))
		}
	}
	return r.code
}

// begin records what comes first and the rest behind it, all of it before anything is
// sent.
func (r *runner) begin(p *plan, given []session.Draft) {
	if p.retry != 0 {
		r.step(session.Retry{Turn: p.retry, Confirmed: true}) // the plan has looked for tools that ran
	} else {
		r.goOn(p)
	}
	for _, d := range given {
		if p.continues {
			model.SpareDrafts(r.state, r.eng.State(), d.Text, time.Now())
		}
		r.step(session.Submit{Draft: d})
	}
}

// step feeds an input in that must not be refused: drafts and plan have looked.
func (r *runner) step(in session.Input) {
	out := r.eng.Step(in)
	r.after(out)
	if out.Refused != nil {
		r.code, r.exit = ExitFailed, true
	}
}

// goOn lets the rows of an earlier run go on, once, if the turn before them has really
// succeeded or was not theirs to wait for. From then on each waits for the one before it.
// It reports whether something runs.
func (r *runner) goOn(p *plan) bool {
	s := r.eng.State()
	last, _ := s.LastTurn()
	if !p.play || s.Quitting || r.code != ExitOK || s.Queue.Len() == 0 || p.retry != 0 && last.Outcome != session.Succeeded {
		return false
	}
	p.play = false
	r.after(r.eng.Step(session.Play{}))
	return r.eng.State().Busy()
}

// take feeds a result in. The answer is written before the promotion behind it: if nobody
// takes the answer, or its reader leaves with it, the next row has not left the queue.
func (r *runner) take(res engine.Result) {
	for i, in := range res.Inputs {
		if _, ok := in.(session.Promote); ok {
			first := res
			first.Inputs, first.Again = res.Inputs[:i], nil
			r.after(r.eng.Take(first))
			res.Inputs, res.Apply = res.Inputs[i:], nil
			r.heard(r.eng.State().Queue.Len() > 0 && r.reader.leaving())
			break
		}
	}
	if !r.exit {
		r.after(r.eng.Take(res))
	}
}

// signalled ends the run. An interrupt is the person's stop; any other end leaves the turn
// unsettled, so that going on later sends it again.
func (r *runner) signalled(s syscall.Signal) {
	r.code = codeOfSignal(s)
	if s == syscall.SIGINT {
		r.after(r.eng.Step(session.Quit{}))
		return
	}
	r.exit = true
}

// heard ends the run once nobody reads the answers any more, as SIGTERM would: what runs
// stays unsettled, so that going on later sends it again. A run that ends already goes on
// ending as it does.
func (r *runner) heard(gone bool) {
	if gone && !r.exit && r.code == ExitOK {
		r.code, r.exit, r.unwritten = exitPipe, true, syscall.EPIPE
	}
}

// after reports an outcome and starts its jobs.
func (r *runner) after(out engine.Outcome) {
	for _, ev := range out.Events {
		r.report(ev)
	}
	if out.Said != "" {
		r.tell(out.Said)
	}
	r.exit = r.exit || out.Exit
	if !r.begun {
		r.waiting = append(r.waiting, out.Jobs...)
		return
	}
	r.start(out.Jobs)
}

// start begins jobs, unless nobody would get the answer.
func (r *runner) start(jobs []engine.Job) {
	if r.unwritten != nil {
		return
	}
	for _, job := range jobs {
		go func() { r.results <- engine.Guarded(job)() }() // the program ends with what is left
	}
}

// write puts a piece of the answers out. If nobody takes it the run ends: what comes
// later would be lost too.
func (r *runner) write(text string) {
	if r.unwritten != nil {
		return
	}
	_, err := io.WriteString(r.Stdout, text)
	switch {
	case err == nil:
		return
	case broken(err):
		r.code = exitPipe
	case !r.begun && r.eng.State().Queue.Len() == 0:
		r.code = ExitFailed
		r.tell("the events could not be written: " + err.Error() + "; nothing was sent")
	default:
		r.code = ExitFailed
		r.tell("an answer could not be written: " + err.Error() + "; the session has it: baton sessions show " + r.eng.Session())
	}
	r.unwritten, r.exit = err, true
}

// farewell says what stays in the session and how to go on.
func (r *runner) farewell() {
	s := r.eng.State()
	waiting := 0
	for _, row := range s.Queue.Rows() {
		if row.Generated == 0 { // the row that a give-up makes is not a prompt of theirs
			waiting++
		}
	}
	last, _ := s.LastTurn()
	done := last.ID == 0 || last.Outcome == session.Succeeded || last.Outcome == session.Stopped && r.code == ExitOK
	if (waiting > 0 || !done) && r.code == ExitOK { // all that ran was answered, and yet something waits
		r.app.code = ExitFailed
	}
	switch {
	case waiting == 0 && done, broken(r.unwritten):
	case r.eng.Saved():
		r.tell(stays(r.eng.Session(), waiting, last.Outcome, done))
	default:
		if !done {
			waiting++
		}
		r.tell(counted(waiting, "was not answered, and is", "were not answered, and are") + " not saved")
	}
}

// stays puts into words what waits in a session, and whether its last turn has an answer.
func stays(id string, waiting int, last session.Outcome, done bool) string {
	goOn, open := "baton run --continue --session "+id, "baton resume "+id
	rows := counted(waiting, "stays", "stay") + " queued"
	switch {
	case done:
		return fmt.Sprintf("%s in session %s · %s sends what waits, %s opens it", rows, id, goOn, open)
	case last == session.Stopped && waiting == 0:
		return fmt.Sprintf("stopped; the prompt stays in session %s · %s opens it, and ctrl+y there sends it again", id, open)
	case last == session.Stopped:
		return fmt.Sprintf("stopped; %s in session %s · %s sends what waits, %s opens it", rows, id, goOn, open)
	case waiting == 0:
		return fmt.Sprintf("1 prompt stays in session %s · %s sends it again, %s opens it", id, goOn, open)
	}
	return fmt.Sprintf("%s in session %s, the one without an answer first · %s goes on, %s opens it", counted(waiting+1, "stays", "stay"), id, goOn, open)
}
