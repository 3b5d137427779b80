package session

import (
	"strings"

	"baton/queue"
)

// compactCommand is the one slash command that the agent carries out: a turn like any
// other, whose answer stands for the turns before it in every later request.
const compactCommand = "/compact"

// compacts reports whether a text that is a command asks for a summary.
func compacts(text string, command bool) bool {
	return command && commandName(text) == compactCommand
}

// compactNow asks for a summary that was typed while idle.
func (d *decider) compactNow(text string) {
	if _, ok := d.s.LastTurn(); !ok {
		d.refuse(RefusedIdle, "there is nothing to compact yet")
		return
	}
	id := d.nextID()
	d.run(Turn{ID: id, Chain: id, Text: text, Compact: true})
}

// compactRow asks for a summary when its row's turn comes, whatever there is: it may
// have been carried into a session that has no turns yet.
func (d *decider) compactRow(r queue.Row) {
	id := d.nextID()
	d.emit(RowPromoted{Row: r.ID, Turn: id})
	d.run(Turn{ID: id, Chain: id, Text: r.Text, Compact: true})
}

// compactAsked stands in later requests for the prompt of a summary, and compactPrompt
// is that prompt. What the person wrote behind the command goes with it.
const (
	compactAsked  = "Summarize our conversation so far."
	compactPrompt = "Summarize our conversation so far. From now on your summary stands in the place of everything above, so leave out " +
		"nothing that is needed to go on: what was asked and why, what was decided, names, paths, numbers and commands as they were given, what was " +
		"done and with what result, what is still open. Write the summary alone."
)

// summaryOf is what a request for a summary says to the agent.
func summaryOf(command string) string {
	wish := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(command), compactCommand))
	if wish == "" {
		return compactPrompt
	}
	return compactPrompt + "\n\nAbove all: " + wish
}

// Command is the slash command that a turn carries out, "" for the turn of a prompt.
func (t Turn) Command() string {
	if t.Compact {
		return compactCommand
	}
	return ""
}

// Stands reports whether the turn's answer stands for all turns before it. A summary
// that was cut off does not: it would lose what it never came to.
func (t Turn) Stands() bool { return t.Compact && t.Outcome == Succeeded && !t.Cut }

// Stands reports whether a summary among the items stands for all that came before.
func (x Items) Stands() bool {
	for _, it := range x.Back() {
		if it.Turn != nil && it.Turn.Stands() {
			return true
		}
	}
	return false
}
