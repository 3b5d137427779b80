package model

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/agentclient"
	"baton/retrypolicy"
)

// told lets a program tell people who look elsewhere, and returns what it told so far.
func told(p *pump) *[]string {
	var all []string
	p.m.deps.Notify = func(text string) tea.Cmd {
		all = append(all, text)
		return nil
	}
	return &all
}

// Only the end of the last work is told, and only to who looks elsewhere.
func TestTellsTheLastEnd(t *testing.T) {
	slow := after(2*time.Second, says("an answer"))
	for name, c := range map[string]struct {
		script []step
		play   func(p *pump)
		want   []string
	}{
		"an answer": {[]step{slow}, func(p *pump) { p.say("one"); p.send(tea.BlurMsg{}) }, []string{"fake · one has answered"}},
		"seen":      {[]step{slow}, func(p *pump) { p.say("one") }, nil},
		"seen again": {[]step{slow}, func(p *pump) {
			p.say("one")
			p.send(tea.BlurMsg{})
			p.send(tea.FocusMsg{})
		}, nil},
		"a key is pressed where one looks": {[]step{slow}, func(p *pump) {
			p.say("one")
			p.send(tea.BlurMsg{})
			p.typ("x")
		}, nil},
		"not between a turn and the row behind it": {[]step{slow}, func(p *pump) {
			p.say("one")
			p.say("two")
			p.say("three")
			p.send(tea.BlurMsg{})
		}, []string{"fake · one has answered"}},
		"not for a retry": {[]step{answers(503), slow}, func(p *pump) { p.say("one"); p.send(tea.BlurMsg{}) }, []string{"fake · one has answered"}},
		"a failure with rows behind it": {[]step{after(time.Second, answers(401))}, func(p *pump) {
			p.say("one")
			p.say("two")
			p.send(tea.BlurMsg{})
		}, []string{"turn failed · 401 auth: unauthorized · 2 rows wait"}},
		"rows that wait for the person": {[]step{slow}, func(p *pump) {
			p.say("one")
			p.say("two")
			p.press("tab", "p")
			p.send(tea.BlurMsg{})
		}, []string{"fake · one has answered · 1 row waits"}},
		"not what was stopped": {[]step{slow}, func(p *pump) {
			p.say("one")
			p.run(time.Second)
			p.press("esc")
			p.send(tea.BlurMsg{})
		}, nil},
		"an end is told once": {[]step{slow}, func(p *pump) {
			p.say("one")
			p.send(tea.BlurMsg{})
			p.run(5 * time.Second)
			p.send(tea.FocusMsg{})
			p.send(tea.BlurMsg{})
		}, []string{"fake · one has answered"}},
		"a question": {[]step{after(time.Second, asksPermission)}, func(p *pump) { p.say("one"); p.send(tea.BlurMsg{}) }, []string{"fake asks for your permission", "fake · one has answered"}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				p := open(t, c.script...)
				all := told(p)
				c.play(p)
				p.run(20 * time.Second)
				if !slices.Equal(*all, c.want) {
					t.Errorf("told %q, want %q\n%s", *all, c.want, p.screen())
				}
				p.end()
			})
		})
	}
}

func asksPermission(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
	sink(agentclient.Piece{Phase: agentclient.Approval})
	return after(3*time.Second, says("an answer"))(ctx, sink)
}

// What is told comes from outside in part, and is printable.
func TestTellsNothingHostile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(time.Second, fails(retrypolicy.Failure{Status: 401, Message: "\x1b]9;x\a\u009b\u202e"})))
		all := told(p)
		p.say("one")
		p.send(tea.BlurMsg{})
		p.run(3 * time.Second)
		if len(*all) != 1 || strings.ContainsFunc((*all)[0], func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' }) {
			t.Errorf("told %q", *all)
		}
		p.end()
	})
}

// The title follows the state and says nothing else.
func TestTitleIsTheState(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(time.Second, answers(503)), after(time.Second, says("an answer")), after(time.Second, answers(401)), asksPermission)
		title := func(want string) {
			t.Helper()
			if got := p.m.Window().Title; got != "baton: "+want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		title("ready")
		p.say("one")
		title("busy")
		p.run(1100 * time.Millisecond)
		title("retrying")
		p.run(3 * time.Second)
		title("ready")
		p.say("two")
		p.run(2 * time.Second)
		title("failed")
		p.say("three")
		title("asks")
		p.run(4 * time.Second)
		title("ready")
		p.end()
	})
}

// The mouse is the terminal's until it is asked for.
func TestMouse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says(strings.Repeat("a line\n\n", 100)+"the end"))
		mouse := func(want bool) {
			t.Helper()
			if p.m.Window().Mouse != want {
				t.Errorf("mouse %t\n%s", !want, p.screen())
			}
		}
		mouse(false)
		p.say("one")
		p.soon()
		p.sees("the end")
		p.press("f2")
		mouse(true)
		p.sees("the wheel scrolls")
		for range 4 {
			p.send(tea.MouseMsg{Button: tea.MouseButtonWheelUp})
		}
		p.seesNot("the end")
		for range 4 {
			p.send(tea.MouseMsg{Button: tea.MouseButtonWheelDown})
		}
		p.sees("the end")
		p.press("f1")
		top := p.screen()
		p.send(tea.MouseMsg{Button: tea.MouseButtonWheelDown})
		if p.screen() == top {
			t.Error("the help does not scroll")
		}
		p.press("esc", "f2")
		mouse(false)
		p.sees("selects text again")
		p.end()
	})
}
