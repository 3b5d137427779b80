package sandbox

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
)

// topics are answered from the program's own tables.
var topics = []string{"help", "keys", "queue", "retry"}

// answer is the scripted reply to a prompt.
type answer struct {
	reasoning string
	tokens    []string // words with the white space behind them
	pause     time.Duration
}

// The pace of an answer. Ordinary answers end within longest, so that nobody waits for
// a demonstration, but last long enough that a follow-up can be queued meanwhile.
const (
	usualPace = 20 * time.Millisecond
	longest   = 3 * time.Second
	slowness  = 5  // times the pause, when a prompt says slow
	length    = 12 // times the middle part, when a prompt says long
)

// reply answers a prompt; before are the prompts that came before it.
func reply(prompt string, before []string, tables func(string) string, pace time.Duration) answer {
	says := func(word string) bool { return mentions(prompt, word) }
	text := ""
	for _, topic := range topics {
		if text == "" && tables != nil && says(topic) {
			text = tables(topic)
		}
	}
	if says("summarize") && len(before) > 0 {
		text = summary(before)
	}
	if strings.TrimSpace(text) == "" {
		parts := 1
		if says("long") {
			parts = length
		}
		text = echo(prompt, parts)
	}
	a := answer{tokens: split(text), pause: pause(pace)}
	if says("think") {
		a.reasoning = "The prompt asks me to think, so this part arrives as reasoning. It is shown folded and never counts as an answer."
	}
	switch {
	case says("slow"):
		a.pause *= slowness
	case !says("long"):
		a.pause = min(a.pause, longest/time.Duration(max(len(a.tokens), 1)))
	}
	return a
}

// pause turns the configured pace into a wait: zero is the usual one, negative none.
func pause(pace time.Duration) time.Duration {
	if pace == 0 {
		return usualPace
	}
	return max(pace, 0)
}

func mentions(text, word string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if w == word {
			return true
		}
	}
	return false
}

const opening = `## You said

%s

I am the **sandbox**: a server inside this program that answers from a script, so that
you can try everything without a key and without a network.

`

const middle = `While I write, you can go on typing:

1. Press enter to put a follow-up into the queue.
2. Press tab to reach the queue, then edit, move or remove its rows.
3. The next row starts only when this answer has really succeeded.

`

const closing = "Ask me about `keys`, `queue`, `retry` or `help`, or see how a failure looks:\n\n" +
	"```\n/fault 500,429:7,cut@20\n```\n\n" +
	"The same list behind `fault:` on the first line of a prompt fails that prompt alone.\n\n" +
	"Say `slow` or `long` for an answer that takes its time, `think` for some reasoning first.\n"

// quotedBytes bounds how much of a prompt is repeated.
const quotedBytes = 2000

func echo(prompt string, parts int) string {
	prompt = strings.ToValidUTF8(prompt, "\uFFFD")
	if len(prompt) > quotedBytes {
		prompt = strings.ToValidUTF8(prompt[:quotedBytes], "") + " …"
	}
	quoted := "> " + strings.ReplaceAll(strings.TrimSpace(prompt), "\n", "\n> ")
	return strings.Replace(opening, "%s", quoted, 1) + strings.Repeat(middle, parts) + closing
}

// summarizedBytes bounds what a summary repeats of each prompt.
const summarizedBytes = 80

// summary is what a request for a summary is answered with: the prompts there were.
func summary(before []string) string {
	var b strings.Builder
	b.WriteString("So far you said:\n\n")
	for i, prompt := range before {
		line, _, more := strings.Cut(strings.ToValidUTF8(strings.TrimSpace(prompt), "\uFFFD"), "\n")
		if len(line) > summarizedBytes {
			line, more = strings.ToValidUTF8(line[:summarizedBytes], ""), true
		}
		if more {
			line += " …"
		}
		fmt.Fprintf(&b, "%d. %s\n", i+1, line)
	}
	return b.String() + "\nA real agent would tell what was decided and what is open.\n"
}

var token = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*\S+\s*`) })

// split cuts a text into words; joined they are the text again.
func split(text string) []string {
	tokens := token().FindAllString(text, -1)
	if len(tokens) == 0 && text != "" {
		return []string{text}
	}
	return tokens
}
