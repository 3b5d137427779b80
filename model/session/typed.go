package session

import (
	"strings"
	"unicode"

	"baton/queue"
)

// A text that reads like a slash command and is none is typed with a second slash. The session has it as it was meant:
// one slash less. A comment of a program, "// like this", is no such text.

// likeCommand reports whether a text begins with a slash and a command's name.
func likeCommand(text string) bool {
	name, ok := strings.CutPrefix(text, "/")
	rest := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
	if !ok || len(rest) == len(name) {
		return false
	}
	for _, r := range rest {
		return unicode.IsSpace(r)
	}
	return true
}

// meant is a text as it is kept and sent.
func meant(typed string) string {
	if rest, ok := strings.CutPrefix(typed, "/"); ok && likeCommand(rest) {
		return rest
	}
	return typed
}

// Typed is how a text is typed that is kept so: what is entered gives the text again, and no command.
func Typed(text string) string {
	if likeCommand(text) {
		return "/" + text
	}
	return text
}

// Typed is how what a draft holds is typed.
func (d Draft) Typed() string {
	if d.Command {
		return d.Text
	}
	return Typed(d.Text)
}

// entered is a draft as it is kept.
func (d Draft) entered() Draft {
	d.Text = queue.Normalize(d.Text)
	if !d.Command {
		d.Text = meant(d.Text)
	}
	return d
}

// enteredIn is that of what stands in the editor, if it is open.
func enteredIn(open *Draft) *Draft {
	if open == nil {
		return nil
	}
	d := open.entered()
	return &d
}
