package cli

import (
	"context"
	"os"
	"runtime"
	"strings"

	"github.com/muesli/termenv"
	xterm "golang.org/x/term"

	"baton/ui/theme"
)

// Windows smaller than this cannot be worked in.
const (
	leastColumns = 20
	leastLines   = 6
)

// terminal looks at the environment and at what the kernel knows. The terminal itself is
// asked nothing: an answer may never come, or come as keys.
func (d *doctor) terminal(context.Context) {
	d.device()
	d.kind()
	d.letters()
	d.multiplexer()
	if d.Env("SSH_CONNECTION") != "" || d.Env("SSH_TTY") != "" {
		d.say(fine, "copying goes through your own terminal (OSC 52), if it allows that; notifications and ctrl+g's editor are those of this machine",
			"this is a connection over ssh")
	}
}

func (d *doctor) device() {
	in, out := isTerminal(d.Stdin), isTerminal(d.Stdout)
	if !in || !out {
		d.say(fine, "the chat needs both; baton run and baton --plain do not", "standard input is %s, standard output is %s", device(in), device(out))
	}
	f, ok := d.Stdout.(*os.File)
	if !out || !ok {
		return
	}
	w, h, err := xterm.GetSize(int(f.Fd()))
	switch {
	case err != nil || w == 0 || h == 0:
		d.warn("stty rows 24 cols 80", "the terminal does not know its size; 80 by 24 is taken")
	case w < leastColumns || h < leastLines:
		d.warn("make the window larger", "the window has %d columns and %d lines, which is too small to work in", w, h)
	default:
		d.fine("the window has %d columns and %d lines", w, h)
	}
}

func device(terminal bool) string {
	if terminal {
		return "a terminal"
	}
	return "none"
}

func (d *doctor) kind() {
	term := d.Env("TERM")
	switch {
	case term == "" && runtime.GOOS != "windows":
		d.warn("export TERM=xterm-256color, or what your terminal is", "$TERM is not set: there are no colours")
	case term == "dumb":
		d.warn("baton --plain writes lines", "$TERM is dumb: this is said to be no terminal with a cursor")
	case term != "":
		d.fine("$TERM is %s", term)
	}
	colours := map[termenv.Profile]string{termenv.Ascii: "no colours", termenv.ANSI: "16 colours"}[d.profile()]
	if colours == "" {
		colours = "256 colours"
	}
	for _, name := range []string{"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR"} {
		if v := d.Env(name); v != "" {
			colours += ", $" + name + " is set"
		}
	}
	d.fine("%s", colours)
}

// letters looks at the encoding.
func (d *doctor) letters() {
	set := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := d.Env(name); v != "" && set == "" {
			set = "$" + name + " is " + v
		}
	}
	switch {
	case theme.NeedsASCII(d.Env) && d.Env("TERM") == "linux":
		d.fine("the console of Linux shows few characters: marks and lines are drawn with ASCII")
	case theme.NeedsASCII(d.Env):
		d.warn("export LANG=C.UTF-8, or set ui.ascii = \"off\" if the terminal shows UTF-8 all the same", "%s, which is not UTF-8: marks and lines are drawn with ASCII", set)
	case set == "":
		d.say(fine, "export LANG=C.UTF-8 if characters come out wrong", "no locale is set: UTF-8 is taken")
	default:
		d.fine("%s", set)
	}
}

// multiplexer knows the traps of tmux and screen.
func (d *doctor) multiplexer() {
	term := d.Env("TERM")
	named := strings.HasPrefix(term, "tmux") || strings.HasPrefix(term, "screen")
	switch {
	case d.Env("TMUX") != "" && !named:
		d.warn("set -g default-terminal tmux-256color in ~/.tmux.conf", "inside tmux $TERM is %s, which tmux does not speak", term)
		fallthrough
	case d.Env("TMUX") != "":
		d.say(fine, "in ~/.tmux.conf: set -g focus-events on (to be told only when you look elsewhere), set -g allow-passthrough on (desktop notifications), "+
			"set -s set-clipboard on (copying), set -s extended-keys on (shift+enter)", "this is tmux; some things work only if it is told to let them through")
	case d.Env("STY") != "":
		d.say(fine, "tmux lets more through; ctrl+a is screen's own key", "this is GNU screen, which reports no focus and passes on neither notifications nor long copies")
	}
}
