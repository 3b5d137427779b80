package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/agentclient"
)

// lists is a server's list of models that takes its time.
type lists struct {
	mu    sync.Mutex
	takes time.Duration
	names []string
	err   error
	asked []string // of which agents
	ended []error  // how contexts ended
}

func (l *lists) models(ctx context.Context, a agentclient.Agent) ([]string, error) {
	l.mu.Lock()
	l.asked = append(l.asked, a.Info().Agent)
	takes, names, err := l.takes, l.names, l.err
	l.mu.Unlock()
	select {
	case <-ctx.Done():
		l.mu.Lock()
		defer l.mu.Unlock()
		l.ended = append(l.ended, ctx.Err())
		return nil, ctx.Err()
	case <-time.After(takes):
		return names, err
	}
}

// then changes what the next answer is.
func (l *lists) then(takes time.Duration, err error, names ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.takes, l.err, l.names = takes, err, names
}

// seen is which agents were asked about so far, and how contexts ended.
func (l *lists) seen() (asked, ended string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.asked, " "), fmt.Sprint(l.ended)
}

// wantAsked compares the agents that were asked about.
func (p *pump) wantAsked(l *lists, want string) {
	p.t.Helper()
	asked, _ := l.seen()
	p.want("asked", want, asked)
}

// another is an agent of another name.
type another struct{ *fake }

func (another) Info() agentclient.Info {
	return agentclient.Info{Agent: "another", Model: "one", Origin: "https://elsewhere"}
}

// listing makes a program whose server lists models.
func listing(t *testing.T, l *lists) *pump {
	p := open(t, says("x"))
	p.m.deps.Agents, p.m.deps.Models = []string{"fake", "another", "work"}, l.models
	return p
}

func (p *pump) switchTo(a agentclient.Agent) { p.start(p.m.after(p.m.eng.SetAgent(a))) }

// retype empties the composer and types a text.
func (p *pump) retype(text string) {
	p.run(time.Second)
	if !p.m.write.Empty() {
		p.press("ctrl+c")
	}
	p.typ(text)
	p.soon()
}

// /agent is completed from the configured names: enter on an unfinished name completes it,
// on a whole one sends it.
func TestAgentIsCompleted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := listing(t, &lists{})
		p.typ("/agent")
		p.sees("talk to another agent")
		p.typ(" ")
		p.sees("› fake     in use", "another", "work")
		p.seesNot("talk to another agent")
		p.typ("wo")
		p.sees("› work")
		p.seesNot("another")
		p.press("enter")
		p.want("completed", "/agent work ", p.draft())
		p.seesNot("› work")
		p.want("rows", "", p.rows())
		p.run(time.Second)
		p.press("enter")
		p.run(time.Second)
		p.want("sent", "", p.draft())
		p.sees("Now talking to")
		p.retype("/agent another")
		p.sees("› another")
		p.press("enter")
		p.want("a whole name is sent", "", p.draft())
		p.retype("/agent zzz")
		p.press("enter")
		p.want("what fits nothing is sent as it is", "", p.draft())
		p.retype("/agent ")
		p.press("down", "tab")
		p.want("the second", "/agent another ", p.draft())
		p.typ("x")
		p.seesNot("› work")
		p.end()
	})
}

// /model is completed from the server's list, which is fetched meanwhile: every key counts
// at once, and the list is there when it comes.
func TestModelIsCompleted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := &lists{takes: time.Second, names: []string{"small", "one", "org/large-2"}}
		p := listing(t, l)
		p.typ("/model")
		p.soon()
		p.wantAsked(l, "")
		p.typ(" ")
		before := time.Now()
		p.typ("l2")
		p.press("backspace")
		if p.want("every key at once", "/model l", p.draft()); time.Since(before) > 100*time.Millisecond {
			t.Error("a key had to wait")
		}
		p.seesNot("large-2")
		p.run(time.Second)
		p.sees("› org/large-2", "  small")
		p.typ("2")
		p.sees("› org/large-2")
		p.seesNot("small")
		p.press("tab")
		p.want("completed", "/model org/large-2 ", p.draft())
		p.retype("/model ")
		p.sees("one          in use")
		p.press("esc")
		p.seesNot("› small")
		p.typ("so")
		p.seesNot("› small")
		p.press("enter")
		p.run(time.Second)
		p.want("what fits nothing is sent as it is", "", p.draft())
		p.wantAsked(l, "fake")
		p.end()
	})
}

// The list is good for five minutes, whichever of the server's models is used, and is kept
// until a newer one is there.
func TestListOfModelsIsKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := &lists{names: []string{"old"}}
		p := listing(t, l)
		p.typ("/model ")
		told := time.Now()
		p.soon()
		p.sees("› old")
		p.run(modelsFresh - time.Since(told) - 2*time.Second)
		l.then(time.Second, nil, "new")
		p.retype("/model o")
		p.wantAsked(l, "fake")
		p.run(2 * time.Second)
		p.retype("/model ")
		p.wantAsked(l, "fake fake")
		p.sees("› old")
		p.run(time.Second)
		p.sees("› new")
		p.seesNot("old")
		p.end()
	})
}

// A server whose list is empty is said to have one, and a name can be sent all the same.
func TestEmptyListOfModels(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := &lists{}
		p := listing(t, l)
		p.typ("/model ")
		p.soon()
		p.sees("the server lists no models to choose from")
		p.typ("mine")
		p.soon()
		p.seesNot("the server lists no models")
		p.wantAsked(l, "fake")
		p.press("enter")
		p.want("sent", "", p.draft())
		p.end()
	})
}

