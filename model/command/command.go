// Package command holds the slash commands, one file each, every one describing
// itself. It must not decide when a command may run: that is the session's business.
package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/sahilm/fuzzy"

	"baton/agentclient"
	"baton/model/engine"
)

// Host is what a command may do at once, while the program shows the screen.
type Host interface {
	Say(text string) // a passing word
	ShowHelp()
	RetryLast()
	RetryInfo() error // puts the receipts of the turns into the transcript
	Quit()
	SetTheme(name string) error
	CopyAnswer() error
	Attach(path string) error
	PasteImage() error // attaches the image in the clipboard
	ArmFaults(list string) error
	PauseQueue(on bool)
	PlayQueue()
	ClearQueue()
	UndoQueue()
	// Rows are numbered from 1, as they are shown. A row that is not there is an error.
	EditRow(n int, text string) error
	RemoveRow(n int) error
	MoveRow(n, to int) error
	SendRow(n int) error // before the others, now
	StopTurn()
	DescribeQueue() string
	// PickSession resumes the session that has the words. If several have, or there are no words, it lets the person choose.
	PickSession(words string) error
	PickTurn() error // lets the person choose a turn, and forks behind it
	Export(path string) error
}

// World is what a command may reach from any goroutine while it runs as a turn.
type World struct {
	// Open opens an agent by name, with its own model or the named one.
	Open func(ctx context.Context, agent, model string) (agentclient.Agent, error)
	// Agents are the names that Open knows.
	Agents []string
	// Current names the agent in use.
	Current agentclient.Info
	// Fork copies the session up to a turn and names the copy.
	Fork func(ctx context.Context, turn int) (string, error)
	// Turns is the highest number that a turn can have when a command runs that is entered now.
	Turns int
	// Known says why Open has no such agent, or never that model of it; nil if it may.
	Known func(agent, model string) error
	// Meant names the one session that words mean, or says why there is none. nil takes words for a name.
	Meant func(ctx context.Context, words string) (string, error)
}

// Word is what an argument may be, and what that does.
type Word struct{ Name, Help string }

// Command is one slash command. Exactly one of Now and Turn is set.
type Command struct {
	Name, Args, Help string
	// Protocol is that of the agents which the command is for, "" for all.
	Protocol string
	// Words are what the argument may begin with, for its completion.
	Words []Word
	// Examples says that other arguments are as good as the words.
	Examples bool
	// Now runs at once, whatever else runs.
	Now func(h Host, args string) error
	// Turn waits its turn in the queue while the agent is busy.
	Turn func(ctx context.Context, w World, args string) (engine.Finish, error)
	// Check says why arguments can never do, whatever runs before; nil for those that may, and for a command that takes any.
	// It is quick.
	Check func(w World, args string) error
	// Pick lets the person choose the argument of a command that waits its turn and was
	// typed without one, or with words in its place. It runs at once.
	Pick func(h Host, words string) error
	// ByWords says that Pick takes words.
	ByWords bool
}

var all []Command

// add registers a command; each command's file calls it once.
func add(c Command) struct{} {
	all = append(all, c)
	slices.SortFunc(all, func(a, b Command) int { return strings.Compare(a.Name, b.Name) })
	return struct{}{}
}

// All lists the commands by name.
func All() []Command { return slices.Clone(all) }

// For lists the commands that do something while an agent of that protocol is in use.
func For(protocol string) []Command {
	return slices.DeleteFunc(All(), func(c Command) bool { return c.Fits(protocol) != nil })
}

// Fits says why the command does nothing while an agent of that protocol is in use; nil where it does.
func (c Command) Fits(protocol string) error {
	if c.Protocol == "" || c.Protocol == protocol {
		return nil
	}
	return fmt.Errorf("/%s is for the %s only: /agent %s goes there", c.Name, c.Protocol, c.Protocol)
}

// Kind says what a text is.
type Kind uint8

// The kinds of a text.
const (
	Text    Kind = iota // a prompt
	Now                 // a command that runs at once
	Turn                // a command that waits its turn
	Unknown             // looks like a command and is none; Parse's error says so
)

// Parse tells what a text is. A command is one line: a slash, a name of letters, and
// the arguments it takes. Two slashes begin a prompt whose text starts with one; so does a path.
func Parse(text string) (c Command, args string, kind Kind, err error) {
	var name string
	line := strings.TrimSpace(text)
	name, args = strings.TrimPrefix(line, "/"), ""
	if at := strings.IndexFunc(name, unicode.IsSpace); at >= 0 {
		name, args = name[:at], name[at:]
	}
	if !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") || !isName(name) {
		return Command{}, "", Text, nil
	}
	i := slices.IndexFunc(all, func(c Command) bool { return c.Name == name })
	switch {
	case i < 0:
		return Command{}, "", Unknown, fmt.Errorf("there is no /%s%s; //%s sends it as text", name, near(name), name)
	case strings.Contains(args, "\n"):
		return Command{}, "", Unknown, fmt.Errorf("/%s is a command and takes one line; //%s sends it as text", name, name)
	case all[i].Args == "" && strings.TrimSpace(args) != "": // it would be lost
		return Command{}, "", Unknown, fmt.Errorf("/%s takes nothing behind it; //%s sends it as text", name, name)
	case all[i].Pick != nil && strings.TrimSpace(args) == "":
		c := all[i]
		c.Now = c.Pick
		return c, "", Now, nil
	case all[i].Now != nil:
		return all[i], strings.TrimSpace(args), Now, nil
	}
	return all[i], strings.TrimSpace(args), Turn, nil
}

func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// near suggests the command that was probably meant.
func near(name string) string {
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	if ms := fuzzy.Find(name, names); len(ms) > 0 {
		return " (did you mean /" + ms[0].Str + "?)"
	}
	return ""
}

// Check says why a text is a command that would wait its turn in vain; nil for one that may succeed, and for other texts.
func Check(w World, text string) error {
	c, args, kind, _ := Parse(text)
	if kind != Turn || c.Check == nil {
		return nil
	}
	return c.Check(w, args)
}

// Run performs a command that waited its turn.
func Run(ctx context.Context, w World, text string) (engine.Finish, error) {
	c, args, kind, err := Parse(text)
	if err != nil {
		return nil, err
	}
	if kind != Turn {
		return nil, fmt.Errorf("%q is not a command that can wait in the queue", strings.TrimSpace(text))
	}
	if c.Check != nil { // what was meant for another session, or waited in a file
		if err := c.Check(w, args); err != nil {
			return nil, err
		}
	}
	return c.Turn(ctx, w, args)
}
