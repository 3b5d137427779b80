package composer

import (
	"sort"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// naive is the obvious editor: a string and a byte offset, everything computed
// anew for each key. The real one has to agree with it.
type naive struct {
	text  string
	caret int
	kill  string
	known bool // kill holds something
}

// stops lists the byte offsets where the caret may stand.
func (m *naive) stops() []int {
	out := []int{0}
	at := 0
	for rest := m.text; rest != ""; {
		n := 1
		if rest[0] != '\n' {
			until, _, _ := strings.Cut(rest, "\n")
			c, _ := ansi.FirstGraphemeCluster(until, ansi.GraphemeWidth)
			n = len(c)
		}
		at += n
		rest = rest[n:]
		out = append(out, at)
	}
	return out
}

func (m *naive) replace(from, to int, text string) {
	m.text = m.text[:from] + text + m.text[to:]
	m.caret = from + len(text)
	for _, s := range m.stops() {
		if s >= m.caret {
			m.caret = s
			break
		}
	}
}

func (m *naive) near() (prev, next int) {
	prev, next = 0, len(m.text)
	for _, s := range m.stops() {
		if s < m.caret {
			prev = s
		}
		if s > m.caret {
			return prev, s
		}
	}
	return prev, next
}

func (m *naive) lineBounds() (start, end int) {
	start = strings.LastIndexByte(m.text[:m.caret], '\n') + 1
	end = len(m.text)
	if i := strings.IndexByte(m.text[m.caret:], '\n'); i >= 0 {
		end = m.caret + i
	}
	return start, end
}

func (m *naive) wordAt(i int) bool {
	r, _ := utf8.DecodeRuneInString(m.text[i:])
	return i < len(m.text) && (r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r))
}

func (m *naive) wordLeft() int {
	stops := m.stops()
	i := 0
	for stops[i] < m.caret {
		i++
	}
	for i > 0 && !m.wordAt(stops[i-1]) {
		i--
	}
	for i > 0 && m.wordAt(stops[i-1]) {
		i--
	}
	return stops[i]
}

func (m *naive) wordRight() int {
	stops := m.stops()
	i := 0
	for stops[i] < m.caret {
		i++
	}
	for i < len(stops)-1 && !m.wordAt(stops[i]) {
		i++
	}
	for i < len(stops)-1 && m.wordAt(stops[i]) {
		i++
	}
	return stops[i]
}

func (m *naive) cut(from, to int) {
	if from < to {
		m.kill, m.known = m.text[from:to], true
		m.replace(from, to, "")
	}
}

// offset is where the editor's caret stands in Value, in bytes.
func offset(e *Editor) int {
	n := 0
	for row := range e.caret.row {
		n += e.lines.at(row).size + 1
	}
	for col := range e.caret.col {
		n += e.line().at(col).size()
	}
	return n
}

