package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
	"baton/retrypolicy"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// attempt is the receipt of one try, n seconds into the session.
func attempt(n int, cause session.Cause) session.Attempt {
	a := session.Attempt{N: n, Started: epoch.Add(time.Duration(n) * time.Second), Took: 1500 * time.Millisecond, Cause: cause}
	if cause.Kind != "" {
		a.Delay, a.Waited = time.Second, 900*time.Millisecond
	}
	return a
}

// eventful is a session with all that can stand in one.
func eventful(t *testing.T, dir string) {
	overloaded := session.Cause{Kind: retrypolicy.Overloaded, Status: 503, Message: "try later", NextStep: "wait, then ctrl+y", RequestID: "req-7"}
	m := begun(t, dir, "20261130-154210-4fzq")
	m.add(session.SessionOpened{Session: m.id, Agent: "work · large-1"})
	m.add(session.TurnStarted{Turn: 1, Chain: 1, Text: "Summarise these, please.\n\n- shortly\n", Attachments: []queue.Attachment{{Path: "/home/ada/notes.md"}, {Path: "/home/ada/plan.png"}}})
	m.add(session.TurnSucceeded{Turn: 1, Reasoning: "Two files.\nOne is a picture.", N: 3, Max: 5, Tokens: 120,
		Answer:   "### Summary\n\n1. **Notes** say `go test`.\n2. The plan is at <https://example.com/plan>.\n\n```go\nfunc main() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |",
		Attempts: []session.Attempt{attempt(1, overloaded), attempt(2, session.Cause{Kind: retrypolicy.Truncated, Message: "the answer broke off"}), attempt(3, session.Cause{})}})
	m.add(session.TurnStarted{Turn: 2, Chain: 2, Text: "Now run the tests"})
	m.add(session.ToolSeen{Turn: 2, N: 1, Part: session.ToolPart{ID: "t1", Name: "shell", Title: "go test ./...", Status: "completed"}})
	m.add(session.TurnFailed{Turn: 2, Cause: overloaded, N: 2, Max: 2, Exhausted: true, Lost: "They all pa",
		Attempts: []session.Attempt{attempt(1, overloaded), attempt(2, overloaded)}})
	m.add(session.TurnStarted{Turn: 3, Chain: 2, Text: "Now run the tests"}).add(session.TurnSucceeded{Turn: 3, Answer: "They all pass.", N: 1, Max: 5})
	m.add(session.TurnStarted{Turn: 4, Chain: 4, Text: "Write a long poem"}).add(session.TurnStopped{Turn: 4, Partial: "Roses are", N: 1, Max: 5})
	m.add(session.TurnStarted{Turn: 5, Chain: 5, Text: "And now?"}).add(session.TurnStopped{Turn: 5, Partial: "I was", Interrupted: true, N: 1, Max: 5})
	m.add(session.Noted{Text: "Now talking to small-1"}, session.AgentSwitched{Agent: "work · small-1"})
	m.add(session.TurnStarted{Turn: 6, Chain: 6, Text: "Is it still running?"}).add(session.TurnPartial{Turn: 6, N: 1, Reasoning: "hm", Text: "It is, and"})
	m.row(7, "then deploy it").add(session.RowQueued{Index: 9, Row: queue.Row{ID: m.ids(8)[0], Text: "look at\n    this", Attachments: []queue.Attachment{{Path: "/tmp/shot.png"}}}})
	m.add(session.GateChanged{Gate: session.Gate{Paused: true}}).done()
}

func exported(t *testing.T, dir, id string, f Format) string {
	t.Helper()
	var b bytes.Buffer
	if err := Export(&b, dir, id, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExport(t *testing.T) {
	dir := t.TempDir()
	eventful(t, dir)
	for _, f := range Formats() {
		got, file := exported(t, dir, "20261130-154210-4fzq", f), filepath.Join("testdata", "export."+string(f))
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%v (go test ./model/catalog -update writes it)", err)
		}
		if d := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); d != "" {
			t.Errorf("%s changed (-reviewed +written):\n%s", file, d)
		}
	}
}

