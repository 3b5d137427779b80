package cli

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/muesli/termenv"

	"baton/agentclient"
	"baton/agentclient/all"
	"baton/model/catalog"
	"baton/model/command"
	"baton/model/config"
	"baton/model/engine"
	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
	"baton/retrypolicy"
	"baton/ui/keymap"
	"baton/ui/theme"
)

// setup is everything a run of the screen or a headless run needs.
type setup struct {
	conf   config.Config
	keys   keymap.Map
	clash  []keymap.Conflict
	theme  theme.Theme
	agents *agents
	notice string // of a project's file that was not read, "" for none
	// passing says that nothing of this run is kept.
	passing bool
}

// known tells the configuration which names exist.
func known() config.Known {
	keys := keymap.Default()
	k := config.Known{Themes: theme.Names(), Bound: func(action string, given []string) []error {
		return keys.Wrong(keymap.Action(action), given)
	}}
	for _, p := range all.Protocols() {
		address := config.ByURL
		if p == config.SandboxAgent {
			address = config.InProcess
		}
		k.Protocols = append(k.Protocols, config.Protocol{Name: p, Address: address})
	}
	for _, r := range keys.Table() {
		k.Actions = append(k.Actions, string(r.Action))
	}
	return k
}

// load reads the configuration and what follows from it.
func (a *app) load() (*setup, error) {
	if err := a.readFaults(); err != nil {
		return nil, err
	}
	conf, notice, err := a.configuration()
	if err != nil {
		return nil, err
	}
	if conf.Fault != "" && conf.Agent.Protocol != config.SandboxAgent {
		return nil, usage("leave faults out, or use --agent sandbox", "faults can be armed on the sandbox only, not on %q", conf.Agent.Name)
	}
	s := &setup{conf: conf, notice: notice}
	a.state = conf.StateDir
	a.openLog(conf)
	table, err := keysOf(conf)
	if err != nil {
		return nil, err
	}
	s.keys, s.clash = table.keys, table.clash
	if s.theme, err = a.themed(conf.UI.Theme, conf); err != nil {
		return nil, &exitError{ExitConfig, err, ""}
	}
	return s, nil
}

// bound is the keys in force, and which of them mean two things.
type bound struct {
	keys  keymap.Map
	clash []keymap.Conflict
}

// keysOf puts the keys of the configuration, which were looked at when it was read, in force.
func keysOf(conf config.Config) (b bound, err error) {
	if b.keys, b.clash, err = keymap.Default().Override(conf.Keys); err != nil {
		return bound{}, &exitError{ExitConfig, err, "baton config keys lists actions and keys"}
	}
	return b, nil
}

func (a *app) themed(name string, conf config.Config) (theme.Theme, error) {
	if name == "" {
		name = theme.Default
	}
	return theme.For(name, a.dark(conf), a.profile())
}

// glyphs is what redraws a picture for a terminal that shows ASCII alone, nil for others.
func (a *app) glyphs(conf config.Config) func(string) string {
	if conf.UI.ASCII == "on" || conf.UI.ASCII != "off" && theme.NeedsASCII(a.Env) {
		return theme.ASCII
	}
	return nil
}

func (a *app) profile() termenv.Profile { return theme.Profile(a.Env) }

func (a *app) dark(conf config.Config) bool {
	switch conf.UI.Background {
	case "dark":
		return true
	case "light":
		return false
	}
	return theme.Dark(a.Env)
}

// sessions is the directory of session logs, "" when there can be none.
func (s *setup) sessions() string {
	if s.conf.StateDir == "" {
		return ""
	}
	return filepath.Join(s.conf.StateDir, "sessions")
}

// logger is the log of this run; before there are agents nothing is logged.
func (s *setup) logger() *slog.Logger {
	if s.agents == nil {
		return nil
	}
	return s.agents.log
}

// engineOptions are the choices of the configuration as the engine takes them.
func (s *setup) engineOptions(version string, agent agentclient.Agent) engine.Options {
	p := retrypolicy.DefaultPolicy()
	p.Attempts, p.Base, p.Cap, p.MaxWait = s.conf.Retry.Attempts, s.conf.Retry.Base, s.conf.Retry.Cap, s.conf.Retry.MaxWait
	// The longer waits of limited and overloaded servers keep their proportion.
	p.LimitedBase = time.Duration(float64(retrypolicy.DefaultLimitedBase) * float64(p.Base) / float64(retrypolicy.DefaultBase))
	p.LimitedCap = time.Duration(float64(retrypolicy.DefaultLimitedCap) * float64(p.Cap) / float64(retrypolicy.DefaultCap))
	o := engine.Options{
		Dir: s.sessions(), App: version, Agent: agent, Policy: p, Limit: s.conf.Timeouts.Turn,
		Settings: session.Settings{Rows: queue.MaxRows, Drain: s.conf.Queue.AfterStop == config.Drain}, Log: s.logger(),
	}
	o.Check = func(text string, here engine.Here) error {
		return command.Check(s.agents.world(here), text)
	}
	o.Command = func(ctx context.Context, text string, here engine.Here) (engine.Finish, error) {
		w := s.agents.world(here)
		w.Fork = func(ctx context.Context, turn int) (string, error) { return engine.Fork(ctx, o, here.Session, turn) }
		w.Meant = func(ctx context.Context, words string) (string, error) {
			return catalog.Only(ctx, o.Dir, words, here.Session)
		}
		return command.Run(ctx, w, text)
	}
	return o
}

// openSession opens the engine: a new session, or the one to be taken up. With watch, one
// that another process has, or that may not be written, is shown as it is.
func (a *app) openSession(o engine.Options, id string, watch bool) (*engine.Engine, error) {
	if !a.cont {
		return engine.New(o)
	}
	e, err := engine.Resume(o, id)
	switch {
	case err == nil:
		return e, nil
	case errors.Is(err, journal.ErrBadID):
		return nil, usage("baton resume takes up the last session", "%q is not the name of a session", id)
	case errors.Is(err, fs.ErrNotExist):
		return nil, failure("baton resume takes up the last session", "there is no session %q", id)
	case watch && engine.Shown(err):
		if e, ferr := engine.Follow(o, id, err); ferr == nil {
			return e, nil
		}
	case errors.Is(err, journal.ErrLocked):
		return nil, failure("leave it there, or baton starts a new session", "%w", err)
	}
	return nil, failure("baton starts a new session", "%w", err)
}
