package model

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/model/keepsake"
)

// Prompts come back in later sessions, commands among them; those of this session are the
// nearest.
func TestHistoryOfFormerSessions(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.say("first")
		p.say("/queue")
		p.say("second")
		p.say("first")
		p.say("to @an")
		p.soon()
		p.typ("thrown away")
		p.press("ctrl+c")
		p.quits()

		p = keptIn(t, dir, "", says("x"))
		p.m.deps.Dir = t.TempDir()
		writeFile(t, p.m.deps.Dir, "another", "x")
		p.soon()
		p.say("third")
		p.typ("draft")
		for _, want := range []string{"third", "to @an", "first", "second", "/queue", "/queue"} {
			p.press("up")
			p.want("up", want, p.draft())
		}
		p.press("down", "down", "down", "down", "down")
		p.want("and back", "draft", p.draft())
		p.press("ctrl+c")
		p.quits()
	})
}

// What is sent is written down in its order, at once and when the program ends.
func TestPromptsAreWrittenDown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		var want []string
		for i := range 20 {
			want = append(want, fmt.Sprint("/queue ", i))
			p.typ(want[i])
			p.press("enter")
			p.press("ctrl+c") // the command stays: it knows no such word
		}
		p.soon()
		got, err := keepsake.At(crash(t, dir)).Prompts()
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q, %v", got, err)
		}
		p.m.remember("last")
		p.quits()
		if got, _ := keepsake.At(dir).Prompts(); len(got) != 21 || got[20] != "last" {
			t.Errorf("%q", got)
		}
	})
}

// ctrl+r lists what was sent, the newest first. Enter puts one into the composer, where
// undo brings back what was there; esc leaves it alone.
func TestHistorySearch(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		if err := keepsake.At(dir).AddPrompts([]string{"fix the retry loop", "explain\njitter", "fix the queue"}); err != nil {
			t.Fatal(err)
		}
		p := keptIn(t, dir, "", says("x"))
		p.soon()
		p.typ("draft")
		p.press("ctrl+r")
		p.sees("put an earlier prompt into the composer", "› fix the queue", "  explain jitter", "2 lines", "  fix the retry loop")
		p.press("esc")
		p.want("esc", "draft", p.draft())
		p.press("ctrl+r")
		p.typ("fix")
		p.seesNot("jitter")
		p.press("down", "enter")
		p.want("composer and focus", "fix the retry loop composer", p.draft()+" "+p.focus())
		p.want("sent", "", p.agent.prompts())
		p.press("ctrl+_")
		p.want("undone", "draft", p.draft())
		p.press("ctrl+r")
		p.typ("jitter")
		p.press("tab")
		p.want("tab", "explain\njitter", p.draft())
		p.press("ctrl+c")
		p.quits()

		p = open(t, says("x"))
		p.press("ctrl+r")
		p.sees("nothing was sent yet")
		p.end()
	})
}

// The list of a long history costs little more than that of a short one for each key.
func TestLongPromptsInTheList(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.m.write.history.Add(strings.Repeat("x", 1<<20) + "needle")
		if err := p.m.choosePrompt(); err != nil {
			t.Fatal(err)
		}
		it, _ := p.m.screen.choice.Selected()
		if len(it.Title) > shownPrompt || len(it.Text) > searchedPrompt {
			t.Errorf("%d and %d bytes", len(it.Title), len(it.Text))
		}
		p.press("enter")
		if p.m.write.Bytes() != 1<<20+6 {
			t.Error(p.m.write.Bytes())
		}
		p.end()
	})
}

// What killed programs left for editors goes in time; the text an editor is given lies
// with the program's own files.
func TestEditorsFileIsPrivate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.typ("text")
		p.press("ctrl+g")
		p.soon()
		found, err := filepath.Glob(filepath.Join(dir, "edit", "baton-*.md"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%q, %v", found, err)
		}
		p.quits()
		p = keptIn(t, dir, "", says("x")) // nobody was killed long ago
		p.soon()
		if now, _ := filepath.Glob(filepath.Join(dir, "edit", "*")); len(now) != 1 {
			t.Errorf("%q", now)
		}
		p.quits()
		p = keptIn(t, dir, "", says("x"))
		p.m.deps.Now = func() time.Time { return time.Now().Add(100 * 365 * 24 * time.Hour) } // files bear the real time
		p.start(p.m.readPrompts())
		p.soon()
		if now, _ := filepath.Glob(filepath.Join(dir, "edit", "*")); len(now) != 0 {
			t.Errorf("%q", now)
		}
		p.quits()
	})
}
