package model

import (
	"strings"
	"testing"

	"baton/ui/keymap"
)

// A key that does nothing where keys go says so, and how to come back to writing; held down it says it once.
func TestKeysThatGoNowhere(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a")
		p.press("shift+tab")
		p.want("focus", "transcript", p.focus())
		for key, says := range map[string]string{"x": "keys go to the transcript · tab to write", "enter": "keys go to the transcript · tab to write",
			"ctrl+d": "keys go to the transcript · tab to write, there ctrl+d quits", "n": "nothing is looked for yet · / searches"} {
			if got := p.said(key); got != says {
				t.Errorf("%s: %q", key, got)
			}
		}
		p.press("x")
		if n := strings.Count(p.screen(), "tab to write"); n != 1 {
			t.Errorf("the way back is named %d times:\n%s", n, p.screen())
		}
		p.run(wordFor)
		p.hold("x", 300) // longer than a word stays
		if got := p.m.currentWord(); got != "" {
			t.Errorf("held: %q", got)
		}
		p.press("tab", "tab")
		p.want("focus", "queue", p.focus())
		if got := p.said("x"); got != "keys go to the queue · shift+tab to write" {
			t.Error(got)
		}
		p.press("shift+tab")
		p.want("draft and word", " ", p.draft()+" "+p.said("esc"))
		p.end()
	})
}

// The way back is named by the key that it has.
func TestKeysThatGoNowhereNameTheTable(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		keys, _, err := p.m.deps.Keys.Override(map[string][]string{string(keymap.FocusNext): {"f7"}, string(keymap.Quit): {"f8"}})
		if err != nil {
			t.Fatal(err)
		}
		p.m.deps.Keys = keys
		p.press("shift+tab")
		if got := p.said("f8"); got != "keys go to the transcript · f7 to write, there f8 quits" {
			t.Error(got)
		}
		p.end()
	})
}
