package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"baton/agentclient"
	"baton/model/engine"
	"baton/retrypolicy"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text, name, args string
		kind             Kind
		err              string
	}{
		{"hello", "", "", Text, ""},
		{"", "", "", Text, ""},
		{"/", "", "", Text, ""},
		{"/ help", "", "", Text, ""},
		{" /help", "", "", Text, ""},
		{"//help", "", "", Text, ""},
		{"/etc/passwd is a file", "", "", Text, ""},
		{"/2", "", "", Text, ""},
		{"/help", "help", "", Now, ""},
		{"/help \n", "help", "", Now, ""},
		{"/attach  a b.txt ", "attach", "a b.txt", Now, ""},
		{"/attach\ta.txt", "attach", "a.txt", Now, ""},
		{"/new", "new", "", Turn, ""},
		{"/agent work big", "agent", "work big", Turn, ""},
		{"/nex", "", "", Unknown, "there is no /nex; //nex sends it as text"},
		{"/hlp", "", "", Unknown, "there is no /hlp (did you mean /help?); //hlp sends it as text"},
		{"/zzz and more", "", "", Unknown, "there is no /zzz; //zzz sends it as text"},
		{"/new\nand a second line", "", "", Unknown, "/new is a command and takes one line; //new sends it as text"},
		{"/new hello there", "", "", Unknown, "/new takes nothing behind it; //new sends it as text"},
		{"/paste x.png", "", "", Unknown, "/paste takes nothing behind it; //paste sends it as text"},
		{"/quit smoking?", "", "", Unknown, "/quit takes nothing behind it; //quit sends it as text"},
		{"/agent a\nb", "", "", Unknown, "/agent is a command and takes one line; //agent sends it as text"},
	} {
		got, args, kind, err := Parse(c.text)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got.Name != c.name || args != c.args || kind != c.kind || text != c.err {
			t.Errorf("%q: %q %q %d %q", c.text, got.Name, args, kind, text)
		}
	}
}

// Every command says what it is for, is either at once or waits its turn, and can be
// typed.
func TestCommandsDescribeThemselves(t *testing.T) {
	last := ""
	for _, c := range All() {
		if c.Name <= last {
			t.Errorf("%q behind %q", c.Name, last)
		}
		last = c.Name
		if c.Help == "" || (c.Now == nil) == (c.Turn == nil) || !isName(c.Name) {
			t.Errorf("%+v", c)
		}
		want := Now
		if c.Turn != nil && c.Pick == nil {
			want = Turn
		}
		if _, _, kind, err := Parse("/" + c.Name); kind != want || err != nil {
			t.Errorf("/%s is of kind %d, %v", c.Name, kind, err)
		}
		want = Now
		switch {
		case c.Args == "":
			want = Unknown
		case c.Turn != nil:
			want = Turn
		}
		if _, _, kind, _ := Parse("/" + c.Name + " x"); kind != want {
			t.Errorf("/%s x is of kind %d", c.Name, kind)
		}
	}
	all := All()
	all[0].Name = "changed"
	if All()[0].Name == "changed" {
		t.Error("the list can be changed from outside")
	}
}

// said records what a command asked of the program.
type said struct {
	calls []string
	err   error
}

func (s *said) note(format string, args ...any) {
	s.calls = append(s.calls, fmt.Sprintf(format, args...))
}
func (s *said) Say(text string)         { s.note("say %s", text) }
func (s *said) ShowHelp()               { s.note("help") }
func (s *said) RetryLast()              { s.note("retry") }
func (s *said) RetryInfo() error        { s.note("receipts"); return s.err }
func (s *said) Quit()                   { s.note("quit") }
func (s *said) SetTheme(n string) error { s.note("theme %s", n); return s.err }
func (s *said) CopyAnswer() error       { s.note("copy"); return s.err }
func (s *said) Attach(p string) error   { s.note("attach %s", p); return s.err }
func (s *said) ArmFaults(l string) error {
	s.note("arm %s", l)
	return s.err
}
func (s *said) PasteImage() error  { s.note("paste"); return s.err }
func (s *said) PauseQueue(on bool) { s.note("pause %v", on) }
func (s *said) PlayQueue()         { s.note("play") }
func (s *said) ClearQueue()        { s.note("clear") }
func (s *said) UndoQueue()         { s.note("undo") }
func (s *said) PickSession(words string) error {
	s.note("%s", strings.TrimSpace("pick a session "+words))
	return s.err
}
func (s *said) PickTurn() error       { s.note("pick a turn"); return s.err }
func (s *said) Export(p string) error { s.note("export %s", p); return s.err }
func (s *said) EditRow(n int, text string) error {
	s.note("edit %d %s", n, text)
	return s.err
}
func (s *said) RemoveRow(n int) error   { s.note("remove %d", n); return s.err }
func (s *said) MoveRow(n, to int) error { s.note("move %d to %d", n, to); return s.err }
func (s *said) SendRow(n int) error     { s.note("send %d", n); return s.err }
func (s *said) StopTurn()               { s.note("stop") }
func (s *said) DescribeQueue() string   { return "queue 0/16" }

