package outside

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"baton/agentclient"
	"baton/model/command"
	"baton/model/engine"
	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
	"baton/retrypolicy"
)

// agent answers as its script says; the last step repeats.
type agent struct {
	script []func(context.Context) error
	n      int
}

func (a *agent) Info() agentclient.Info { return agentclient.Info{Agent: "fake", Model: "one"} }

func (a *agent) Send(ctx context.Context, _ agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	do := a.script[min(a.n, len(a.script)-1)]
	a.n++
	if err := do(ctx); err != nil {
		return agentclient.Finish{}, err
	}
	sink(agentclient.Piece{Text: "an answer"})
	return agentclient.Finish{}, nil
}

// takes answers after a while, or never when it is 0.
func takes(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		after := time.After(d)
		if d == 0 {
			after = nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-after:
			return nil
		}
	}
}

func status(code int) func(context.Context) error {
	return func(ctx context.Context) error {
		_ = takes(time.Second)(ctx)
		return &retrypolicy.Failure{Status: code}
	}
}

// shell is a program around an engine, as far as a desk knows one.
type shell struct {
	*testing.T
	e       *engine.Engine
	desk    *Desk
	results chan engine.Result
	dir     string
	notes   []string

	recording func() // called before the engine writes
}

func options(dir string, a agentclient.Agent) engine.Options {
	return engine.Options{Dir: dir, Agent: a, Policy: retrypolicy.DefaultPolicy(), Now: time.Now, Random: bytes.NewReader(bytes.Repeat([]byte("names of sessions "), 99)),
		Command: func(ctx context.Context, text string, here engine.Here) (engine.Finish, error) {
			if err := takes(time.Second)(ctx); err != nil {
				return nil, err
			}
			return command.Run(ctx, command.World{Current: here.Agent, Open: func(context.Context, string, string) (agentclient.Agent, error) {
				return nil, errors.New("there is none")
			}}, text)
		}}
}

// running runs f in virtual time with a program whose agent follows the script.
func running(t *testing.T, f func(s *shell), script ...func(context.Context) error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sessions")
	synctest.Test(t, func(t *testing.T) {
		s := &shell{T: t, results: make(chan engine.Result), dir: dir}
		o := options(dir, &agent{script: script})
		o.Now = func() time.Time {
			if s.recording != nil {
				s.recording()
			}
			return time.Now()
		}
		e, err := engine.New(o)
		if err != nil {
			t.Fatal(err)
		}
		s.e, s.desk = e, NewDesk(e, time.Now)
		defer func() {
			s.in(session.Quit{})
			s.run(5 * time.Second)
			s.desk.Close()
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			s.run(3 * time.Minute)
		}()
		f(s)
	})
}

func (s *shell) after(out engine.Outcome) engine.Outcome {
	s.desk.After(out)
	for _, job := range out.Jobs {
		go func() { s.results <- job() }()
	}
	return out
}

func (s *shell) in(in session.Input) engine.Outcome { return s.after(s.e.Step(in)) }

func (s *shell) run(d time.Duration) {
	end := time.After(d)
	for {
		select {
		case r := <-s.results:
			s.after(s.e.Take(r))
		case <-end:
			return
		}
	}
}

// ask takes one call and returns its first reply.
func (s *shell) ask(req Request) Reply {
	s.Helper()
	r, _ := s.call(req)
	return r
}

func (s *shell) call(req Request) (Reply, *Call) {
	s.Helper()
	c := NewCall(req)
	res := s.desk.Take(c)
	s.after(res.Outcome)
	if res.Refused != nil {
		s.Error("a refusal is told to the person:", res.Refused.Text)
	}
	if res.Note != "" {
		s.notes = append(s.notes, res.Note)
	}
	select {
	case r := <-c.replies:
		return r, c
	default:
		s.Fatalf("no reply to %+v", req)
		return Reply{}, c
	}
}

// rest are the replies that came since, "kind text" each.
func rest(c *Call) string {
	var all []string
	for {
		select {
		case r := <-c.replies:
			all = append(all, string(r.Kind))
		default:
			return strings.Join(all, " ")
		}
	}
}

func (s *shell) add(text string) Reply {
	s.Helper()
	return s.ask(Request{Do: Add, Text: text})
}

