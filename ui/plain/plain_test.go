package plain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"baton/agentclient"
	"baton/model/engine"
	"baton/model/session"
	"baton/retrypolicy"
)

// step is what a fake agent does with one request.
type step func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error)

// fake is an agent that follows a script; the last step repeats.
type fake struct {
	mu     sync.Mutex
	script []step
	sent   []string
}

func (f *fake) Info() agentclient.Info {
	return agentclient.Info{Agent: "fake", Protocol: "openai-chat", Model: "one", Origin: "https://there"}
}

func (f *fake) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	f.mu.Lock()
	f.sent = append(f.sent, r.Messages[len(r.Messages)-1].Text)
	do := f.script[min(len(f.sent), len(f.script))-1]
	f.mu.Unlock()
	return do(ctx, sink)
}

// prompts are the last messages of the requests so far.
func (f *fake) prompts() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.sent, "|")
}

// says streams pieces.
func says(pieces ...string) step {
	return func(_ context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		for _, text := range pieces {
			sink(agentclient.Piece{Text: text})
		}
		return agentclient.Finish{}, nil
	}
}

// slow takes a second and then answers.
func slow(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
	return later(time.Second, says("An answer."))(ctx, sink)
}

// later does something after a while.
func later(d time.Duration, then step) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		select {
		case <-ctx.Done():
			return agentclient.Finish{}, ctx.Err()
		case <-time.After(d):
			return then(ctx, sink)
		}
	}
}

// hangs until it is stopped.
func hangs(ctx context.Context, _ agentclient.Sink) (agentclient.Finish, error) {
	<-ctx.Done()
	return agentclient.Finish{}, ctx.Err()
}

// and says something before it goes on.
func and(text string, then step) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		sink(agentclient.Piece{Text: text})
		return then(ctx, sink)
	}
}

func fails(f retrypolicy.Failure) step {
	return func(context.Context, agentclient.Sink) (agentclient.Finish, error) { return agentclient.Finish{}, &f }
}

// uses runs a tool first.
func uses(name string, then step) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		sink(agentclient.Piece{Tool: &agentclient.ToolPart{ID: "t", Name: name, Title: "a file", Status: "running"}})
		return then(ctx, sink)
	}
}

// heard collects what was said, and can be made to refuse it.
type heard struct {
	mu     sync.Mutex
	b      bytes.Buffer
	broken bool
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.broken {
		return 0, errors.New("nobody listens")
	}
	return h.b.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}

// talk is a person with a program. Time is virtual.
type talk struct {
	t          *testing.T
	in         *io.PipeWriter
	out        *heard
	agent      *fake
	eng        *engine.Engine // not to be looked at before the end
	code       chan int
	interrupts chan time.Time
	end        chan int
	mark       int // how much of what was said was looked at
}

func open(t *testing.T, script ...step) *talk { return openIn(t, "", script...) }

func openIn(t *testing.T, dir string, script ...step) *talk {
	t.Helper()
	a := &fake{script: script}
	e, err := engine.New(options(dir, a))
	if err != nil {
		t.Fatal(err)
	}
	return around(t, e, a, Options{Sessions: dir})
}

func options(dir string, a *fake) engine.Options {
	return engine.Options{Dir: dir, App: "test", Agent: a, Policy: retrypolicy.DefaultPolicy(), Now: time.Now}
}

func around(t *testing.T, e *engine.Engine, a *fake, o Options) *talk {
	in, w := io.Pipe()
	k := &talk{t: t, in: w, out: &heard{}, agent: a, eng: e, code: make(chan int, 1), interrupts: make(chan time.Time, 2), end: make(chan int, 1)}
	o.Engine, o.In, o.Out, o.Now, o.Interrupts, o.End = e, in, k.out, time.Now, k.interrupts, k.end
	go func() { k.code <- Run(o) }()
	t.Cleanup(func() {
		if t.Failed() { // a test that broke off: let the bubble say why
			in.Close()
			select {
			case <-k.code:
				_ = e.Close()
			case <-time.After(time.Minute):
			}
			time.Sleep(session.StopWait + time.Second)
		}
	})
	synctest.Wait()
	return k
}

// enter types lines and lets everything happen that takes no time to speak of.
func (k *talk) enter(lines ...string) {
	k.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(k.in, l+"\n"); err != nil {
			k.t.Fatalf("%q is not taken: %v", l, err)
		}
		k.pass(20 * time.Millisecond)
	}
}