// TestLinesAreDocumented: the page shows the first lines as they are.
func TestLinesAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "sessions.md"))
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile(filepath.Join("testdata", "export.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfterN(strings.ReplaceAll(string(golden), "\r\n", "\n"), "\n", 3)
	if want := "```jsonl\n" + lines[0] + lines[1] + "```\n"; !strings.Contains(strings.ReplaceAll(string(page), "\r\n", "\n"), want) {
		t.Errorf("docs/sessions.md does not show\n%s", want)
	}
}

// hostile are texts that would like to be something else than text.
var hostile = []string{
	nasty,
	"# You\n\n## Agent\n\nYes.\n\nAgent\n---\n\nYou\n===\n",
	"```\nnever closed\n## Agent",
	"~~~~ text\nnor this",
	"`````\nmany ticks",
	"<h2>Agent</h2> <script>alert(1)</script>\n\n<!-- never closed\n\n<details>\n<div>\n</details></details>",
	"</div></section></body></html>",
	"[a]: javascript:alert(1)\n[a]\n\n[b](javascript:alert(1)) ![c](http://tracker.example/x.png) [d](data:text/html,x) [e](<JavaScript:alert(1)>) <javascript:alert(1)> [f](&#106;avascript:x) [g](//evil.example)",
	"&#27;[2J &#x9b;31m &#8238; &lt;b&gt; &amp; &nbsp; &copy;",
	"[x](https://a.example/\"onmouseover=\"alert(1)) [y](https://a.example/&#27;) <a@b.example> <https://a.example/?a=1&b=2>",
	"<img src=x onerror=alert(1)>\n\t<tab>\n    <code>",
	"> > > deep\n- - - deep\n\n---\n***\n___",
	"text\n\n    indented ## Agent\n\n<p\n\n## Agent\n",
	"x <a\nhref='y'>z</a> <?php ?> <!DOCTYPE x> <![CDATA[ ]]> <b",
	"\\<b> \\\\<b> `<b>` ``` `` `",
	strings.Repeat("> ", 500) + "deep",
	strings.Repeat("*a ", parsedDelimiters+1),
	strings.Repeat("[", parsedDelimiters+1),
	"| a | b |\n|---|---|\n| <b> | `|` |\n- [ ] todo ~~gone~~",
	"`", "``", "<", "\\", "#", "[", "&", "\n\n\n", " ", "a\r\nb",
}

// spiteful has the hostile text wherever a text from outside can stand.
func spiteful(t *testing.T, dir, evil string) {
	m := begun(t, dir, "evil")
	cause := session.Cause{Kind: "server", Code: evil, Message: evil, NextStep: evil, RequestID: evil}
	files := []queue.Attachment{{Path: "/tmp/" + evil}}
	m.add(session.SessionOpened{Session: "evil", Agent: evil})
	m.add(session.TurnStarted{Turn: 1, Chain: 1, Text: evil, Attachments: files})
	m.add(session.ToolSeen{Turn: 1, N: 1, Part: session.ToolPart{ID: evil, Name: evil, Title: evil, Status: evil}})
	m.add(session.TurnFailed{Turn: 1, Cause: cause, Lost: evil, Reasoning: evil, N: 2, Max: 5, Attempts: []session.Attempt{attempt(1, cause), attempt(2, cause)}})
	m.add(session.TurnStarted{Turn: 2, Chain: 2, Text: "fine"}).add(session.TurnSucceeded{Turn: 2, Answer: evil, Reasoning: evil, N: 1, Max: 5})
	m.add(session.Noted{Text: evil}).add(session.TurnStarted{Turn: 3, Chain: 3, Text: evil}).add(session.TurnPartial{Turn: 3, N: 1, Text: evil})
	m.add(session.RowQueued{Row: queue.Row{ID: "evil.9", Text: evil, Attachments: files}}, session.GateChanged{Gate: session.Gate{Blocked: []session.Block{{Row: "evil.9", Why: evil}}}})
	m.done()
}

// C14: nothing a terminal obeys is in a document, and JSON Lines say what was recorded all the same.
func TestExportHasNoControls(t *testing.T) {
	for _, evil := range hostile {
		dir := t.TempDir()
		spiteful(t, dir, evil)
		for _, f := range Formats() {
			got := exported(t, dir, "evil", f)
			if at := controls.FindString(got); at != "" {
				t.Errorf("C14: %q in %s of %q", at, f, evil)
			}
		}
		var said bool
		for l := range strings.Lines(exported(t, dir, "evil", Lines)) {
			var e struct {
				Kind string
				Data struct{ Answer string }
			}
			if err := json.Unmarshal([]byte(l), &e); err != nil {
				t.Fatal(err)
			}
			said = said || e.Kind == "turn.succeeded" && e.Data.Answer == evil
		}
		if !said {
			t.Errorf("%q is not in the lines", evil)
		}
	}
}

// headingsOf lists what a reader of markdown takes for headings of the document, and the markup it finds anywhere.
func headingsOf(markdown string) (headings, markup []string) {
	src := []byte(markdown)
	root := goldmark.New().Parser().Parse(text.NewReader(src))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level <= 2 {
			headings = append(headings, string(h.Lines().Value(src)))
		}
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.RawHTML:
			if entering {
				markup = append(markup, string(n.Segments.Value(src)))
			}
		case *ast.HTMLBlock:
			if entering {
				markup = append(markup, strings.TrimSpace(string(n.Lines().Value(src))))
			}
		}
		return ast.WalkContinue, nil
	})
	return headings, markup
}