func TestCommandsAtOnce(t *testing.T) {
	for _, c := range []struct{ text, want, err string }{
		{"/help", "help", ""},
		{"/keys", "help", ""},
		{"/retry", "retry", ""},
		{"/retry info", "receipts", ""},
		{"/retry more", "", `/retry knows now and info, not "more"`},
		{"/retry now", "retry", ""},
		{"/stop", "stop", ""},
		{"/queue edit 2  other text", "edit 2 other text", ""},
		{"/queue edit  2 /agent x", "edit 2 /agent x", ""},
		{"/queue rm 3", "remove 3", ""},
		{"/queue move 3 1", "move 3 to 1", ""},
		{"/queue send 2", "send 2", ""},
		{"/queue edit two x", "", "/queue edit needs the number of a row"},
		{"/queue edit 2", "", "/queue edit 2 needs the new text behind the number"},
		{"/queue move 2", "", "/queue move 2 needs the number of the place it goes to"},
		{"/queue rm 2 3", "", `/queue rm takes one number, not "2 3"`},
		{"/quit", "quit", ""},
		{"/theme mono", "theme mono", ""},
		{"/copy", "copy", ""},
		{"/attach /tmp/a b", "attach /tmp/a b", ""},
		{"/paste", "paste", ""},
		{"/attach", "", "/attach needs the path of a file"},
		{"/fault 500,500", "arm 500,500 · say armed: 500,500", ""},
		{"/fault", "", "/fault needs a list such as 500,500 or 429:7 or cut@20"},
		{"/queue", "say queue 0/16", ""},
		{"/queue pause", "pause true", ""},
		{"/queue resume", "pause false", ""},
		{"/queue play", "play", ""},
		{"/queue clear", "clear", ""},
		{"/queue undo", "undo", ""},
		{"/resume", "pick a session", ""},
		{"/resume ", "pick a session", ""},
		{"/fork", "pick a turn", ""},
		{"/export", "export ", ""},
		{"/export a b.html", "export a b.html", ""},
		{"/queue eat", "", `/queue knows pause, resume, play, clear, undo, edit N TEXT, rm N, move N M and send N, not "eat"`},
	} {
		cmd, args, _, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		h := &said{}
		text := ""
		if err := cmd.Now(h, args); err != nil {
			text = err.Error()
		}
		if got := strings.Join(h.calls, " · "); got != c.want || text != c.err {
			t.Errorf("%s: %q, error %q", c.text, got, text)
		}
	}
	refuse := &said{err: errors.New("no")}
	for _, text := range []string{"/theme x", "/copy", "/attach x", "/fault 500", "/resume", "/fork", "/export", "/queue edit 1 x", "/queue rm 1", "/queue move 1 2", "/queue send 1"} {
		cmd, args, _, _ := Parse(text)
		if err := cmd.Now(refuse, args); err == nil {
			t.Errorf("%s hides that it failed", text)
		}
	}
	if strings.Contains(strings.Join(refuse.calls, " "), "say") {
		t.Error("/fault says that it armed what it could not")
	}
}

type named struct{ name, model string }

func (n named) Info() agentclient.Info {
	return agentclient.Info{Agent: n.name, Model: n.model, Origin: "https://there"}
}
func (named) Send(context.Context, agentclient.Request, agentclient.Sink) (agentclient.Finish, error) {
	return agentclient.Finish{}, errors.New("not asked in this test")
}