// is compares.
func (s *shell) is(what, got, want string) {
	s.Helper()
	if got != want {
		s.Fatalf("%s: %q, want %q", what, got, want)
	}
}

// queue is the queue as list shows it: "word|text, …".
func (s *shell) queue() string {
	s.Helper()
	var all []string
	for _, r := range s.ask(Request{Do: List}).Queue.Rows {
		all = append(all, r.Word+"|"+r.Text)
	}
	return strings.Join(all, ", ")
}

func said(r Reply) string { return string(r.Kind) + ": " + r.Text }

// Adding does what Enter does: sent when idle, ahead of what is held; else queued.
func TestAddIsEnter(t *testing.T) {
	running(t, func(s *shell) {
		r := s.add("first")
		s.is("idle", said(r), "sent: sent")
		s.is("its id", r.ID, s.e.Session()+".1")
		s.is("busy", said(s.add("A")), "queued: queued as row 1 · next")
		s.is("busy", said(s.add("B\r\nC")), "queued: queued as row 2 · waiting")
		s.is("line ends", s.queue(), "next|A, waiting|B\nC")
		s.run(30 * time.Second) // the second turn fails
		s.is("held", s.queue(), "held: last turn failed|Continue the current turn, held: last turn failed|B\nC")
		s.is("idle, held", said(s.add("ahead")), "sent: sent")
		s.is("it runs", lastTurn(s), "ahead")
		s.is("notes", strings.Join(s.notes, "|"), "sent from outside: first|added from outside: A|added from outside: B C|sent from outside: ahead")
	}, takes(time.Second), status(400), takes(0))
}

func lastTurn(s *shell) string {
	t, _ := s.e.State().LastTurn()
	return t.Text
}

// A parked row does not start by itself: not when the turn ends, and not behind another text.
func TestHold(t *testing.T) {
	running(t, func(s *shell) {
		s.is("idle", said(s.ask(Request{Do: Add, Text: "A", Hold: true})), "queued: queued as row 1 · held: paused")
		s.run(time.Minute)
		s.is("still there", s.queue(), "held: paused|A")
		s.add("P")
		s.is("busy", said(s.ask(Request{Do: Add, Text: "B", Hold: true})), "queued: queued as row 2 · held: paused")
		s.run(time.Minute)
		s.is("behind a success", s.queue(), "held: paused|A, held: paused|B")
		s.is("one turn", lastTurn(s), "P")
		s.is("resumed", said(s.ask(Request{Do: Resume})), "changed: no longer paused")
		s.is("what was due goes", lastTurn(s), "A")
		s.run(time.Minute)
		s.is("and the others", lastTurn(s), "B")
	}, takes(time.Second))
}

// What no chat would take is refused with the reason, and nothing is changed by it.
func TestCheck(t *testing.T) {
	files := func(n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf("/there/%d", i))
		}
		return all
	}
	running(t, func(s *shell) {
		s.add("runs")
		for _, c := range []struct {
			req  Request
			want string
		}{
			{Request{Text: " \n\t"}, "the text is blank"},
			{Request{Text: strings.Repeat("x", queue.MaxBytes+1)}, "262145 bytes, at most 262144"},
			{Request{Text: "/help"}, "/help runs at once"},
			{Request{Text: "/quit"}, "/quit runs at once"},
			{Request{Text: "/resume"}, "/resume runs at once"}, // lets the person choose
			{Request{Text: "/nonsense"}, "there is no /nonsense"},
			{Request{Text: "/compact", Files: files(1)}, "a command takes no files"},
			{Request{Text: "x", Files: files(MaxFiles + 1)}, "33 files are too many"},
			{Request{Text: "x", Files: []string{"notes.txt"}}, "not the whole path"},
		} {
			c.req.Do = Add
			if r := s.ask(c.req); r.Kind != Refused || !strings.Contains(r.Text, c.want) {
				s.Errorf("%.20q: %+v", c.req.Text, r)
			}
		}
		s.is("nothing was added", s.queue(), "")
		for _, req := range []Request{{Text: strings.Repeat("y", queue.MaxBytes)}, {Text: strings.Repeat("y", queue.MaxBytes-1)}, {Text: "/compact all"}, {Text: "//help me"}, {Text: "\x1b[A\r"}, {Files: files(MaxFiles)}} {
			req.Do = Add
			if r := s.ask(req); r.Kind != Queued {
				s.Errorf("%.20q: %+v", req.Text, r)
			}
		}
		rows := s.ask(Request{Do: List}).Queue.Rows
		if !rows[2].Command || rows[3].Command || rows[3].Text != "/help me" || rows[4].Text != "\x1b[A\n" {
			s.Errorf("%+v", rows[2:5])
		}
		for s.e.State().Queue.Len() < queue.MaxRows {
			s.add("more")
		}
		for _, hold := range []bool{true, false} {
			r := s.ask(Request{Do: Add, Text: "one more", Hold: hold})
			s.is("full", said(r), "refused: the queue is full: 16 rows; nothing was added")
		}
		s.is("a whole queue", fmt.Sprint(s.e.State().Queue.Len()), "16")
	}, takes(0))
}

