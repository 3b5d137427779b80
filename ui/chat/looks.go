package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"

	"baton/ui/markdown"
	"baton/ui/sanitize"
	"baton/ui/theme"
)

// looks is a theme made ready for the text of each kind of block.
type looks struct {
	agent, user, reasoning, dim markdown.Styles
	bar                         string
}

func newLooks(t theme.Theme) looks {
	st := markdown.NewStyles(t)
	return looks{
		agent: st, user: st,
		reasoning: st.Over("reasoning", t.Reasoning),
		dim:       st.Over("dim", t.Dim),
		bar:       t.You.Render("┃") + " ",
	}
}

func (l *looks) of(k Kind) markdown.Styles {
	switch k {
	case Reasoning:
		return l.reasoning
	case Tool:
		return l.dim
	}
	return l.agent
}

// marginWidth is the room that a bar or an indent takes; below roomy cells there
// is none.
const (
	marginWidth = 2
	roomy       = 6
)

// margin returns what goes before each line of a text, and the width that is left.
func (l *looks) margin(k Kind, width int) (prefix string, left int) {
	switch {
	case k == Agent || width < roomy:
		return "", width
	case k == User:
		return l.bar, width - marginWidth
	}
	return "  ", width - marginWidth
}

// The marks say in a letter what the colours say, and each comes with a word.
const (
	markReasoning = "∴"
	markTool      = "◆"
	markRetry     = "↻"
	markFailed    = "✗"
	markNotice    = "·"
	markStopped   = "■"
	markFolded    = "▸"
	markOpen      = "▾"
	markChosen    = "›"
)

// headLines lays out the title: a mark, words, and whether there is more.
func (it *item) headLines(m *Model, folded bool) []string {
	mark, title, style := it.words(m, folded)
	if title == "" {
		return []string{}
	}
	if it.Foldable && (it.hasText() || len(it.Details) > 0) {
		title += " " + map[bool]string{true: markFolded, false: markOpen}[folded]
	}
	return hanging(mark, title, m.width, style)
}

// words chooses the mark and the title of a block; some need none.
func (it *item) words(m *Model, folded bool) (mark, title string, style lipgloss.Style) {
	title = it.Title
	t := &m.theme
	switch it.Kind {
	case User:
		return markNotice, title, t.You
	case Agent:
		switch {
		case it.Failed:
			return markFailed, or(title, "unfinished answer of a failed turn"), t.Error
		case folded:
			return markNotice, or(title, "answer"), t.Agent
		}
		return markNotice, title, t.Agent
	case Reasoning:
		mark, title, style = markReasoning, or(title, "Reasoning"), t.Reasoning
	case Tool:
		mark, title, style = markTool, or(title, "Tool"), t.Tool
	case Retry:
		mark, title, style = markRetry, or(title, it.Text), t.Retry
	case Error:
		return markFailed, or(title, it.Text), t.Error
	default:
		mark, title, style = markNotice, or(title, it.Text), t.Notice
	}
	if it.Failed && it.Kind != Retry {
		mark, title = markFailed, title+" · failed"
	}
	return mark, title, style
}

func or(title, otherwise string) string {
	if strings.TrimSpace(title) == "" {
		return otherwise
	}
	return title
}

// footLines lays out the details, the word for what was stopped, and the words about it all.
func (it *item) footLines(m *Model, folded bool) []string {
	lines := []string{}
	if !folded {
		_, width := m.looks.margin(Notice, m.width)
		for _, d := range it.Details {
			for _, l := range markdown.Wrap(sanitize.Line(d), width, m.theme.Dim) {
				lines = append(lines, strings.Repeat(" ", m.width-width)+l)
			}
		}
	}
	if it.Interrupted {
		lines = append(lines, hanging(markStopped, "interrupted", m.width, m.theme.Stopped)...)
	}
	if it.Foot != "" {
		lines = append(lines, hanging(markNotice, it.Foot, m.width, m.theme.Dim)...)
	}
	return lines
}

// hanging lays text out beside a mark, in lines of at most width cells.
func hanging(mark, text string, width int, style lipgloss.Style) []string {
	text = sanitize.Line(text)
	if width < roomy {
		return parted(markdown.Wrap(together(mark+" "+text, width), width, style))
	}
	lines := parted(markdown.Wrap(together(text, width-marginWidth), width-marginWidth, style))
	for i, l := range lines {
		if i == 0 {
			lines[i] = style.Render(mark) + " " + l
		} else {
			lines[i] = "  " + l
		}
	}
	return lines
}

// noBreak is the space at which no line breaks (U+00A0).
const noBreak = "\u00a0"

// together keeps a number on the line of the word that it counts ("5 attempts"), where a line has room for both.
func together(text string, width int) string {
	words := strings.Split(text, " ")
	var b strings.Builder
	for i, w := range words {
		b.WriteString(w)
		if i == len(words)-1 {
			break
		}
		next, _ := utf8.DecodeRuneInString(words[i+1])
		if w != "" && strings.Trim(w, "0123456789") == "" && unicode.IsLetter(next) && sanitize.Width(w)+1+sanitize.Width(words[i+1]) <= width {
			b.WriteString(noBreak)
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// parted makes plain spaces again of what kept words together: what is copied off the screen has those of the text.
func parted(lines []string) []string {
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(l, noBreak, " ")
	}
	return lines
}
