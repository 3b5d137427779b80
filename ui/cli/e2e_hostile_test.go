//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
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

// heavy is what costs, or what no person types: raw JSON strings of one answer each, and what is seen of it.
var heavy = map[string]struct{ json, shown string }{
	"H5 bells":       {quoted(strings.Repeat("\a", 100_000) + "rung"), "rung"},
	"H7 marks":       {quoted("a" + strings.Repeat("\u0301", 100_000) + " marked"), "marked"},
	"H7 surrogates":  {`"\ud800 lone \udc00\udc00 halves \ud83d"`, "\ufffd lone \ufffd\ufffd halves \ufffd"},
	"H7 overlong":    {"\"over\xc0\xaf\xe0\x80\x9b[6nlong \xed\xa0\x80 cut \xe2\x82\"", "long"},
	"H8 stars":       {quoted(strings.Repeat("*", 100_000)), "****"},
	"H8 brackets":    {quoted(strings.Repeat("[", 100_000)), "[[[["},
	"H8 emphasis":    {quoted(strings.Repeat("a**b_", 20_000)), "a**b_a**b_"},
	"H8 quotes":      {quoted(strings.Repeat(">", 10_000) + " deep"), "deep"},
	"H8 columns":     {quoted(strings.Repeat("|c", 1000) + "|\n" + strings.Repeat("|-", 1000) + "|\n" + strings.Repeat("|x\x1b[2J", 1000) + "|"), "x␛[2J"},
	"H8 fence":       {quoted("```\x1b]0;x\nfenced \x1b[2J"), "fenced ␛[2J"},
	"H9 script":      {quoted("[text](javascript:alert(1)) and on"), "text (javascript:alert(1))"},
	"H9 file":        {quoted("[passwords](file:///etc/passwd) and on"), "passwords (file:///etc/passwd)"},
	"H9 hidden link": {quoted("[https://good.example](https://evil.example/\x1b]8;;x) and on"), "evil.example"},
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always encode
	}
	return string(b)
}

// said answers with pieces of text as they stand in the JSON of an event, under a name: content or reasoning_content.
func said(name string, pieces ...string) termtest.Response {
	return func(a *termtest.Answer) {
		for _, p := range pieces {
			a.Event(`{"choices":[{"index":0,"delta":{"` + name + `":` + p + `},"finish_reason":null}]}`)
		}
		a.Token("\n\nanswered")
		a.Finish()
	}
}

// What costs neither stops the program nor reaches the terminal, in an answer and in what is thought before it (C14, H5, H7-H9).
func TestHostileMasses(t *testing.T) {
	t.Parallel()
	for name, h := range heavy {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, said("content", h.json), said("reasoning_content", h.json))
			c := open(t, p, termtest.Options{Height: 40, Width: 100})
			title := c.Title()
			c.say("text")
			c.WaitFor("answered")
			c.ready()
			c.Until("the answer as it is shown", func() bool { return strings.Contains(unwrappedText(c.Screen()), unwrappedText(h.shown)) })
			c.say("thought")
			c.asked(2)
			c.ready()
			c.Key("ctrl+o")
			c.Type("a draft")
			c.Until("the draft", func() bool { return c.composer() == "a draft" })
			c.Key("ctrl+c")
			c.Until("no draft", func() bool { return c.composer() == "" })
			c.unharmed(title)
		})
	}
}

// TestHostileEverywhere takes each case to every place that shows outside text, screen and subcommands, and holds every
// byte to the allow-list (C14): a prompt, an answer and its reasoning, an error and its headers, a file's name, a row, a
// notification, and then a session's title in the list to resume from and in all that reads sessions.
func TestHostileEverywhere(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	homes := map[string]string{}
	for name := range hostile {
		homes[name] = t.TempDir()
	}
	t.Run("talk", func(t *testing.T) {
		for name, h := range hostile {
			one := homes[name]
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				hostileTalk(t, one, h.text)
			})
		}
	})
	for name, one := range homes { // the lists show all of them together
		hostileFiles(t, name, one, home)
	}
	list := termtest.Start(t, termtest.Options{Home: home, Width: 200, Height: 60, Args: []string{"sessions", "list"}})
	if code := list.Wait(); code != 0 || !strings.Contains(string(list.Output()), "␛]52;c;") || !strings.Contains(string(list.Output()), "evil") {
		t.Errorf("exit code %d: the list does not show the titles:\n%s", code, list.Picture())
	}
	c := picked(t, termtest.Options{Home: home, Width: 100, Height: 60, Args: []string{"resume"}})
	c.Until("all titles", func() bool { return c.count("begin") >= len(hostile) && c.Has("␛]52;c;") })
	if c.Bells() != 0 || c.Title() != "baton" || len(c.Clipboard()) != 0 {
		t.Errorf("%d bells, title %q, clipboard %q", c.Bells(), c.Title(), c.Clipboard())
	}
	c.Key("esc")
	c.Wait()
}

