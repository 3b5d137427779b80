package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// A session that nobody touched leaves no file, whatever was noted in it; the first
// thing a person does brings what came before along.
func TestUntouchedSessionLeavesNoFile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, says("x"))
		d.took(d.Note("a word of the start"))
		d.in(session.Submit{Draft: session.Draft{Text: " "}})
		d.in(session.Play{})
		if got := listing(t, dir); got != "" || d.Saved() {
			t.Fatalf("%q, saved %v", got, d.Saved())
		}
		d.end()
		if got := listing(t, dir); got != "" {
			t.Fatalf("after the end: %q", got)
		}

		d = open(t, dir, says("x"))
		d.took(d.Note("a word of the start"))
		d.say("go")
		d.soon()
		if !d.Saved() {
			t.Fatal("not saved")
		}
		var lines []string
		for _, b := range logged(t, dir, d.Session()).Batches {
			lines = append(lines, kindsOf(b))
		}
		d.want("log", "session.opened; note; turn.started; turn.partial; turn.succeeded; baton.passed", strings.Join(lines, "; "))
		d.end()
	})
}

// Each line of the log holds the durable events of one step, all of them, in order.
func TestBatchIsOneStep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, and("part", after(time.Second, status(503))), status(401))
		var want []string
		for _, in := range []session.Input{
			session.Submit{Draft: session.Draft{Text: "go"}}, session.Submit{Draft: session.Draft{Text: "row"}},
			session.Submit{Draft: session.Draft{Text: "another"}}, session.AttemptStarted{Turn: 1, N: 1},
			session.Delta{Turn: 1, N: 1, Text: "abc", At: time.Now()}, session.GaveUp{Turn: 1, N: 1, Max: 5},
			session.SetPaused{On: true}, session.RemoveRow{Row: "nobody"}, session.ClearRows{}, session.UndoLast{}, session.Play{},
		} {
			// What is due is asked of the rules themselves.
			events, _ := session.Decide(d.State(), in)
			var durable []string
			for _, ev := range events {
				if kind, data, ok, err := session.Encode(ev); err != nil {
					t.Fatal(err)
				} else if ok {
					durable = append(durable, kind+string(data))
				}
			}
			if len(durable) > 0 {
				want = append(want, strings.Join(durable, "\n"))
			}
			d.Step(in)
		}
		var got []string
		for _, b := range logged(t, dir, d.Session()).Batches[1:] { // the first is the opening
			var es []string
			for _, e := range b.Entries {
				var flat bytes.Buffer
				if err := json.Compact(&flat, e.Data); err != nil {
					t.Fatal(err)
				}
				es = append(es, e.Kind+flat.String())
			}
			got = append(got, strings.Join(es, "\n"))
		}
		d.want("batches", strings.Join(want, "\n--\n"), strings.Join(got, "\n--\n"))
		if len(got) < 7 {
			t.Errorf("only %d batches", len(got))
		}
		d.end()
	})
}

// Where no file can be made the chat goes on, and the banner says why.
func TestNoPlaceForTheLog(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		d := open(t, dir, says("x"))
		d.say("go")
		d.soon()
		turn, _ := d.State().LastTurn()
		d.want("answer", "x", turn.Answer)
		if err := d.Trouble(); err == nil || !strings.HasPrefix(err.Error(), "creating session ") || d.Saved() {
			t.Errorf("trouble %v, saved %v", err, d.Saved())
		}
		d.run(time.Minute)
		if len(d.results) > 0 || d.Trouble() == nil {
			t.Error("the trouble went away by itself")
		}
		d.end()
	})
}

// Without a directory all is in memory, as it was wished: nothing is wrong with that.
func TestMemoryOnly(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, "", says("x"))
		d.say("go")
		d.soon()
		if d.Trouble() != nil || d.Saved() || d.life() != "Ready" {
			t.Errorf("%v %v %s", d.Trouble(), d.Saved(), d.life())
		}
		d.end()
	})
}

// Damage in a log is told in one line; the rest is there, and later rows get new numbers.
func TestDamageIsTold(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, hangs)
		d.say("one")
		for _, text := range []string{"a", "b", "c"} {
			d.say(text)
		}
		d.soon()
		d.end()
		path := filepath.Join(dir, d.Session()+".jsonl")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		for _, line := range []int{1, 3} { // the opening, and row a
			if i := bytes.IndexByte(lines[line], ':'); i > 0 {
				lines[line][i] = ';'
			}
		}
		if err := os.WriteFile(path, bytes.Join(lines, nil), 0o600); err != nil {
			t.Fatal(err)
		}
		o, a := options(t, dir, hangs)
		e, err := Resume(o, d.Session())
		if err != nil {
			t.Fatal(err)
		}
		r := drive(t, e, a)
		r.want("damage", "2 damaged parts of this session's log were skipped", r.Damage())
		r.want("rows", "b,c", r.rows())
		r.say("now")
		r.say("d")
		ids := map[string]bool{}
		for _, row := range r.State().Queue.Rows() {
			ids[string(row.ID)] = true
		}
		r.want("rows and names", "b,c,d 3", fmt.Sprintf("%s %d", r.rows(), len(ids)))
		r.in(session.Stop{Turn: r.State().Work()})
		r.soon()
		r.end()
	})
}

// A batch that cannot be read is skipped whole; a kind from another version is not
// damage.
func TestReplaySkips(t *testing.T) {
	say := func(kind, data string) journal.Entry { return journal.Entry{Kind: kind, Data: json.RawMessage(data)} }
	s, damage := Replay(session.New(session.Settings{}), journal.Contents{Batches: []journal.Batch{
		{Entries: []journal.Entry{say("session.opened", `{"session":"s"}`), say("from.the.future", `{"x":1}`)}},
		{Entries: []journal.Entry{say("note", `{"text":"whole"}`), say("note", `{"text":7}`)}},
		{Entries: []journal.Entry{say("from.the.future", `7`)}},
		{Entries: []journal.Entry{say("note", `{"text":"kept"}`)}},
	}})
	if s.Items.Len() != 1 || s.Items.At(0).Note != "kept" || s.Session != "s" {
		t.Errorf("%+v", s.Items)
	}
	if damage != "1 damaged part of this session's log was skipped" {
		t.Errorf("%q", damage)
	}
}

// What the log refuses for good is told until the end: nothing that comes later is to
// make it look saved.
func TestARefusedBatchIsToldUntilTheEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), says("x"))
		d.say("go")
		d.soon()
		d.log = refusing(t, d.log)
		d.say("lost")
		d.soon()
		if err := d.Trouble(); err == nil || !strings.Contains(err.Error(), "a part of this session") || d.Saved() {
			t.Fatalf("trouble %v, saved %v", err, d.Saved())
		}
		d.run(time.Minute)
		if d.Trouble() == nil {
			t.Error("the trouble went away by itself")
		}
		d.end()
	})
}

// refusing closes a log behind the engine's back: it accepts nothing any more.
func refusing(t *testing.T, w *journal.Writer) *journal.Writer {
	t.Helper()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w
}
