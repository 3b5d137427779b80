//go:build unix

package cli_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"baton/ui/termtest"
)

// Whatever streams in, no key is lost and none overtakes another.
func TestKeysWhileTheAnswerStreams(t *testing.T) {
	t.Parallel()
	t.Run("K4, 100,000 keys", func(t *testing.T) {
		typing := make(chan struct{})
		p := termtest.NewProvider(t, func(a *termtest.Answer) {
			for i := 0; ; i++ { // until everything was typed
				a.Token(fmt.Sprintf("w%d ", i))
				select {
				case <-typing:
					a.Finish()
					return
				case <-time.After(time.Millisecond):
				case <-a.Gone():
					return
				}
			}
		})
		c := open(t, p, termtest.Options{Width: 80, Height: 24})
		c.say("the prompt")
		c.WaitFor("w9 ")
		var want strings.Builder
		for i := range 10_000 {
			word := fmt.Sprintf("%09d ", i)
			want.WriteString(word)
			c.Raw(word)
		}
		c.Until("the last key", func() bool { return strings.HasSuffix(c.composer(), "000009999") })
		c.busy()
		c.Key("enter")
		c.Until("a row", func() bool { return len(c.rows()) == 1 && c.composer() == "" })
		close(typing)
		rs := c.asked(2)
		if got := rs[1].Last(); got != want.String() {
			t.Errorf("%d characters arrived, not these %d", len(got), want.Len())
		}
		for i, w := range strings.Fields(rs[1].Messages[1].Text) {
			if w != fmt.Sprintf("w%d", i) {
				t.Fatalf("word %d of the answer before it is %q", i, w)
			}
		}
		c.ready()
		c.redraws()
	})
}

const escAlone = "\x1b"

// Bytes that are no keys type nothing, and what only began is not lost.
func TestOddKeys(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct{ typed, left string }{
		"K4, mouse far away":          {"\x1b[<999999999999;1;1M", ""},
		"K4, a lone ESC":              {escAlone, ""},
		"K4, ESC and 256 digits":      {"\x1b[" + strings.Repeat("1", 256) + "A", ""},
		"K4, replies nobody asked":    {"\x1b[?62;22c\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[12;40R\x1bP>|term\x1b\\", ""},
		"K2, a paste without its end": {"\x1b[200~never\rending", "never\nending"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t)
			c := open(t, p, termtest.Options{Width: 80, Height: 24})
			if k.typed == escAlone { // until it is known to be alone, what follows belongs to it
				c.Key("f1")
				c.WaitGone("○ Ready")
			}
			c.Raw(k.typed)
			c.idle()
			c.Until("what is left", func() bool { return c.composer() == k.left })
			c.Type(" and on")
			c.Until("the next keys", func() bool { return strings.HasSuffix(c.composer(), "and on") })
			c.Key("enter")
			if rs := c.asked(1); rs[0].Last() != k.left+" and on" {
				t.Errorf("asked %q, want %q", rs[0].Last(), k.left+" and on")
			}
			c.ready()
		})
	}
}

// Whatever the terminal calls itself, the chat works, and no row is wider than the window.
func TestOddTerminals(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]map[string]string{
		"no TERM": {"TERM": ""}, "dumb": {"TERM": "dumb"}, "screen": {"TERM": "screen"}, "tmux": {"TERM": "tmux-256color"},
		"NO_COLOR": {"NO_COLOR": "1"}, "LANG=C": {"LANG": "C", "LC_ALL": "C"},
	} {
		t.Run("K5, "+name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t)
			c := open(t, p, termtest.Options{Width: 40, Height: 12, Env: env})
			c.say("hello")
			c.WaitFor("echo: hello")
			c.ready()
			c.redraws()
			c.Key("ctrl+d")
			if code, left := c.Wait(), c.Restored(); code != 0 || len(left) != 0 {
				t.Errorf("exit code %d, not restored: %q", code, left)
			}
		})
	}
	t.Run("K5, a huge window", func(t *testing.T) {
		t.Parallel()
		p := termtest.NewProvider(t)
		c := open(t, p, termtest.Options{Width: 80, Height: 24})
		c.Resize(2000, 1000)
		c.say("hello")
		c.WaitFor("echo: hello")
		c.Resize(80, 24)
		c.drawnFor(80)
		c.ready()
		c.redraws()
	})
}

// A storm of sizes while an answer streams leaves the screen that a full redraw gives.
func TestSizesWhileTheAnswerStreams(t *testing.T) {
	t.Parallel()
	t.Run("K5", func(t *testing.T) {
		var words []string
		for i := range 600 {
			words = append(words, fmt.Sprintf("word%d 你好 ", i))
		}
		storm := make(chan struct{})
		p := termtest.NewProvider(t, func(a *termtest.Answer) {
			for i, w := range words {
				if i == 10 { // else they may have come and gone before anybody looks
					<-storm
				}
				a.Token(w)
				if !a.Sleep(time.Millisecond) {
					return
				}
			}
			a.Finish()
		})
		begin := sync.OnceFunc(func() { close(storm) })
		t.Cleanup(begin)
		c := open(t, p, termtest.Options{Width: 80, Height: 24})
		c.say("the prompt")
		c.WaitFor("word9 ")
		begin()
		for i := range 150 {
			c.Resize(20+i%70, 5+i%30)
			if i%10 == 0 {
				c.Key("pgup")
			}
		}
		c.Resize(60, 20)
		c.Key("tab", "end", "tab")
		c.Type("x") // what comes last shows that the keys before it were heard
		c.Until("the last key", func() bool { return c.composer() == "x" })
		c.WaitFor("word599")
		c.ready()
		c.drawnFor(60)
		c.redraws()
		for range 30 {
			c.Key("pgup")
		}
		c.Key("backspace")
		c.Until("the last key", func() bool { return c.composer() == "" })
		c.WaitFor("word0 ")
		c.redraws()
	})
}

// A second process must not write a session that one has open.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t)
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	c.WaitFor("echo: the prompt")
	c.ready()
	s := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	s.WaitFor("read only: process")
	s.WaitFor("echo: the prompt")
	before := kinds(c.facts())
	s.Type("not mine")
	s.Until("the text", func() bool { return s.composer() == "not mine" })
	s.Key("enter")
	s.quiet(1, 200*time.Millisecond)
	s.Until("the text kept", func() bool { return s.composer() == "not mine" })
	if after := kinds(c.facts()); !maps.Equal(before, after) {
		t.Errorf("it wrote: %v, before %v", after, before)
	}
	s.Signal(syscall.SIGTERM)
	if code := s.Wait(); code != 143 {
		t.Errorf("exit code %d\n%s", code, s.Picture())
	}
	c.say("again")
	c.WaitFor("echo: again")
}

// A long answer is all there, however fast it comes.
func TestLongAnswer(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("line %d of many\n\n", i))
	}
	p := termtest.NewProvider(t, termtest.OK(lines...))
	c := open(t, p, termtest.Options{Width: 80, Height: 24})
	c.say("the prompt")
	c.WaitFor("line 4999 of many")
	c.ready()
	c.redraws()
	c.Key("shift+tab", "home")
	c.WaitFor("line 0 of many")
	c.redraws()
	c.Key("end")
	c.WaitFor("line 4999 of many")
	c.redraws()
}