func (k *talk) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// hears checks the lines that were said since the last look, all of them.
func (k *talk) hears(lines ...string) {
	k.t.Helper()
	said := k.out.String()
	got := said[k.mark:]
	k.mark = len(said)
	if want := strings.Join(lines, "\n"); strings.TrimSuffix(got, "\n") != want {
		k.t.Fatalf("said:\n%s\nwant:\n%s", got, want)
	}
}

// hearsOf checks that texts came up since the last look, in this order.
func (k *talk) hearsOf(texts ...string) {
	k.t.Helper()
	said := k.out.String()
	got := said[k.mark:]
	k.mark = len(said)
	rest := got
	for _, text := range texts {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			k.t.Fatalf("nothing says %q:\n%s", text, got)
		}
		rest = after
	}
}

// skip does not look at what was said.
func (k *talk) skip() { k.mark = len(k.out.String()) }

func (k *talk) sent(want string) {
	k.t.Helper()
	if got := k.agent.prompts(); got != want {
		k.t.Fatalf("sent %q, want %q", got, want)
	}
}

// left waits for the program's end and closes what it left open.
func (k *talk) left(code int) {
	k.t.Helper()
	select {
	case got := <-k.code:
		if got != code {
			k.t.Errorf("exit code %d, want %d", got, code)
		}
	case <-time.After(time.Minute):
		k.t.Fatal("the program does not end")
	}
	if err := k.eng.Close(); err != nil {
		k.t.Error(err)
	}
	k.in.Close()
	time.Sleep(session.StopWait + time.Second) // what still waits comes to its end
	k.clean()
}

// quit is the end of the input.
func (k *talk) quit() {
	k.t.Helper()
	k.in.Close()
	k.left(0)
}

// clean checks that nothing was said that a terminal would obey: whole lines of printable
// characters (C14).
func (k *talk) clean() {
	k.t.Helper()
	said := k.out.String()
	for i, r := range said {
		if r != '\n' && !unicode.IsPrint(r) {
			k.t.Fatalf("%U at %d in %q", r, i, said[max(0, i-40):min(len(said), i+40)])
		}
	}
	if said != "" && !strings.HasSuffix(said, "\n") {
		k.t.Errorf("an unfinished line: %q", said[max(0, len(said)-40):])
	}
}

func (k *talk) rows() string {
	var all []string
	for _, r := range k.eng.State().Queue.Rows() {
		all = append(all, r.Text)
	}
	return strings.Join(all, "|")
}

func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// The main job: follow-ups wait and run in their order, each after the success before it.
func TestQueueInOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := open(t, slow)
		k.hears("Ready.")
		k.enter("one", "two", "three", "four")
		k.hears("You: one", "Queued as row 1 of 1: two", "Queued as row 2 of 2: three", "Queued as row 3 of 3: four")
		k.sent("one")
		k.pass(time.Second)
		k.hears("Agent: An answer.", "Starting row: two; 2 rows wait")
		k.pass(time.Second)
		k.hears("Agent: An answer.", "Starting row: three; 1 row waits")
		k.pass(2 * time.Second)
		k.hears("Agent: An answer.", "Starting row: four", "Agent: An answer.", "Ready.")
		k.sent("one|two|three|four")
		k.quit()
	})
}

// Retries are told in words, and what a failed attempt said is taken back in words.
func TestRetry(t *testing.T) {
	bubble(t, func(t *testing.T) {
		busy := retrypolicy.Failure{Status: 503, Hint: retrypolicy.Hint{Wait: 7 * time.Second}}
		k := open(t, fails(retrypolicy.Failure{Status: 500}), and("It begins.\n", fails(busy)), says("It is done."))
		k.skip()
		k.enter("one")
		k.pass(400 * time.Millisecond)
		k.hearsOf("You: one\nRetrying in 0.", " s: 500 server, attempt 2 of 5\n", "Agent: It begins.\n", "The answer broke off and begins anew.\n",
			"Retrying in 7 s: 503 overloaded, attempt 3 of 5, the server asked to wait 7 s\n")
		k.enter("")
		k.hearsOf("Busy for 0.", ": 503 overloaded, the next attempt comes in ", ", attempt 3 of 5. The queue is empty.")
		k.pass(10 * time.Second)
		k.hears("Trying again, attempt 3.", "Agent: It is done.", "Ready.")
		k.sent("one|one|one")
		k.quit()
	})
}

