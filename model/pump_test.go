package model

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"baton/agentclient"
	"baton/model/command"
	"baton/model/engine"
	"baton/model/session"
	"baton/retrypolicy"
	"baton/ui/keymap"
	"baton/ui/theme"
)

// step is what a fake agent does with one request.
type step func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error)

// fake is an agent that follows a script; the last step repeats.
type fake struct {
	protocol string // "" is openai-chat
	mu       sync.Mutex
	script   []step
	sent     []agentclient.Request
	takes    func(a agentclient.Attachment) error // nil takes all
}

func (f *fake) Takes(a agentclient.Attachment) error {
	if f.takes == nil {
		return nil
	}
	return f.takes(a)
}

func (f *fake) Info() agentclient.Info {
	return agentclient.Info{Agent: "fake", Protocol: cmp.Or(f.protocol, "openai-chat"), Model: "one", Origin: "https://there"}
}

func (f *fake) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	f.mu.Lock()
	f.sent = append(f.sent, r)
	do := f.script[min(len(f.sent), len(f.script))-1]
	f.mu.Unlock()
	return do(ctx, sink)
}

func (f *fake) requests() []agentclient.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.sent)
}

// prompts are the last messages of the requests so far.
func (f *fake) prompts() string {
	var all []string
	for _, r := range f.requests() {
		all = append(all, r.Messages[len(r.Messages)-1].Text)
	}
	return strings.Join(all, "|")
}

func says(text string) step {
	return func(_ context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		sink(agentclient.Piece{Text: text})
		return agentclient.Finish{}, nil
	}
}

func thinks(text string, then step) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		sink(agentclient.Piece{Reasoning: text})
		return then(ctx, sink)
	}
}

func uses(tool string, then step) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		sink(agentclient.Piece{Tool: &agentclient.ToolPart{ID: tool, Name: tool, Title: "a file", Status: "done"}})
		return then(ctx, sink)
	}
}

// and says something before it goes on.
func and(text string, then step) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		sink(agentclient.Piece{Text: text})
		return then(ctx, sink)
	}
}

func after(d time.Duration, then step) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		select {
		case <-ctx.Done():
			return agentclient.Finish{}, ctx.Err()
		case <-time.After(d):
			return then(ctx, sink)
		}
	}
}

func fails(f retrypolicy.Failure) step {
	return func(context.Context, agentclient.Sink) (agentclient.Finish, error) { return agentclient.Finish{}, &f }
}

func answers(code int) step { return fails(retrypolicy.Failure{Status: code}) }

// asks fails with the wish to come back after seven seconds.
func asks(context.Context, agentclient.Sink) (agentclient.Finish, error) {
	wait := 7 * time.Second
	return agentclient.Finish{}, &retrypolicy.Failure{Status: 503, Hint: retrypolicy.Hint{Wait: wait, Until: time.Now().Add(wait), Source: "Retry-After"}}
}

// limited fails with a wish that is too long to be waited for, a moment after it began.
func limited(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
	wait := 2 * time.Hour
	return after(time.Second, fails(retrypolicy.Failure{Status: 429, Hint: retrypolicy.Hint{Wait: wait, Until: time.Now().Add(wait), Source: "Retry-After"}}))(ctx, sink)
}

func hangs(ctx context.Context, _ agentclient.Sink) (agentclient.Finish, error) {
	<-ctx.Done()
	return agentclient.Finish{}, ctx.Err()
}

func deaf(context.Context, agentclient.Sink) (agentclient.Finish, error) {
	time.Sleep(time.Minute)
	return agentclient.Finish{}, errors.New("late")
}

// pump is the loop around a Model: it runs commands and feeds what they return, as Bubble
// Tea does, in virtual time.
type pump struct {
	t     testing.TB
	m     *Model
	agent *fake
	msgs  chan tea.Msg
	done  chan struct{}
	other []tea.Msg // messages for the terminal
	last  string    // the key pressed last
	quit  bool
}

func engineOptions(dir string, a agentclient.Agent) engine.Options {
	return engine.Options{
		Dir: dir, Agent: a, Policy: retrypolicy.DefaultPolicy(), Now: time.Now, Random: bytes.NewReader(bytes.Repeat([]byte("names"), 99)),
		Check: func(text string, here engine.Here) error {
			return command.Check(command.World{Agents: []string{"fake"}, Turns: here.Turns}, text)
		},
		Command: func(ctx context.Context, text string, here engine.Here) (engine.Finish, error) {
			select { // so that a command can be seen running
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(100 * time.Millisecond):
			}
			return command.Run(ctx, command.World{Current: here.Agent, Turns: here.Turns, Agents: []string{"fake"}, Open: func(_ context.Context, name, model string) (agentclient.Agent, error) {
				if name == "nope" || model == "nope" {
					return nil, fmt.Errorf("there is no agent %s %s", name, model)
				}
				return a, nil
			}, Fork: func(ctx context.Context, turn int) (string, error) {
				return engine.Fork(ctx, engine.Options{Dir: dir, Now: time.Now}, here.Session, turn)
			}}, text)
		},
	}
}

