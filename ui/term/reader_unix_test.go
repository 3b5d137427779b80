//go:build unix

package term

import (
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// A read that ends in a carriage return is read on while more of the same piece is there. What is found later than that is
// typed: the return before it was Enter.
func TestReadsAreJoinedAtOnceOnly(t *testing.T) {
	full := strings.Repeat("x", fullLinux-1) + "\r"
	for _, c := range []struct {
		slow        time.Duration // between two looks at the clock
		first, then string
		joined      bool
	}{
		{0, "row 1\r", "row 2", true},
		{joinNow, "row 1\r", "row 2", true},
		{joinNow + 1, "row 1\r", "row 2", false},
		{time.Second, full[fullLinux-longRead:], "row 2", true}, // nobody types so much at once
		{time.Second, full, "row 2", true},
	} {
		in, typed, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := typed.WriteString(c.first + c.then); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(0, 0)
		r := reader{fd: int(in.Fd()), now: func() time.Time { at = at.Add(c.slow); return at }}
		want := c.first
		if c.joined {
			want += c.then
		}
		if got, err := r.read(make([]byte, len(c.first))); string(got) != want || err != nil {
			t.Errorf("%v apart: read %q, %v, want %q", c.slow, got, err, want)
		}
		in.Close()
		typed.Close()
	}
}

// What a read holds came when the read began, and so did what turns out later to be a key.
func TestKeysHaveTheTimeOfTheirRead(t *testing.T) {
	in, typed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer typed.Close()
	came := make(chan inputMsg)
	q := newInbox()
	done := make(chan struct{})
	go q.feed(done, func(m tea.Msg) { came <- m.(inputMsg) })
	defer close(done)
	r, err := newReader(int(in.Fd()), q.push, func() {})
	if err != nil {
		t.Fatal(err)
	}
	go r.run()
	defer r.stop()
	for _, keys := range []string{"a", "\x1b"} {
		before := time.Now()
		if _, err := typed.WriteString(keys); err != nil {
			t.Fatal(err)
		}
		m := <-came
		if late := time.Since(m.at); m.at.Before(before) || keys == "\x1b" && late < escWait {
			t.Errorf("%v came at %v, was written at %v, and is handed over %v later", m.msg, m.at, before, late)
		}
	}
}

// timed keeps when its messages came.
type timed struct {
	actor
	at []time.Time
}

func (m *timed) Arrived(at time.Time)                { m.at = append(m.at, at) }
func (m *timed) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }

func TestTheModelIsToldWhenAKeyCame(t *testing.T) {
	m := &timed{}
	r := newRoot(m, &Screen{Present: func(Frame) {}}, noDevice{}, 80, 24)
	at := time.Unix(7, 0)
	r.Update(inputMsg{msg: tea.KeyMsg{Type: tea.KeyUp}, at: at})
	r.Update(tea.KeyMsg{Type: tea.KeyUp}) // from elsewhere
	if len(m.at) != 1 || !m.at[0].Equal(at) {
		t.Errorf("told %v", m.at)
	}
}