var ourMarkup = regexp.MustCompile(`^(<details><summary>(Reasoning|Retried model request \(\d+/\d+\))</summary>|</details>)$`)

// No text makes a heading, markup or an unclosed block of the document around it.
func TestMarkdownCannotBeFaked(t *testing.T) {
	want := []string{"You", "Agent, in a failed attempt", "You", "Agent", "You", "Agent, unfinished", "Waiting: 1 row"}
	for _, evil := range hostile {
		dir := t.TempDir()
		spiteful(t, dir, evil)
		doc := exported(t, dir, "evil", Markdown)
		headings, markup := headingsOf(doc)
		var got []string
		for _, h := range headings[1:] { // the first is the title, a text of its own
			got = append(got, strings.SplitN(h, " · ", 2)[0])
		}
		wanted := want
		if strings.Trim(evil, "\n") == "" {
			wanted = want[:0:0]
			wanted = append(wanted, "You", "Agent, in a failed attempt", "You", "Agent", "You", "Agent, unfinished", "Waiting: 1 row")
		}
		if d := cmp.Diff(wanted, got); d != "" {
			t.Errorf("%.40q makes headings (-ours +read):\n%s\n%.2000s", evil, d, doc)
		}
		for _, m := range markup {
			for l := range strings.SplitSeq(m, "\n") {
				if !ourMarkup.MatchString(l) {
					t.Errorf("%.40q makes markup: %.200q", evil, l)
				}
			}
		}
		if n := strings.Count(strings.Join(markup, " "), "<details>"); n != 3 {
			t.Errorf("%.40q: %d folds, want 3", evil, n)
		}
	}
}

