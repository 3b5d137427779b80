// Package theme turns the names of things on the screen into styles.
// It must never ask the terminal anything, look at a file descriptor, or say
// with a colour what no word beside it says.
package theme

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Default is the theme used when none is configured. It needs nothing but the
// sixteen colours that the person chose for their terminal.
const Default = "ansi16"

// Theme is one set of styles, ready to render. Only [For] and [Named] make one; copies share its styles, which
// nobody changes.
type Theme struct {
	// ID names the set, its variant and the colours it was built for. Two themes
	// with the same ID render alike, so it can be part of a cache key.
	ID string
	*Styles
}

// Styles are those of a theme, 23 KB of them. They carry no width, padding or alignment; whoever draws measures and
// cuts first.
type Styles struct {
	// Whose row it is, and how a turn went.
	You, Agent, Reasoning, Tool, Retry, Error, Notice lipgloss.Style
	// Text by weight.
	Text, Dim, Bold, Italic, Strike lipgloss.Style
	// The queue and the lifecycle.
	Selected, QueueHead, Held, Busy, Ready, Stopped lipgloss.Style
	// Markdown.
	Link, Code, CodeBlock, Heading, Quote, ListMark, Rule, TableBorder, TableHead lipgloss.Style
	// Highlighted source.
	Keyword, String, Number, Comment, Func, Type, Added, Removed lipgloss.Style
	// What is typed, and what pops up.
	Prompt, Placeholder, Chip, Cursor, Border, Match, Key lipgloss.Style
}

// slots lists every style of a theme under the name the token tables use.
func (t *Styles) slots() map[string]*lipgloss.Style {
	return map[string]*lipgloss.Style{
		"you": &t.You, "agent": &t.Agent, "reasoning": &t.Reasoning, "tool": &t.Tool,
		"retry": &t.Retry, "error": &t.Error, "notice": &t.Notice,
		"text": &t.Text, "dim": &t.Dim, "bold": &t.Bold, "italic": &t.Italic, "strike": &t.Strike,
		"selected": &t.Selected, "queuehead": &t.QueueHead, "held": &t.Held,
		"busy": &t.Busy, "ready": &t.Ready, "stopped": &t.Stopped,
		"link": &t.Link, "code": &t.Code, "codeblock": &t.CodeBlock, "heading": &t.Heading,
		"quote": &t.Quote, "listmark": &t.ListMark, "rule": &t.Rule,
		"tableborder": &t.TableBorder, "tablehead": &t.TableHead,
		"keyword": &t.Keyword, "string": &t.String, "number": &t.Number, "comment": &t.Comment,
		"func": &t.Func, "type": &t.Type, "added": &t.Added, "removed": &t.Removed,
		"prompt": &t.Prompt, "placeholder": &t.Placeholder, "chip": &t.Chip, "cursor": &t.Cursor,
		"border": &t.Border, "match": &t.Match, "key": &t.Key,
	}
}

// Names lists the themes, the default first.
func Names() []string {
	names := make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.name
	}
	return names
}

// Named builds a theme with all the colours it has. The error for an unknown
// name lists the known ones. dark picks the variant for a dark background.
func Named(name string, dark bool) (Theme, error) {
	return For(name, dark, termenv.ANSI256)
}

// For builds a theme for a terminal that shows the colours of p (see Profile).
// Colours beyond p become their nearest neighbour; without colours
// (termenv.Ascii) every name gives the attributes of "mono".
func For(name string, dark bool, p termenv.Profile) (Theme, error) {
	i := slices.IndexFunc(sets, func(s set) bool { return s.name == name })
	if i < 0 {
		return Theme{}, fmt.Errorf("unknown theme %q (known: %s)", name, strings.Join(Names(), ", "))
	}
	s := sets[i]
	if p == termenv.Ascii {
		// lipgloss would drop bold and reverse together with the colours, but
		// NO_COLOR asks for no colour only.
		s, p = set{name: "mono", dark: mono, light: mono}, termenv.ANSI
	}
	table, variant := s.light, "light"
	if dark {
		table, variant = s.dark, "dark"
	}
	tokens := table()
	t := Theme{ID: strings.Join([]string{s.name, variant, p.Name()}, "/"), Styles: new(Styles)}
	r := renderer(dark, p)
	for slot, style := range t.slots() {
		*style = tokens[slot].style(r)
	}
	return t, nil
}

// renderer is a renderer that was told everything it could want to know, so it
// never looks at the terminal.
func renderer(dark bool, p termenv.Profile) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard, termenv.WithProfile(p))
	r.SetColorProfile(p)
	r.SetHasDarkBackground(dark)
	return r
}