func themed(t testing.TB) theme.Theme {
	t.Helper()
	th, err := theme.Named(theme.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// around makes a program around an engine, in a window of 80 by 24.
func around(t testing.TB, e *engine.Engine, a *fake, with ...func(*Deps)) *pump {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir()) // nothing is left behind there
	p := &pump{t: t, agent: a, msgs: make(chan tea.Msg), done: make(chan struct{})}
	d := Deps{
		Engine: e, Keys: keymap.Default(), Theme: themed(t), Now: time.Now, Editor: func() []string { return []string{"editor"} },
		Restyle: func(name string) (theme.Theme, error) { return theme.Named(name, true) },
		Welcome: "# baton\n\nSay **hello**.",
	}
	for _, change := range with {
		change(&d)
	}
	p.m = New(d)
	p.start(p.m.Init())
	p.size(80, 24)
	t.Cleanup(func() {
		if t.Failed() {
			_, _ = p.m.Leave()
			p.end()
		}
	})
	return p
}

func open(t testing.TB, script ...step) *pump {
	t.Helper()
	a := &fake{script: script}
	e, err := engine.New(engineOptions(t.TempDir(), a))
	if err != nil {
		t.Fatal(err)
	}
	return around(t, e, a)
}

func (p *pump) size(w, h int) { p.send(tea.WindowSizeMsg{Width: w, Height: h}) }

// send is one turn of the loop.
func (p *pump) send(msg tea.Msg) {
	_, cmd := p.m.Update(msg)
	p.start(cmd)
	p.m.View()
}

func (p *pump) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		select {
		case p.msgs <- msg:
		case <-p.done:
		}
	}()
}

// run lets time pass.
func (p *pump) run(d time.Duration) {
	end := time.After(d)
	for {
		select {
		case msg := <-p.msgs:
			switch msg := msg.(type) {
			case nil:
			case tea.BatchMsg:
				for _, cmd := range msg {
					p.start(cmd)
				}
			case tea.QuitMsg:
				p.quit = true
			default:
				p.other = append(p.other, msg)
				p.send(msg)
			}
		case <-end:
			return
		}
	}
}

// soon lets everything happen that takes no time to speak of.
func (p *pump) soon() { p.run(20 * time.Millisecond) }

// end quits and lets what is left come to its end.
func (p *pump) end() {
	select {
	case <-p.done:
		return
	default:
	}
	p.start(p.m.after(p.m.eng.Step(session.Quit{})))
	p.run(3 * time.Second)
	_ = p.m.eng.Close()
	p.run(time.Second)
	close(p.done)
	time.Sleep(2 * time.Minute) // timers run out
}

// keyTypes are the keys by the names Bubble Tea gives them.
var keyTypes = func() map[string]tea.KeyType {
	m := map[string]tea.KeyType{}
	for k := tea.KeyType(-200); k <= 127; k++ {
		if s := k.String(); s != "" && k != tea.KeyRunes {
			m[s] = k
		}
	}
	return m
}()

func keyOf(name string) tea.KeyMsg {
	plain, alt := name, false
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		plain, alt = rest, true
	}
	if k, ok := keyTypes[plain]; ok && plain != " " {
		return tea.KeyMsg{Type: k, Alt: alt}
	}
	if plain == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" "), Alt: alt}
	}
	if len([]rune(plain)) != 1 {
		panic("no key " + name)
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(plain), Alt: alt}
}

// keys presses keys one after another, without time between them.
func (p *pump) keys(names ...string) {
	for _, n := range names {
		p.send(keyOf(n))
	}
}

// typ types text.
func (p *pump) typ(text string) {
	for _, r := range text {
		p.send(keyOf(string(r)))
	}
}

// say types a prompt and sends it, half a second after whatever was before.
func (p *pump) say(text string) {
	p.run(500 * time.Millisecond)
	p.typ(text)
	p.keys("enter")
	p.soon()
}

// press presses keys and lets happen what they lead to. A key that is pressed twice is
// let go in between.
func (p *pump) press(names ...string) {
	for _, n := range names {
		if n == p.last {
			p.run(repeatGuard)
		}
		p.keys(n)
		p.last = n
	}
	p.soon()
	if p.m.pace.yes != nil {
		p.run(repeatGuard)
	}
}

func (p *pump) lines() []string {
	ls := strings.Split(p.m.View(), "\n")
	for i, l := range ls {
		ls[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return ls
}

func (p *pump) screen() string { return strings.Join(p.lines(), "\n") }

// sees fails unless the screen holds all of these.
func (p *pump) sees(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if !strings.Contains(p.screen(), text) {
			p.t.Fatalf("no %q on the screen:\n%s", text, p.screen())
		}
	}
}

func (p *pump) seesNot(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if strings.Contains(p.screen(), text) {
			p.t.Fatalf("%q is on the screen:\n%s", text, p.screen())
		}
	}
}

func (p *pump) state() session.State { return p.m.eng.State() }

func (p *pump) rows() string {
	var all []string
	for _, r := range p.state().Queue.Rows() {
		all = append(all, r.Text)
	}
	return strings.Join(all, ",")
}

func (p *pump) life() string {
	return strings.TrimPrefix(fmt.Sprintf("%T", p.state().Life), "session.Life")
}

func (p *pump) draft() string { return p.m.write.Value() }

func (p *pump) focus() string {
	return [...]string{"composer", "queue", "transcript"}[p.m.screen.focus]
}

// want compares, naming what.
func (p *pump) want(what, want, got string) {
	p.t.Helper()
	if want != got {
		p.t.Fatalf("%s: want %q, got %q\n%s", what, want, got, p.screen())
	}
}

// bubble runs f where time is virtual and every goroutine must end.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

func writeFile(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func copyDir(t testing.TB, to, from string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}
