package plain

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/model/session"
)

// streamed is what is said of pieces.
func streamed(pieces ...string) string {
	var out bytes.Buffer
	p := &program{Options: Options{Out: &out}}
	for _, s := range pieces {
		p.stream(session.Streamed{Turn: 1, Text: s})
	}
	p.flush()
	return out.String()
}

// Lines are said when they are whole, and the sentences of a long line one by one.
func TestAnswerLines(t *testing.T) {
	long := strings.Repeat("word ", 20) + "ends here."
	for _, c := range []struct {
		name, text, want string
	}{
		{"nothing", "", ""},
		{"one line", "Hello.", "Agent: Hello.\n"},
		{"lines", "one\n\ntwo\n", "Agent: one\n\n  two\n"},
		{"blank lines first", "\n\none", "Agent: one\n"},
		{"short sentences stay together", "One. Two. Three.", "Agent: One. Two. Three.\n"},
		{"a tab", "a\tb", "Agent: a    b\n"},
		{"a code block is not cut", "```\n" + long + " And more.\n```\nEnd.", "Agent: ```\n  " + long + " And more.\n  ```\n  End.\n"},
		{"a carriage return", "one\r\ntwo\rthree", "Agent: one\n  two␍three\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := streamed(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if got := streamed(strings.Split(c.text, "")...); got != c.want {
				t.Errorf("in pieces %q, want %q", got, c.want)
			}
		})
	}
	if got := streamed(long+" ", "Another ", "begins"); got != "Agent: "+long+"\n  Another begins\n" {
		t.Errorf("sentences: %q", got)
	}
}

// A line without an end is not held back for ever, and nothing of it is lost.
func TestEndlessLine(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 3*atOnce), strings.Repeat("€", 2*atOnce), strings.Repeat("a word, ", atOnce/2)} {
		var pieces []string
		for c := range slices.Chunk([]byte(text), 1000) {
			pieces = append(pieces, string(c))
		}
		got := streamed(pieces...)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if len(lines) < 2 {
			t.Errorf("%d lines", len(lines))
		}
		joined := ""
		for i, l := range lines {
			if len(l) > atOnce+1010 {
				t.Errorf("a line of %d bytes", len(l))
			}
			joined += strings.TrimPrefix(strings.TrimPrefix(l, "Agent: "), map[bool]string{true: "  "}[i > 0])
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(joined) != bare(text) {
			t.Error("the text has changed")
		}
	}
}

func TestReadLines(t *testing.T) {
	read := func(text string) (lines []line) {
		to := make(chan line)
		go readLines(strings.NewReader(text), time.Now, to, nil)
		for l := range to {
			l.at = time.Time{}
			lines = append(lines, l)
		}
		return lines
	}
	if got := read("one\r\n\ntwo\nno end"); !slices.Equal(got, []line{{text: "one"}, {}, {text: "two"}, {text: "no end"}}) {
		t.Errorf("%+v", got)
	}
	for size, long := range map[int]bool{session.MaxPrompt - 1: false, session.MaxPrompt: false, session.MaxPrompt + 1: true} {
		got := read(strings.Repeat("x", size) + "\nnext\n")
		if len(got) != 2 || got[0].long != long || got[1].text != "next" || !long && len(got[0].text) != size || long && got[0].text != "" {
			t.Errorf("%d bytes: %d lines, long %v", size, len(got), got[0].long)
		}
	}
	done := make(chan struct{})
	close(done)
	readLines(strings.NewReader("nobody\ntakes it"), time.Now, make(chan line), done) // returns
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0 ms", 20 * time.Millisecond: "20 ms", 297 * time.Millisecond: "0.3 s", time.Second: "1 s", 1500 * time.Millisecond: "1.5 s",
		42 * time.Second: "42 s", 125 * time.Second: "2 min 5 s", 190 * time.Minute: "3 h 10 min",
	} {
		if got := span(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
