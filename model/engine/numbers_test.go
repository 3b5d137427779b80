package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

// A session that is opened by its end numbers its turns as the whole log does, before and behind the older pages; so does
// one whose snapshots do not count them, as those of earlier versions.
func TestNumbersOfAWindow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 60)
		time.Sleep(2 * time.Second)
		want := numbers(whole(t, dir, id))
		for _, kind := range []string{"counted", "not counted"} {
			if kind == "not counted" {
				forgetCounts(t, dir, id)
			}
			d := resume(t, dir, id, says("x"))
			if d.State().Items.Start() == 0 {
				t.Fatal("that is all of it")
			}
			window := func() {
				t.Helper()
				for turn, n := range numbers(d.State()) {
					d.want(fmt.Sprint(kind, ": turn ", turn), fmt.Sprint(want[turn]), fmt.Sprint(n))
				}
			}
			window()
			d.all()
			window()
			d.want(kind, fmt.Sprint(len(want)), fmt.Sprint(len(numbers(d.State()))))
			d.say("one more")
			d.soon()
			last, _ := d.State().LastTurn()
			d.want("the next one", fmt.Sprint(d.State().Prompts), fmt.Sprint(d.State().Number(last.ID)))
			want[last.ID] = d.State().Prompts
			d.end()
		}
	})
}

func numbers(s session.State) map[session.TurnID]int {
	all := map[session.TurnID]int{}
	for n, t := range s.Numbered() {
		all[t.ID] = n
	}
	return all
}

// forgetCounts takes the counts out of a log's snapshots, and leaves every line where it was.
func forgetCounts(t *testing.T, dir, id string) {
	t.Helper()
	kept := logged(t, dir, id)
	if err := os.Remove(filepath.Join(dir, id+".jsonl")); err != nil {
		t.Fatal(err)
	}
	counts, forgot := regexp.MustCompile(`"prompts":`), 0
	err := journal.Build(dir, id, kept.Header, func(w *journal.Writer) error {
		for _, b := range kept.Batches {
			for i, en := range b.Entries {
				if en.Kind == session.SnapshotKind {
					forgot += bytes.Count(en.Data, []byte(`"prompts":`))
					b.Entries[i].Data = counts.ReplaceAll(en.Data, []byte(`"unknown":`))
				}
			}
			if _, err := w.Append(b.Time, b.Entries); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || forgot == 0 {
		t.Fatalf("%d counts, %v", forgot, err)
	}
}

// A log whose snapshots do not count prompts is read whole once: from then on it opens as any other. Who only shows it
// writes nothing.
func TestUncountedLogIsReadOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 160)
		time.Sleep(2 * time.Second)
		want := fmt.Sprint(whole(t, dir, id).Prompts)
		cost := func(dir string) int64 {
			t.Helper()
			r, err := journal.OpenReader(dir, id)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			kept, err := r.Tail(session.SnapshotKind)
			if err != nil {
				t.Fatal(err)
			}
			o, _ := options(t, dir)
			if err := newEngine(o).fold(id, kept, r); err != nil {
				t.Fatal(err)
			}
			return r.BytesRead()
		}
		counted := cost(dir)
		forgetCounts(t, dir, id)
		uncounted := cost(dir)
		if uncounted < 3*counted {
			t.Fatalf("%d bytes without counts, %d with: this test tests nothing", uncounted, counted)
		}
		was := sizes(t, dir)
		o, _ := options(t, dir)
		shown, err := Follow(o, id, journal.ErrLocked)
		if err != nil {
			t.Fatal(err)
		}
		if err := shown.Close(); err != nil {
			t.Fatal(err)
		}
		if now := sizes(t, dir); now != was {
			t.Errorf("showing it wrote: %s, then %s", was, now)
		}
		for name, open := range map[string]func(Options, string) (*Engine, error){"resumed": Resume, "parked": Parked} {
			dir := copied(t, dir)
			for range 2 {
				o, _ := options(t, dir)
				e, err := open(o, id)
				if err != nil {
					t.Fatal(err)
				}
				if got := fmt.Sprint(e.State().Prompts); got != want {
					t.Errorf("%s: %s prompts, not %s", name, got, want)
				}
				if err := e.Close(); err != nil {
					t.Fatal(err)
				}
				if again := cost(dir); again > 2*counted {
					t.Errorf("%s: the next opening reads %d bytes, %d with counts, %d without", name, again, counted, uncounted)
				}
			}
		}
	})
}