// Rows are found by number, by id, and by the end of their id, at the moment the call is taken.
func TestNumbers(t *testing.T) {
	running(t, func(s *shell) {
		s.add("runs")
		for _, text := range []string{"A", "B", "C", "D"} {
			s.add(text)
		}
		ids := s.ask(Request{Do: List}).Queue.Rows
		s.is("by number", said(s.ask(Request{Do: Edit, Rows: []string{"2"}, Text: "B2"})), "changed: changed")
		s.is("by id", said(s.ask(Request{Do: Move, Rows: []string{ids[2].ID}, To: 1})), "changed: now row 1")
		s.is("by its end", said(s.ask(Request{Do: Remove, Rows: []string{".5", "#2"}})), "changed: 2 rows removed")
		s.is("rows", s.queue(), "next|C, waiting|B2")
		s.is("undo", fmt.Sprint(s.in(session.UndoLast{}).Refused == nil), "true")
		s.run(renumbered)
		for _, c := range []Request{
			{Do: Edit, Rows: []string{"5"}, Text: "x"}, {Do: Edit, Rows: []string{"0"}, Text: "x"}, {Do: Remove, Rows: []string{"1", "9"}}, {Do: Remove, Rows: []string{".99"}},
			{Do: Remove}, {Do: Edit, Rows: []string{"1", "2"}, Text: "x"}, {Do: Move, Rows: []string{"1"}, To: 5}, {Do: Move, Rows: []string{"1"}}, {Do: Remove, Rows: []string{""}},
			{Do: Edit, Rows: []string{"1"}, Text: "  "}, {Do: Edit, Rows: []string{"1"}, Text: "/help"}, {Do: Edit, Rows: []string{"1"}, Text: strings.Repeat("x", queue.MaxBytes+1)}, {Do: "dance"},
		} {
			if r := s.ask(c); r.Kind != Refused || r.Text == "" {
				s.Errorf("%v %v: %+v", c.Do, c.Rows, r)
			}
		}
		s.is("nothing changed", s.queue(), "next|C, waiting|A, waiting|B2, waiting|D")

		// The head starts by itself: whoever counted before is asked for an id.
		s.run(time.Minute - renumbered + time.Second)
		s.is("moved up", s.queue(), "next|A, waiting|B2, waiting|D")
		r := s.ask(Request{Do: Remove, Rows: []string{"1"}})
		s.is("by number", string(r.Kind), "refused")
		if !strings.Contains(r.Text, "row 1 is now .2, A; name it by that id") {
			s.Error(r.Text)
		}
		s.is("by id", said(s.ask(Request{Do: Remove, Rows: []string{".2"}})), "changed: removed")
		s.run(renumbered)
		s.is("by number, later", said(s.ask(Request{Do: Remove, Rows: []string{"1"}})), "changed: removed")
		s.is("rows", s.queue(), "next|D")
	}, takes(time.Minute))
}

// A row that is named by number and by id is one row: it is removed once, and undo brings it back once (C3).
func TestRowNamedTwice(t *testing.T) {
	running(t, func(s *shell) {
		for _, text := range []string{"runs", "A", "B"} {
			s.add(text)
		}
		s.is("removed", said(s.ask(Request{Do: Remove, Rows: []string{"1", ".3", "1", ".2"}})), "changed: 2 rows removed")
		s.is("rows", s.queue(), "")
		s.in(session.UndoLast{})
		s.is("undone", s.queue(), "next|A, waiting|B")
		s.is("one row", said(s.ask(Request{Do: Remove, Rows: []string{".2", ".2"}})), "changed: removed")
		s.run(renumbered)
	}, takes(time.Minute))
}

