package cli

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"baton/agentclient/wire"
	"baton/model/config"
	"baton/model/logbook"
	"baton/ui/term"
)

// openLog gets the log ready; nothing is written before something happens.
func (a *app) openLog(conf config.Config) {
	level := slog.LevelInfo
	if conf.Debug {
		level = slog.LevelDebug
	}
	dir := ""
	if conf.StateDir != "" {
		dir = filepath.Join(conf.StateDir, "log")
	}
	a.log = logbook.Open(dir, level)
	a.log.Clean(a.redact)
}

// logAgents lets the log know what is secret before the first agent is opened, and says
// that a chat or a run begins.
func (a *app) logAgents(s *setup) {
	a.secrets = s.agents.redact
	a.log.Clean(s.agents.redact)
	s.agents.log = a.log.Logger()
	a.begun = true
	s.agents.log.Info("begins", "version", a.Version, "go", runtime.Version(), "system", runtime.GOOS+"/"+runtime.GOARCH, "debug", s.conf.Debug, "project", s.conf.Project)
}

// endLog writes what is pending.
func (a *app) endLog(code int) {
	if a.begun {
		a.log.Logger().Info("ends", "code", code)
	}
	a.log.Close()
}

// redact takes secrets out of a text: those in use, and what looks like one.
func (a *app) redact(s string) string {
	if a.secrets != nil {
		return a.secrets(s)
	}
	return wire.NewRedactor().Redact(s)
}

// crashed reports a panic outside of the screen, which sees to its own: a private file
// with the stack, and one line that names it.
func (a *app) crashed(v any, stack []byte) int {
	line := term.Report(a.crashOptions(), v, stack)
	a.log.Logger().Error("crashed", "line", line)
	fmt.Fprintln(a.Stderr, "baton: "+line)
	return ExitFailed
}

// crashOptions say where a stack goes and what it must not hold.
func (a *app) crashOptions() term.Options {
	return term.Options{CrashFile: a.crashFile, Redact: a.redact, About: a.build().String()}
}

// crashFile names the file that takes the stack of a panic, beside the folder of sessions.
func (a *app) crashFile() string {
	if a.state == "" || os.MkdirAll(a.state, 0o700) != nil {
		return ""
	}
	return filepath.Join(a.state, "crash-"+time.Now().UTC().Format("20060102-150405")+".txt")
}
