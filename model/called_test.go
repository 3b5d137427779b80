package model

import (
	"testing"
	"time"

	"baton/model/engine"
	"baton/model/outside"
	"baton/model/session"
)

// reached is a program that can be called from outside.
func reached(t *testing.T, script ...step) *pump {
	t.Helper()
	a := &fake{script: script}
	e, err := engine.New(engineOptions(t.TempDir(), a))
	if err != nil {
		t.Fatal(err)
	}
	return around(t, e, a, func(d *Deps) { d.Desk = outside.NewDesk(e, time.Now) })
}

// call is one request from outside, answered.
func (p *pump) call(req outside.Request) outside.Reply {
	p.t.Helper()
	c := outside.NewCall(req)
	p.send(called{c})
	select {
	case r := <-c.Replies():
		return r
	default:
		p.t.Fatalf("no reply to %+v", req)
		return outside.Reply{}
	}
}

func (p *pump) selected() string {
	id, _ := p.m.list.Selected()
	for _, r := range p.state().Queue.Rows() {
		if string(r.ID) == id {
			return r.Text
		}
	}
	return ""
}

// What is done from outside shows at once and is said, and the person keeps focus, selection, draft and caret.
func TestCalls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := reached(t, hangs)
		p.say("runs")
		for _, row := range []string{"a", "b", "c"} {
			p.say(row)
		}
		p.typ("draft")
		p.press("left", "left")
		x, y, _ := p.m.Cursor()
		p.call(outside.Request{Do: outside.Edit, Rows: []string{"2"}, Text: "b2"})
		p.sees("2 waiting  b2", "changed from outside: b2")
		if nx, ny, ok := p.m.Cursor(); nx != x || ny != y || !ok {
			t.Errorf("the caret went from %d,%d to %d,%d", x, y, nx, ny)
		}
		p.press("tab", "down")
		p.want("selected", "b2", p.selected())
		for _, c := range []struct {
			req              outside.Request
			rows, sees, kind string
		}{
			{outside.Request{Do: outside.Add, Text: "d"}, "a,b2,c,d", "added from outside: d", "queued"},
			{outside.Request{Do: outside.Move, Rows: []string{"4"}, To: 1}, "d,a,b2,c", "now row 1 from outside: d", "changed"},
			{outside.Request{Do: outside.Remove, Rows: []string{"1"}}, "a,b2,c", "removed from outside: d", "changed"},
			{outside.Request{Do: outside.Move, Rows: []string{"2"}, To: 3}, "a,c,b2", "now row 3 from outside: b2", "changed"},
			{outside.Request{Do: outside.Pause}, "a,c,b2", "paused from outside", "changed"},
			{outside.Request{Do: outside.Add, Text: "\x1b]0;x\a"}, "a,c,b2,\x1b]0;x\a", "added from outside: ", "queued"},
			{outside.Request{Do: outside.Play}, "a,c,b2,\x1b]0;x\a", "added from outside: ", "refused"}, // said to the caller alone
		} {
			p.want("reply", c.kind, string(p.call(c.req).Kind))
			p.want("rows", c.rows, p.rows())
			p.want("still selected", "b2", p.selected())
			p.want("still in", "queue draft", p.focus()+" "+p.draft())
			p.sees(c.sees)
		}
		p.end()
	})
}

// A row that is taken away from under a key is not its neighbour's end.
func TestCallsUnderAKey(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := reached(t, hangs)
		p.say("runs")
		for _, row := range []string{"a", "b", "c"} {
			p.say(row)
		}
		p.press("tab", "down")
		p.call(outside.Request{Do: outside.Remove, Rows: []string{"2"}})
		p.keys("d")
		p.want("rows", "a,c", p.rows())
		p.run(time.Second)
		p.press("d")
		p.want("later", "a", p.rows())
		p.end()
	})
}

// An open row is left alone, its editor and its words stay, and nothing starts behind it (C10).
func TestCallsBesideAnEditor(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := reached(t, after(20*time.Second, says("x")))
		p.say("runs")
		p.say("a")
		p.say("b")
		p.press("tab", "enter")
		p.typ("more ")
		for _, req := range []outside.Request{
			{Do: outside.Remove, Rows: []string{"1"}}, {Do: outside.Edit, Rows: []string{"1"}, Text: "x"}, {Do: outside.Move, Rows: []string{"1"}, To: 2}, {Do: outside.Remove, Rows: []string{"2", "1"}},
		} {
			if r := p.call(req); r.Kind != outside.Refused || r.Why != string(session.RefusedOpen) {
				t.Errorf("%v: %+v", req.Do, r)
			}
		}
		p.call(outside.Request{Do: outside.Edit, Rows: []string{"2"}, Text: "b2"})
		p.call(outside.Request{Do: outside.Add, Text: "c"})
		p.run(30 * time.Second)
		p.want("nothing started", "a,b2,c runs", p.rows()+" "+p.agent.prompts())
		p.want("editor", "amore  queue", p.m.row.Value()+" "+p.focus())
		p.sees("1 editing")
		p.want("play", "refused", string(p.call(outside.Request{Do: outside.Play}).Kind))
		p.press("enter")
		p.run(time.Second / 2)
		p.want("saved and sent", "runs|amore ", p.agent.prompts())
		p.end()
	})
}

// No call answers a question of the person, nor hides it.
func TestCallsAnswerNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := reached(t, uses("write", hangs))
		p.say("runs")
		p.soon()
		p.say("a")
		p.say("b")
		p.press("tab", "s")
		p.sees("a tool has run")
		p.call(outside.Request{Do: outside.Add, Text: "c"})
		p.call(outside.Request{Do: outside.Remove, Rows: []string{"2"}})
		p.sees("a tool has run")
		p.run(time.Second)
		p.want("nothing was sent", "a,c runs", p.rows()+" "+p.agent.prompts())
		p.press("s")
		p.run(time.Second)
		p.want("the person's own yes", "runs|a", p.agent.prompts())
		p.end()
	})
}