// A row that is open on the screen, or on its way, is left alone.
func TestOpenAndLockedRows(t *testing.T) {
	running(t, func(s *shell) {
		s.add("runs")
		s.add("A")
		s.add("B")
		s.in(session.BeginEdit{Row: s.e.State().Queue.At(0).ID})
		for _, req := range []Request{{Do: Edit, Rows: []string{"1"}, Text: "x"}, {Do: Remove, Rows: []string{"1"}}, {Do: Remove, Rows: []string{"2", "1"}}, {Do: Move, Rows: []string{"1"}, To: 2}} {
			if r := s.ask(req); r.Kind != Refused || r.Why != "open" || !strings.Contains(r.Text, "open in the editor") {
				s.Errorf("%v: %+v", req.Do, r)
			}
		}
		s.is("others", said(s.ask(Request{Do: Edit, Rows: []string{"2"}, Text: "B2"})), "changed: changed")
		s.run(2 * time.Second)
		s.is("idle", said(s.ask(Request{Do: Play})), "refused: the first row is open in the editor; close it first")
		s.is("rows", s.queue(), "editing|A, waiting|B2")
		s.in(session.EndEdit{Row: s.e.State().Editing})
		s.is("the promotion that was due", lastTurn(s), "A")
		s.is("busy", string(s.ask(Request{Do: Play}).Kind), "refused")
		file := filepath.Join(s.dir, "notes")
		s.is("with a file", string(s.ask(Request{Do: Add, Text: "C", Files: []string{file}}).Kind), "queued")
		s.run(time.Minute)
		s.is("blocked", s.queue(), "held: missing notes|C")
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			s.Fatal(err)
		}
		s.is("played", said(s.ask(Request{Do: Play})), "sent: row 1 started")
		for _, req := range []Request{{Do: Edit, Rows: []string{"1"}, Text: "x"}, {Do: Remove, Rows: []string{"1"}}, {Do: Move, Rows: []string{"1"}, To: 1}} {
			if r := s.ask(req); r.Kind != Refused || r.Why != "locked" {
				s.Errorf("%v: %+v", req.Do, r)
			}
		}
		s.run(time.Minute)
		s.is("sent", lastTurn(s), "C")
	}, takes(time.Second))
}

func TestPlayAndPause(t *testing.T) {
	running(t, func(s *shell) {
		s.is("play nothing", said(s.ask(Request{Do: Play})), "refused: the queue is empty")
		s.is("pause nothing", said(s.ask(Request{Do: Pause})), "refused: the queue is empty: nothing to pause")
		s.is("not paused", said(s.ask(Request{Do: Resume})), "changed: the queue is not paused")
		s.add("P")
		s.add("A")
		s.add("B")
		s.is("play while busy", said(s.ask(Request{Do: Play})), "refused: the agent is busy: the queue goes on by itself when the turn succeeds")
		head := s.e.State().Queue.At(0).ID
		s.in(session.BeginEdit{Row: head})
		s.is("play while busy, a row open", said(s.ask(Request{Do: Play})), "refused: the agent is busy: the queue goes on behind the turn when the row that is open in the chat's editor is closed")
		s.in(session.EndEdit{Row: head})
		s.is("pause", said(s.ask(Request{Do: Pause})), "changed: paused")
		s.is("play while busy, paused", said(s.ask(Request{Do: Play})), "refused: the agent is busy: the queue is paused; baton queue resume lets it go on behind the turn")
		s.run(time.Minute)
		q := s.ask(Request{Do: List}).Queue
		s.is("header", q.Header+"|"+q.Held, "queue 2/16 · held: paused|held: paused")
		s.is("play over a pause", said(s.ask(Request{Do: Play})), "sent: row 1 started")
		s.run(time.Minute)
		s.is("the pause stays", s.queue(), "held: paused|B")
		s.in(session.Submit{Draft: session.Draft{Text: "Q"}})
		s.in(session.Stop{Turn: s.e.State().Work()})
		s.run(time.Minute)
		s.is("another reason", said(s.ask(Request{Do: Resume})), "changed: no longer paused but held: you stopped")
		s.is("said", said(s.ask(Request{Do: Resume})), "changed: the queue is not paused but held: you stopped")
		s.is("nothing started", lastTurn(s), "Q")
	}, takes(time.Second))
}

