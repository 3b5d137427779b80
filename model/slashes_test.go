package model

import (
	"testing"
	"time"
)

// A text behind two slashes is sent, kept and shown with one, and reads with both wherever it can be entered once more: the
// history, the editor of its row, an undone edit, the queue.
func TestTwoSlashes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"), hangs)
		p.say("//help me")
		p.soon()
		p.want("sent", "/help me", p.agent.prompts())
		p.sees("┃ /help me")
		p.press("up")
		p.want("history", "//help me", p.draft())
		p.press("enter")
		p.soon()
		p.want("sent again", "/help me|/help me", p.agent.prompts())
		p.say("//new")
		p.want("row", "/new false", p.rows()+" "+map[bool]string{true: "true", false: "false"}[p.state().Queue.At(0).Command])
		p.sees("//new")
		p.press("alt+up")
		p.want("editor", "//new", p.m.row.Value())
		p.press("enter")
		p.want("saved as it was", "/new", p.rows())
		if p.state().Undo != nil {
			t.Error("that was no edit")
		}
		p.press("alt+up")
		p.typ(" words")
		p.press("esc", "tab", "u")
		p.want("undone edit", "//new words", p.m.row.Value())
		p.press("enter")
		p.want("saved", "/new words", p.rows())
		p.press("shift+tab", "alt+up", "ctrl+u")
		p.typ("/nosuch")
		p.press("esc", "tab", "u")
		p.want("what is no text stays so", "/nosuch", p.m.row.Value())
		p.press("esc", "tab")
		id := p.m.eng.Session()
		p.quits()

		p = keptIn(t, dir, id, says("x"))
		p.press("ctrl+c", "up")
		p.want("history of another run", "//help me", p.draft())
		p.press("ctrl+c")
		p.run(time.Second)
		p.press("enter")
		p.run(time.Second)
		p.want("sent from the queue", "/new words", p.agent.prompts())
		p.quits()
	})
}