// A turn that is given up holds the rows; an empty line lets them go on, but not one that
// comes right behind the end of the turn.
func TestGiveUpHolds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		refused := func(ctx context.Context, s agentclient.Sink) (agentclient.Finish, error) {
			time.Sleep(time.Second)
			return fails(retrypolicy.Failure{Status: 400, Message: "no such model"})(ctx, s)
		}
		k := open(t, refused, slow)
		k.skip()
		k.enter("one", "two")
		k.skip()
		k.pass(970 * time.Millisecond)
		k.hearsOf("Turn failed: 400 invalid: no such model, 1 attempt; next: ", "\nAdded as row 1 of 2: Continue the current turn\n",
			"Held: last turn failed. 2 rows wait. An empty line starts row 1: Continue the current turn\nReady.\n")
		k.enter("")
		k.hearsOf("The turn has only just ended. Another empty line starts row 1: Continue the current turn\n")
		k.pass(time.Minute)
		k.hears("")
		k.sent("one")
		k.enter("")
		k.hears("Starting row: Continue the current turn; 1 row waits")
		k.pass(3 * time.Second)
		k.hears("Agent: An answer.", "Starting row: two", "Agent: An answer.", "Ready.")
		k.quit()
	})
}

// /stop and control c stop a turn and hold the queue. A second control c soon after quits.
func TestStop(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := open(t, and("Half a sen", hangs))
		k.skip()
		k.enter("/stop")
		k.hears("Nothing runs that could be stopped.")
		k.enter("one", "two", "/stop")
		k.hears("You: one", "Queued as row 1 of 1: two", "Stopping.", "Agent: Half a sen", "Stopped.",
			"Held: you stopped. 1 row waits. An empty line starts row 1: two", "Ready.")
		k.pass(time.Second)
		k.enter("")
		k.hears("Starting row: two")
		k.interrupts <- time.Now()
		k.pass(time.Second)
		k.hears("Stopping.", "Control c once more within 2 seconds quits.", "Agent: Half a sen", "Stopped.", "Ready.")
		k.enter("a line that goes on\\")
		k.interrupts <- time.Now()
		k.pass(3 * time.Second)
		k.hears("Nothing runs. Control c once more within 2 seconds quits.")
		k.enter("and ends")
		k.hears("You: a line that goes on and ends")
		k.interrupts <- time.Now()
		k.pass(100 * time.Millisecond)
		k.interrupts <- time.Now()
		k.left(CodeInterrupted)
		k.sent("one|two|a line that goes on\nand ends")
	})
}

// Rows are changed by their numbers, and every change is said.
func TestRows(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := open(t, hangs)
		k.enter("runs", "a", "b", "c")
		k.skip()
		k.enter("/queue")
		k.hears("3 of 16 rows", "Row 1, next: a", "Row 2, waiting: b", "Row 3, waiting: c")
		k.enter("/queue edit 2 another text")
		k.hears("Row 2 is now: another text")
		k.enter("/queue move 3 1")
		k.hears("Row 3 is now row 1 of 3: c")
		k.enter("/queue rm 2")
		k.hears("Removed row 2: a", "/queue undo brings back what was removed.")
		k.enter("/queue undo")
		k.hears("Queued as row 2 of 3: a")
		k.enter("/queue pause")
		k.hears("Held: paused. 3 rows wait.")
		k.enter("d")
		k.hears("Queued as row 4 of 4: d", "The queue is held: paused")
		k.enter("/queue resume")
		k.hearsOf("No longer paused. Busy for ", ": connecting. 4 rows wait.")
		k.enter("/queue send 3")
		k.hears("Row 3 is now row 1 of 4: another text", "Sent next, once the turn has stopped: another text", "Stopping.", "Stopped.", "Starting row: another text; 3 rows wait")
		for text, says := range map[string]string{
			"/queue rm 4": "There is no row 4: there are 3", "/queue move 1 9": "There is no row 9: there are 3", "/queue edit 1 /help": "That command runs at once and cannot wait in the queue",
			"/queue edit one x": "/queue edit needs the number of a row", "/nosuch": "There is no /nosuch; //nosuch sends it as text",
		} {
			k.skip()
			k.enter(text)
			k.hears(says)
		}
		k.enter("/queue clear")
		k.hears("Removed 3 rows.", "/queue undo brings back what was removed.")
		k.enter("/queue undo")
		k.sent("runs|another text")
		k.quit()
		if got := k.rows(); got != "c|a|d" {
			t.Errorf("rows %q", got)
		}
	})
}

// A number that was right until a row started by itself is not taken for another row.
func TestRowsMoveUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := open(t, slow, hangs)
		k.enter("runs", "a", "b", "c")
		k.pass(time.Second)
		k.skip()
		k.enter("/queue rm 2")
		k.hears("The rows have moved up: row 2 is now: c; enter the command again if that is the one")
		k.enter("/queue rm 2")
		k.hears("Removed row 2: c", "/queue undo brings back what was removed.")
		k.quit()
	})
}

