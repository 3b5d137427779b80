package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	xterm "golang.org/x/term"

	"baton/agentclient"
	"baton/model"
	"baton/model/config"
	"baton/model/engine"
	"baton/ui/keymap"
	"baton/ui/term"
	"baton/ui/theme"
)

// chat opens the screen. With a.cont it takes up a session.
func (a *app) chat(ctx context.Context, id string) error {
	s, err := a.load()
	if err != nil {
		return err
	}
	id, former, err := a.takeUp(s, id)
	if err != nil {
		return err
	}
	agent, said, err := a.meet(ctx, s, former)
	if err != nil {
		return err
	}
	defer s.agents.close()
	e, err := a.openSession(s.engineOptions(a.Version, agent), id, true)
	if err != nil {
		return err
	}
	if said != "" {
		e.Note(said)
	}
	if d := e.Damage(); d != "" {
		e.Note(d)
	}
	if s.conf.UI.Plain {
		return a.plain(s, e, nil)
	}
	return a.screen(s, e, func(m *model.Model) term.Model { return m })
}

// meet opens the agent for a session on the screen: the one that a session to be taken
// up talked to, or the one that was chosen. said tells what the person may not expect.
// The agents are to be closed.
func (a *app) meet(ctx context.Context, s *setup, former string) (agent agentclient.Agent, said string, err error) {
	if !s.conf.UI.Plain && (!isTerminal(a.Stdin) || !isTerminal(a.Stdout)) {
		return nil, "", errNoTerminal
	}
	s.agents = newAgents(s.conf, tables(s.keys))
	a.logAgents(s)
	agent, said, err = s.agents.returnTo(ctx, former, s.agentNamed(a.flags))
	if err != nil {
		s.agents.close()
		return nil, "", configured(err)
	}
	return agent, said, nil
}

var errNoTerminal = usage("without one, use baton run or baton --plain", "the chat needs a terminal")

// screen runs the program around an open engine until the person leaves it.
func (a *app) screen(s *setup, e *engine.Engine, around func(*model.Model) term.Model) error {
	out := a.reach(s, e)
	defer out.close()
	m := model.New(model.Deps{
		Engine: e, Keys: s.keys, Theme: s.theme, Welcome: welcome(s, config.Offers(a.Env)), Offer: firstWord(s),
		Restyle: func(name string) (theme.Theme, error) { return a.themed(name, s.conf) },
		Faults:  s.agents.arm, Agents: s.agents.names(), Models: s.agents.models, Window: s.agents.window, Editor: a.editor, Now: time.Now,
		Clipboard: func(ctx context.Context) ([]byte, error) { return model.ClipboardImage(ctx, a.Env) },
		State:     s.private(), Dir: workingDir(),
		Notify: a.notify(s.conf.UI.Notify), Calm: s.conf.UI.Motion == "reduced",
		Sessions: s.sessions(), Later: later(s, e), Free: new(memory).free, Open: out.open, Calls: out.calls(), Desk: out.desk,
	})
	o := a.crashOptions()
	o.Title, o.Glyphs = m.Window().Title, a.glyphs(s.conf)
	_, code, err := term.Run(around(m), o)
	out.close()
	unsent := false
	if err == nil { // behind a panic nobody knows what the composer holds: what was kept stays
		unsent = a.leave(m)
	}
	saved := e.Saved()
	if cerr := e.Close(); cerr != nil {
		fmt.Fprintln(a.Stderr, "baton: the session could not be saved whole:", cerr)
	} else if saved {
		fmt.Fprintln(a.Stdout, "session "+e.Session()+" · baton --continue takes it up"+andDraft(unsent))
	} else if unsent {
		fmt.Fprintln(a.Stdout, "what you had not sent is kept · baton brings it back")
	}
	a.code = code
	switch {
	case errors.Is(err, term.ErrReported):
		a.log.Logger().Error("crashed")
		return nil
	case err == nil:
		return nil
	case errors.Is(err, term.ErrNotTerminal):
		return errNoTerminal
	}
	return failure("", "%w", err)
}

// notify is how the person is told while they look elsewhere.
func (a *app) notify(name string) func(string) tea.Cmd {
	way := term.WayOf(name, a.Env)
	return func(text string) tea.Cmd { return term.Notify(way, text) }
}

// later lets old sessions go, if they are to.
func later(s *setup, e *engine.Engine) func() string {
	if s.conf.Sessions.Keep == 0 {
		return nil
	}
	spare := e.Session()
	return func() string { return s.retain(spare, time.Now()) }
}

// configured gives errors about an agent's settings the exit code of a configuration.
func configured(err error) error {
	var ex *exitError
	var conf *config.Error
	if errors.As(err, &ex) || errors.As(err, &conf) {
		return err
	}
	return &exitError{ExitConfig, err, "baton --agent sandbox works without configuration"}
}

func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// editor is the person's editor, arguments allowed.
func (a *app) editor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if argv := strings.Fields(a.Env(name)); len(argv) > 0 {
			return argv
		}
	}
	return nil
}

// firstWord is what the person is told when the screen opens.
func firstWord(s *setup) string {
	if len(s.clash) > 0 {
		return clashed(s.keys, s.clash[0]) + " · " + clashStep
	}
	return cmp.Or(s.notice, s.agents.said)
}

// clashStep is what to do about keys that two actions want.
const clashStep = "change one of them in [keys]"

// clashed says of a key that two actions want which one has it, and whether the other is left without any.
func clashed(keys keymap.Map, c keymap.Conflict) string {
	word := "keys: " + c.String()
	if len(keys.Keys(c.Loser)) == 0 {
		word += ", which has no key now"
	}
	return word
}

// leave has what is unsent written down, and reports whether there is something.
func (a *app) leave(m *model.Model) bool {
	unsent, err := m.Leave()
	if err != nil {
		fmt.Fprintln(a.Stderr, "baton:", err)
	}
	return unsent && err == nil
}

// andDraft is what to say of a text that was not sent.
func andDraft(unsent bool) string {
	if !unsent {
		return ""
	}
	return ", with what you had not sent"
}

// private is the directory of what is kept beside the sessions, "" where the session
// itself is not kept.
func (s *setup) private() string {
	if s.passing {
		return ""
	}
	return s.conf.StateDir
}

// workingDir is "" if there is none any more.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