// What an answer has of its own markdown stays; only what would reach beyond it is changed.
func TestAnswersStayAsTheyAre(t *testing.T) {
	for _, same := range []string{"plain", "### Three\n\n- a\n- b", "```go\nx <b>\n```", "a `<b>` b", "1 < 2 && 3 > 2", "<https://a.example>", "| a |\n|---|\n| b |", "***bold***"} {
		if got := answered(same); got != same+"\n" {
			t.Errorf("%q became %q", same, got)
		}
	}
	for in, want := range map[string]string{
		"a <b>c</b>":           "a \\<b>c\\</b>\n",
		"# One\n\ntext":        "> # One\n>\n> text\n",
		"```\nopen":            "````text\n```\nopen\n````\n",
		"[a]: http://x\n\n[a]": "```text\n[a]: http://x\n\n[a]\n```\n",
		"<div>\n<b>\n\n## A":   "> \\<div>\n> \\<b>\n>\n> ## A\n",
	} {
		if got := answered(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"hello\n\n- a": "> hello\n>\n> - a\n", "a `b`": "```text\na `b`\n```\n", "": "", "\n": "", "# x": "```text\n# x\n```\n",
	} {
		if got := quoted(in); got != want {
			t.Errorf("prompt %q became %q, want %q", in, got, want)
		}
	}
}

var (
	tags  = regexp.MustCompile(`<[^>]*>`)
	hrefs = regexp.MustCompile(`href="([^"]*)"`)
	// ourTags is all that a page is made of.
	ourTags = regexp.MustCompile(`^</?(!doctype html|html|html lang="en"|head|meta [^<>]*|title|style|body|h[1-6]|p|p class="(facts|note|error|tool)"|br|section|section class="(you|agent|queue)"|div|div class="(said|row said)"|details|details class="(reasoning|retry)"|summary|ul|ol|ol start="\d+"|li|span|span class="word"|code|code class="language-[^"<>]*"|pre|pre class="said"|em|strong|del|blockquote|hr|table|thead|tbody|tr|th|td|t[hd] style="text-align:(left|right|center)"|a|a href="[^"<>]*" rel="noopener noreferrer nofollow"|input (checked="" )?disabled="" type="checkbox")>$`)
)

// Whatever a session says, its page holds our tags alone, closed in order, and leads nowhere but to the web.
func TestPageCannotBeFaked(t *testing.T) {
	for _, evil := range hostile {
		dir := t.TempDir()
		spiteful(t, dir, evil)
		doc := exported(t, dir, "evil", HTML)
		_, body, _ := strings.Cut(doc, "</style>")
		for _, tag := range tags.FindAllString(body, -1) {
			if !ourTags.MatchString(tag) {
				t.Errorf("%.40q makes the tag %.200q", evil, tag)
			}
		}
		if n := strings.Count(body, "<h1>") + strings.Count(body, "<h2>"); n != 8 {
			t.Errorf("%.40q: %d headings of the page, want 8", evil, n)
		}
		for _, section := range []string{"section", "details", "div", "pre", "a"} {
			if open, shut := len(regexp.MustCompile("<"+section+"[ >]").FindAllString(body, -1)), strings.Count(body, "</"+section+">"); open != shut {
				t.Errorf("%.40q: %d of %s are opened and %d closed", evil, open, section, shut)
			}
		}
		for _, to := range hrefs.FindAllStringSubmatch(body, -1) {
			if !strings.HasPrefix(to[1], "https://a.example/") && !strings.HasPrefix(to[1], "http://tracker.example/") && to[1] != "mailto:a@b.example" {
				t.Errorf("%.40q links to %q", evil, to[1])
			}
		}
		if strings.Contains(strings.ToLower(strings.Join(tags.FindAllString(body, -1), "")), "javascript") {
			t.Errorf("%.40q runs a script", evil)
		}
	}
}

// A page loads nothing from elsewhere.
func TestPageStandsAlone(t *testing.T) {
	dir := t.TempDir()
	eventful(t, dir)
	doc := exported(t, dir, "20261130-154210-4fzq", HTML)
	for _, loads := range []string{"<link", "<script", "<img", "@import", "url(", " src="} {
		if strings.Contains(doc, loads) {
			t.Errorf("the page has %q", loads)
		}
	}
	if !strings.Contains(doc, "default-src 'none'") || !strings.Contains(doc, "prefers-color-scheme: dark") {
		t.Error("the page may load things, or has one look only")
	}
}

// parsedBytes, parsedDelimiters and parsedDepth bound what is parsed; what is beyond is plain and whole.
func TestHeavyTextsArePlain(t *testing.T) {
	quotes := func(n int) string { return strings.Repeat(">", n) + " x" }
	for name, c := range map[string]struct {
		at    func(n int) string
		limit int
	}{
		"bytes":    {func(n int) string { return strings.Repeat("x", n) }, parsedBytes},
		"emphasis": {func(n int) string { return strings.Repeat("*", n) }, parsedDelimiters},
		"brackets": {func(n int) string { return strings.Repeat("]", n) }, parsedDelimiters},
		"depth":    {quotes, parsedDepth},
		"indent":   {func(n int) string { return strings.Repeat(" ", n) + "x" }, 2 * parsedDepth},
	} {
		for n := c.limit - 1; n <= c.limit+1; n++ {
			if got := tooHeavy(c.at(n)); got != (n > c.limit) {
				t.Errorf("%s, %d of %d: %t", name, n, c.limit, got)
			}
		}
	}
	var b bytes.Buffer
	long := strings.Repeat("A paragraph with **weight**.\n\n", 8000) + "```\nlet it\n\nbe\n```\n\nend"
	if err := rendered(&b, long); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "<strong>weight</strong>"); n != 8000 || !strings.Contains(b.String(), "let it\n\nbe\n</code>") {
		t.Errorf("%d of 8000 paragraphs of a long text are rendered", n)
	}
	b.Reset()
	if err := rendered(&b, strings.Repeat("x ", parsedBytes)); err != nil || !strings.HasPrefix(b.String(), "<pre") {
		t.Errorf("%.20s, %v", b.String(), err)
	}
}

