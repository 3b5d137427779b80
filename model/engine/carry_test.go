package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

// places counts where each text stands in a session: as a row, or as a turn's prompt.
func places(s session.State) map[string]int {
	n := map[string]int{}
	for _, r := range s.Queue.Rows() {
		n[r.Text]++
	}
	for _, it := range s.Items.All() {
		if it.Turn != nil && !it.Turn.Retry() {
			n[it.Turn.Text]++
		}
	}
	return n
}

// checkCuts takes up both sessions of every picture: from the moment it was entered each
// text is in exactly one.
func checkCuts(t *testing.T, pictures []string, old, new string, texts ...string) {
	t.Helper()
	both, entered := 0, map[string]bool{}
	for i, dir := range pictures {
		all := map[string]int{}
		for _, id := range []string{old, new} {
			o, a := options(t, dir, says("x"))
			e, err := Resume(withNew(o), id)
			if id == new && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, journal.ErrEmpty)) {
				continue
			}
			if err != nil {
				t.Fatalf("kill %d: %v", i, err)
			}
			if id == new {
				both++
			}
			for text, n := range places(e.State()) {
				all[text] += n
			}
			r := drive(t, e, a)
			r.run(time.Minute)
			if len(a.requests()) > 0 || r.State().Busy() {
				t.Fatalf("kill %d: %s sent something", i, id)
			}
			r.end()
		}
		for _, text := range texts {
			if all[text] > 1 || all[text] == 0 && entered[text] {
				t.Fatalf("kill %d of %d: %q is in %d places", i, len(pictures), text, all[text])
			}
			entered[text] = all[text] == 1
		}
	}
	if both < 2 || len(entered) < len(texts) {
		t.Fatalf("%d kills after the new session began, %d texts", both, len(entered))
	}
}

// Rows behind a queued /new go along, open, and the first starts there. However the
// program dies meanwhile, each row is in exactly one of the two sessions.
func TestQueuedNewCarriesTheRows(t *testing.T) {
	t.Run("case_32", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			d, pictures := filmed(t, after(time.Second, says("answer")), after(time.Second, says("there")), hangs)
			old := d.Session()
			d.say("one")
			for _, text := range []string{"/new", "a", "b", "c"} {
				d.say(text)
			}
			d.run(1500 * time.Millisecond)
			if d.Session() == old {
				t.Fatal("no new session")
			}
			d.want("rows", "b,c", d.rows())
			d.want("gate", "true", fmt.Sprint(d.State().Gate.Open()))
			d.run(600 * time.Millisecond)
			d.want("then", "c", d.rows())
			d.want("context of the second", "user: a\nassistant: there\nuser: b", texts(d.agent.requests()[2]))
			id := d.Session()
			c := logged(t, d.opt.Dir, id)
			d.want("from", old, c.Header.From)
			left := logged(t, d.opt.Dir, old).Batches
			d.want("the former session's last words", "command.ended carry.started; rows.carried", kindsOf(left[len(left)-2])+"; "+kindsOf(left[len(left)-1]))
			d.want("first batch", "session.opened row.queued row.queued row.queued row.promoted turn.started", kindsOf(c.Batches[0]))
			d.in(session.Stop{Turn: d.State().Work()})
			d.soon()
			d.end()
			checkCuts(t, pictures(), old, id, "one", "a", "b", "c")
		})
	})
}

// Typed while idle, /new takes rows along held; a pause travels.
func TestTypedNewHoldsTheRows(t *testing.T) {
	for _, paused := range []bool{false, true} {
		t.Run(fmt.Sprint("paused:", paused), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				d, pictures := filmed(t, after(time.Second, status(401)), says("x"))
				old := d.Session()
				d.say("one")
				d.say("a")
				d.say("b")
				if paused {
					d.in(session.SetPaused{On: true})
				}
				d.run(2 * time.Second)
				d.want("before", "Continue the current turn,a,b", d.rows())
				d.say("/new")
				d.soon()
				d.want("after", "Continue the current turn,a,b", d.rows())
				d.want("lifecycle", "Ready", d.life())
				d.want("held", map[bool]string{true: "held: paused", false: "held: restored"}[paused], d.State().Held(time.Now()))
				id := d.Session()
				d.run(time.Minute)
				d.want("requests", "1", fmt.Sprint(len(d.agent.requests())))
				d.in(session.Play{})
				d.soon()
				d.end()
				checkCuts(t, pictures(), old, id, "one", "a", "b", session.ContinueText)
			})
		})
	}
}

// A generated row names a turn of the session it comes from: the success of a turn with
// the same number in the new session does not remove it.
func TestCarriedGeneratedRowIsNoOtherTurns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := openWithNew(t, t.TempDir(), status(401), says("x"))
		d.say("one")
		d.say("a")
		d.soon()
		d.say("/new")
		d.soon()
		d.in(session.SetPaused{On: true})
		for range 4 {
			d.say("mine")
			d.soon()
		}
		d.want("rows", "Continue the current turn,a", d.rows())
		d.end()
	})
}

// Without rows there is nothing to carry, and the new session is no file until it is
// used.
func TestNewWithoutRows(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, says("x"))
		d.say("one")
		d.soon()
		old := d.Session()
		d.say("/new")
		d.soon()
		if d.Session() == old || d.State().Items.Len() != 0 || d.Saved() || d.Trouble() != nil {
			t.Errorf("session %s, %d items, saved %v, trouble %v", d.Session(), d.State().Items.Len(), d.Saved(), d.Trouble())
		}
		if strings.Contains(listing(t, dir), d.Session()) {
			t.Error("there is a file already")
		}
		o, _ := options(t, dir)
		e, err := Resume(o, old)
		if err != nil {
			t.Fatalf("the former session is still locked: %v", err)
		}
		if e.State().CarryTo != "" || e.State().Items.Len() != 1 {
			t.Errorf("carry %q, %d items", e.State().CarryTo, e.State().Items.Len())
		}
		_ = e.Close()
		d.say("two")
		d.soon()
		d.want("fresh context", "user: two", texts(d.agent.requests()[1]))
		d.end()
	})
}

// Row names stay unique over a carry and back.
func TestRowNamesAreUniqueAcrossSessions(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := openWithNew(t, t.TempDir(), hangs)
		seen := map[string]string{}
		look := func() {
			for _, r := range d.State().Queue.Rows() {
				if text, ok := seen[string(r.ID)]; ok && text != r.Text {
					t.Errorf("%s names %q and %q", r.ID, text, r.Text)
				}
				seen[string(r.ID)] = r.Text
			}
		}
		for round := range 3 {
			d.say("go")
			for i := range 3 {
				d.say(fmt.Sprint("row ", round, i))
			}
			look()
			d.in(session.Stop{Turn: d.State().Work()})
			d.soon()
			d.say("/new")
			d.soon()
			look()
		}
		d.end()
	})
}

// A session in which nothing was said leaves no file, however many commands were tried in it.
func TestNewInAnEmptySessionLeavesNoFile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, says("x"))
		first := d.Session()
		for range 2 {
			d.say("/new")
			d.soon()
		}
		if d.Session() == first {
			t.Fatal("no new session")
		}
		d.say("/resume nothing")
		d.soon()
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			t.Errorf("there is %s", f.Name())
		}
		d.say("one")
		d.soon()
		d.want("kept", "user: one", texts(d.agent.requests()[0]))
		if _, err := os.Stat(filepath.Join(dir, d.Session()+".jsonl")); err != nil {
			t.Error(err)
		}
		d.end()
	})
}