// A server that names none is said to, once, and left alone for half a minute; one that
// does not answer, after three seconds.
func TestNoListOfModels(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := &lists{err: errors.New("the key was refused")}
		p := listing(t, l)
		p.typ("/model ")
		p.soon()
		p.sees("no list of models: the key was refused")
		p.typ("x")
		p.soon()
		p.seesNot("no list of models")
		p.run(modelsRest - time.Second)
		p.typ("y")
		p.soon()
		p.wantAsked(l, "fake")
		l.then(time.Hour, nil)
		p.run(time.Second)
		p.typ("z")
		p.run(modelsWait - time.Millisecond)
		p.seesNot("no list of models")
		p.run(20 * time.Millisecond)
		p.sees("no list of models: no answer within 3s")
		p.wantAsked(l, "fake fake")
		_, ended := l.seen()
		p.want("ended", "[context deadline exceeded]", ended)
		p.want("composer", "/model xyz", p.draft())
		l.then(0, nil, "xyz-1")
		p.run(modelsRest)
		p.press("backspace")
		p.sees("› xyz-1")
		p.end()
	})
}

// What is said about a missing list does not cover a question.
func TestNoListOverAQuestion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := listing(t, &lists{takes: time.Second, err: errors.New("refused")})
		p.typ("/model ")
		p.press("ctrl+c", "ctrl+c")
		p.sees("once more quits")
		p.run(2 * time.Second)
		p.seesNot("refused")
		p.end()
	})
}

// A list that comes when another agent is in use is nobody's: it is not offered, not said
// to be missing, and asked for again when its agent comes back.
func TestListOfAnotherAgent(t *testing.T) {
	for _, fails := range []error{nil, errors.New("refused")} {
		bubble(t, func(t *testing.T) {
			l := &lists{takes: time.Second, names: []string{"first's"}, err: fails}
			p := listing(t, l)
			first := p.m.eng.Agent()
			p.typ("/model ")
			p.soon()
			p.switchTo(another{p.agent})
			p.run(2 * time.Second)
			p.seesNot("first's", "refused")
			l.then(time.Second, nil, "another's")
			p.typ("s")
			p.run(2 * time.Second)
			p.sees("› another's")
			p.switchTo(first)
			p.soon()
			p.seesNot("another's")
			p.press("backspace")
			p.run(2 * time.Second)
			p.wantAsked(l, "fake another fake")
			p.end()
		})
	}
}

// The list is asked for when a model's name is typed, not by other texts nor by going
// through the history.
func TestListIsAskedForByTyping(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := &lists{names: []string{"one"}}
		p := listing(t, l)
		p.retype(" /model x")
		p.retype("/models x")
		p.retype("tell me of /model x")
		p.retype("//model x")
		p.retype("")
		p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/model two words"), Paste: true})
		p.soon()
		p.retype(strings.Repeat("x", maxCompleted))
		p.wantAsked(l, "")
		p.retype("/model o")
		p.sees("› one")
		p.press("enter", "enter")
		p.run(modelsFresh)
		p.press("up")
		p.want("from the history", "/model one ", p.draft())
		p.soon()
		p.wantAsked(l, "fake")
		p.end()
	})
}

// Names that no command line can hold are left out, and those that would be shown
// otherwise than they are sent (C14).
func TestNamesFromOutside(t *testing.T) {
	long := strings.Repeat("l", maxModelName)
	many := make([]string, maxModelNames+1)
	for i := range many {
		many[i] = fmt.Sprint("m", i)
	}
	for _, c := range []struct{ told, kept []string }{
		{[]string{"a", "", " ", " b", "c ", "d\ne", "f\r", "g h", "i/j:k", "k\x1b[m", "l\u200b"}, []string{"a", "g h", "i/j:k"}},
		{[]string{long[1:], long, long + "l"}, []string{long[1:], long}},
		{many[:maxModelNames-1], many[:maxModelNames-1]},
		{many[:maxModelNames], many[:maxModelNames]},
		{many, many[:maxModelNames]},
	} {
		if got := typable(c.told); !slices.Equal(got, c.kept) {
			t.Errorf("%d names of %d, want %d", len(got), len(c.told), len(c.kept))
		}
	}
	bubble(t, func(t *testing.T) {
		p := listing(t, &lists{names: []string{"bell\a\x1b]0;owned\x07", "\u202eevil", "c1\u009b6n", "plain"}})
		p.m.deps.Agents = []string{"from\x1b[6n the\u202e file"} // who configures is not the terminal's enemy, but may err
		p.typ("/model ")
		p.soon()
		p.sees("› plain")
		p.seesNot("bell", "evil", "c1")
		p.retype("/agent ")
		p.sees("› from")
		for _, c := range []string{"\x1b[6n", "\u202e"} {
			if strings.Contains(p.m.View(), c) {
				t.Errorf("%q reaches the screen", c)
			}
		}
		p.end()
	})
}

// A text is completed up to a length at which a command and the longest name fit.
func TestLongestCompletion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := listing(t, &lists{names: []string{"one"}})
		for n, open := range map[int]bool{maxCompleted - 1: true, maxCompleted: true, maxCompleted + 1: false} {
			name := strings.Repeat("n", n-len("/agent "))
			p.m.deps.Agents = []string{name + "end"}
			p.m.write.popOf = offered{}
			p.m.write.SetValue("/agent " + name)
			if p.m.completing() != open {
				t.Errorf("%d bytes: open is %v", n, !open)
			}
		}
		p.end()
	})
}

// Another theme leaves what is offered as it is.
func TestCompletionInAnotherTheme(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := listing(t, &lists{names: []string{"one"}})
		p.typ("/model ")
		p.soon()
		if err := (&host{m: p.m}).SetTheme("mono"); err != nil {
			t.Fatal(err)
		}
		p.sees("› one")
		p.end()
	})
}
