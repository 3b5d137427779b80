package plain

import (
	"fmt"
	"strings"
	"time"

	"baton/model/session"
	"baton/queue"
	"baton/ui/sanitize"
)

// most is how much of a prompt is repeated when it is only to be recognised, in cells.
const most = 200

// brief is a prompt on one line, short enough to be listened to.
func brief(text string) string {
	one := sanitize.Line(text)
	if sanitize.Width(one) <= most {
		return one
	}
	return fmt.Sprintf("%s, %d characters in all", sanitize.Truncate(one, most), len([]rune(text)))
}

// span words a time the way it is read out: 20 ms, 0.3 s, 1.5 s, 42 s, 2 min 5 s, 3 h 10 min.
func span(d time.Duration) string {
	switch d = max(d, 0); {
	case d < 100*time.Millisecond:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0") + " s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// counted is a number of things.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// standingOf says how a row stands, without naming keys.
func (p *program) standingOf(id queue.ID) string {
	return strings.Replace(p.eng.State().Word(id, p.Now()), "ready: enter plays", "ready, an empty line starts it", 1)
}

// held is why the queue does not move, "" if it does or has no rows.
func (p *program) held() string {
	s := p.eng.State()
	word, ok := strings.CutPrefix(s.Held(p.Now()), "held: ")
	if !ok || s.Queue.Len() == 0 {
		return ""
	}
	return word
}

// sayHeld says why rows wait, and what lets them go on.
func (p *program) sayHeld() {
	s := p.eng.State()
	text := fmt.Sprintf("Held: %s. %s.", p.held(), waiting(s.Queue.Len()))
	if head, ok := s.Queue.Head(); ok && !s.Busy() {
		text += " An empty line starts row 1: " + brief(head.Text)
	}
	p.say(text)
}

func waiting(n int) string {
	if n == 1 {
		return "1 row waits"
	}
	return fmt.Sprintf("%d rows wait", n)
}

// causeOf names a cause in as few words as tell what it is.
func causeOf(c session.Cause) string {
	if c.Status != 0 {
		return c.Short()
	}
	return c.Line()
}

// state says what is going on.
func (p *program) state() string {
	s := p.eng.State()
	text := "Ready."
	if s.Busy() {
		text = fmt.Sprintf("Busy for %s: %s.", span(p.Now().Sub(p.eng.Times().Began)), p.phase())
	}
	if n := s.Queue.Len(); n > 0 {
		return text + " " + waiting(n) + "."
	}
	return text + " The queue is empty."
}

func (p *program) phase() string {
	switch l := p.eng.State().Life.(type) {
	case session.LifePreparing:
		return "reading attached files"
	case session.LifeCommand:
		return "running " + sanitize.Line(l.Name)
	case session.LifeTurn:
		switch ph := l.Phase.(type) {
		case session.Waiting:
			return "waiting for the answer"
		case session.Streaming:
			return "the agent answers"
		case session.ToolRunning:
			return "a tool runs"
		case session.Approval:
			return "the agent waits for consent"
		case session.Backoff:
			return fmt.Sprintf("%s, the next attempt comes in %s, attempt %d of %d", causeOf(ph.Cause), span(ph.Due.Sub(p.Now())), ph.Failed+1, ph.Max)
		case session.Stopping:
			return "stopping"
		}
	}
	return "connecting"
}

// oneLine puts pieces together and makes them one line.
func oneLine(pieces ...string) string { return sanitize.Line(strings.Join(pieces, "")) }

// sentenceOf begins a word of the program with a capital.
func sentenceOf(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
