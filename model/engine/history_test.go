package engine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/model/journal"
	"baton/model/session"
	"baton/retrypolicy"
)

// bulk is an answer of some kilobytes that tells which one it is.
func bulk(n, kb int) string {
	return fmt.Sprintf("answer %d %s", n, strings.Repeat("words and words ", kb<<6))
}

// long has a session of so many turns of about 5 KB each, with every outcome, behind
// which rows with long texts, an undo and a failed turn are left. It returns the id.
func long(t *testing.T, dir string, turns int) string {
	d := open(t, dir, says("x"))
	answered := 0
	d.agent.script = []step{func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		answered++
		switch {
		case answered%7 == 3:
			return agentclient.Finish{}, &retrypolicy.Failure{Status: 503}
		case answered%11 == 5:
			return agentclient.Finish{}, &retrypolicy.Failure{Status: 401, Message: "no key"}
		}
		return says(bulk(answered, 4))(ctx, sink)
	}}
	for i := range turns {
		d.say(fmt.Sprintf("prompt %d", i))
		d.run(20 * time.Second)
		if i%5 == 0 {
			d.took(d.Note("a note"))
		}
	}
	d.agent.script = []step{status(401)}
	d.say("the last prompt " + strings.Repeat("p", 1000))
	for i := range 4 {
		d.say(fmt.Sprintf("row %d %s", i, strings.Repeat("r", 3000)))
	}
	d.run(time.Minute)
	d.in(session.MoveRow{Row: d.State().Queue.At(3).ID, To: 1})
	d.in(session.RemoveRow{Row: d.State().Queue.At(2).ID})
	d.say("/compact") // fills the log further and is stopped
	d.in(session.Stop{Turn: d.State().Work()})
	d.run(time.Minute)
	id := d.Session()
	d.end()
	return id
}

// whole is the state that the full fold of a log gives, taken up.
func whole(t *testing.T, dir, id string) session.State {
	s := session.New(session.Settings{})
	s.Session = id
	s, damage := Replay(s, logged(t, dir, id))
	if damage != "" {
		t.Fatal(damage)
	}
	return taken(s, id)
}

func taken(s session.State, id string) session.State {
	events, _ := session.Decide(s, session.Opened{Session: id, Agent: "fake · one"})
	for _, ev := range events {
		s = session.Apply(s, ev)
	}
	return s
}

func snapshots(t *testing.T, dir, id string) (offsets []int64) {
	for _, b := range logged(t, dir, id).Batches {
		if kindsOf(b) == session.SnapshotKind {
			offsets = append(offsets, b.Offset)
		}
	}
	return offsets
}

// all reads everything that is older.
func (d *driver) all() {
	d.t.Helper()
	for d.MayOlder() {
		job := d.Older(1, false)
		if job == nil {
			d.t.Fatal("there is more, and no job reads it")
		}
		if again := d.Older(1, false); again != nil {
			d.t.Fatal("two jobs read the same page")
		}
		d.took(d.Take(job()))
	}
}

// A session that is opened by its end shows and does what the whole log says.
func TestOpenedByItsEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 70)
		if n := len(snapshots(t, dir, id)); n < 4 {
			t.Fatalf("%d snapshots in a log of %s", n, sizes(t, dir))
		}
		want := whole(t, dir, id)
		d := resume(t, dir, id, says("an answer"))
		if d.State().Items.Start() == 0 {
			t.Fatal("everything was read")
		}
		if have := d.State().Items.Len() - d.State().Items.Start(); have < 20 {
			t.Fatalf("%d items to show", have)
		}
		d.want("damage", "", d.Damage())
		d.all()
		d.want("the state", view(want), view(d.State()))
		d.end()
	})
}

