package model

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/agentclient"
	"baton/ui/chat"
	"baton/ui/term"
)

// quick fails unless much takes at most limit times as long as little. They are done in turns and the fastest of each are
// compared, again and again until they are close enough: what a busy machine adds goes away with enough tries, and what the
// code adds does not.
func quick(t *testing.T, what string, limit float64, little, much func()) {
	t.Helper()
	const tries = 150
	var best [2]time.Duration
	for range tries {
		for i, f := range []func(){little, much} {
			began := time.Now()
			f()
			if took := time.Since(began); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
		if float64(best[1]) <= limit*float64(best[0]) {
			return
		}
	}
	t.Errorf("%s takes %v, %.2f times %v; the limit is %v", what, best[1], float64(best[1])/float64(best[0]), best[0], limit)
}

// objects is how many f allocates: the fewest of several calls, since a buffer that grows or a test that ran before may add
// to some.
func objects(f func()) uint64 {
	fewest := ^uint64(0)
	for range 20 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		fewest = min(fewest, after.Mallocs-before.Mallocs)
	}
	return fewest
}

// shot is a program with a transcript, and what is done to it.
type shot struct {
	m *Model
	n int
}

func (s *shot) frame(msg tea.Msg) {
	s.m.Update(msg)
	s.m.View()
}

func (s *shot) key() {
	s.n++
	s.frame(keyOf([]string{"backspace", "x"}[s.n%2]))
}

func (s *shot) wheel() {
	s.n++
	s.frame(tea.MouseMsg{Button: []tea.MouseButton{tea.MouseButtonWheelUp, tea.MouseButtonWheelDown}[s.n%2], Action: tea.MouseActionPress})
}

func (s *shot) stream() {
	s.m.chat.Stream("live", chat.Agent, "word ")
	s.frame(nil)
}

func (s *shot) resize() {
	s.n++
	s.frame(tea.WindowSizeMsg{Width: 119 + s.n%2, Height: 40})
}

// with makes one with a transcript, drawn once.
func with(t testing.TB, fill func(c *chat.Model)) *shot { return &shot{m: filled(t, fill)} }

// twice is f two times, so that what it moves is where it was.
func twice(f func()) func() { return func() { f(); f() } }

func messages(n int, text string) func(c *chat.Model) {
	return func(c *chat.Model) {
		for i := range n {
			c.Append(chat.Block{ID: fmt.Sprint(i), Version: 1, Kind: chat.Kind(i % 2), Text: text})
		}
	}
}

// A frame with 100,000 messages costs at most twice what it costs with ten, and as many allocations.
func TestFrameWith100000Messages(t *testing.T) {
	const text = "A message of **some** words.\n\n- one\n- two\n\nAnd more of them, so that ten are more than a screen has.\n\n1. three\n2. four"
	few, many := with(t, messages(10, text)), with(t, messages(100_000, text))
	for _, act := range []struct {
		name string
		do   func(*shot)
	}{{"a key", (*shot).key}, {"the wheel", (*shot).wheel}, {"another width", (*shot).resize}, {"a piece of an answer", (*shot).stream}} {
		little, much := twice(func() { act.do(few) }), twice(func() { act.do(many) })
		a, b := objects(little), objects(much)
		t.Logf("%s: %d objects, %d with 100,000 messages", act.name, a, b)
		if 10*b > 11*a { // the race detector empties pools at random
			t.Errorf("%s allocates %d objects, and %d with 100,000 messages", act.name, a, b)
		}
		quick(t, act.name+" with 100,000 messages", 2, little, much)
	}
}