// What becomes of a text is told to who waits for it, once, whatever becomes of it.
func TestReceipts(t *testing.T) {
	wait := func(s *shell, text string) *Call {
		r, c := s.call(Request{Do: Add, Text: text, Wait: true})
		if !r.More {
			s.Fatalf("%+v", r)
		}
		return c
	}
	t.Run("sent and done", func(t *testing.T) {
		running(t, func(s *shell) {
			p, a, cmd, b := wait(s, "P"), wait(s, "A"), wait(s, "/agent fake"), wait(s, "B")
			s.run(time.Hour)
			s.is("sent at once", rest(p), "done")
			s.is("queued", rest(a), "sent done")
			s.is("a command", rest(cmd), "sent failed") // there is no agent to open
			s.is("behind it", rest(b), "held")
			s.desk.Close()
			s.is("left", rest(b), "left")
		}, takes(time.Second))
	})
	t.Run("failed, removed, stopped", func(t *testing.T) {
		running(t, func(s *shell) {
			p, a, b, c := wait(s, "P"), wait(s, "A"), wait(s, "B"), wait(s, "C")
			s.ask(Request{Do: Remove, Rows: []string{"3"}})
			s.is("removed from outside", rest(c), "removed")
			s.run(30 * time.Second)
			r := <-p.replies
			if r.Kind != Failed || r.Why != string(retrypolicy.Auth) || r.Exhausted || !strings.Contains(r.Text, "401") {
				s.Errorf("%+v", r)
			}
			s.in(session.RemoveRow{Row: s.e.State().Queue.At(1).ID})
			s.is("removed on the screen", rest(a), "held removed")
			s.in(session.SendNow{Row: s.e.State().Queue.At(1).ID})
			s.in(session.Stop{Turn: s.e.State().Work()})
			s.run(time.Second)
			s.is("stopped", rest(b), "held sent stopped")
		}, status(401), takes(0))
	})
	t.Run("exhausted", func(t *testing.T) {
		running(t, func(s *shell) {
			p := wait(s, "P")
			s.run(time.Hour)
			if r := <-p.replies; r.Kind != Failed || !r.Exhausted {
				s.Errorf("%+v", r)
			}
		}, status(500))
	})
	t.Run("carried into another session", func(t *testing.T) {
		running(t, func(s *shell) {
			s.add("P")
			s.add("/new")
			a := wait(s, "A")
			was := s.e.Session()
			s.run(time.Hour)
			if s.e.Session() == was {
				s.Fatal("the session is the old one")
			}
			s.is("it runs there", rest(a), "sent done")
		}, takes(time.Second))
	})
	t.Run("left behind", func(t *testing.T) {
		running(t, func(s *shell) {
			s.add("P")
			s.run(time.Minute)
			former := s.e.Session()
			s.add("/new")
			s.run(time.Minute)
			r, a := s.call(Request{Do: Add, Text: "A", Hold: true, Wait: true})
			s.is("parked", string(r.Kind), "queued")
			s.is("moved", s.ask(Request{Do: Add, Text: "x", Session: former}).Why, "moved")
			s.in(session.Submit{Draft: session.Draft{Text: "/resume " + former, Command: true}})
			s.run(time.Minute)
			s.is("the session shown", s.e.Session(), former)
			s.is("told", rest(a), "held left")
			s.is("the one it shows", said(s.ask(Request{Do: Add, Text: "x", Session: former})), "sent: sent")
		}, takes(time.Second))
	})
}

// The answer is given when the text is in the journal, not before (C3): whoever gets one looks there at once, while the
// engine is kept from writing.
func TestReceiptIsOnDisk(t *testing.T) {
	running(t, func(s *shell) {
		s.add("runs")
		for i := range 3 {
			text := fmt.Sprintf("row %d", i)
			c := NewCall(Request{Do: Add, Text: text})
			c.replies = make(chan Reply)
			looked := make(chan struct{})
			recorded := false
			go func() {
				<-c.replies
				recorded = inJournal(s.dir, s.e.Session(), text)
				close(looked)
			}()
			synctest.Wait()
			s.recording = func() {
				select {
				case <-looked:
				case <-time.After(time.Millisecond):
				}
			}
			s.after(s.desk.Take(c).Outcome)
			s.recording = nil
			<-looked
			if !recorded {
				s.Errorf("%s was acknowledged before it was recorded", text)
			}
		}
	}, takes(0))
}

