//go:build unix

package crashtest

import (
	"regexp"
	"slices"
	"strings"

	"baton/model/session"
)

// What is read from the screen. The window has room for all sixteen rows.

const (
	width, height = 120, 60
	newCommand    = other + "/new"
	generated     = other + session.ContinueText
)

var (
	rowLine = regexp.MustCompile(`^(› |  ) ?(\d+) (\S.*?)  +(\S.*)$`)
	token   = regexp.MustCompile(`^[pe]\d+`)
)

// row is a line of the queue.
type row struct {
	word, label string
	picked      bool
}

func (l *life) queue() []row {
	var rows []row
	for _, line := range l.Lines() {
		if m := rowLine.FindStringSubmatch(line); m != nil {
			rows = append(rows, row{m[3], m[4], m[1] != "  "})
		}
	}
	return rows
}

// entries are the queue on the screen, with the whole texts that the labels stand for. A label that stands for none is
// there as it is.
func (l *life) entries() []string {
	var all []string
	for _, r := range l.queue() {
		e := r.label
		switch {
		case strings.HasPrefix(e, "/new"):
			e = newCommand
		case strings.HasPrefix(e, session.ContinueText):
			e = generated
		default:
			e = l.c.textOf(e)
		}
		all = append(all, e)
	}
	return all
}

// textOf is the text that a label stands for: each begins with a word of its own.
func (c *chain) textOf(label string) string {
	word := token.FindString(label)
	for _, text := range slices.Backward(c.texts) {
		if word != "" && token.FindString(text) == word {
			return text
		}
	}
	return label
}

// status is the last line of the screen.
func (l *life) status() string {
	lines := l.Lines()
	return lines[len(lines)-1]
}

func (l *life) idle() bool {
	s := l.status()
	return strings.HasPrefix(s, "○ Ready") || strings.HasPrefix(s, "✗ Error")
}

func (l *life) busy() bool { return strings.HasPrefix(l.status(), "● Busy") }

// composer is what stands in the composer, "" when it is empty.
func (l *life) composer() string {
	const idle = "┆"
	lines := l.Lines()
	i, bar := len(lines)-1, "┃"
	for i > 0 && !strings.HasPrefix(lines[i], bar) && !strings.HasPrefix(lines[i], idle) {
		i--
	}
	if strings.HasPrefix(lines[i], idle) { // keys go elsewhere
		bar = idle
	}
	var text []string
	for ; i >= 0 && strings.HasPrefix(lines[i], bar); i-- {
		text = append(text, strings.TrimPrefix(strings.TrimPrefix(lines[i], bar), " "))
	}
	slices.Reverse(text)
	return strings.Join(text, "\n")
}

// focus is where keys go.
type focus string

const (
	onComposer   focus = "composer"
	onQueue      focus = "queue"
	onEditor     focus = "editor"
	onTranscript focus = "transcript"
)

func (l *life) focus() focus {
	for _, line := range l.Lines() {
		if !strings.HasPrefix(line, "queue ") {
			continue
		}
		switch {
		case strings.Contains(line, "enter saves"):
			return onEditor
		case strings.Contains(line, "edits"):
			return onQueue
		}
	}
	if _, _, shown := l.Cursor(); shown {
		return onComposer
	}
	return onTranscript
}

func (l *life) paused() bool {
	return slices.ContainsFunc(l.Lines(), func(line string) bool {
		return strings.HasPrefix(line, "queue ") && strings.Contains(line, "held: paused")
	})
}
