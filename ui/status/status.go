// Package status draws the one line that says what the program is doing, and
// the banner for what went wrong beside the conversation.
// It must not work out any state or keep time; it lays out the facts it is
// given.
package status

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/ui/sanitize"
	"baton/ui/theme"

	"github.com/charmbracelet/bubbles/spinner"
	"github.com/charmbracelet/lipgloss"
)

// State is the lifecycle as people know it.
type State uint8

// The states.
const (
	Starting State = iota
	Ready
	Busy
	Error // the last turn failed; accepts input as Ready does
)

// Each state has a mark and a word of its own, so that none is told by colour.
var states = [...]struct{ mark, word string }{
	Starting: {"◌", "Starting"}, Ready: {"○", "Ready"}, Busy: {"●", "Busy"}, Error: {"✗", "Error"},
}

// Facts is all the line can show. Empty and zero fields take no room.
type Facts struct {
	State   State
	Elapsed time.Duration // since the turn began
	Phase   string        // "connecting", "streaming", …; not shown while Waiting
	Spin    int           // grows while something goes on, to show that it does; 0 shows nothing

	Attempt, Max int           // the attempt that runs, or while Waiting the one to come; shown from 2 on
	Waiting      bool          // between attempts
	Wait         time.Duration // until the next attempt
	Seconds      bool          // of which whole seconds are shown, rounded up
	Cause        string        // why the last attempt failed: "503 overloaded"
	Asked        time.Duration // how long the server asked to wait
	Silent       time.Duration // since the last byte; shown over SilentFrom

	Notice string   // a passing word to the person
	Stop   string   // how to stop, "esc stops"; shown while Busy
	Hints  []string // other keys, the most useful first

	Agent, Model, Origin string
	Tokens               int // of the last turn, 0 = not known
	Window               int // tokens that the model takes, 0 = not known
}

// SilentFrom is the silence beyond which it is shown.
const SilentFrom = 10 * time.Second

// part is a piece of the line. Rank says how long it stays when room gets
// short: the highest rank is dropped first.
type part struct {
	text  string
	short string // said instead before it is dropped
	state bool   // the word of the state; its short form is the mark
	least int    // it may be cut to so many cells before it is dropped; 0 = not
	rank  int
	right bool
	style lipgloss.Style
}

// The ranks are the documented order in which parts are given up, from the first to go:
// origin, tokens, hints (the last one first), agent, model, what the server asked (first
// its detail), elapsed time, the word Busy where the wait before a retry says it too, cause
// (first its word: "503" says it shortest), the phase where silence tells more, silence,
// the phase or retry (first its detail: "retrying 2/5" is the last to go), the notice, and
// the word of the state. While Busy the mark and at last the hint how to stop remain;
// otherwise the mark and the word. The notice is cut before it goes.
const (
	rankStop = iota
	rankState
	rankNotice
	rankPhase
	rankSilent
	rankIdle // a phase in which nothing is heard
	rankCause
	rankBusy
	rankElapsed
	rankAsked
	rankModel
	rankAgent
	rankHints  // and the ones behind it, one for each hint
	rankTokens = 100
	rankOrigin = 101
)

var spin = spinner.MiniDot.Frames

// Line draws f in at most width cells. Between the left part and the right one
// (agent, model, origin, tokens) are two cells or more.
func Line(th theme.Theme, f Facts, width int) string {
	if width < 1 {
		return ""
	}
	parts := f.parts(th)
	for length(parts) > width {
		last := 0
		for i, p := range parts {
			if p.rank >= parts[last].rank {
				last = i
			}
		}
		if parts[last].rank <= rankState {
			return tight(parts, width)
		}
		if p, ok := parts[last].shorten(length(parts) - width); ok {
			parts[last] = p
			continue
		}
		if parts[last].rank == rankPhase {
			parts[0] = f.stateWord(th, rankState) // nothing else says it any more
		}
		parts = slices.Delete(parts, last, last+1)
	}
	left, right := side(parts, false), side(parts, true)
	if len(right) == 0 {
		return join(th, left)
	}
	return join(th, left) + strings.Repeat(" ", width-cells(left)-cells(right)) + join(th, right)
}

