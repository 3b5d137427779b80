//go:build unix

package cli_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/ui/termtest"
)

// Whatever streams in, no key is lost and none overtakes another.
func TestKeysWhileTheAnswerStreams(t *testing.T) {
	t.Parallel()
	var words []string
	for i := range 2000 {
		words = append(words, fmt.Sprintf("w%d ", i))
	}
	p := termtest.NewProvider(t, termtest.Paced(time.Millisecond, words...))
	c := open(t, p, termtest.Options{Width: 80, Height: 24})
	c.say("the prompt")
	c.WaitFor("w9 ")
	var want strings.Builder
	for i := range 300 {
		word := fmt.Sprintf("key%d ", i)
		want.WriteString(word)
		c.Raw(word)
	}
	c.Until("the last key", func() bool { return strings.HasSuffix(c.composer(), "key299") })
	c.busy()
	c.Key("enter")
	rs := c.asked(2)
	if got := rs[1].Last(); got != want.String() {
		t.Errorf("%d characters arrived, not these %d: %q", len(got), want.Len(), got)
	}
	if got := rs[1].Messages[1].Text; got != strings.Join(words, "") {
		t.Errorf("the answer before it is %d bytes", len(got))
	}
	c.ready()
	c.redraws()
}

// A storm of sizes while an answer streams leaves the screen that a full redraw gives.
func TestSizesWhileTheAnswerStreams(t *testing.T) {
	t.Parallel()
	t.Run("K5", func(t *testing.T) {
		var words []string
		for i := range 600 {
			words = append(words, fmt.Sprintf("word%d 你好 ", i))
		}
		p := termtest.NewProvider(t, termtest.Paced(time.Millisecond, words...))
		c := open(t, p, termtest.Options{Width: 80, Height: 24})
		c.say("the prompt")
		c.WaitFor("word9 ")
		for i := range 150 {
			c.Resize(20+i%70, 5+i%30)
			if i%10 == 0 {
				c.Key("pgup")
			}
		}
		c.Resize(60, 20)
		c.Key("tab", "end", "tab")
		c.WaitFor("word599")
		c.ready()
		c.redraws()
		for range 30 {
			c.Key("pgup")
		}
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
	s := termtest.Start(t, termtest.Options{Home: c.Home, Args: []string{"--continue", "--base-url", p.URL(), "--model", "scripted"}})
	if code := s.Wait(); code != 1 || !s.Has("in use") {
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
