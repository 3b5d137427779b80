//go:build unix

package cli_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"baton/ui/termtest"
)

const (
	mouseOn  = "\x1b[?1000h\x1b[?1006h"
	mouseOff = "\x1b[?1006l\x1b[?1000l"
	blur     = "\x1b[O"
	focused  = "\x1b[I"
)

// The mouse stays the terminal's until it is asked for, and is given back at the end.
func TestMouseIsAskedFor(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.OK(strings.Repeat("a line\n\n", 40)+"the end"))
	c := open(t, p, termtest.Options{Width: 80, Height: 24})
	c.say("hello")
	c.WaitFor("the end")
	c.ready()
	if bytes.Contains(c.Output(), []byte("\x1b[?1000h")) || bytes.Contains(c.Output(), []byte("\x1b[?1006h")) {
		t.Error("the mouse is taken unasked")
	}
	c.Key("f2")
	c.WaitFor("the wheel scrolls")
	if !bytes.Contains(c.Output(), []byte(mouseOn)) || !c.Mode(1000) {
		t.Error("the mouse is not on")
	}
	c.Key("wheelup", "wheelup", "wheelup")
	c.WaitGone("the end")
	c.Key("wheeldown", "wheeldown", "wheeldown")
	c.WaitFor("the end")
	c.Key("f2")
	c.WaitFor("selects text again")
	if c.Mode(1000) || c.Mode(1006) || !bytes.Contains(c.Output(), []byte(mouseOff)) {
		t.Error("the mouse is not given back")
	}
	c.Key("f2")
	c.WaitFor("the wheel scrolls")
	c.Key("ctrl+d")
	c.leaves()
}

// leaves checks that the program ends well and leaves the terminal as it found it.
func (c chat) leaves() {
	c.t.Helper()
	if code := c.Wait(); code != 0 {
		c.t.Error("exit code", code)
	}
	if left := c.Restored(); len(left) > 0 {
		c.t.Error(left)
	}
}

// The title has the state and nothing that was typed or sent; the one the window had comes back.
func TestTitleShowsTheState(t *testing.T) {
	t.Parallel()
	g := termtest.NewGate(t, "secret answer ")
	p := termtest.NewProvider(t, g.Response(), termtest.Fail(503), termtest.Status(401, nil, termtest.ErrorBody("x", "y", "secret message")))
	c := open(t, p, termtest.Options{Env: map[string]string{"BATON_RETRY_BASE": "1h", "BATON_RETRY_CAP": "1h"}})
	title := func(want string) {
		t.Helper()
		c.Until("the title "+want, func() bool { return c.Title() == want })
	}
	title("baton: ready")
	c.say("a private prompt")
	g.Wait()
	title("baton: busy")
	g.Release("end")
	c.ready()
	title("baton: ready")
	c.say("another")
	title("baton: retrying")
	c.Key("ctrl+y")
	title("baton: failed")
	c.Key("ctrl+d")
	c.leaves()
	out := string(c.Output())
	for _, set := range titles(out) {
		if !slices.Contains([]string{"baton: ready", "baton: busy", "baton: retrying", "baton: failed"}, set) {
			t.Errorf("the title was %q", set)
		}
	}
	if !strings.HasPrefix(out, "\x1b[22;0t") || !strings.Contains(out, "\x1b[23;0t") {
		t.Error("the title the window had is not kept")
	}
}

// Where only ASCII is shown, nothing else is sent.
func TestASCIITerminals(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]map[string]string{
		"the Linux console": {"TERM": "linux"}, "another locale": {"LANG": "C"}, "configured": {"BATON_UI_ASCII": "on"},
	} {
		t.Run("K5, "+name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, termtest.OK("# An answer\n\n- one\n\n> two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\nend"), termtest.Fail(401))
			c := chat{termtest.Start(t, termtest.Options{Args: []string{"--base-url", p.URL(), "--model", "scripted"}, Env: env}), t, p}
			c.WaitFor("o Ready")
			c.say("one")
			c.say("two")
			c.WaitFor("x Error")
			c.Key("f1")
			c.WaitFor("Keys")
			c.Key("esc")
			c.WaitGone("Keys")
			c.Key("ctrl+d")
			c.leaves()
			out, _, _ := bytes.Cut(c.Output(), []byte("\x1b[?1049l")) // what is said behind the screen is a line of the shell's
			if i := bytes.IndexFunc(out, func(r rune) bool { return r >= 0x80 }); i >= 0 {
				t.Errorf("sent %q", out[max(0, i-40):min(len(out), i+20)])
			}
		})
	}
}