// A frame of an answer of 10 MB that still comes costs at most 1.5 times one of 1 KB.
func TestStreamingAnswerOf10MB(t *testing.T) {
	live := func(size int) *shot {
		return with(t, func(c *chat.Model) {
			piece := strings.Repeat(spoken, max(min(size, 64<<10)/len(spoken), 1))
			for n := 0; n < size; n += len(piece) {
				c.Stream("live", chat.Agent, piece)
			}
		})
	}
	size := 10 << 20
	if raced {
		size = 2 << 20
	}
	short, long := live(1<<10), live(size)
	a, b := objects(short.stream), objects(long.stream)
	t.Logf("%d objects, %d behind 10 MB", a, b)
	if 2*b > 3*a {
		t.Errorf("a piece allocates %d objects, and %d behind 10 MB", a, b)
	}
	quick(t, "a piece behind 10 MB", 1.5, short.stream, long.stream)
}

// Another View without anything between costs nothing.
func TestUnchangedViewIsFree(t *testing.T) {
	s := with(t, transcripts["messages"])
	states := []struct {
		name string
		do   func()
	}{
		{"at the end", func() {}}, {"with a draft", s.key}, {"scrolled", s.wheel}, {"while an answer comes", s.stream},
		{"the help", func() { s.frame(keyOf("f1")) }},
	}
	for _, st := range states {
		st.do()
		before := s.m.View()
		if n := testing.AllocsPerRun(10, func() { s.m.View() }); n != 0 {
			t.Errorf("%s: %v allocations for an unchanged View", st.name, n)
		}
		if s.m.View() != before {
			t.Errorf("%s: an unchanged View shows something else", st.name)
		}
	}
}

// Another width with 180,000 lines costs at most 1.5 times what it costs with 18,000.
func TestResizeOf180000Lines(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("a line of some words\n", n) }
	for name, fill := range map[string]func(n int) func(*chat.Model){
		"messages": func(n int) func(*chat.Model) { return messages(n/9, lines(8)) },
		"message": func(n int) func(*chat.Model) {
			return func(c *chat.Model) {
				c.Append(chat.Block{ID: "a", Version: 1, Kind: chat.Agent, Text: "```\n" + lines(n)})
			}
		},
		"live": func(n int) func(*chat.Model) {
			return func(c *chat.Model) { c.Stream("live", chat.Agent, "```\n"+lines(n)) }
		},
	} {
		if raced && name != "messages" {
			continue
		}
		few, many := with(t, fill(18_000)), with(t, fill(180_000))
		for _, where := range []string{"at the end", "in the middle"} {
			if where != "at the end" {
				few.m.chat.ScrollUp(400)
				many.m.chat.ScrollUp(400)
			}
			little, much := twice(few.resize), twice(many.resize)
			a, b := objects(little), objects(much)
			t.Logf("%s, %s: %d objects, %d with 180,000 lines", name, where, a, b)
			if 2*b > 3*a {
				t.Errorf("%s, %s: another width allocates %d objects, and %d with 180,000 lines", name, where, a, b)
			}
			quick(t, name+", "+where, 1.5, little, much)
		}
	}
}

func pasteOf(size int) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune(strings.Repeat("some text with an end\n", size/22))}
}

// A paste of 4 MB costs at most six times one of 1 MB, and the key behind a paste of 1 MB twice the key in an empty composer.
func TestLargePastes(t *testing.T) {
	empty := func() *shot { return with(t, transcripts["empty"]) }
	s, one, four := empty(), pasteOf(1<<20), pasteOf(4<<20)
	paste := func(msg tea.Msg) func() {
		return func() {
			s.frame(msg)
			s.m.write.Reset("")
		}
	}
	quick(t, "a paste of 4 MB", 6, paste(one), paste(four))
	little, much := empty(), empty()
	much.frame(one)
	if a, b := objects(twice(little.key)), objects(twice(much.key)); b > 2*a {
		t.Errorf("a key allocates %d objects, and %d behind a paste", a, b)
	}
	quick(t, "a key behind a paste of 1 MB", 2, twice(little.key), twice(much.key))
	if n := much.m.write.Bytes(); n < 1<<20-22 {
		t.Errorf("%d bytes are left of the paste", n)
	}
}

// drawn is a program that counts.
type drawn struct {
	*Model
	views, news *atomic.Int64
}

