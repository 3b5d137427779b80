package plain

import (
	"io"
	"strings"
	"time"

	"baton/model/engine"
	"baton/model/outside"
	"baton/model/session"
	"baton/queue"
	"baton/ui/sanitize"
)

// Options are what the chat works with. Engine, In, Out and Now are required.
type Options struct {
	Engine     *engine.Engine
	In         io.Reader // lines; its end quits
	Out        io.Writer
	Now        func() time.Time
	Intro      []string         // said first
	Type       []string         // lines that are entered at the start
	Interrupts <-chan time.Time // ctrl+c, and when
	End        <-chan int       // asks to end with an exit code
	Redact     func(string) string
	Faults     func(list string) error                    // arms the sandbox; nil where there is none
	Attach     func(path string) (string, error)          // resolves the path of a file
	Export     func(session, path string) (string, error) // writes a session to a file and names that
	Sessions   string                                     // folder of sessions, "" if none are kept
	Later      func() string                              // slow work for the start, and what to say of it; may be nil
	Calls      <-chan *outside.Call                       // what other processes ask of the queue; nil if none can
	Desk       *outside.Desk                              // where that is taken
}

// CodeInterrupted is the exit code after two interrupts: 128 and SIGINT.
const CodeInterrupted = 130

// codeUnheard is the exit code when nobody takes the lines.
const codeUnheard = 1

// program is one run.
type program struct {
	Options
	eng     *engine.Engine
	results chan engine.Result
	done    chan struct{} // closed when nobody takes results any more
	exit    bool
	code    int
	broken  bool // the lines cannot be written
	limit   <-chan time.Time

	entry  entry
	told   told
	answer answer
	seen   seen
}

// entry is what the person entered and has not sent.
type entry struct {
	lines   []string // of a text that goes on
	block   bool     // until the quotes come again
	files   []queue.Attachment
	unsent  []session.Draft // texts that were refused, the oldest first
	listed  []string        // the sessions that were listed last
	consent session.Input   // what the same command, entered again, will do
	asked   session.Input   // the consent of the line before
	at      time.Time       // when the line came
	quit    time.Time       // of the last interrupt
}

// told is what was said last, so that it is said once.
type told struct {
	held, trouble, readOnly string
	removed                 bool // from outside, with the rows' texts
}

// seen is what the person can know of what runs, and of the rows' numbers.
type seen struct {
	work, before session.TurnID
	since        time.Time
	shifted      time.Time // when a row last started by itself, since the last line
	taking       bool      // news is being taken in: what happens now happens by itself
}

const (
	// unseen is how long a turn has to run before a line can be meant for it.
	unseen = 100 * time.Millisecond
	// playGuard is how long an empty line does nothing after a settlement: it was meant for
	// what ran before.
	playGuard = 400 * time.Millisecond
	// quitWithin is how soon a second interrupt quits.
	quitWithin = 2 * time.Second
	// renumbered is how long numbers that have changed by themselves are asked about.
	renumbered = 10 * time.Second
)

// Run talks until the person leaves, and returns the exit code. The engine is left open.
func Run(o Options) int {
	p := &program{Options: o, eng: o.Engine, results: make(chan engine.Result), done: make(chan struct{})}
	defer close(p.done)
	p.begin()
	lines := make(chan line)
	go readLines(o.In, o.Now, lines, p.done)
	for !p.exit {
		select {
		case l, ok := <-lines:
			if !ok {
				lines = nil
				p.ended()
				continue
			}
			p.line(l)
		case r := <-p.results:
			p.seen.taking = true
			p.do(func() engine.Outcome { return p.eng.Take(r) })
			p.seen.taking = false
		case c := <-o.Calls:
			p.called(c)
		case at := <-o.Interrupts:
			p.interrupt(at)
		case code := <-o.End:
			p.code = code
			p.quit()
		case <-p.limit:
			p.limit = nil
			p.standing()
		}
		if p.broken && !p.eng.State().Quitting { // by a word that no step led to
			p.quit()
		}
	}
	p.leave()
	return p.code
}