// What is asked of a session that was opened by its end carries the whole conversation,
// though it is not in memory.
func TestTheRequestCarriesWhatIsOlder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 70)
		want := whole(t, dir, id)
		d := resume(t, dir, id, says("a summary"))
		start := d.State().Items.Start()
		d.say("and now?")
		d.soon()
		var all []string
		for _, ev := range must(session.Decide(want, session.Submit{Draft: session.Draft{Text: "and now?"}})) {
			want = session.Apply(want, ev)
		}
		last, _ := want.LastTurn()
		for _, m := range want.Context(last.ID, session.Items{}) {
			all = append(all, map[bool]string{true: "assistant: ", false: "user: "}[m.Assistant]+m.Text)
		}
		d.want("the request", strings.Join(all, "\n"), texts(d.agent.requests()[0]))
		d.want("items in memory", fmt.Sprint(start), fmt.Sprint(d.State().Items.Start()))
		d.say("/compact")
		d.soon()
		d.say("from the summary on")
		d.soon()
		rs := d.agent.requests()
		d.want("behind the summary", "user: Summarize our conversation so far.\nassistant: a summary\nuser: from the summary on", texts(rs[len(rs)-1]))
		d.end()
	})
}

func must(evs []session.Event, _ []session.Effect) []session.Event { return evs }

// A conversation that no request can carry fails before it is sent, and says what to do.
func TestTooLongToSend(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir, id := t.TempDir(), "s"
		w, err := journal.Create(dir, id, journal.Header{App: "test"})
		if err != nil {
			t.Fatal(err)
		}
		s, before := taken(session.New(session.Settings{}), id), int64(0)
		write := func(evs ...session.Event) int64 {
			b, err := w.Append(time.Now(), entriesOf(evs))
			if err != nil {
				t.Fatal(err)
			}
			for _, ev := range evs {
				s = session.Apply(s, ev)
			}
			return b.Offset
		}
		for n := session.TurnID(1); n <= 5; n++ {
			write(session.TurnStarted{Turn: n, Chain: n, Text: "a prompt"}, session.TurnSucceeded{Turn: n, Answer: strings.Repeat("much text ", MaxContext/45), N: 1})
			x, _ := s.Snapshot()
			x.Before = before
			before = write(x)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		d := resume(t, dir, id, says("an answer"))
		if d.State().Items.Start() == 0 {
			t.Fatal("everything is in memory: the log is too small for this test")
		}
		d.say("one more")
		d.run(time.Second)
		last, _ := d.State().LastTurn()
		d.want("outcome", "failed", string(last.Outcome))
		if len(d.agent.requests()) != 0 || !strings.Contains(last.Cause.Message, "longer than a request can carry") {
			t.Fatalf("%d requests, %+v", len(d.agent.requests()), last.Cause)
		}
		d.end()
	})
}

// A snapshot that cannot be used, or a line that it refers to, is no loss: the whole log
// says the same.
func TestDamagedSnapshot(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 40)
		path := filepath.Join(dir, id+".jsonl")
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := snapshots(t, dir, id)
		newest := at[len(at)-1]
		rows := 0
		for name, damage := range map[string]func([]byte){
			"the newest snapshot": func(b []byte) { b[newest+40] ^= 1 },
			"all snapshots": func(b []byte) {
				for _, o := range at {
					b[o+40] ^= 1
				}
			},
			"the line of a row that a snapshot refers to": func(b []byte) { b[bytes.Index(b, []byte("row 0 rrr"))+20] ^= 1 },
		} {
			b := bytes.Clone(good)
			damage(b)
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			d := resume(t, dir, id, says("x"))
			rows = max(rows, d.State().Queue.Len())
			if d.State().Queue.Len() < 3 {
				t.Errorf("%s: rows %q", name, d.rows())
			}
			d.all()
			last, ok := d.State().LastTurn()
			if !ok || d.State().Items.Start() != 0 || last.Outcome == session.Unsettled {
				t.Errorf("%s: items from %d, last turn %+v", name, d.State().Items.Start(), last)
			}
			d.end()
		}
		if rows != 4 { // the generated row and three others
			t.Errorf("%d rows at most", rows)
		}
	})
}

