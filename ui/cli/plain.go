package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"baton/model"
	"baton/model/catalog"
	"baton/model/config"
	"baton/model/engine"
	"baton/ui/plain"
	"baton/ui/sanitize"
)

// plain talks in lines around an open engine until the person leaves. typed are entered
// at the start.
func (a *app) plain(s *setup, e *engine.Engine, typed []string) error {
	watch := watchSignals()
	defer watch.stop()
	out := a.reach(s, e)
	defer out.close()
	unreachable := out.open()
	a.code = plain.Run(plain.Options{
		Engine: e, In: a.Stdin, Out: a.Stdout, Now: time.Now, Intro: a.intro(s, e, unreachable), Type: typed,
		Interrupts: watch.interrupts, End: watch.end, Redact: s.agents.redact, Faults: s.agents.arm,
		Attach: model.Attachable, Sessions: s.sessions(), Later: later(s, e),
		Export: func(id, path string) (string, error) { return a.exportTyped(s.sessions(), id, path) },
		Calls:  out.calls(), Desk: out.desk,
	})
	out.close()
	saved := e.Saved()
	if err := e.Close(); err != nil {
		fmt.Fprintln(a.Stderr, "baton: the session could not be saved whole:", s.agents.redact(err.Error()))
	} else if saved {
		fmt.Fprintln(a.Stdout, "Session "+e.Session()+" is kept; baton --plain --continue takes it up.")
	}
	return nil
}

// intro says who is talked to.
func (a *app) intro(s *setup, e *engine.Engine, unreachable string) []string {
	i := e.Agent().Info()
	who := "baton, plain. Talking to agent " + i.Agent
	if i.Model != "" {
		who += ", model " + i.Model
	}
	if i.Origin != "" {
		who += ", " + i.Origin
	}
	ls := []string{who + ".", "A line and enter sends a prompt; /help says what else there is."}
	if s.agents.said != "" {
		ls = append(ls, s.agents.said+".")
	}
	for _, l := range []string{s.notice, unreachable} {
		if l != "" {
			ls = append(ls, sanitize.Line(l)+".")
		}
	}
	if offers := config.Offers(a.Env); s.conf.Agent.Protocol == config.SandboxAgent && len(offers) > 0 {
		ls = append(ls, offers[0].Offer()+".")
	}
	return ls
}

// exportTyped writes a session to a file that does not exist yet, as what its name ends in
// says, and names the file.
func (a *app) exportTyped(dir, id, path string) (string, error) {
	path = strings.Trim(path, `"'`)
	if path == "" {
		path = "baton-" + id + ".md"
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok && a.Home != "" {
		path = filepath.Join(a.Home, rest)
	}
	ext := strings.TrimPrefix(filepath.Ext(path), ".")
	format, err := exportFormat(ext, path)
	if err != nil || ext == "" {
		return "", fmt.Errorf("a session is written as .md, .html or .jsonl, not as %s", filepath.Base(path))
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	return path, writeAside(path, false, func(w io.Writer) error { return exported(w, dir, id, catalog.Format(format)) })
}

// signals hands signals to a program that may be held up by a terminal that takes nothing.
type signals struct {
	interrupts chan time.Time
	end        chan int
	got        chan os.Signal
}

// endWithin is how long a program that was asked to end may take before it is ended.
const endWithin = 3 * time.Second

func watchSignals() *signals {
	w := &signals{interrupts: make(chan time.Time, 2), end: make(chan int, 1), got: make(chan os.Signal, 4)}
	signal.Notify(w.got, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go w.watch()
	return w
}

func (w *signals) stop() {
	signal.Stop(w.got)
	close(w.got)
}

// watch passes signals on. One that nobody takes ends the program here: what was said to
// be kept is on disk, however it ends.
func (w *signals) watch() {
	for s := range w.got {
		if s == syscall.SIGINT {
			select {
			case w.interrupts <- time.Now():
			default:
				os.Exit(plain.CodeInterrupted)
			}
			continue
		}
		code := 128 + int(s.(syscall.Signal))
		select {
		case w.end <- code:
			time.AfterFunc(endWithin, func() { os.Exit(code) })
		default:
			os.Exit(code)
		}
	}
}
