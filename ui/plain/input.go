package plain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"baton/model/catalog"
	"baton/model/command"
	"baton/model/session"
	"baton/queue"
)

// quotes alone on a line begin a text of several lines, and end it.
const quotes = `"""`

// line takes one line that was entered.
func (p *program) line(l line) {
	p.entry.at, p.entry.quit = l.at, time.Time{}
	if l.long {
		p.say(fmt.Sprintf("Not taken: a line of more than %d MiB. /attach sends a file.", session.MaxPrompt>>20))
		return
	}
	text, whole := p.join(l.text)
	if !whole {
		return
	}
	p.entry.asked, p.entry.consent = p.entry.consent, nil
	p.entered(text)
	p.entry.asked = nil
	p.seen.shifted = time.Time{}
}

// join puts the lines of one text together; whole says that it is complete.
func (p *program) join(text string) (joined string, whole bool) {
	e := &p.entry
	switch cont, more := strings.CutSuffix(text, `\`); {
	case text == quotes && e.block:
		e.block = false
		joined = strings.Join(e.lines, "\n")
		e.lines = nil
		return joined, true
	case text == quotes && len(e.lines) == 0:
		e.block = true
		p.say("A text of several lines; a line of three quotes ends it.")
	case e.block:
		e.lines = append(e.lines, text)
	case more:
		e.lines = append(e.lines, cont)
	default:
		joined = strings.Join(append(e.lines, text), "\n")
		e.lines = nil
		return joined, true
	}
	return "", false
}

// entered takes a whole text: nothing, a command, or a prompt.
func (p *program) entered(text string) {
	if queue.Blank(text) && len(p.entry.files) == 0 {
		p.empty()
		return
	}
	if strings.TrimSpace(text) == "/send" {
		p.sendUnsent()
		return
	}
	c, args, kind, err := command.Parse(text)
	switch kind {
	case command.Unknown:
		p.say(sentenceOf(err.Error()))
	case command.Now:
		if err := c.Fits(p.eng.Agent().Info().Protocol); err != nil {
			p.say(sentenceOf(err.Error()))
			return
		}
		p.now(c.Now, args)
	case command.Turn:
		if c.ByWords {
			if args = p.named(args); !catalog.Named(args) {
				p.now(c.Pick, args)
				return
			}
			text = "/" + c.Name + " " + args
		}
		p.submit(session.Draft{Text: text, Command: true})
	default:
		p.submit(session.Draft{Text: text, Attachments: p.entry.files})
	}
}

// now runs a command that does not wait.
func (p *program) now(run func(h command.Host, args string) error, args string) {
	if err := run(host{p}, args); err != nil {
		p.say(sentenceOf(err.Error()))
	}
}

// submit hands a draft to the session. What is refused is kept.
func (p *program) submit(d session.Draft) {
	out := p.step(session.Submit{Draft: d})
	switch {
	case out.Refused != nil && out.Refused.Why == session.RefusedCommand: // the same once more would be refused again
	case out.Refused != nil:
		p.entry.unsent = append(p.entry.unsent, d)
		p.say("Not sent, and kept: " + brief(d.Text) + "; /send tries it again")
	case !d.Command:
		p.entry.files = nil
	}
}

// sendUnsent submits the oldest text that was refused.
func (p *program) sendUnsent() {
	if len(p.entry.unsent) == 0 {
		p.say("There is no text that was not sent.")
		return
	}
	d := p.entry.unsent[0]
	p.entry.unsent = p.entry.unsent[1:]
	p.submit(d)
	if n := len(p.entry.unsent); n > 0 {
		p.say(fmt.Sprintf("Not sent yet: %s.", counted(n, "text")))
	}
}

// empty is an empty line: it says what is going on, or starts the head of the queue when
// idle, but not right behind a settlement, when it was meant for something else.
func (p *program) empty() {
	s := p.eng.State()
	head, any := s.Queue.Head()
	switch {
	case s.Busy() || !any:
		p.say(p.state())
	case p.entry.at.Sub(p.eng.Times().Settled) < playGuard:
		p.say("The turn has only just ended. Another empty line starts row 1: " + brief(head.Text))
	default:
		p.step(session.Play{})
	}
}

// named puts the name of a session in place of its number in the list that was said last.
func (p *program) named(args string) string {
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > len(p.entry.listed) {
		return args
	}
	return p.entry.listed[n-1]
}

// asking feeds an input that may need the person's consent: the same command, entered
// again, gives it. what names the input for that comparison.
func (p *program) asking(what session.Input, input func(confirmed bool) session.Input) {
	out := p.step(input(p.entry.asked == what))
	if out.Refused != nil && out.Refused.Why == session.NeedsConsent {
		p.entry.consent = what
		p.say("Enter the same command again to agree.")
	}
}

// row is the row with a number. If a row started by itself since the line before, the
// person may have counted otherwise and is asked.
func (p *program) row(n int) (queue.Row, error) {
	r, err := p.eng.Row(n)
	if err == nil && p.entry.at.Sub(p.seen.shifted) < renumbered {
		return r, fmt.Errorf("the rows have moved up: row %d is now: %s; enter the command again if that is the one", n, brief(r.Text))
	}
	return r, err
}
