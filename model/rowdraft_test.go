package model

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// kept counts the lines of a session's log that hold what stood in the row editor.
func kept(t *testing.T, dir string) int {
	t.Helper()
	return strings.Count(logOf(t, dir), `"edit.kept"`)
}

// What stands in the row editor for half a second survives a crash, with its pastes and without the files that were taken
// off, and can be undone then; the draft in the composer comes back beside it (C3).
func TestEditSurvivesACrash(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		file := writeFile(t, dir, "notes.txt", "x")
		p := keptIn(t, dir, "", hangs)
		p.say("one")
		p.say("/attach " + file)
		p.say("the row")
		p.typ("a draft")
		p.press("alt+up", "ctrl+c")
		p.typ(" and ")
		p.pasted(big)
		p.half()
		left := crash(t, dir)
		p.typ("!") // not long enough there
		p.half()
		later := crash(t, dir)
		p.press("esc")
		p.half()
		closed := crash(t, dir)
		p.quits()

		for name, c := range map[string]struct{ dir, text string }{"half a second": {left, "the row and " + big}, "later": {later, "the row and " + big + "!"}, "discarded": {closed, "the row and " + big + "!"}} {
			p = keptIn(t, c.dir, entriesOf(t, c.dir)[0], hangs)
			p.want(name+": rows", "the row", p.rows())
			p.want(name+": composer", "a draft", p.draft())
			p.sees("what you had not sent is back")
			if !strings.Contains(p.m.word.text, "the edit of a row was not saved · u in the queue brings it back") {
				t.Errorf("%s: it says %q", name, p.m.word.text)
			}
			p.press("tab", "u")
			p.want(name+": edit", c.text, p.m.row.Value())
			p.want(name+": files", "0", fmt.Sprint(len(p.m.row.files)))
			p.press("esc", "tab", "tab")
			p.quits()
		}
	})
}

// What was saved is in its row alone, however soon behind the save the program ends; and so is what came back once and was
// saved then.
func TestASavedEditDoesNotComeBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", hangs)
		p.say("one")
		p.say("row")
		p.press("alt+up")
		p.typ("s and")
		p.half()
		p.typ(" more")
		left := crash(t, dir)
		p.keys("enter")
		saved := crash(t, dir)
		p.quits()
		p = keptIn(t, saved, entriesOf(t, saved)[0], hangs)
		p.want("rows", "rows and more", p.rows())
		p.seesNot("was not saved")
		if p.state().Undo != nil {
			t.Errorf("%+v can be undone", p.state().Undo)
		}
		p.quits()
		p = keptIn(t, left, entriesOf(t, left)[0], hangs)
		p.sees("the edit of a row was not saved")
		p.press("tab", "u", "enter")
		p.want("rows", "rows and", p.rows())
		left = crash(t, left)
		p.quits()
		p = keptIn(t, left, entriesOf(t, left)[0], hangs)
		p.want("rows", "rows and", p.rows())
		if p.state().Undo != nil {
			t.Errorf("%+v can be undone", p.state().Undo)
		}
		p.quits()
	})
}

// An edit that rests costs nothing, one that is written a line of the log in the time of a pause, and each line what is new.
func TestEditsArePaced(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", hangs)
		p.say("one")
		p.say(strings.Repeat("a long row ", 2000))
		p.press("alt+up")
		p.half()
		if n := kept(t, dir); n != 0 {
			t.Errorf("%d lines of what was not changed", n)
		}
		before := len(logOf(t, dir))
		for range 100 {
			p.typ("x")
			p.run(20 * time.Millisecond)
		}
		p.half()
		n, grown := kept(t, dir), len(logOf(t, dir))-before
		if n < 4 || n > 9 || grown > n*400 {
			t.Errorf("%d lines, %d bytes", n, grown)
		}
		p.run(time.Minute)
		if kept(t, dir) != n {
			t.Errorf("%d lines of an old text", kept(t, dir)-n)
		}
		p.quits()
	})
}

func logOf(t *testing.T, dir string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "sessions", entriesOf(t, dir)[0]+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
