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