// pieces are what the random text is made of: everything that can join with a
// neighbour, and things that cannot.
var pieces = []string{
	"a", "b ", "word_1", " ", "\n", "\r\n", "\r", "\t", "你", "好", "e\u0301", "\u0301", "\u200d", "👩", "👦",
	"👩\u200d👩\u200d👧\u200d👦", "🇩", "🇪", "🇩🇪", "🏽", "\ufe0f", "❤", "\x00", "\x1b[31m", "\x9b", "\u202e", "क", "\u094d",
	"ᄀ", "ᅡ", "\u0600", `\`, "-",
}

var text = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, "pieces"), "")
})

// keys pairs each action with what the naive editor does for it.
var keys = map[string]struct {
	real  func(*Editor)
	naive func(*naive)
}{
	"left":      {(*Editor).Left, func(m *naive) { m.caret, _ = m.near() }},
	"right":     {(*Editor).Right, func(m *naive) { _, m.caret = m.near() }},
	"lineStart": {(*Editor).LineStart, func(m *naive) { m.caret, _ = m.lineBounds() }},
	"lineEnd":   {(*Editor).LineEnd, func(m *naive) { _, m.caret = m.lineBounds() }},
	"docStart":  {(*Editor).DocStart, func(m *naive) { m.caret = 0 }},
	"docEnd":    {(*Editor).DocEnd, func(m *naive) { m.caret = len(m.text) }},
	"wordLeft":  {(*Editor).WordLeft, func(m *naive) { m.caret = m.wordLeft() }},
	"wordRight": {(*Editor).WordRight, func(m *naive) { m.caret = m.wordRight() }},
	"newline":   {(*Editor).Newline, func(m *naive) { m.replace(m.caret, m.caret, "\n") }},
	"backspace": {(*Editor).Backspace, func(m *naive) { p, _ := m.near(); m.replace(p, m.caret, "") }},
	"delete":    {(*Editor).Delete, func(m *naive) { _, n := m.near(); m.replace(m.caret, n, "") }},
	"killWord":  {(*Editor).KillWord, func(m *naive) { m.cut(m.wordLeft(), m.caret) }},
	"killStart": {(*Editor).KillLineStart, func(m *naive) { s, _ := m.lineBounds(); m.cut(s, m.caret) }},
	"killEnd": {(*Editor).KillLineEnd, func(m *naive) {
		_, end := m.lineBounds()
		if end == m.caret {
			end = min(end+1, len(m.text))
		}
		m.cut(m.caret, end)
	}},
	"yank":  {func(e *Editor) { e.Yank() }, func(m *naive) { m.replace(m.caret, m.caret, m.kill) }},
	"clear": {(*Editor).Clear, func(m *naive) { m.text, m.caret = "", 0 }},
}

func TestAgainstNaiveEditor(t *testing.T) {
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	sort.Strings(names)
	for range 8 { // a run of rapid's default length misses some joins
		rapid.Check(t, func(t *rapid.T) { compare(t, names) })
	}
}

func compare(t *rapid.T, names []string) {
	e, m := New(), &naive{}
	var states []string // the text before each step
	for range rapid.IntRange(10, 50).Draw(t, "keys") {
		before := m.text
		switch name := rapid.SampledFrom(append(names, "insert", "insert", "insert", "set")).Draw(t, "key"); name {
		case "insert":
			s := text.Draw(t, "text")
			e.log.seal() // one step each, so that the way back is known
			e.Insert(s)
			m.replace(m.caret, m.caret, normal(s))
		case "set":
			s := normal(text.Draw(t, "text"))
			e.SetValue(s)
			m.text, m.caret = s, len(s)
		default:
			e.log.seal()
			keys[name].real(&e)
			keys[name].naive(m)
		}
		agree(t, &e, m)
		if len(e.log.undo) > len(states) {
			states = append(states, before)
		} else if before != m.text {
			t.Fatalf("an edit is no step: %q to %q", before, m.text)
		}
		if rapid.IntRange(0, 3).Draw(t, "look") == 0 {
			looksAsFresh(t, &e, rapid.IntRange(1, 12).Draw(t, "width"))
		}
	}
	comesBack(t, &e, states)
}

// TestRunsComeBack: whatever typing and deleting is gathered into one step, the
// way back ends where it began and the way forth where it was left.
func TestRunsComeBack(t *testing.T) {
	for range 4 {
		rapid.Check(t, runsComeBack)
	}
}

func runsComeBack(t *rapid.T) {
	e := New()
	start := normal(text.Draw(t, "start"))
	e.Reset(start)
	for range rapid.IntRange(0, 5).Draw(t, "lefts") {
		e.Left()
	}
	for range rapid.IntRange(3, 30).Draw(t, "keys") {
		switch rapid.IntRange(0, 6).Draw(t, "key") {
		case 0:
			e.Backspace()
		case 1:
			e.Delete()
		case 2:
			e.Left()
		default:
			e.Insert(rapid.SampledFrom(pieces).Draw(t, "piece"))
		}
	}
	end := e.Value()
	for e.Undo() {
	}
	if got := e.Value(); got != start {
		t.Fatalf("back at %q, want %q", got, start)
	}
	looksAsFresh(t, &e, 6)
	for e.Redo() {
	}
	if got := e.Value(); got != end {
		t.Fatalf("forth at %q, want %q", got, end)
	}
	looksAsFresh(t, &e, 6)
}

func agree(t *rapid.T, e *Editor, m *naive) {
	if got := e.Value(); got != m.text {
		t.Fatalf("text\n got %q\nwant %q", got, m.text)
	}
	if e.Bytes() != len(m.text) || e.Empty() != (m.text == "") {
		t.Fatalf("%d bytes, empty %v, for %q", e.Bytes(), e.Empty(), m.text)
	}
	if got := offset(e); got != m.caret {
		t.Fatalf("caret of %q at %d, want %d", m.text, got, m.caret)
	}
}

// looksAsFresh compares the view, which remembers rows, with that of an editor
// that has just been given the text.
func looksAsFresh(t *rapid.T, e *Editor, width int) {
	fresh := New()
	fresh.Reset(e.Value())
	fresh.caret = e.caret
	got, gx, gy := e.View(width, 1000)
	want, wx, wy := fresh.View(width, 1000)
	if strings.Join(got, "\n") != strings.Join(want, "\n") || gx != wx || gy != wy {
		t.Fatalf("width %d of %q\n got %q %d,%d\nwant %q %d,%d", width, e.Value(), got, gx, gy, want, wx, wy)
	}
}

// comesBack undoes everything step by step and redoes it.
func comesBack(t *rapid.T, e *Editor, states []string) {
	last := e.Value()
	for i := len(states) - 1; i >= 0; i-- {
		if !e.Undo() {
			t.Fatalf("%d of %d steps can be undone", len(states)-1-i, len(states))
		}
		if want := states[i]; e.Value() != want {
			t.Fatalf("undo %d\n got %q\nwant %q", i, e.Value(), want)
		}
		looksAsFresh(t, e, 5)
	}
	if e.Undo() || e.Value() != "" || e.Bytes() != 0 {
		t.Fatalf("after all undo: %q", e.Value())
	}
	n := 0
	for e.Redo() {
		n++
	}
	if n != len(states) || e.Value() != last {
		t.Fatalf("redo %d of %d: %q, want %q", n, len(states), e.Value(), last)
	}
}