// However long a log is, opening it reads the same.
func TestOpeningCostsTheSame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		read := map[int]int64{}
		for _, turns := range []int{80, 480} {
			dir := t.TempDir()
			id := long(t, dir, turns)
			r, err := journal.OpenReader(dir, id)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := r.Tail(session.SnapshotKind)
			if err != nil {
				t.Fatal(err)
			}
			f, err := fold(session.Settings{}, dir, id, kept, r)
			if err != nil {
				t.Fatal(err)
			}
			read[turns] = r.BytesRead()
			if f.past.none() {
				t.Fatal("no snapshot was used")
			}
			r.Close()
		}
		if read[480] > 2*read[80] {
			t.Errorf("bytes read: %v", read)
		}
	})
}

// The closing row of a failed turn, and the row of its retries beside it, are the same
// when a long log is opened by its end, and when what is older has come before them.
func TestErrorRowOfATail(t *testing.T) {
	t.Run("cases 98 J7", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			dir := t.TempDir()
			d := open(t, dir, says(bulk(1, 4)))
			for i := range 60 {
				d.say(fmt.Sprintf("prompt %d", i))
				d.run(time.Second)
			}
			d.agent.script = []step{status(500)}
			d.say("the last prompt")
			d.run(time.Minute)
			before := lastRows(d.State())
			id := d.Session()
			d.end()
			if want := []string{"user: the last prompt", "retry: Retried model request (4/4)", "error: Turn failed · server · 500 · internal server error · 5 attempts"}; strings.Join(want, "\n") != before {
				t.Fatalf("rows before: %s", before)
			}
			r := resume(t, dir, id, says("x"))
			if r.State().Items.Start() == 0 {
				t.Fatal("everything was read")
			}
			r.want("lifecycle", "Error", r.life())
			r.want("rows of the tail", before, lastRows(r.State()))
			r.all()
			r.want("rows of all", before, lastRows(r.State()))
			r.want("the state", view(whole(t, copied(t, dir), id)), view(r.State()))
			r.end()
		})
	})
}

// lastRows are the rows of the newest turn.
func lastRows(s session.State) string {
	for n, it := range s.Items.Back() {
		if it.Turn == nil {
			continue
		}
		var all []string
		for _, r := range it.Rows(n) {
			all = append(all, string(r.Kind)+": "+r.Text)
		}
		return strings.Join(all, "\n")
	}
	return ""
}

// A snapshot is due once the log has grown by SnapshotEvery, not a byte before, and never
// while something runs.
func TestSnapshotEvery(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, says("an answer"), after(time.Hour, says("another")))
		d.say("a prompt")
		d.soon()
		grow := func(to int64) { // by notes, of which nothing else is recorded
			t.Helper()
			d.took(d.Note("n"))
			overhead := d.log.End()
			d.took(d.Note("n"))
			overhead = d.log.End() - overhead - 1
			d.took(d.Note(strings.Repeat("n", int(to-d.log.End()-overhead))))
		}
		grow(SnapshotEvery - 1)
		d.want("end", fmt.Sprint(SnapshotEvery-1), fmt.Sprint(d.log.End()))
		d.want("snapshots just below", "0", fmt.Sprint(len(snapshots(t, dir, d.Session()))))
		d.took(d.Note("n"))
		at := snapshots(t, dir, d.Session())
		d.want("snapshots above", "1", fmt.Sprint(len(at)))
		d.say("another prompt")
		d.took(d.Note(strings.Repeat("n", 2*SnapshotEvery)))
		d.want("snapshots while a turn runs", "1", fmt.Sprint(len(snapshots(t, dir, d.Session()))))
		d.in(session.Stop{Turn: d.State().Work()})
		d.run(time.Second)
		d.want("snapshots when it has settled", "2", fmt.Sprint(len(snapshots(t, dir, d.Session()))))
		d.end()
	})
}
