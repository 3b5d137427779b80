package catalog

import (
	"bufio"
	"fmt"
	"html"
	"strings"

	"baton/model/session"
	"baton/ui/sanitize"
)

// pageHead begins a page that loads nothing: no script, font, picture or style from elsewhere.
const pageHead = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>%s</title>
<style>
:root { color-scheme: light dark; --line: #d0d0d0; --soft: #f4f4f4; --dim: #606060; --bad: #b00020; }
@media (prefers-color-scheme: dark) { :root { --line: #404040; --soft: #202020; --dim: #a0a0a0; --bad: #ff8a80; } }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
h1 { line-height: 1.25; }
section { border-top: 1px solid var(--line); padding-top: .5rem; margin-top: 1.25rem; }
h2 { font-size: 1rem; margin: .25rem 0; }
.facts, .note, summary, .word { color: var(--dim); }
.error { color: var(--bad); }
.said { white-space: pre-wrap; }
.you .said, pre, .row { background: var(--soft); border-radius: .4rem; padding: .5rem .75rem; }
pre { overflow-x: auto; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
blockquote { border-left: 3px solid var(--line); margin-left: 0; padding-left: 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
ul > li:has(> input, > p > input) { list-style: none; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; }
</style>
</head>
<body>
`

// writePage writes the document as one HTML page. Errors of writing stay in w.
func writePage(w *bufio.Writer, d document) error {
	fmt.Fprintf(w, pageHead, line(d.title))
	fmt.Fprintf(w, "<h1>%s</h1>\n<p class=\"facts\">", line(d.title))
	for i, f := range d.facts() {
		if i > 0 {
			_, _ = w.WriteString("<br>\n")
		}
		_, _ = w.WriteString(line(f))
	}
	_, _ = w.WriteString("</p>\n")
	for _, p := range d.parts {
		if err := pagePart(w, p); err != nil {
			return err
		}
	}
	if len(d.waiting) > 0 {
		fmt.Fprintf(w, "<section class=\"queue\">\n<h2>%s</h2>\n<ol>\n", line(d.queueHeading()))
		for _, r := range d.waiting {
			fmt.Fprintf(w, "<li><span class=\"word\">%s</span>\n<div class=\"row said\">%s</div>\n%s</li>\n", line(r.word), lines(r.text), files(r.files))
		}
		_, _ = w.WriteString("</ol>\n</section>\n")
	}
	_, err := w.WriteString("</body>\n</html>\n")
	return err
}

// line is text from outside on one line of the page, lines keeps its line ends.
func line(text string) string { return html.EscapeString(sanitize.Line(text)) }
func lines(text string) string {
	return html.EscapeString(strings.Trim(sanitize.Text(text), "\n"))
}

func pagePart(w *bufio.Writer, p part) error {
	switch {
	case p.again:
		fmt.Fprintf(w, "<p class=\"note\">%s</p>\n", againText)
	case p.Kind == session.UserRow:
		fmt.Fprintf(w, "<section class=\"you\">\n<h2>%s</h2>\n<div class=\"said\">%s</div>\n%s</section>\n", p.heading(), lines(p.Text), files(p.Details))
	case p.Kind == session.AgentRow:
		fmt.Fprintf(w, "<section class=\"agent\">\n<h2>%s</h2>\n", p.heading())
		if err := rendered(w, sanitize.Text(p.Text)); err != nil {
			return err
		}
		_, _ = w.WriteString("</section>\n")
	case p.Kind == session.ReasoningRow:
		fmt.Fprintf(w, "<details class=\"reasoning\">\n<summary>Reasoning</summary>\n<div class=\"said\">%s</div>\n</details>\n", lines(p.Text))
	case p.Kind == session.RetryRow:
		fmt.Fprintf(w, "<details class=\"retry\">\n<summary>%s</summary>\n<ul>\n", line(p.Text))
		for _, d := range p.Details {
			fmt.Fprintf(w, "<li>%s</li>\n", line(d))
		}
		_, _ = w.WriteString("</ul>\n</details>\n")
	default:
		pageLine(w, p)
	}
	return nil
}

// pageLine writes the parts that are one line each.
func pageLine(w *bufio.Writer, p part) {
	class, text := "note", line(p.Text)
	switch p.Kind {
	case session.ErrorRow:
		class = "error"
	case session.ToolRow:
		class, text = "tool", "Tool <code>"+text+"</code>"
	}
	fmt.Fprintf(w, "<p class=\"%s\">%s", class, text)
	for _, d := range p.Details {
		if d != "" {
			fmt.Fprintf(w, " · %s", line(d))
		}
	}
	_, _ = w.WriteString("</p>\n")
}

// files names attachments, "" if there are none.
func files(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	var names []string
	for _, f := range paths {
		names = append(names, "<code>"+line(baseName(f))+"</code>")
	}
	return "<p class=\"facts\">Attached: " + strings.Join(names, ", ") + "</p>\n"
}