// begin says where the person is.
func (p *program) begin() {
	for _, l := range p.Intro {
		p.say(l)
	}
	p.recite()
	p.told.held = p.held()
	p.seen.work = p.eng.State().Work()
	p.do(p.eng.Begin)
	if p.Later != nil {
		p.start(func() engine.Result {
			said := p.Later()
			return engine.Result{Apply: func() engine.Outcome { return engine.Outcome{Said: said} }}
		})
	}
	if p.told.held != "" {
		p.sayHeld()
	}
	if !p.eng.State().Busy() {
		p.say("Ready.")
	}
	for _, text := range p.Type {
		p.line(line{text: text, at: p.Now()})
	}
}

// do lets the engine do something, says what it led to and starts its jobs.
func (p *program) do(f func() engine.Outcome) engine.Outcome {
	before := p.eng.State()
	out := f()
	p.Desk.After(out)
	p.tell(before, out)
	if p.broken && !p.eng.State().Quitting { // before what has just started is sent
		out = out.Join(p.eng.Step(session.Quit{}))
	}
	for _, job := range out.Jobs {
		p.start(job)
	}
	p.exit = p.exit || out.Exit
	if work := p.eng.State().Work(); work != p.seen.work {
		p.seen.before, p.seen.work, p.seen.since = p.seen.work, work, p.Now()
	}
	return out
}

// step feeds an input.
func (p *program) step(in session.Input) engine.Outcome {
	return p.do(func() engine.Outcome { return p.eng.Step(in) })
}

func (p *program) start(job engine.Job) {
	go func() {
		r := engine.Guarded(job)()
		select {
		case p.results <- r:
		case <-p.done:
		}
	}()
}

// meant is the work that a line or an interrupt can be meant for: a turn that took
// another's place a moment ago was not heard of yet.
func (p *program) meant(at time.Time) session.TurnID {
	if p.seen.before != 0 && p.seen.work != 0 && at.Sub(p.seen.since) < unseen {
		return p.seen.before
	}
	return p.seen.work
}

// interrupt is ctrl+c: it stops what runs, and twice it quits. No text is dropped.
func (p *program) interrupt(at time.Time) {
	last := p.entry.quit
	p.entry.quit = at
	switch {
	case !last.IsZero() && at.Sub(last) < quitWithin:
		p.code = CodeInterrupted
		p.quit()
	case p.eng.State().Busy():
		p.step(session.Stop{Turn: p.meant(at)})
		p.say("Control c once more within 2 seconds quits.")
	default:
		p.say("Nothing runs. Control c once more within 2 seconds quits.")
	}
}

// ended is the end of the input, as ctrl+d makes it.
func (p *program) ended() {
	p.keepUnfinished()
	p.quit()
}

func (p *program) quit() { p.step(session.Quit{}) }

// leave says what the person entered and nobody got.
func (p *program) leave() {
	p.keepUnfinished()
	p.flush()
	for _, d := range p.entry.unsent {
		p.say("Not sent: " + d.Text)
	}
}

func (p *program) keepUnfinished() {
	if len(p.entry.lines) > 0 {
		p.entry.unsent = append(p.entry.unsent, session.Draft{Text: strings.Join(p.entry.lines, "\n")})
		p.entry.lines = nil
	}
}

// say writes a text as whole lines. Where the text comes from does not matter: whatever
// a terminal would obey is replaced.
func (p *program) say(text string) {
	for l := range strings.SplitSeq(sanitize.Text(text), "\n") {
		p.write(l)
	}
}

const tab = "    "

// write puts out one line that is printable. If nobody takes it the program ends with the
// next step: what is not heard must not go on.
func (p *program) write(l string) {
	if p.broken {
		return
	}
	if p.Redact != nil {
		l = p.Redact(l)
	}
	if _, err := io.WriteString(p.Out, strings.ReplaceAll(l, "\t", tab)+"\n"); err != nil {
		p.broken = true
		if p.code == 0 {
			p.code = codeUnheard
		}
	}
}
