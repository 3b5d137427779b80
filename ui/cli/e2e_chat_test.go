//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/ui/termtest"
	"baton/ui/theme"
)

// chat is the program at work against a scripted server.
type chat struct {
	*termtest.Session
	t testing.TB
	p *termtest.Provider
}

// quick makes retries short where a test does not look at their length.
var quick = map[string]string{"BATON_RETRY_BASE": "20ms", "BATON_RETRY_CAP": "40ms"}

// open starts the program against p in a terminal with room for all sixteen rows, and waits until it is ready.
func open(t testing.TB, p *termtest.Provider, o termtest.Options) chat {
	t.Helper()
	o.Args = append([]string{"--base-url", p.URL(), "--model", "scripted"}, o.Args...)
	if o.Width == 0 {
		o.Width, o.Height = 120, 60
	}
	c := chat{termtest.Start(t, o), t, p}
	c.idle()
	return c
}

// idle waits until nothing runs.
func (c chat) idle() {
	c.t.Helper()
	c.Until("an idle indicator", func() bool { return c.indicator("○ Ready") || c.indicator("✗ Error") })
}

// indicator reports whether the screen's last row begins so, or in ASCII so.
func (c chat) indicator(with string) bool {
	lines := c.Lines()
	last := lines[len(lines)-1]
	return strings.HasPrefix(last, with) || strings.HasPrefix(last, theme.ASCII(with))
}

func (c chat) busy() {
	c.t.Helper()
	c.Until("a busy indicator", func() bool { return c.indicator("● Busy") })
}

func (c chat) failed() {
	c.t.Helper()
	c.Until("the indicator Error", func() bool { return c.indicator("✗ Error") })
}

func (c chat) ready() {
	c.t.Helper()
	c.Until("the indicator Ready", func() bool { return c.indicator("○ Ready") })
}

// say types a prompt of one short line and sends it.
func (c chat) say(text string) {
	c.t.Helper()
	c.Type(text)
	c.Until(fmt.Sprintf("%q in the composer", text), func() bool { return c.composer() == text })
	c.Key("enter")
	c.Until("an empty composer", func() bool { return c.composer() == "" })
}

// composer returns the composer's lines: the last ones on the screen that have its bar.
func (c chat) composer() string {
	lines := c.Lines()
	i, bar := len(lines)-1, "┃"
	if strings.HasPrefix(lines[i], theme.ASCII("○")) || strings.HasPrefix(lines[i], theme.ASCII("●")) {
		bar = theme.ASCII(bar)
	}
	for i > 0 && !strings.HasPrefix(lines[i], bar) {
		i--
	}
	var text []string
	for ; i >= 0 && strings.HasPrefix(lines[i], bar); i-- {
		text = append(text, strings.TrimPrefix(strings.TrimPrefix(lines[i], bar), " "))
	}
	slices.Reverse(text)
	return strings.Join(text, "\n")
}

var rowLine = regexp.MustCompile(`^(› |  ) ?(\d+) (\S.*?)  +(\S.*)$`)

// queued returns the rows on the screen: "word: text".
func (c chat) queued() []string {
	var rows []string
	for _, l := range c.Lines() {
		if m := rowLine.FindStringSubmatch(l); m != nil {
			rows = append(rows, m[3]+"|"+m[4])
		}
	}
	return rows
}

// rows returns the texts of the rows on the screen.
func (c chat) rows() []string {
	var texts []string
	for _, r := range c.queued() {
		_, text, _ := strings.Cut(r, "|")
		texts = append(texts, text)
	}
	return texts
}

func (c chat) wantRows(want ...string) {
	c.t.Helper()
	c.Until(fmt.Sprintf("rows %q", want), func() bool { return slices.Equal(c.rows(), want) })
}

// user counts the user rows with this text. The composer must hold another one.
func (c chat) user(text string) int {
	n := 0
	for _, l := range c.Lines() {
		if l == "┃ "+text {
			n++
		}
	}
	return n
}

