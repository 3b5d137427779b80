//go:build unix

package cli_test

import (
	"strings"
	"testing"

	"baton/ui/termtest"
)

// hostile is what must be shown and never obeyed, each with what is seen of it.
var hostile = map[string]struct{ text, shown string }{
	"H1 clipboard":     {"\x1b]52;c;aGk=\x07", "]52;c;aGk="},
	"H2 title":         {"\x1b]0;owned\x07\x1b]2;owned\x1b\\", "]0;owned"},
	"H2 link":          {"\x1b]8;;https://evil.example\x1b\\click", "]8;;https"},
	"H2 device string": {"\x1bP+q544e\x1b\\\x1b_Gi=1\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\", "P+q544e"},
	"H3 query":         {"\x1b[6n\x1b[c\x1b]11;?\x07\x1b[>q", "[6n"},
	"H4 screen":        {"\x1bc\x1b[?1049l\x1b[2J\x1b[H", "[2J"},
	"H5 C1":            {"\u009b6n\u009d0;x\u009c\u0090q", "6n"},
	"H5 bells":         {strings.Repeat("\a", 500) + "rung", "rung"},
	"H5 controls":      {"safe\b\b\bevil\x0b\x0c\x00\x7f end", "evil"},
	"H6 order":         {"\u202eevil\u2066x\u200by\ufeffz\U000E0041", "evil"},
	"H4 unfinished":    {"tail \x1b]0;no end", "tail"},
}

// TestHostileAnswers holds the screen to the allow-list (C14, H1-H6): Start fails a test whose terminal was sent anything else.
func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	for name, h := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := termtest.OK("begin "+h.text, " and on")
			bytewise := func(a *termtest.Answer) {
				for _, r := range "begin " + h.text + " and on" {
					a.Token(string(r))
				}
				a.Finish()
			}
			p := termtest.NewProvider(t, whole, bytewise)
			c := open(t, p, termtest.Options{Height: 40, Width: 100})
			title := c.Title()
			c.say("whole")
			c.WaitFor("and on")
			c.ready()
			c.say("in pieces")
			c.Until("two answers", func() bool { return c.count("and on") == 2 })
			c.ready()
			answers := strings.Split(transcript(c), "begin")
			if len(answers) != 3 || !strings.Contains(unwrappedText(answers[1]), h.shown) {
				t.Fatalf("nothing shows %q:\n%s", h.shown, c.Picture())
			}
			one, _, _ := strings.Cut(answers[1], "and on")
			two, _, _ := strings.Cut(answers[2], "and on")
			if one != two {
				t.Errorf("in pieces it looks different:\n%q\n%q", one, two)
			}
			c.unharmed(title)
		})
	}
}

// unharmed checks that the terminal is as the program left it.
func (c chat) unharmed(title string) {
	c.t.Helper()
	if c.Bells() != 0 || c.Title() != title || len(c.Clipboard()) != 0 || len(c.Notices()) != 0 || !c.AltScreen() {
		c.t.Errorf("%d bells, title %q, clipboard %q, notices %q", c.Bells(), c.Title(), c.Clipboard(), c.Notices())
	}
	if x, y, shown := c.Cursor(); !shown || y != len(c.Lines())-2 || x != 2 {
		c.t.Errorf("cursor at %d,%d, shown %t\n%s", x, y, shown, c.Picture())
	}
	c.redraws()
}

func unwrappedText(s string) string { return strings.Join(strings.Fields(s), " ") }

// What a server says of its failure is as strange as its answers (C14).
func TestHostileErrors(t *testing.T) {
	t.Parallel()
	for name, h := range hostile {
		t.Run("case 103, "+name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t,
				termtest.Status(400, nil, termtest.ErrorBody("t"+h.text, "c"+h.text, "begin "+h.text+" and on")),
				termtest.Status(502, map[string]string{"X-Request-Id": "id-\u009b6n"}, "<html><title>begin "+h.text+" and on</title>"))
			c := open(t, p, termtest.Options{Height: 40, Width: 100, Env: map[string]string{"BATON_RETRY_BASE": "1h", "BATON_RETRY_CAP": "1h"}})
			title := c.Title()
			c.say("json")
			c.failed()
			c.WaitFor("Turn failed")
			c.say("html")
			c.WaitFor("retrying 2/5")
			c.Key("esc")
			c.ready()
			c.unharmed(title)
		})
	}
}

// What a person pasted is sent as it is, and shown like everything else (C14).
func TestHostileRows(t *testing.T) {
	t.Parallel()
	for name, h := range hostile {
		t.Run("case 103, "+name, func(t *testing.T) {
			t.Parallel()
			g := termtest.NewGate(t, "first ")
			p := termtest.NewProvider(t, g.Response())
			c := open(t, p, termtest.Options{Height: 40, Width: 100})
			title := c.Title()
			c.say("the prompt")
			g.Wait()
			text := "begin " + strings.ReplaceAll(h.text, "\r", "") + " and on"
			c.Raw("\x1b[200~" + text + "\x1b[201~")
			c.Until("the paste", func() bool { return c.composer() != "" })
			c.Key("enter")
			c.Until("a row", func() bool { return len(c.rows()) == 1 && c.composer() == "" })
			g.Release("answer")
			rs := c.asked(2)
			c.ready()
			if got := rs[1].Last(); got != text {
				t.Errorf("asked %q, want %q", got, text)
			}
			c.unharmed(title)
		})
	}
}