// hostileTalk is a session in which everything that can be said has this text.
func hostileTalk(t *testing.T, home, text string) {
	text = strings.ReplaceAll(text, "\r", "")
	whole := "begin " + text + " and on"
	raw := map[string]string{"X-Request-Id": whole, "Retry-After": whole}
	allowed := strings.Map(func(r rune) rune { // in a header of HTTP
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, whole)
	headers := map[string]string{"X-Request-Id": allowed, "Retry-After": allowed, "Server": allowed}
	p := termtest.NewProvider(t,
		said("reasoning_content", quoted(whole)),
		termtest.Status(503, headers, termtest.ErrorBody(whole, whole, whole)),
		termtest.Status(401, headers, termtest.ErrorBody(whole, whole, whole)),
		termtest.Status(401, raw, whole))
	p.Models(whole)
	c := open(t, p, termtest.Options{Home: home, Height: 40, Width: 100, Env: map[string]string{
		"BATON_RETRY_BASE": "10ms", "BATON_RETRY_CAP": "10ms", "BATON_UI_NOTIFY": "osc9"}})
	paste := func(text string) {
		c.Raw("\x1b[200~" + text + "\x1b[201~")
		c.Until("the paste", func() bool { return c.composer() != "" })
		c.Key("enter")
		c.Until("an empty composer", func() bool { return c.composer() == "" })
	}
	paste(whole)
	c.asked(1)
	c.ready()
	name := []rune(strings.NewReplacer("/", "", "\x00", "").Replace(whole))
	file := filepath.Join(home, string(name[:min(len(name), 60)])) // a name has 255 bytes at most
	if err := os.WriteFile(file, []byte("file"), 0o600); err != nil {
		t.Fatal(err)
	}
	paste("/attach " + file)
	c.WaitFor("with ")
	c.Key("ctrl+o") // unfolds what comes as well
	c.Type(blur)
	c.Raw("\x1b[200~" + whole + "\x1b[201~")
	c.Until("the paste", func() bool { return c.composer() != "" })
	c.Key("enter")
	c.Type(blur)
	c.asked(3)
	c.failed()
	c.WaitFor("Turn failed")
	for _, n := range c.Notices() {
		if strings.ContainsFunc(n, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' }) {
			t.Errorf("notified %q", n)
		}
	}
	if c.Bells() != 0 || c.Title() != "baton: failed" || len(c.Clipboard()) != 0 || !c.AltScreen() {
		t.Errorf("%d bells, title %q, clipboard %q", c.Bells(), c.Title(), c.Clipboard())
	}
	c.say("once more")
	c.asked(4)
	c.failed()
	c.Until("the receipts", func() bool {
		return c.Has("attempt 1") && c.Has("sent headers that are not HTTP's") == (whole != allowed)
	})
	c.redraws()
	c.Key("ctrl+d")
	c.leaves()
}

// hostileFiles reads a session in all ways there are and puts it beside the others.
func hostileFiles(t *testing.T, name, one, home string) {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(one, "state", "baton", "sessions", "*.jsonl"))
	if err != nil || len(logs) != 1 {
		t.Fatal(name, logs, err)
	}
	id := strings.TrimSuffix(filepath.Base(logs[0]), ".jsonl")
	for _, args := range [][]string{{"show", id}, {"export", id}, {"export", id, "--format", "html"}, {"export", id, "--format", "jsonl"}} {
		s := termtest.Start(t, termtest.Options{Home: one, Width: 200, Height: 60, Args: append([]string{"sessions"}, args...)})
		if code := s.Wait(); code != 0 || s.Bells() != 0 || len(s.Clipboard()) != 0 || s.Title() != "" {
			t.Errorf("%s: %v: exit code %d, %d bells, title %q", name, args, code, s.Bells(), s.Title())
		}
	}
	there := filepath.Join(home, "state", "baton", "sessions")
	if err := os.MkdirAll(there, 0o700); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(logs[0])
	if err == nil {
		err = os.WriteFile(filepath.Join(there, id+".jsonl"), log, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A headless run in a terminal shows the answer and the failure as the screen does.
func TestHostileRuns(t *testing.T) {
	t.Parallel()
	for name, h := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := "begin " + h.text + " and on"
			p := termtest.NewProvider(t, termtest.OK(whole), termtest.Status(401, nil, termtest.ErrorBody(whole, whole, whole)))
			s := termtest.Start(t, termtest.Options{Width: 200, Args: []string{"run", "--base-url", p.URL(), "--model", "scripted", "-p", "one", "-p", "two"}})
			if code := s.Wait(); code != 77 || s.Bells() != 0 || s.Title() != "" || len(s.Clipboard()) != 0 {
				t.Errorf("exit code %d, %d bells, title %q\n%s", code, s.Bells(), s.Title(), s.Picture())
			}
			if !strings.Contains(string(s.Output()), h.shown) {
				t.Errorf("nothing shows %q:\n%s", h.shown, s.Picture())
			}
		})
	}
}
