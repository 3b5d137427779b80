//go:build unix

package tour

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/ui/picture"
	"baton/ui/termtest"
)

// Options say how a script is played.
type Options struct {
	// Swap names keys that are pressed instead of those that stand in the script.
	Swap map[string]string
	// Files are put below the program's home before the script's own.
	Files map[string]string
	// Label is the key that the screen names for an action: {action} in a text that is looked for.
	Label func(action string) string
	// Picture takes what the step picture draws: frame is the screen as it stands when it is called. Without it such a
	// step is a mistake.
	Picture func(name string, frame func() picture.Frame)
}

// player is a script at play.
type player struct {
	t       reporter
	script  *Script
	options Options
	server  *termtest.Provider
	gates   map[string]*termtest.Gate

	home          string
	width, height int
	env           map[string]string
	*termtest.Session

	now       Step // the step at play
	last      string
	lastAt    time.Time
	drawn     int    // full redraws before the last key
	before    string // the screen then
	steadying []replacement
}

// reporter puts before whatever goes wrong where in the script that is.
type reporter struct {
	testing.TB
	where func() string
}

func (r reporter) Fatalf(format string, args ...any) {
	r.Helper()
	r.TB.Fatalf("%s\n%s", r.where(), fmt.Sprintf(format, args...))
}

func (r reporter) Fatal(args ...any) {
	r.Helper()
	r.TB.Fatalf("%s\n%s", r.where(), fmt.Sprint(args...))
}

func (r reporter) Errorf(format string, args ...any) {
	r.Helper()
	r.TB.Errorf("%s\n%s", r.where(), fmt.Sprintf(format, args...))
}

// Play plays a script. Each step that looks waits until what it looks for is there. What is wrong fails the test with
// the step's place in the script and the screen.
func Play(t testing.TB, s *Script, o Options) {
	t.Helper()
	p := &player{script: s, options: o, gates: map[string]*termtest.Gate{}, width: 80, height: 24, env: map[string]string{}, home: t.TempDir()}
	p.t = reporter{t, func() string { return fmt.Sprintf("%s:%d: %s", s.File, p.now.Line, p.now.Text) }}
	p.server = termtest.NewProvider(p.t)
	for i, st := range s.Steps {
		p.now = st
		v, args := verbs[st.Verb], p.args(st)
		switch {
		case p.Session == nil && (v.check != nil || st.Verb == "try" || st.Verb == "press"):
			p.t.Fatalf("the program was not started yet")
		case v.check != nil:
			p.look(v, args)
		case st.Verb == "try":
			p.proves(s.checksBehind(i))
			fallthrough
		default:
			v.do(p, args)
		}
	}
}

// args are a step's words with texts and keys put in.
func (p *player) args(st Step) []string {
	args := slices.Clone(st.Args)
	for i, a := range args {
		if name, ok := strings.CutPrefix(a, "@"); ok && verbs[st.Verb].texts {
			args[i] = p.script.Texts[name]
		}
		if verbs[st.Verb].check != nil || st.Verb == "never" {
			args[i] = p.labels(args[i])
		}
	}
	return args
}

// labels puts the key of an action in the place of {action}.
func (p *player) labels(text string) string {
	if p.options.Label == nil {
		return text
	}
	before, rest, open := strings.Cut(text, "{")
	action, after, closed := strings.Cut(rest, "}")
	if key := p.options.Label(action); open && closed && key != "" {
		return before + key + p.labels(after)
	}
	return text
}

// look waits until what a step looks for is there.
func (p *player) look(v verb, args []string) {
	p.t.Helper()
	if p.now.Verb == "ends" {
		v.check(p, args)
		return
	}
	p.Until("such a screen", func() bool { return v.check(p, args) })
}

// proves fails if all that is looked at behind a key holds before it: then it would prove nothing.
func (p *player) proves(checks []Step) {
	p.t.Helper()
	p.mark()
	for _, st := range checks {
		if st.Verb == "ends" || !verbs[st.Verb].check(p, p.args(st)) {
			return
		}
	}
	p.t.Fatalf("all that is looked at behind the key holds before it\n%s", p.Picture())
}

func (p *player) size(args []string) { p.width, p.height = p.number(args[0]), p.number(args[1]) }

func (p *player) setEnv(args []string) {
	p.env[args[0]] = strings.ReplaceAll(args[1], "$HOME", p.home)
}

// start runs the program against the script's server and waits until it takes keys.
func (p *player) start(args []string) { p.launch("", args) }

// jobs runs the program as a shell with job control does: when it stops, the shell says so, reads a line, and goes on.
const jobs = `set -m
"$0" "$@"
code=$?
while [ $code -gt 128 ]; do
	echo the shell is back
	read line
	fg >/dev/null
	code=$?
done
echo the shell ends
exit $code
`

func (p *player) startInShell(args []string) { p.launch("/bin/sh", args) }

func (p *player) launch(shell string, args []string) {
	p.t.Helper()
	p.put(p.options.Files)
	files, told := map[string]string{}, false
	for name, text := range p.script.Texts {
		if path, ok := strings.CutPrefix(name, "file:"); ok {
			files[path] = strings.ReplaceAll(text, "$SERVER", p.server.URL()) + "\n"
			told = told || files[path] != text+"\n"
		}
	}
	p.put(files)
	o := termtest.Options{Home: p.home, Env: p.env, Width: p.width, Height: p.height, Binary: shell, Args: args}
	if !told {
		o.Args = append([]string{"--base-url", p.server.URL(), "--model", "scripted"}, args...)
	}
	if shell != "" {
		o.Args = append([]string{"-c", jobs, termtest.Build(p.t)}, o.Args...)
	}
	p.Session = termtest.Start(p.t, o)
	p.Until("a program that takes keys", func() bool { return p.state([]string{"Ready"}) || p.state([]string{"Error"}) })
}

// put writes files below the program's home; one that begins as a shell's script can be run.
func (p *player) put(files map[string]string) {
	p.t.Helper()
	for path, text := range files {
		path, mode := filepath.Join(p.home, filepath.FromSlash(path)), os.FileMode(0o600)
		if strings.HasPrefix(text, "#!") {
			mode = 0o700
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			p.t.Fatal(err)
		}
	}
}