// Colours are sent or not as the environment asks.
func TestColoursAreAskedFor(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct {
		env  map[string]string
		want bool
	}{
		"by default":     {nil, true},
		"NO_COLOR":       {map[string]string{"NO_COLOR": "1"}, false},
		"CLICOLOR":       {map[string]string{"CLICOLOR": "0"}, false},
		"CLICOLOR_FORCE": {map[string]string{"TERM": "dumb", "CLICOLOR_FORCE": "1"}, true},
		"FORCE_COLOR":    {map[string]string{"TERM": "dumb", "FORCE_COLOR": "1"}, true},
		"mono":           {map[string]string{"BATON_UI_THEME": "mono"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, termtest.OK("a `code` and [a link](https://example.com)"))
			c := open(t, p, termtest.Options{Env: f.env, Width: 80, Height: 24})
			c.say("hello")
			c.WaitFor("code")
			c.ready()
			if got := coloured.Match(c.Output()); got != f.want {
				t.Errorf("colours: %t", got)
			}
		})
	}
}

var coloured = regexp.MustCompile(`\x1b\[([0-9;]*;)?([34][0-9]|9[0-7])[;m]`)

// titles lists the titles that were set.
func titles(out string) []string {
	var all []string
	for _, part := range strings.Split(out, "\x1b]2;")[1:] {
		text, _, _ := strings.Cut(part, "\a")
		all = append(all, text)
	}
	return all
}

// A person who looks elsewhere is told of the last end, once, in the way that was chosen, and of nothing before it.
func TestNotifiesWhoLooksElsewhere(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct {
		env         map[string]string
		end         string
		bells       int
		notice, raw string
	}{
		"bell":        {nil, "ok", 1, "", "\a"},
		"osc9":        {map[string]string{"BATON_UI_NOTIFY": "osc9"}, "ok", 0, "scripted has answered", "\x1b]9;"},
		"osc777":      {map[string]string{"BATON_UI_NOTIFY": "osc777"}, "ok", 0, "scripted has answered", "\x1b]777;notify;baton;"},
		"by terminal": {map[string]string{"TERM_PROGRAM": "WezTerm"}, "ok", 0, "scripted has answered", "\x1b]9;"},
		"off":         {map[string]string{"BATON_UI_NOTIFY": "off"}, "ok", 0, "", ""},
		"a failure":   {map[string]string{"BATON_UI_NOTIFY": "osc9"}, "401", 0, "turn failed · 401 auth: ", "\x1b]9;"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, last := termtest.NewGate(t, "one "), termtest.NewGate(t, "two ")
			script := []termtest.Response{termtest.Fail(503), first.Response(), last.Response()}
			if f.end == "401" {
				script = []termtest.Response{termtest.Fail(503), first.Response(), termtest.Status(401, nil, termtest.ErrorBody("x", "y", "\x1b]0;x\a"))}
			}
			p := termtest.NewProvider(t, script...)
			env := map[string]string{"BATON_RETRY_BASE": "1ms", "BATON_RETRY_CAP": "1ms"}
			for k, v := range f.env {
				env[k] = v
			}
			c := open(t, p, termtest.Options{Env: env})
			c.say("first")
			first.Wait()
			c.say("second")
			c.wantRows("second")
			c.Type("z" + blur) // the key shows when the report behind it has come too
			c.Until("the key", func() bool { return c.composer() == "z" })
			quiet := len(c.Output())
			first.Release("end")
			if f.end == "ok" {
				last.Wait()
				if c.Bells() != 0 || len(c.Notices()) != 0 {
					t.Errorf("told between a turn and the row behind it: %d bells, %q", c.Bells(), c.Notices())
				}
				last.Release("end")
				c.ready()
			} else {
				c.failed()
			}
			c.Until("the news", func() bool { return c.Bells() == f.bells && (f.notice == "") == (len(c.Notices()) == 0) })
			c.redraws() // nothing more is on its way
			if n := c.Notices(); c.Bells() != f.bells || len(n) > 1 || len(n) == 1 && !strings.Contains(n[0], f.notice) {
				t.Errorf("%d bells, %q", c.Bells(), n)
			}
			if out := c.Output()[quiet:]; f.raw != "" && !bytes.Contains(out, []byte(f.raw)) {
				t.Errorf("no %q", f.raw)
			}
			c.Type(focused)
			c.Key("backspace")
			c.Until("an empty composer", func() bool { return c.composer() == "" })
			c.say("seen")
			c.WaitFor("echo: seen")
			c.ready()
			c.redraws()
			if c.Bells() != f.bells || len(c.Notices()) > 1 {
				t.Errorf("told who looks: %d bells, %q", c.Bells(), c.Notices())
			}
		})
	}
}
