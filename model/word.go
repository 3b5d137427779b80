package model

import (
	"time"

	"baton/model/session"
)

// word is the passing word to the person: one line that the next key or a few seconds
// take away.
type word struct {
	text    string
	since   time.Time
	consent session.Input // what the same key, pressed again, will do
	quit    time.Time     // when ctrl+c was pressed while idle
	asked   *word         // the word of the key before, which this key may answer
	refused bool          // what was asked for is not done
}

// wordFor is how long a passing word stays.
const wordFor = 8 * time.Second

func (m *Model) say(text string) {
	m.word.text, m.word.since = text, m.deps.Now()
}

// sayToo adds what nobody asked for to the word that stands, if one does: it hides no other, and no question.
func (m *Model) sayToo(text string) {
	switch before := m.currentWord(); {
	case text == "":
	case before != "":
		m.say(before + " · " + text)
	default:
		m.say(text)
	}
}

// unsay forgets the word and what it asked.
func (m *Model) unsay() { m.word = word{} }

// currentWord is the word if it is still fresh.
func (m *Model) currentWord() string {
	if m.deps.Now().Sub(m.word.since) > wordFor {
		m.word.text = ""
	}
	return m.word.text
}

// agreed reports whether the person was just asked about this very input and now says
// yes by repeating it.
func (w word) agreed(in session.Input) bool { return w.asked != nil && w.asked.consent == in }

// asksConsent reports whether the key before asked something that this key may answer.
func (w word) asksConsent() bool { return w.asked != nil && w.asked.consent != nil }

// quitAsked is when the key before was a ctrl+c that asked for another.
func (w word) quitAsked() time.Time {
	if w.asked == nil {
		return time.Time{}
	}
	return w.asked.quit
}
