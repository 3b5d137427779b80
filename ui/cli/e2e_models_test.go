//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/ui/termtest"
)

// /model is completed from the server's list, in the background; the chosen one is what the
// next request names.
func TestModelsAreCompleted(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t)
	p.Models("scripted", "org/large-2", "org/small-1")
	c := open(t, p, termtest.Options{Env: quick})
	if n := p.Lists(); n != 0 {
		t.Errorf("the list was asked for %d times before it was needed", n)
	}
	c.Type("/model ")
	c.WaitFor("› scripted")
	c.WaitFor("in use")
	c.Type("small")
	c.Until("one model", func() bool { return c.count("› org/small-1") == 1 && c.count("org/large-2") == 0 })
	c.Key("tab")
	c.Until("the whole name", func() bool { return strings.TrimSpace(c.composer()) == "/model org/small-1" })
	c.Key("enter")
	c.WaitFor("Now talking to")
	c.say("hello")
	rs := c.asked(1)
	c.ready()
	if rs[0].Model != "org/small-1" || p.Lists() != 1 {
		t.Errorf("asked model %q after %d lists", rs[0].Model, p.Lists())
	}
	c.Type("/agent ")
	c.WaitFor("› " + p.Addr() + "  in use")
	c.WaitFor("sandbox")
	c.redraws()
}

// A server without a list is said to have none, once, and every key still counts.
func TestModelsThatAreNotListed(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t)
	p.Models()
	c := open(t, p, termtest.Options{Env: quick})
	c.Type("/model ")
	c.WaitFor("no list of models:")
	c.Type("other")
	c.Until("the name as typed", func() bool { return c.composer() == "/model other" })
	c.Key("enter")
	c.WaitFor("Now talking to")
	c.say("hello")
	if rs := c.asked(1); rs[0].Model != "other" || p.Lists() != 1 {
		t.Errorf("asked model %q after %d lists", rs[0].Model, p.Lists())
	}
}

// Names of models are as strange as anything from outside (C14). What would be shown
// otherwise than it is sent is not offered.
func TestHostileModels(t *testing.T) {
	t.Parallel()
	names := []string{"scripted"}
	for _, h := range hostile {
		names = append(names, "begin "+h.text+" on", "begin"+h.text)
	}
	p := termtest.NewProvider(t)
	p.Models(append(names, "begun", strings.Repeat("x", 4000), strings.Repeat("\n", 50), "")...)
	c := open(t, p, termtest.Options{Height: 40, Width: 100, Env: quick})
	title := c.Title()
	c.Type("/model ")
	c.WaitFor("› scripted")
	c.WaitFor("  begun")
	c.Type("beg")
	c.Until("one model", func() bool { return c.count("› begun") == 1 && c.count("scripted  in use") == 0 })
	if n := c.count("begin"); n != 0 {
		t.Errorf("%d strange names are offered:\n%s", n, c.Picture())
	}
	c.Key("tab")
	c.Key("enter")
	c.WaitFor("Now talking to")
	c.say("hello")
	rs := c.asked(1)
	c.ready()
	if rs[0].Model != "begun" {
		t.Errorf("asked model %q", rs[0].Model)
	}
	c.unharmed(title)
}

// Agents come from the configuration, and each is asked for its own models.
func TestEachAgentHasItsModels(t *testing.T) {
	t.Parallel()
	one, two := termtest.NewProvider(t), termtest.NewProvider(t)
	one.Models("alpha-1", "alpha-2")
	two.Models("beta-1", "beta-2")
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	conf := "agent = \"one\"\n[agents.one]\nprotocol = \"openai-chat\"\nbase_url = \"" + one.URL() + "\"\nmodel = \"alpha-1\"\n" +
		"[agents.two]\nprotocol = \"openai-chat\"\nbase_url = \"" + two.URL() + "\"\nmodel = \"beta-1\"\n"
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	c := chat{termtest.Start(t, termtest.Options{Args: []string{"--config", file}, Width: 100, Height: 30, Env: quick}), t, one}
	c.idle()
	c.Type("/model ")
	c.WaitFor("› alpha-1")
	c.Key("ctrl+c")
	c.say("/agent two")
	c.WaitFor("Now talking to two")
	c.Type("/model ")
	c.WaitFor("› beta-1")
	if lines := c.Lines(); slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "alpha-2") }) {
		t.Errorf("the other agent's models are offered:\n%s", c.Picture())
	}
}
