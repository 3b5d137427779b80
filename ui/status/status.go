// Package status draws the one line that says what the program is doing, and
// the banner for what went wrong beside the conversation.
// It must not work out any state or keep time; it lays out the facts it is
// given.
package status

import (
	"fmt"
	"slices"
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
	Tokens               int           // 0 = not known
	Took                 time.Duration // the turn that settled last; not shown while Busy or under a second
}

// SilentFrom is the silence beyond which it is shown.
const SilentFrom = 10 * time.Second

// part is a piece of the line. Rank says how long it stays when room gets
// short: the highest rank is dropped first.
type part struct {
	text  string
	short string // said instead before it is dropped
	least int    // it may be cut to so many cells before it is dropped; 0 = not
	rank  int
	right bool
	style lipgloss.Style
}

// The ranks are the documented order in which parts are given up, from the
// first to go: origin, how long a turn took, tokens, hints (the last one first), agent, model, what the
// server asked, cause, elapsed time, silence, the phase or retry (first
// its detail: "retrying 2/5" is the last to go), the notice, and the word of the
// state. While Busy the mark and at last the hint how to stop remain; otherwise
// the mark and the word. Cause and notice are cut before they go.
const (
	rankStop = iota
	rankState
	rankNotice
	rankPhase
	rankSilent
	rankElapsed
	rankCause
	rankAsked
	rankModel
	rankAgent
	rankHints  // and the ones behind it, one for each hint
	rankTokens = 100
	rankTook   = 101
	rankOrigin = 102
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
		} else {
			parts = slices.Delete(parts, last, last+1)
		}
	}
	left, right := side(parts, false), side(parts, true)
	if len(right) == 0 {
		return join(th, left)
	}
	return join(th, left) + strings.Repeat(" ", width-cells(left)-cells(right)) + join(th, right)
}

// parts lists what there is to show, in the order it is shown.
func (f Facts) parts(th theme.Theme) []part {
	state := states[f.State]
	list := []part{{text: state.mark + " " + state.word, rank: rankState, style: stateStyle(th, f.State)}}
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
	put(part{text: phase, short: sanitize.Line(short), rank: rankPhase, style: th.Retry})
	put(part{text: f.Cause, least: 12, rank: rankCause, style: th.Text})
	if f.Asked > 0 {
		add(rankAsked, false, th.Dim, "server asked "+Countdown(f.Asked))
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
		add(rankTokens, true, th.Dim, Tokens(f.Tokens))
	}
	if f.State != Busy && f.Took >= time.Second {
		add(rankTook, true, th.Dim, "took "+Elapsed(f.Took))
	}
	return list
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

// Banner is a line of its own for what the person must know although no turn
// failed ("could not write the session log: …"), cut to width cells.
func Banner(th theme.Theme, text string, width int) string {
	if text = sanitize.Line(text); text == "" {
		return ""
	}
	return th.Error.Render(sanitize.Truncate("! "+text, width))
}
