package model

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/session"
	"baton/ui/keymap"
)

const (
	// repeatGuard tells a key that is held down, which comes about every 30 ms, from one
	// that is pressed again.
	repeatGuard = 100 * time.Millisecond
	// together is how close two presses are that came in one piece, as a script sends
	// them: no keyboard repeats so fast.
	together = 10 * time.Millisecond
	// again is how long ctrl+c that took something away, or a row that was sent, keeps the
	// same key from doing the next thing: the first repeat of a held key comes late.
	firstRepeat = 700 * time.Millisecond
	// unseen is how long a turn is on the screen before a key can be meant for it. A lone
	// ESC alone is known to be a key only after 30 ms.
	unseen = 100 * time.Millisecond
	// refocus is how long keys do nothing after the queue they went to became empty.
	refocus = 400 * time.Millisecond
)

// pace is what the time between keys tells: keys that are held down answer no question.
type pace struct {
	key   string
	at    time.Time
	run   int            // how often it has been repeated at a held key's pace
	soon  bool           // the same key came a moment ago: this may be the first repeat of a held one
	spent time.Time      // when the key last did something that must not go on by itself
	yes   func() tea.Cmd // counts unless it turns out to be a held key
	sure  bool           // … and any key that is none shows that it was not
	turn  int            // of asking
	wish  session.Input  // what was asked about last: a typed /retry answers by being typed again

	work, before session.TurnID // what runs, and what ran when it began
	since        time.Time

	arrived time.Time // when the key that is being handled came, zero if nobody knows
	began   time.Time // when the program's first session came on the screen

	acting  bool      // a key is being handled: what changes now was meant
	moved   time.Time // when the selected row, or the whole queue, was taken away from under the keys
	emptied bool      // it was the whole queue
}

// once lists what a key does only once, however long it is held: one thing leads to
// another there, from a row to its editor to the composer.
var once = map[keymap.Action]bool{
	keymap.Send: true, keymap.SaveRow: true, keymap.Stop: true, keymap.QueueEdit: true, keymap.QueueRemove: true,
	keymap.QueuePlay: true, keymap.QueueSendNow: true, keymap.QueuePause: true, keymap.QueueClear: true,
	keymap.MessageAgain: true,
}

// begin counts the Enter that started the program, or chose the session in a list before it: it may be held, or be pressed
// once more for good measure, and is not meant for what has just come on the screen.
func (p *pace) begin(now time.Time) { p.began, p.key, p.at = now, "enter", now }

// pressed is when the key that is being handled was pressed, as far as is known. What it was meant for is what stood on the
// screen then, and a key that is held keeps its pace however late its repeats are handled.
func (m *Model) pressed() time.Time {
	if m.pace.arrived.IsZero() {
		return m.deps.Now()
	}
	return m.pace.arrived
}

// repeats notes a key and reports whether it comes from being held down.
func (p *pace) repeats(key string, now time.Time) bool {
	gap := now.Sub(p.at)
	again := key == p.key && gap >= together && gap < repeatGuard
	if key != p.key || gap >= firstRepeat {
		p.spent = time.Time{}
	}
	p.soon = key == p.key && gap >= together && gap < firstRepeat
	p.key, p.at, p.run = key, now, p.run+1
	if !again {
		p.run = 0
	}
	return again
}

// ignores reports whether a repeated key does nothing. Two presses of ctrl+c that belong
// together may come fast, unless an earlier one had something to take away.
func (p *pace) ignores(a keymap.Action, again, asked bool) bool {
	switch a {
	case keymap.Interrupt:
		return again && !p.spent.IsZero()
	case keymap.QueueSendNow:
		return again || !p.spent.IsZero()
	case keymap.Retry: // what fails at once may be retried at once, but not for as long as a key is held, and no question is answered so
		return again && (asked || p.yes != nil || p.run > 1)
	}
	return again && once[a]
}

// agreed lets a yes count once it is clear that no key is being held down.
type agreed struct{ turn int }

// agree waits for that. The key that is held takes the yes back.
func (p *pace) agree(yes func() tea.Cmd) tea.Cmd {
	p.turn++
	p.yes = yes
	turn := p.turn
	return tea.Tick(repeatGuard, func(time.Time) tea.Msg { return agreed{turn} })
}

// unlessHeld does what a key asks for. What may be the first repeat of a held key, which comes late, counts once it is clear
// that no other follows: before another key, so that what was pressed last has the last word, else a moment later.
func (m *Model) unlessHeld(do func() tea.Cmd) tea.Cmd {
	if !m.pace.soon {
		return do()
	}
	cmd := m.pace.agree(do)
	m.pace.sure = true
	return cmd
}

func (p *pace) takeBack() { p.turn, p.yes, p.sure = p.turn+1, nil, false }

// settle performs what waited to know that no key is held, before another key is looked at.
func (m *Model) settle() tea.Cmd {
	yes := m.pace.yes
	if !m.pace.sure || yes == nil {
		return nil
	}
	m.pace.takeBack()
	cmd := yes()
	m.refresh()
	return cmd
}

// take returns the yes that was waited for, nil if it was taken back.
func (p *pace) take(a agreed) func() tea.Cmd {
	if a.turn != p.turn {
		return nil
	}
	yes := p.yes
	p.yes, p.sure = nil, false
	return yes
}

// saw notes what runs.
func (p *pace) saw(work session.TurnID, now time.Time) {
	if work != p.work {
		p.before, p.work, p.since = p.work, work, now
	}
}

// meant is the work that a key can be meant for: what was on the screen when it was
// pressed. A turn that took another's place a moment ago has not been seen yet.
func (p *pace) meant(now time.Time) session.TurnID {
	if p.before != 0 && p.work != 0 && now.Sub(p.since) < unseen {
		return p.before
	}
	return p.work
}