// parts lists what there is to show, in the order it is shown.
func (f Facts) parts(th theme.Theme) []part {
	list := []part{f.stateWord(th, rankState)}
	if f.State == Busy && f.Waiting {
		list[0] = f.stateWord(th, rankBusy)
	}
	put := func(p part) {
		if p.text = sanitize.Line(p.text); p.text != "" {
			list = append(list, p)
		}
	}
	add := func(rank int, right bool, style lipgloss.Style, text string) {
		put(part{text: text, rank: rank, right: right, style: style})
	}
	if f.Elapsed > 0 {
		add(rankElapsed, false, th.Text, Elapsed(f.Elapsed))
	}
	put(part{text: f.Notice, least: 8, rank: rankNotice, style: th.Notice})
	phase, short := f.phase()
	if f.Spin > 0 && f.Phase != "" && !f.Waiting {
		phase = spin[f.Spin%len(spin)] + " " + phase
	}
	rank := rankPhase
	if f.Silent > SilentFrom && !f.Waiting {
		rank = rankIdle
	}
	put(part{text: phase, short: sanitize.Line(short), rank: rank, style: th.Retry})
	put(part{text: f.Cause, short: number(f.Cause), least: 12, rank: rankCause, style: th.Text})
	if f.Asked > 0 {
		wait := "asked " + Countdown(f.Asked)
		put(part{text: "server " + wait, short: wait, rank: rankAsked, style: th.Dim})
	}
	if f.Silent > SilentFrom {
		add(rankSilent, false, th.Retry, "silent "+Countdown(f.Silent.Truncate(time.Second)))
	}
	if f.State == Busy {
		add(rankStop, false, th.Key, f.Stop)
	}
	for i, h := range f.Hints {
		add(rankHints+min(i, rankTokens-rankHints-1), false, th.Dim, h)
	}
	add(rankAgent, true, th.Dim, f.Agent)
	add(rankModel, true, th.Dim, f.Model)
	add(rankOrigin, true, th.Dim, f.Origin)
	if f.Tokens > 0 {
		used := Tokens(f.Tokens)
		put(part{text: used + fill(f.Tokens, f.Window), short: used, rank: rankTokens, right: true, style: th.Dim})
	}
	return list
}

// stateWord is the part that every line begins with.
func (f Facts) stateWord(th theme.Theme, rank int) part {
	s := states[f.State]
	p := part{text: s.mark + " " + s.word, state: true, rank: rank, style: stateStyle(th, f.State)}
	if rank != rankState {
		p.short = s.mark
	}
	return p
}

// number is the status code that a cause begins with, "" if it begins with none.
func number(cause string) string {
	first, _, more := strings.Cut(cause, " ")
	if _, err := strconv.Atoi(first); err != nil || !more {
		return ""
	}
	return first
}

// phase words what is going on inside the turn, and the same without detail.
func (f Facts) phase() (long, short string) {
	attempt, wait := fmt.Sprintf("%d/%d", f.Attempt, f.Max), f.Wait
	if f.Seconds && wait > 0 {
		wait = time.Duration(up(wait, time.Second)) * time.Second
	}
	switch {
	case f.Waiting && f.Wait <= 0:
		return "retrying " + attempt + " now", "retrying " + attempt
	case f.Waiting:
		return "retrying " + attempt + " in " + Countdown(wait), "retrying " + attempt
	case f.Attempt < 2:
		return f.Phase, ""
	case f.Phase == "":
		return "attempt " + attempt, ""
	}
	return f.Phase + ", attempt " + attempt, f.Phase
}

func stateStyle(th theme.Theme, s State) lipgloss.Style {
	switch s {
	case Busy:
		return th.Busy
	case Error:
		return th.Error
	case Ready:
		return th.Ready
	}
	return th.Dim
}

// Banner is for what the person must know although no turn failed ("could not write the
// session log: …"): at most width x height cells, wrapped, and cut only beyond that.
func Banner(th theme.Theme, text string, width, height int) []string {
	return wrapped(th.Error, "!", text, width, height)
}

// Notice is the passing word on lines of its own, for where Fits says that the status line
// would cut it: at most width x height cells.
func Notice(th theme.Theme, text string, width, height int) []string {
	return wrapped(th.Notice, "·", text, width, height)
}

// Fits reports whether a line of so many cells has room for the whole notice of f.
func Fits(f Facts, width int) bool {
	if f.Notice == "" {
		return true
	}
	least := []part{{text: states[f.State].mark + " " + states[f.State].word}, {text: sanitize.Line(f.Notice)}}
	if f.State == Busy && f.Stop != "" {
		least = append(least, part{text: f.Stop})
	}
	return length(least) <= width
}