// count counts the rows of the screen that hold text.
func (c chat) count(text string) int {
	n := 0
	for _, l := range c.Lines() {
		if strings.Contains(l, text) {
			n++
		}
	}
	return n
}

// quiet watches for a while that no further request comes. Only a wait can show that nothing happens.
func (c chat) quiet(requests int, d time.Duration) {
	c.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if n := c.p.Count(); n != requests {
			c.t.Fatalf("%d requests, want %d and no more\n%s", n, requests, c.Picture())
		}
	}
}

// play presses enter on the empty composer, later than the moment after a settlement in which it is ignored.
func (c chat) play() {
	c.t.Helper()
	time.Sleep(500 * time.Millisecond)
	c.Key("enter")
}

// redraws checks that drawing everything anew changes nothing: what was drawn in pieces is what it is meant to be. Nothing
// that counts time may be on the screen.
func (c chat) redraws() {
	c.t.Helper()
	before, drawn := c.Screen(), bytes.Count(c.Output(), []byte("\x1b[2J"))
	c.Key("ctrl+l")
	c.Until("a full redraw", func() bool { return bytes.Count(c.Output(), []byte("\x1b[2J")) > drawn && !c.Mode(2026) })
	if after := c.Screen(); after != before {
		c.t.Errorf("a redraw changes the screen:\n%s\n%s", before, after)
	}
}

// drawnFor waits until the screen is drawn for a width, which the program learns of on another way than of keys.
func (c chat) drawnFor(width int) {
	c.t.Helper()
	c.Until(fmt.Sprintf("a line of %d cells above the composer", width), func() bool {
		lines := c.Lines()
		return lines[len(lines)-3] == strings.Repeat("─", width)
	})
}

// asked waits until n requests have come and returns them.
func (c chat) asked(n int) []termtest.Request {
	c.t.Helper()
	c.Until(fmt.Sprintf("request number %d", n), func() bool { return c.p.Count() >= n })
	return c.p.Requests()
}

// fact is one entry of a session's log.
type fact struct {
	Kind string
	Data json.RawMessage
}

// facts reads the only session's log.
func (c chat) facts() []fact {
	c.t.Helper()
	files := c.Sessions()
	if len(files) != 1 {
		c.t.Fatalf("session files: %q", files)
	}
	return factsIn(c.t, files[0])
}

func factsIn(t testing.TB, file string) []fact {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []fact
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var batch struct{ Entries []fact }
		if err := json.Unmarshal(lines.Bytes(), &batch); err != nil {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		all = append(all, batch.Entries...)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// kinds counts the facts of each kind.
func kinds(facts []fact) map[string]int {
	n := map[string]int{}
	for _, f := range facts {
		n[f.Kind]++
	}
	return n
}

// read decodes the facts of one kind.
func read[T any](t testing.TB, facts []fact, kind string) []T {
	t.Helper()
	var all []T
	for _, f := range facts {
		if f.Kind == kind {
			var v T
			if err := json.Unmarshal(f.Data, &v); err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
	}
	return all
}

// spoken are a request's messages as "role: text".
func spoken(r termtest.Request) []string {
	var all []string
	for _, m := range r.Messages {
		all = append(all, m.Role+": "+m.Text)
	}
	return all
}

// wantSpoken compares a request's messages.
func wantSpoken(t testing.TB, r termtest.Request, want ...string) {
	t.Helper()
	if got := spoken(r); !slices.Equal(got, want) {
		t.Errorf("request %d says %q, want %q", r.N, got, want)
	}
}

// wantSame checks that the requests have one body.
func wantSame(t testing.TB, rs []termtest.Request) {
	t.Helper()
	for _, r := range rs[1:] {
		if string(r.Body) != string(rs[0].Body) {
			t.Errorf("request %d differs from the first:\n%s\n%s", r.N, r.Body, rs[0].Body)
		}
	}
}

// watch is how long a test watches that nothing happens: in full, or 3 s at most.
func watch(full time.Duration) time.Duration {
	if testing.Short() {
		return min(full, 3*time.Second)
	}
	return full
}