func newEngine(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Options{Agent: named{"first", "m"}, Policy: retrypolicy.DefaultPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// /agent and /model open an agent anywhere and hand it over on the engine's goroutine.
func TestSwitching(t *testing.T) {
	w := World{
		Agents: []string{"first", "work"}, Current: agentclient.Info{Agent: "first"},
		Open: func(_ context.Context, agent, model string) (agentclient.Agent, error) {
			if agent == "bad" {
				return nil, errors.New(`there is no agent "bad"`)
			}
			return named{agent, model}, nil
		},
	}
	for _, c := range []struct{ text, agent, err string }{
		{"/agent work", "work", ""},
		{"/agent work  big", "work · big", ""},
		{"/agent", "", "/agent needs the name of an agent: there are first, work"},
		{"/agent bad", "", `there is no agent "bad"`},
		{"/model big", "first · big", ""},
		{"/model", "", "/model needs the name of a model behind it"},
		{"/help", "", `"/help" is not a command that can wait in the queue`},
		{"text", "", `"text" is not a command that can wait in the queue`},
		{"/nosuchthing", "", "there is no /nosuchthing; //nosuchthing sends it as text"},
	} {
		finish, err := Run(t.Context(), w, c.text)
		if err != nil || c.err != "" {
			if err == nil || err.Error() != c.err || finish != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		e := newEngine(t)
		finish(e)
		i := e.Agent().Info()
		items := e.State().Items
		if got := engine.Name(i); got != c.agent || items.Len() != 1 || items.At(0).Note != "Now talking to "+c.agent+" · https://there" {
			t.Errorf("%s: %q, %+v", c.text, got, items)
		}
	}
}

// What can never succeed is known before it is run, and nothing else is.
func TestCheck(t *testing.T) {
	w := World{Agents: []string{"first", "work"}, Current: agentclient.Info{Agent: "first", Model: "m"}, Turns: 3, Known: func(agent, model string) error {
		if agent == "bad" || model == "bad" || agent == "first" && model == "of work" {
			return errors.New("no")
		}
		return nil
	}}
	alone := w
	alone.Agents = w.Agents[:1]
	for _, c := range []struct {
		w          World
		text, want string
	}{
		{w, "/agent", "/agent needs the name of an agent: there are first, work"},
		{alone, "/agent ", "/agent needs the name of an agent: there is none but first; baton config init makes a file to add others"},
		{w, "/agent bad", "no"},
		{w, "/agent work bad", "no"},
		{w, "/agent work  good", ""},
		{World{}, "/agent whoever", ""},
		{w, "/model", "/model needs the name of a model behind it; m is in use"},
		{World{}, "/model", "/model needs the name of a model behind it"},
		{w, "/model bad", "no"},
		{w, "/model of work", ""}, // an /agent may come before it
		{alone, "/model of work", "no"},
		{World{}, "/model whichever", ""},
		{w, "/fork 3", ""},
		{w, "/fork 4", "there is no turn 4 in this session; /fork lists them"},
		{w, "/fork 0", `/fork takes the number of a turn, not "0"; /fork alone lists them`},
		{w, "/fork it", `/fork takes the number of a turn, not "it"; /fork alone lists them`},
		{w, "/fork", ""},
		{w, "/resume whatever", ""},
		{w, "/new", ""},
		{w, "/compact", ""},
		{w, "/nosuchthing", ""},
		{w, "//agent", ""},
		{w, "text", ""},
	} {
		got := ""
		if err := Check(c.w, c.text); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNewOpensASession(t *testing.T) {
	finish, err := Run(t.Context(), World{}, "/new")
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t)
	before := e.Session()
	if finish(e); e.Session() == before {
		t.Error("the same session")
	}
}

// A /resume that waited takes words as one that is typed does.
func TestResumeTakesWords(t *testing.T) {
	w := World{Meant: func(_ context.Context, words string) (string, error) {
		if words != "two words" {
			return "", errors.New("none has " + words)
		}
		return "", nil
	}}
	if finish, err := Run(t.Context(), w, "/resume  two words "); finish == nil || err != nil {
		t.Error(err)
	}
	if _, err := Run(t.Context(), w, "/resume x"); err == nil || err.Error() != "none has x" {
		t.Error(err)
	}
}
