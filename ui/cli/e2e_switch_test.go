//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/ui/termtest"
)

// Two programs and one session: the second shows what the first does, changes nothing, and takes over when the first
// has died.
func TestSecondProcess(t *testing.T) {
	t.Parallel()
	half := make(chan struct{})
	p := termtest.NewProvider(t, termtest.Echo(), func(a *termtest.Answer) {
		a.Token("half of ")
		<-half
		a.Token("the answer")
		a.Finish()
	}, termtest.StallAfter(3))
	c := open(t, p, termtest.Options{})
	c.say("the first")
	c.asked(1)
	c.ready()
	d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	d.WaitFor("echo: the first")
	d.WaitFor("read only: process ")
	c.say("the second")
	c.WaitFor("half of")
	c.say("a row")
	c.wantRows("a row")
	d.WaitFor("half of")
	d.wantRows("a row")
	d.Type("mine")
	d.Key("enter")
	d.Until("why not, in place of the keys", func() bool { return strings.Contains(d.Lines()[len(d.Lines())-1], "/new starts another") })
	if got := d.composer(); got != "mine" {
		t.Errorf("the text that was refused: %q\n%s", got, d.Picture())
	}
	for _, key := range []string{"ctrl+y", "esc"} {
		d.Key(key)
	}
	d.quiet(2, time.Second)
	close(half)
	d.WaitFor("half of the answer")
	c.asked(3)
	log, err := os.ReadFile(c.Sessions()[0])
	if err != nil {
		t.Fatal(err)
	}
	c.Kill9()
	d.WaitFor("read only: nobody has it open any more")
	d.WaitFor("Interrupted")
	if now, _ := os.ReadFile(c.Sessions()[0]); !strings.HasPrefix(string(now), string(log)) {
		t.Error("the log was changed by who only shows it")
	}
	id := strings.TrimSuffix(filepath.Base(c.Sessions()[0]), ".jsonl")
	d.Key("ctrl+c") // clears the draft
	d.Until("an empty composer", func() bool { return d.composer() == "" })
	p.Always(termtest.Echo())
	d.say("/resume " + id)
	d.WaitGone("read only")
	d.quiet(3, time.Second)
	d.Key("ctrl+y")
	d.asked(4)
	d.WaitFor("echo: a row")
	d.ready()
}

// /fork, /resume and /compact, from the list and typed, against a server that counts.
func TestForkResumeCompact(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t)
	c := open(t, p, termtest.Options{})
	for i, prompt := range []string{"about whales", "about owls", "about ants"} {
		c.say(prompt)
		c.asked(i + 1)
		c.ready()
	}
	first := strings.TrimSuffix(filepath.Base(c.Sessions()[0]), ".jsonl")
	c.say("/fork")
	c.WaitFor("fork behind a turn")
	c.WaitFor("turn 3 ·") // as people count: retries and rows take numbers that nobody sees
	c.Type("owls")
	c.Until("one turn", func() bool { return c.Has("1 of 3") })
	c.Key("enter")
	c.WaitFor("now in session")
	c.WaitGone("about ants")
	c.say("/compact the birds")
	rs := c.asked(4)
	if got := spoken(rs[3]); len(got) != 5 || !strings.HasPrefix(got[4], "user: Summarize our conversation so far.") || !strings.HasSuffix(got[4], "Above all: the birds") {
		t.Errorf("asked for a summary: %q", got)
	}
	c.WaitFor("From here on the summary stands")
	c.ready()
	c.say("and now?")
	rs = c.asked(5)
	c.ready()
	if got := spoken(rs[4]); len(got) != 3 || got[0] != "user: Summarize our conversation so far." || got[2] != "user: and now?" {
		t.Errorf("behind the summary: %q", got)
	}
	c.say("/resume")
	c.WaitFor("resume a session")
	c.Type("ants") // only the first session speaks of them, not in its title
	c.Until("the one that was found", func() bool { return c.Has("1 of 1") && !c.Has("looking") })
	c.Key("enter")
	c.WaitFor("now in session " + first)
	c.WaitFor("about ants")
	c.say("go on")
	rs = c.asked(6)
	c.ready()
	if got := fmt.Sprint(len(spoken(rs[5]))); got != "7" {
		t.Errorf("%s messages: %q", got, spoken(rs[5]))
	}
	if n := len(c.Sessions()); n != 2 {
		t.Errorf("%d sessions", n)
	}
}

// /resume with words does what baton resume does with them: one session, a list of several, or a word that there is none.
func TestResumeTakesWords(t *testing.T) {
	t.Parallel()
	home, dir := keptHome(t)
	p := termtest.NewProvider(t)
	c := open(t, p, termtest.Options{Home: home, Width: 100})
	c.say("hello")
	c.asked(1)
	c.ready()
	c.Type("/resume fix")
	c.WaitFor("› fix the retry loop")
	c.Until("the name beside the title", func() bool { return c.count("20260101-000000-aaaa") == 1 })
	c.Key("tab")
	c.Until("the name", func() bool { return c.composer() == "/resume 20260101-000000-aaaa" })
	c.Key("ctrl+u")
	c.Until("an empty composer", func() bool { return c.composer() == "" })
	c.say("/resume JITTER explain")
	c.WaitFor("now in session 20260102-000000-bbbb")
	c.WaitFor("┃ explain jitter")
	c.say("/resume o")
	c.WaitFor("resume a session")
	c.Until("what is typed, and several", func() bool { return slices.Contains(c.Lines(), "  o") && c.Has("of 3") && !c.Has("looking") })
	c.Key("esc")
	c.WaitGone("resume a session")
	c.Type("/resume nothing like it")
	c.Until("the line", func() bool { return c.composer() == "/resume nothing like it" })
	c.Key("enter")
	c.WaitFor("there is no other session")
	c.Until("the line again", func() bool { return c.composer() == "/resume nothing like it" })
	c.quiet(1, 0)
	if n := len(c.Sessions()); n != 4 {
		t.Errorf("%d sessions in %s", n, dir)
	}
}
