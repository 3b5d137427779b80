package plain

import (
	"strings"
	"unicode/utf8"

	"baton/model/session"
	"baton/ui/sanitize"
)

// answer is the text that streams, of which whole lines and sentences are said.
type answer struct {
	turn     session.TurnID
	heard    int // bytes of it that came
	clean    sanitize.Stream
	rest     string // printable, and not said yet
	said     bool   // some of it was
	thinking bool   // it was said that the agent thinks
	code     bool   // within a code block: lines are not cut
}

const (
	// sentence is how long a piece of a line is before its sentences are said one by one.
	sentence = 80
	// atOnce is how much of a line without a sentence's end is held back, in bytes.
	atOnce = 4 << 10
)

// stream takes what came.
func (p *program) stream(ev session.Streamed) {
	a := &p.answer
	if a.turn != ev.Turn {
		*a = answer{turn: ev.Turn}
	}
	if ev.Reasoning != "" && !a.thinking && !a.said {
		a.thinking = true
		p.say("Thinking.")
	}
	a.heard += len(ev.Text)
	a.rest += a.clean.Feed(ev.Text)
	for {
		piece, rest, ok := cut(a.rest, a.code)
		if !ok {
			return
		}
		a.rest = rest
		p.sayAnswer(piece)
	}
}

// sayAnswer says one line of the answer. Only the first names the agent; the others stand
// in, so that no answer can pass for a word of the program.
func (p *program) sayAnswer(piece string) {
	a := &p.answer
	if strings.HasPrefix(strings.TrimSpace(piece), "```") {
		a.code = !a.code
	}
	if !a.said && strings.TrimSpace(piece) == "" {
		return
	}
	lead := "  "
	if !a.said {
		lead = "Agent: "
	}
	a.said = true
	p.write(strings.TrimRight(lead+piece, " "))
}

// flush says what is left of the answer.
func (p *program) flush() {
	a := &p.answer
	a.rest += a.clean.Flush()
	for l := range strings.SplitSeq(a.rest, "\n") {
		if strings.TrimSpace(l) != "" {
			p.sayAnswer(l)
		}
	}
	a.rest = ""
}

// cut takes the first piece that can be said from a text: a line, else a sentence of a
// long one, else a part of a very long one.
func cut(text string, code bool) (piece, rest string, ok bool) {
	if l, rest, ok := strings.Cut(text, "\n"); ok {
		return l, rest, true
	}
	if !code && len(text) > sentence {
		if at := sentenceEnd(text); at > 0 {
			return text[:at], text[at+1:], true
		}
	}
	if len(text) <= atOnce {
		return "", text, false
	}
	if at := strings.LastIndexByte(text, ' '); at > 0 && !code {
		return text[:at], text[at+1:], true
	}
	at := atOnce
	for !utf8.RuneStart(text[at]) {
		at--
	}
	return text[:at], text[at:], true
}

// sentenceEnd is where the last whole sentence ends, 0 if there is none that is long
// enough. A space has to follow.
func sentenceEnd(text string) int {
	for at := len(text) - 1; at >= sentence; at-- {
		if text[at] == ' ' && strings.ContainsRune(".!?:;", rune(text[at-1])) {
			return at
		}
	}
	return 0
}