func inJournal(dir, id, text string) bool {
	c, err := journal.Read(dir, id)
	for _, b := range c.Batches {
		for _, en := range b.Entries {
			if en.Kind == "row.queued" && strings.Contains(string(en.Data), text) {
				return err == nil
			}
		}
	}
	return false
}

// A chat that only shows a session changes nothing in it, and says so.
func TestReadOnlyChats(t *testing.T) {
	running(t, func(s *shell) {
		s.add("P")
		s.add("A")
		e, err := engine.Follow(options(s.dir, &agent{}), s.e.Session(), journal.ErrLocked)
		if err != nil {
			s.Fatal(err)
		}
		defer e.Close()
		d := NewDesk(e, time.Now)
		if r := d.Do(Request{Do: Hello}); r.Chat == nil || r.Chat.ReadOnly == "" || r.Chat.Session != s.e.Session() {
			s.Errorf("%+v", r.Chat)
		}
		for _, req := range []Request{{Do: Add, Text: "x"}, {Do: Remove, Rows: []string{"1"}}, {Do: Play}, {Do: Pause}} {
			if r := d.Do(req); r.Kind != Refused || r.Why != string(session.RefusedReadOnly) {
				s.Errorf("%v: %+v", req.Do, r)
			}
		}
		if q := d.Do(Request{Do: List}).Queue; len(q.Rows) != 1 {
			s.Errorf("%+v", q)
		}
	}, takes(0))
}

// A session that nobody has open is changed where it lies; nothing is sent.
func TestParkedSessions(t *testing.T) {
	dir, id, a := filepath.Join(t.TempDir(), "sessions"), "", &agent{script: []func(context.Context) error{takes(time.Second)}}
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(options(dir, a))
		if err != nil {
			t.Fatal(err)
		}
		out := e.Step(session.Submit{Draft: session.Draft{Text: "P"}})
		go func() { // one job performs the turn, the other listens to it; nobody takes what they say
			for _, job := range out.Jobs {
				go job()
			}
		}()
		id = e.Session()
		_ = e.Close()
		synctest.Wait()
		time.Sleep(time.Minute)
	})
	sent := a.n
	do := func(req Request) (Reply, *Queue) {
		e, err := engine.Parked(options(dir, nil), id)
		if err != nil {
			t.Fatal(err)
		}
		d := Parked(e, time.Now)
		r := d.Do(req)
		q := d.Do(Request{Do: List}).Queue
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		return r, q
	}
	want := func(req Request, reply, rows string) {
		t.Helper()
		r, q := do(req)
		var all []string
		for _, r := range q.Rows {
			all = append(all, r.Word+"|"+r.Text)
		}
		if got := strings.Join(all, ", "); said(r) != reply || got != rows {
			t.Errorf("%v: %q and %q", req.Do, said(r), got)
		}
	}
	want(Request{Do: Add, Text: "A"}, "queued: queued as row 1 · held: restored", "held: restored|A")
	want(Request{Do: Add, Text: "/compact"}, "queued: queued as row 2 · held: restored", "held: restored|A, held: restored|/compact")
	want(Request{Do: Add, Text: "C", Hold: true}, "queued: queued as row 3 · held: paused", "held: paused|A, held: paused|/compact, held: paused|C")
	want(Request{Do: Add, Text: "D", Wait: true}, "refused: no chat has this session open: there would be nothing to wait for; nothing was added", "held: paused|A, held: paused|/compact, held: paused|C")
	want(Request{Do: Resume}, "changed: no longer paused but held: restored", "held: restored|A, held: restored|/compact, held: restored|C")
	want(Request{Do: Play}, "refused: no chat has this session open, and nothing is sent without one; baton resume "+id+" opens it", "held: restored|A, held: restored|/compact, held: restored|C")
	want(Request{Do: Edit, Rows: []string{"1"}, Text: "A2"}, "changed: changed", "held: restored|A2, held: restored|/compact, held: restored|C")
	want(Request{Do: Move, Rows: []string{"3"}, To: 1}, "changed: now row 1", "held: restored|C, held: restored|A2, held: restored|/compact")
	want(Request{Do: Remove, Rows: []string{"1", "3"}}, "changed: 2 rows removed", "held: restored|A2")
	if a.n != sent {
		t.Errorf("%d requests were sent from a parked session", a.n-sent)
	}
	state, _, err := engine.Peek(dir, id)
	if err != nil || state.Agent != "fake · one" {
		t.Errorf("the agent is now %q, %v", state.Agent, err)
	}
}

