package cli

import (
	"io"
	"strings"

	"baton/ui/sanitize"
)

// roff writes a manual page with the man macros, as groff_man(7) and mandoc's man(7)
// read them. Only ASCII leaves it.
type roff struct{ w io.Writer }

func (p *roff) raw(line string) { _, _ = io.WriteString(p.w, line+"\n") } // the writer keeps its error

func (p *roff) title(name, section, date, source string) {
	p.raw(`.TH ` + strings.ToUpper(name) + ` ` + section + ` "` + escapeRoff(date) + `" "` + escapeRoff(source) + `"`)
	p.raw(".nh")
	p.raw(".ad l")
}

func (p *roff) section(name string)    { p.raw(".SH " + escapeRoff(name)) }
func (p *roff) subsection(name string) { p.raw(".SS " + escapeRoff(name)) }

// text writes paragraphs; the lines of one are filled anew.
func (p *roff) text(s string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(s), "\n\n") {
		if i > 0 {
			p.raw(".PP")
		}
		for line := range strings.Lines(paragraph) {
			p.raw(lineRoff(strings.TrimSpace(line)))
		}
	}
}

// usage writes how a command is called, its fixed words in bold.
func (p *roff) usage(line string) {
	words := strings.Fields(line)
	fixed := 0
	for fixed < len(words) && strings.Trim(words[fixed], "abcdefghijklmnopqrstuvwxyz-") == "" {
		fixed++
	}
	p.raw(`\fB` + escapeRoff(strings.Join(words[:fixed], " ")) + `\fR ` + escapeRoff(strings.Join(words[fixed:], " ")))
}

// item writes a term and what it means.
func (p *roff) item(term, what string) {
	p.raw(".TP")
	p.raw(`\fB` + escapeRoff(term) + `\fR`)
	p.raw(lineRoff(what))
}

// example writes lines as they are.
func (p *roff) example(s string) {
	p.raw(".nf")
	for line := range strings.Lines(s) {
		p.raw(lineRoff(strings.TrimRight(line, "\n")))
	}
	p.raw(".fi")
}

// lineRoff is a line of text that is taken for no request.
func lineRoff(s string) string {
	s = escapeRoff(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		return `\&` + s
	}
	return s
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "`", `\(ga`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`,
	"…", "...", "·", `\(pc`, "\u2192", `\(->`, "\u2013", `\(en`, "\u2019", `\(cq`)

// escapeRoff makes text of any characters one that prints as itself.
func escapeRoff(s string) string {
	s = roffEscapes.Replace(strings.ReplaceAll(sanitize.Text(s), "\n", " "))
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteString(unicodeRoff(r))
		}
	}
	return b.String()
}

// unicodeRoff is groff's and mandoc's name of a character.
func unicodeRoff(r rune) string {
	const digits = "0123456789ABCDEF"
	name := ""
	for ; r > 0 || len(name) < 4; r /= 16 {
		name = digits[r%16:r%16+1] + name
	}
	return `\[u` + name + `]`
}