func (d drawn) View() string { d.views.Add(1); return d.Model.View() }

func (d drawn) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(jobDone); ok {
		d.news.Add(1)
	}
	_, cmd := d.Model.Update(msg)
	return d, cmd
}

// seen is what was drawn last, and when.
type seen struct {
	mu    sync.Mutex
	frame string
	at    time.Time
}

func (s *seen) present(f term.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frame, s.at = f.Text, time.Now()
}

func (s *seen) shows(text string) (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at, strings.Contains(s.frame, text)
}

// An answer of 20,000 tokens, 10,000 a second, is drawn as often as the screen can show it and no more, reaches the program as
// often, and a key that is pressed meanwhile is drawn at once.
func TestFloodOfTokens(t *testing.T) {
	const tokens, rate, fps = 20_000, 10_000, 60
	bubble(t, func(t *testing.T) {
		flood := func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
			for i := range tokens {
				sink(agentclient.Piece{Text: "word" + []string{" ", " ", " ", "\n\n"}[i%4]})
				time.Sleep(time.Second / rate)
			}
			sink(agentclient.Piece{Text: "THE END"})
			return agentclient.Finish{}, nil
		}
		p := open(t, flood)
		d := drawn{p.m, new(atomic.Int64), new(atomic.Int64)}
		var program *tea.Program
		var last seen
		screen := &term.Screen{Present: last.present, Send: func(m tea.Msg) { program.Send(m) }}
		program = tea.NewProgram(screen.Root(d, 80, 24), tea.WithInput(nil), tea.WithOutput(io.Discard),
			tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
		over := make(chan struct{})
		go func() { defer close(over); _, _ = program.Run() }()
		press := func(key string) (took time.Duration, ok bool) {
			began := time.Now()
			program.Send(keyOf(key))
			time.Sleep(time.Nanosecond) // until everything that takes no time has happened
			at, ok := last.shows(key)
			return at.Sub(began), ok
		}
		for _, r := range "go" {
			program.Send(keyOf(string(r)))
		}
		time.Sleep(time.Second)
		if took, ok := press("Q"); !ok || took > 0 {
			t.Errorf("idle, a key is drawn after %v: %v", took, ok)
		}
		program.Send(keyOf("enter"))
		before, told := d.views.Load(), d.news.Load()
		began := time.Now()
		for i := range 15 {
			time.Sleep(101 * time.Millisecond)
			if took, ok := press(string(rune('A' + i))); !ok || took > 0 {
				t.Errorf("under the flood, key %d is drawn after %v: %v", i, took, ok)
			}
		}
		for _, done := last.shows("THE END"); !done && time.Since(began) < 10*time.Second; _, done = last.shows("THE END") {
			time.Sleep(10 * time.Millisecond)
		}
		took := time.Since(began).Seconds()
		views, news := d.views.Load()-before, d.news.Load()-told
		t.Logf("%d Views and %d messages of news in %.2f s", views, news, took)
		if _, ok := last.shows("THE END"); !ok {
			t.Error("the answer is not all there")
		}
		if most := 1.2 * fps * took; float64(views) > most || float64(news) > most || views < fps {
			t.Errorf("%d Views and %d messages of news in %.2f s", views, news, took)
		}
		program.Quit()
		<-over
		p.end()
	})
}

// A key costs the program at most 1.3 times as much while an answer floods in as it does at rest.
func TestKeyUnderFlood(t *testing.T) {
	rest, flood := with(t, transcripts["messages"]), with(t, transcripts["messages"])
	flood.m.chat.Stream("live", chat.Agent, spoken)
	flood.m.View()
	a := objects(twice(rest.key))
	b := objects(twice(flood.key))
	if 10*b > 13*a {
		t.Errorf("a key allocates %d objects at rest, and %d while an answer comes", a, b)
	}
	quick(t, "a key under the flood", 1.3, twice(rest.key), twice(flood.key))
}