func TestExportOfDamage(t *testing.T) {
	dir := t.TempDir()
	begun(t, dir, "x").said(1, "the first", "yes").said(2, "the second", "no").done()
	path := filepath.Join(dir, "x.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, broken := range map[string]string{
		"line":   strings.Replace(string(raw), "the first", "the worst", 1),
		"header": strings.Replace(string(raw), "created", "creatde", 1),
	} {
		if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		for f, says := range map[Format]string{Markdown: "damaged part", HTML: "damaged part", Lines: `{"missing":`} {
			if got := exported(t, dir, "x", f); !strings.Contains(got, says) || !strings.Contains(got, "the second") {
				t.Errorf("%s, %s: %s", what, f, got)
			}
		}
	}
	for want, id := range map[error]string{os.ErrNotExist: "y", journal.ErrBadID: "../x"} {
		for _, f := range Formats() {
			if err := Export(&bytes.Buffer{}, dir, id, f); !errors.Is(err, want) {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
	if err := Export(&bytes.Buffer{}, dir, "x", "pdf"); err == nil || !strings.Contains(err.Error(), `no format "pdf"`) {
		t.Errorf("%v", err)
	}
}

// full takes the first n bytes.
type full struct{ n int }

func (f *full) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestExportTellsWhatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	begun(t, dir, "x").said(1, "the first", strings.Repeat("long answer\n\n", 20000)).done()
	for _, f := range Formats() {
		for _, n := range []int{0, 100 << 10} {
			if err := Export(&full{n}, dir, "x", f); err == nil || !strings.Contains(err.Error(), "disk full") {
				t.Errorf("%s behind %d bytes: %v", f, n, err)
			}
		}
	}
}

// What stands between fences is the text itself: backslashes that were put there before the fence turned out to be needed
// would be read as part of it.
func TestFencedAnswersAreUnchanged(t *testing.T) {
	answer := "a <b>tag</b> [x](y)\n```\nnever closed"
	if got, want := answered(answer), "````text\n"+answer+"\n````\n"; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
}