// While a turn is stopping, a text from outside corrects nothing: it waits behind the others, held as they are, until the
// person acts (C12).
func TestAddWhileStopping(t *testing.T) {
	running(t, func(s *shell) {
		s.add("P")
		s.add("A")
		s.run(time.Second)
		s.in(session.Stop{Turn: s.e.State().Work()})
		if !s.e.State().Busy() {
			s.Fatal("it has stopped already")
		}
		s.is("queued behind", said(s.add("B")), "queued: queued as row 2 · waiting")
		s.run(time.Minute)
		s.is("nothing started", s.queue(), "held: you stopped|A, held: you stopped|B")
		s.is("the last turn", lastTurn(s), "P")
	}, takes(time.Hour))
}

// Who waits for a row that does not go by itself is told why and what to do, once for each hold, and goes on waiting.
func TestHoldsAreToldToWhoWaits(t *testing.T) {
	next := func(s *shell, c *Call) string {
		s.Helper()
		select {
		case r := <-c.replies:
			if r.Kind == Held && !r.More {
				s.Error("a hold ends the waiting")
			}
			return said(r)
		default:
			return ""
		}
	}
	t.Run("paused, failed, let go", func(t *testing.T) {
		running(t, func(s *shell) {
			s.add("P")
			_, a := s.call(Request{Do: Add, Text: "A", Wait: true})
			s.is("it moves", next(s, a), "")
			for range 3 * replyRoom { // a chat that is paused and resumed does not crowd out how it ends
				s.ask(Request{Do: Pause})
				s.is("the queue is paused", next(s, a), "held: held: paused; baton queue resume lets it go")
				s.ask(Request{Do: List})
				s.add("behind")
				s.is("told once", next(s, a), "")
				s.ask(Request{Do: Remove, Rows: []string{"2"}})
				s.ask(Request{Do: Resume})
				s.is("it moves again", next(s, a), "")
			}
			s.run(30 * time.Second)
			s.is("the turn before failed", next(s, a), "held: held: last turn failed; baton queue play starts the first row")
			s.ask(Request{Do: Remove, Rows: []string{"1"}}) // that of the failure
			s.ask(Request{Do: Play})
			s.run(time.Minute)
			s.is("let go", rest(a), "sent done")
		}, status(400), takes(time.Second))
	})
	t.Run("a file is missing", func(t *testing.T) {
		running(t, func(s *shell) {
			path := filepath.Join(s.dir, "notes.txt")
			_, a := s.call(Request{Do: Add, Text: "A", Files: []string{path}, Wait: true})
			s.run(time.Second)
			s.is("blocked", next(s, a), "held: held: missing notes.txt; put that right and baton queue play tries again, or baton queue rm removes the row")
			if err := os.MkdirAll(s.dir, 0o700); err != nil {
				s.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("notes"), 0o600); err != nil {
				s.Fatal(err)
			}
			s.ask(Request{Do: Play})
			s.run(time.Minute)
			s.is("put right", rest(a), "sent done")
		}, takes(time.Second))
	})
	t.Run("nobody reads", func(t *testing.T) {
		running(t, func(s *shell) {
			s.add("P")
			_, a := s.call(Request{Do: Add, Text: "A", Wait: true})
			for range replyRoom {
				s.ask(Request{Do: Pause})
				s.ask(Request{Do: Resume})
			}
			s.run(time.Minute)
			s.is("how it ended has room", rest(a), strings.Repeat("held ", replyRoom/2)+"sent done")
		}, takes(time.Second))
	})
}
