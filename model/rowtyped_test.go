package model

import (
	"testing"
	"time"
)

// Rows are reached by their numbers too, whoever has no use for a selection.
func TestRowsByNumber(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.size(120, 40)
		for _, text := range []string{"runs", "a", "b", "c"} {
			p.say(text)
		}
		p.say("/queue move 3 1")
		p.want("moved", "c,a,b", p.rows())
		p.say("/queue edit 2 another text")
		p.want("edited", "c,another text,b", p.rows())
		p.want("the keys go where they went", "composer", p.focus())
		p.say("/queue rm 1")
		p.sees("row 1 removed")
		p.want("removed", "another text,b", p.rows())
		p.say("/queue undo")
		p.want("undone", "c,another text,b", p.rows())
		for text, says := range map[string]string{
			"/queue rm 4": "there is no row 4: there are 3", "/queue move 1 9": "there is no row 9", "/queue edit 1 /help": "runs at once",
			"/queue send 0": "there is no row 0", "/queue edit 9 x": "there is no row 9",
		} {
			p.say(text)
			p.sees(says)
			p.want(text+" stays to be put right", text, p.draft())
			p.press("ctrl+c")
			p.run(time.Second)
		}
		p.want("nothing moved", "c,another text,b", p.rows())
		p.say("/queue send 3")
		p.want("sent", "runs|b", p.agent.prompts())
		p.say("/stop")
		p.want("stopped", "Ready", p.life())
		p.say("/stop")
		p.sees("nothing runs")
		p.end()
	})
}

// A row that is sent by its number asks as the key does: typed again it is a yes.
func TestSendRowTypedTwice(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, uses("read", hangs), hangs)
		p.size(120, 40)
		p.say("one")
		p.say("a")
		p.say("/queue send 1")
		p.sees("once more stops it and sends the row")
		p.want("asked first", "one", p.agent.prompts())
		p.say("/queue send 1")
		p.run(repeatGuard)
		p.want("then done", "one|a", p.agent.prompts())
		p.end()
	})
}
