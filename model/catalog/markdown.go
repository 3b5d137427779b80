package catalog

import (
	"bufio"
	"fmt"
	"strings"

	"baton/model/session"
	"baton/ui/sanitize"
)

// writeMarkdown writes the document as CommonMark. Errors stay in w.
func writeMarkdown(w *bufio.Writer, d document) {
	fmt.Fprintf(w, "# %s\n\n", inline(d.title))
	for _, f := range d.facts() {
		fmt.Fprintf(w, "- %s\n", inline(f))
	}
	for _, p := range d.parts {
		markdownPart(w, p)
	}
	if len(d.waiting) > 0 {
		fmt.Fprintf(w, "\n## %s\n", inline(d.queueHeading()))
	}
	for i, r := range d.waiting {
		fmt.Fprintf(w, "\n### %d · %s\n\n%s", i+1, inline(r.word), quoted(r.text))
		markdownFiles(w, r.files)
	}
}

func markdownPart(w *bufio.Writer, p part) {
	if h := p.heading(); h != "" {
		fmt.Fprintf(w, "\n## %s\n\n", h)
	}
	switch {
	case p.again:
		fmt.Fprintf(w, "\n*%s*\n", againText)
	case p.Kind == session.UserRow:
		_, _ = w.WriteString(quoted(p.Text))
		markdownFiles(w, p.Details)
	case p.Kind == session.AgentRow:
		_, _ = w.WriteString(answered(p.Text))
	case p.Kind == session.ReasoningRow:
		fmt.Fprintf(w, "\n<details><summary>Reasoning</summary>\n\n%s\n</details>\n", fenced(sanitize.Text(p.Text)))
	case p.Kind == session.RetryRow:
		markdownFold(w, p.Text, p.Details)
	case p.Kind == session.ToolRow:
		fmt.Fprintf(w, "\n- Tool %s\n", strings.Join(append([]string{code(p.Text)}, inlineAll(p.Details)...), " · "))
	case p.Kind == session.ErrorRow:
		fmt.Fprintf(w, "\n**%s**\n", inline(p.Text))
		for _, next := range p.Details {
			fmt.Fprintf(w, "\nNext: %s\n", inline(next))
		}
	default:
		fmt.Fprintf(w, "\n*%s*\n", inline(p.Text))
	}
}

// markdownFold writes a line that unfolds to a list. Details are one line each.
func markdownFold(w *bufio.Writer, summary string, details []string) {
	fmt.Fprintf(w, "\n<details><summary>%s</summary>\n\n", inline(summary))
	for _, d := range details {
		fmt.Fprintf(w, "- %s\n", inline(d))
	}
	_, _ = w.WriteString("\n</details>\n")
}

func markdownFiles(w *bufio.Writer, files []string) {
	if len(files) == 0 {
		return
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = code(baseName(f))
	}
	fmt.Fprintf(w, "\nAttached: %s\n", strings.Join(names, ", "))
}

// quoted is a person's text as a block of its own, ended by LF: a quotation, or between fences if markdown would take
// something in it for code, markup or the definition of a link.
func quoted(text string) string {
	text = strings.Trim(sanitize.Text(text), "\n")
	if text == "" {
		return ""
	}
	if !quotable(text) {
		return fenced(text)
	}
	return quotation(text, text)
}

func prefixed(mark, text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight(mark+line, " \t") + "\n")
	}
	return b.String()
}

// quotable reports whether a text may stand in a quotation.
func quotable(text string) bool {
	if strings.ContainsAny(text, "<`&\\") || strings.Contains(text, "~~~") {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		body := strings.TrimLeft(line, " ")
		if strings.HasPrefix(body, "[") || strings.HasPrefix(body, "#") || strings.HasPrefix(body, "\t") || len(line)-len(body) > 3 || underline(body) {
			return false
		}
	}
	return true
}

// underline reports whether a line would make a heading of the one above it.
func underline(body string) bool {
	body = strings.TrimRight(body, " \t")
	return body != "" && (strings.Trim(body, "=") == "" || strings.Trim(body, "-") == "")
}

// fenced is printable text between fences that nothing in it can close, ended by LF.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// code is text from outside as a code span of one line, "" for none.
func code(text string) string {
	text = sanitize.Line(text)
	if text == "" {
		return ""
	}
	ticks := "`"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	if len(ticks) > 1 || strings.HasPrefix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "<", `\<`, "&", `\&`, "#", `\#`, "~", `\~`)

// inline is one line of text in which markdown finds nothing.
func inline(text string) string { return escapes.Replace(sanitize.Line(text)) }

func inlineAll(texts []string) []string {
	var all []string
	for _, t := range texts {
		if t != "" {
			all = append(all, inline(t))
		}
	}
	return all
}
