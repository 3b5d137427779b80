package engine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
)

// golden makes the kept log of this format where there is none. One that is there is
// never written again: it is what a version of the past has left behind.
var golden = flag.Bool("engine.golden", false, "write testdata/journals for this format, if it is not there")

const goldenDir = "../../testdata/journals"

// A log that was written when its format was new reads as it read then, from the beginning
// and by its end, and goes on from there.
func TestGoldenLogs(t *testing.T) {
	if *golden {
		makeGolden(t)
	}
	logs, err := filepath.Glob(filepath.Join(goldenDir, "*", "*.jsonl"))
	if err != nil || len(logs) == 0 {
		t.Fatal("no log is kept", err)
	}
	for _, path := range logs {
		id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		t.Run(id, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				dir := t.TempDir()
				log, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), log, 0o600); err != nil {
					t.Fatal(err)
				}
				want, err := os.ReadFile(strings.TrimSuffix(path, ".jsonl") + ".state.json")
				if err != nil {
					t.Fatal(err)
				}
				if got := view(folding(t, dir, id)) + "\n"; got != string(want) {
					t.Errorf("it reads as\n%s", got)
				}
				if len(snapshots(t, dir, id)) == 0 {
					t.Error("it has no snapshot")
				}
				whole := view(whole(t, dir, id))
				d := resume(t, dir, id, says("an answer"))
				d.all()
				d.want("by its end", whole, view(d.State()))
				d.say("it goes on")
				d.soon()
				last, _ := d.State().LastTurn()
				d.want("the next turn", "it goes on an answer", last.Text+" "+last.Answer)
				d.end()
			})
		})
	}
}

// folding is a log folded whole and not taken up.
func folding(t *testing.T, dir, id string) session.State {
	s := session.New(session.Settings{})
	s.Session = id
	s, damage := Replay(s, logged(t, dir, id))
	if damage != "" {
		t.Fatal(damage)
	}
	return s
}

// makeGolden writes a log with every kind of event.
func makeGolden(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, says("the first answer"))
		say := func(text string, script ...step) {
			d.agent.mu.Lock()
			d.agent.script, d.agent.sent = script, nil
			d.agent.mu.Unlock()
			d.say(text)
			d.run(30 * time.Second)
		}
		tool := func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
			sink(agentclient.Piece{Tool: &agentclient.ToolPart{ID: "x", Name: "read", Title: "a file", Status: "done"}})
			return says("with a tool")(ctx, sink)
		}
		say("the first prompt", says("the first answer"))
		say("a prompt that is retried", and("lost text", status(503)), and("more lost text", status(503)), says("after two retries"))
		say("with a tool", tool)
		d.took(d.Note("a note\nof two lines"))
		say("a prompt that is refused", status(401))
		last, _ := d.State().LastTurn()
		d.agent.script, d.agent.sent = []step{says("tried again by hand")}, nil
		d.in(session.Retry{Turn: last.ID})
		d.run(time.Second)
		say("a prompt that is stopped", and("part of an answer", hangs))
		for _, row := range []string{"row a", "row b " + strings.Repeat("which is long, ", 30), "row c", "row d"} {
			d.say(row)
		}
		row := func(i int) queue.ID { return d.State().Queue.At(i).ID }
		d.in(session.MoveRow{Row: row(2), To: 0})
		d.in(session.BeginEdit{Row: row(1)})
		d.in(session.EndEdit{Row: row(1), Save: true, Draft: session.Draft{Text: "row a, edited"}})
		d.in(session.BeginEdit{Row: row(1)})
		d.in(session.EndEdit{Row: row(1), Draft: session.Draft{Text: "row a, discarded"}})
		d.in(session.UndoLast{})
		d.in(session.EndEdit{Row: row(1), Draft: session.Draft{Text: "row a, discarded again"}})
		d.in(session.RemoveRow{Row: row(3)})
		d.in(session.UndoLast{})
		d.in(session.SetPaused{On: true})
		d.in(session.Stop{Turn: d.State().Work()})
		d.run(5 * time.Second)
		d.agent.script, d.agent.sent = []step{hangs, says("sent now")}, nil
		d.in(session.Play{})
		d.soon()
		d.in(session.SendNow{Row: row(2), Turn: d.State().Work()})
		d.run(5 * time.Second) // its success meets the pause
		d.in(session.Submit{Draft: session.Draft{Text: "with a file", Attachments: []queue.Attachment{{Path: "/nowhere/notes.png"}}}})
		d.run(time.Second)
		d.took(d.SetAgent(d.agent))
		d.took(d.Note(strings.Repeat("a long note, ", SnapshotEvery/13)))
		say("a turn behind the snapshot", says("an answer behind the snapshot"))
		for _, script := range [][]step{{status(500)}} {
			say("given up", script...)
		}
		d.agent.script = []step{and("a summary", hangs)}
		d.say("/compact what matters")
		d.run(2 * time.Second)
		d.say("/new")
		d.in(session.Stop{Turn: d.State().Work()})
		d.run(5 * time.Second)
		id := d.Session()
		d.in(session.SetPaused{})
		d.in(session.SendNow{Row: row(d.State().Queue.Len() - 1)})
		d.run(5 * time.Second)
		d.end()
		kinds := map[string]bool{}
		for _, b := range logged(t, dir, id).Batches {
			for _, en := range b.Entries {
				kinds[en.Kind] = true
			}
		}
		for _, k := range session.Kinds() {
			if !kinds[k.Name] {
				t.Errorf("there is no %s in it", k.Name)
			}
		}
		keepGolden(t, dir, id)
	})
}

// keepGolden keeps a log and what it reads as, if none of this format is kept.
func keepGolden(t *testing.T, dir, id string) {
	to := filepath.Join(goldenDir, fmt.Sprintf("format-%d", journal.Format))
	if _, err := os.Stat(to); err == nil || t.Failed() {
		return
	}
	log, err := os.ReadFile(filepath.Join(dir, id+".jsonl"))
	if err == nil {
		err = os.MkdirAll(to, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(to, id+".jsonl"), log, 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(to, id+".state.json"), []byte(view(folding(t, dir, id))+"\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