// What may do harm is asked, and entering the command again is the answer; another line in
// between is none.
func TestConsent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := open(t, uses("write", fails(retrypolicy.Failure{Status: 500})), uses("write", hangs))
		k.enter("one")
		k.hearsOf("Tool: write a file: running\n", "Turn failed: 500 server")
		ask := []string{"A tool has run in this turn and may run again; once more retries", "Enter the same command again to agree."}
		k.enter("/retry")
		k.hears(ask...)
		k.enter("/queue")
		k.hears("The queue is empty.")
		k.enter("/retry")
		k.hears(ask...)
		k.sent("one")
		k.enter("/retry")
		k.hears("Trying again: one", "Tool: write a file: running")
		k.sent("one|one")
		k.enter("two", "/queue send 1")
		k.hearsOf("A tool has run in this turn; once more stops it and sends the row\nEnter the same command again to agree.\n")
		k.sent("one|one")
		k.enter("/queue send 1")
		k.hearsOf("Starting row: two")
		k.sent("one|one|two")
		k.quit()
	})
}

// A wait is ended by /retry now.
func TestRetryNow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		later := retrypolicy.Hint{Wait: 30 * time.Second, Until: time.Now().Add(30 * time.Second)}
		k := open(t, fails(retrypolicy.Failure{Status: 503, Hint: later}), says("Done."))
		k.enter("one")
		k.skip()
		k.enter("/retry now")
		k.hearsOf("The server asked to wait until ", "Enter the same command again to agree.\n")
		k.enter("/retry now")
		k.hears("Agent: Done.", "Ready.")
		k.enter("/retry info")
		k.hearsOf("turn 1 · succeeded · 2 attempts of 5\n", "attempt 1 · 503 overloaded")
		k.quit()
	})
}

// Texts of several lines, as they are entered; what is unfinished at the end is not sent
// and not lost.
func TestSeveralLines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := open(t, says("Yes."))
		k.enter(`one\`, "two", `"""`, "three", `  four\`, "/stop", `"""`, `left\`, "")
		k.sent("one\ntwo|three\n  four\\\n/stop|left\n")
		k.enter(`"""`, "unfinished", "text")
		k.skip()
		k.quit()
		k.hears("Not sent: unfinished", "text")
		k.sent("one\ntwo|three\n  four\\\n/stop|left\n")
	})
}

// A command that can never succeed neither waits nor is kept: once more would be the same.
func TestHopelessCommandsDoNotWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := &fake{script: []step{hangs}}
		o := options(t.TempDir(), a)
		o.Check = func(text string, _ engine.Here) error { return fmt.Errorf("%s needs a name", text) }
		e, err := engine.New(o)
		if err != nil {
			t.Fatal(err)
		}
		k := around(t, e, a, Options{})
		k.enter("work", "/agent", "/send")
		k.hearsOf("/agent needs a name\n", "There is no text that was not sent.")
		if k.eng.State().Queue.Len() != 0 {
			t.Error("it waits")
		}
		k.quit()
	})
}

// A text that is refused is kept, and can be sent later.
func TestRefusedTextIsKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := open(t, hangs)
		k.enter("/send")
		k.hearsOf("There is no text that was not sent.")
		for n := range 19 {
			k.enter(fmt.Sprint("prompt ", n))
		}
		k.hearsOf("Queued as row 16 of 16: prompt 16\n", "The queue is full (16 rows)", "Not sent, and kept: prompt 17; /send tries it again\n")
		k.enter("/queue rm 16", "/send")
		k.hearsOf("Removed row 16: prompt 16\n", "Queued as row 16 of 16: prompt 17\nNot sent yet: 1 text.\n")
		k.quit()
		k.hearsOf("Stopped.\n", "Not sent: prompt 18\n")
	})
}

// The end that a signal asks for: the turn is stopped, rows stay, the code is the signal's.
func TestEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := open(t, hangs)
		k.enter("one", "two")
		k.end <- 143
		k.left(143)
		k.hearsOf("Stopping.\n", "Stopped.\n")
		if k.rows() != "two" {
			t.Errorf("rows %q", k.rows())
		}
	})
}

// Where nobody listens nothing goes on.
func TestNobodyListens(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := open(t, slow)
		k.enter("one", "two", "three")
		k.out.mu.Lock()
		k.out.broken = true
		k.out.mu.Unlock()
		k.left(codeUnheard)
		k.sent("one")
		if last, _ := k.eng.State().LastTurn(); last.Text != "two" || last.Outcome != session.Stopped || k.rows() != "three" {
			t.Errorf("%q is %s, rows %q", last.Text, last.Outcome, k.rows())
		}
	})
}
