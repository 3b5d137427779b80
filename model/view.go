package model

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"baton/model/session"
	"baton/queue"
	"baton/ui/keymap"
	"baton/ui/queuelist"
	"baton/ui/sanitize"
	"baton/ui/status"
)

const (
	composerLines = 8  // the composer grows to this
	headerFrom    = 16 // screens of at least this many lines have a header and a rule
)

// View draws the screen: transcript, queue, composer, indicator. It has exactly as many
// lines as the window. Between two Updates it draws once.
func (m *Model) View() string {
	if !m.screen.drawn {
		m.screen.frame, m.screen.drawn = m.draw(), true
	}
	return m.screen.frame
}

func (m *Model) draw() string {
	w, h := m.screen.w, m.screen.h
	m.screen.caret = false
	if w < 1 || h < 1 {
		return ""
	}
	var lines []string
	switch {
	case m.screen.help:
		lines = m.help.View(w, h)
	case m.screen.choice != nil:
		lines = m.choiceView(w, h)
	default:
		lines = m.layout(w, h)
	}
	for len(lines) < h {
		lines = append(lines, "")
	}
	return strings.Join(lines[:h], "\n")
}

// layout gives each part its lines, the indicator first, the transcript what is left.
func (m *Model) layout(w, h int) []string {
	facts := m.facts()
	said := ""
	if !status.Fits(facts, w) && h > 4 {
		said, facts.Notice = facts.Notice, ""
	}
	below := append(m.banners(w, h), status.Line(m.deps.Theme, facts, w))
	left := h - len(below)

	var files []string
	if left > 2 {
		files = m.fileLine(w)
	}
	bar := barWidth(w)
	write, cx, cy := m.write.View(w-bar, min(composerLines, max(1, left/3)))
	for i, l := range write {
		write[i] = m.bar(bar) + l
	}
	write = append(files, write...)
	cy += len(files)
	left -= len(write)

	editor := m.editorView(w, left)
	rows := m.rows(w, h, left, editor)
	left -= len(rows.Lines)

	var top, rule []string
	if h >= headerFrom {
		top, rule = m.header(w), make([]string, 1)
	}
	left = max(left-len(top)-len(rule), 0)
	word := status.Notice(m.deps.Theme, said, w, min(left, max(h/2, 3))) // only the transcript makes room for it
	left -= len(word)
	var pop []string
	if m.completing() {
		pop = m.pop.View(w, min(8, max(left-1, 0)))
	}
	talk := m.chat.View(w, left-len(pop))
	for i := range rule {
		rule[i] = m.rule(w) // the transcript has settled
	}

	var out []string
	for _, part := range [][]string{top, talk, word, rule, rows.Lines, pop, write, below} {
		out = append(out, part...)
	}
	m.placeCaret(rows, len(top)+len(talk)+len(word)+len(rule), len(out)-len(below)-len(write), bar+cx, cy)
	return out
}

// rows draws the queue into some of the lines that are left. Reasons that are too long for
// their lines get more of them as long as a quarter of the window stays the transcript's, and
// all there are where the keys go to the queue: there is nowhere else to read them whole.
func (m *Model) rows(w, h, left int, editor *queuelist.EditorView) queuelist.Frame {
	focused, lines := m.screen.focus == onQueue, min(left, m.list.Height(h, editor))
	spare := left - lines
	if h >= headerFrom {
		spare -= 2 // the header and the rule
	}
	if !focused {
		spare -= h / 4
	}
	aside := min(m.list.Aside(w, focused, editor), max(spare, 0))
	return m.list.View(w, lines+aside, aside, focused, editor)
}

// banners are for what lasts: why nothing is saved, or why nothing can be changed.
func (m *Model) banners(w, h int) (lines []string) {
	room := min(h/4, 3)
	if h < 6 {
		return nil
	}
	if err := m.eng.Trouble(); err != nil {
		lines = status.Banner(m.deps.Theme, "not saved: "+trouble(err), w, room)
	}
	return append(lines, status.Banner(m.deps.Theme, m.eng.ReadOnly(), w, room)...)
}

// rule parts the transcript from what is below it, and says so when its end is not in view.
// It is thick, as a bar is, where the keys go to the transcript.
func (m *Model) rule(w int) string {
	const label = " more below ↓ "
	line, style := "─", m.deps.Theme.Dim
	if m.screen.focus == onTranscript {
		line, style = "━", m.deps.Theme.Prompt
	}
	if n := w - sanitize.Width(label) - 2; n > 0 && !m.chat.Following() {
		return style.Render(strings.Repeat(line, n)) + m.deps.Theme.Dim.Render(label) + style.Render(line+line)
	}
	return style.Render(strings.Repeat(line, w))
}

// trouble puts the cause first: the rest of the line may be cut off.
func trouble(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error() + " · " + err.Error()
	}
	return err.Error()
}

// prompt stands before each line of the composer, where there is room for it; idle, thinner,
// where keys go elsewhere.
const (
	prompt      = "┃ "
	idle        = "┆ "
	promptCells = 2
	promptFrom  = 8 // cells of a window with room for it
)

func barWidth(w int) int {
	if w < promptFrom {
		return 0
	}
	return promptCells
}

func (m *Model) bar(cells int) string {
	switch {
	case cells == 0:
		return ""
	case m.screen.focus == onComposer:
		return m.deps.Theme.Prompt.Render(prompt)
	}
	return m.deps.Theme.Dim.Render(idle)
}

// header names agent, model and origin. A rule parts it from the transcript without a line
// of its own.
func (m *Model) header(w int) []string {
	i := m.eng.Agent().Info()
	parts := []string{"baton"}
	for _, p := range []string{i.Agent, i.Model, i.Origin} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	text := sanitize.Truncate(sanitize.Line(strings.Join(parts, " · ")), w)
	if n := w - sanitize.Width(text) - 1; n > 0 {
		text += " " + strings.Repeat("─", n)
	}
	return []string{m.deps.Theme.Dim.Render(text)}
}

// fileLine names the files that go with the next prompt, and what drops them.
func (m *Model) fileLine(w int) []string {
	if len(m.write.files) == 0 {
		return nil
	}
	text, drops := sanitize.Line("with "+strings.Join(fileNames(m.write.files), ", ")), ""
	for _, h := range m.hints(hint{keymap.Interrupt, "drops"}) {
		drops = " · " + sanitize.Line(h)
	}
	if room := w - sanitize.Width(drops); room >= leastNames {
		text = sanitize.Truncate(text, room) + drops
	}
	return []string{m.deps.Theme.Dim.Render(sanitize.Truncate(text, w))}
}

// leastNames is the room, in cells, that the names of files have before a hint beside them.
const leastNames = 20

// editorView draws the row that is open.
func (m *Model) editorView(w, room int) *queuelist.EditorView {
	if m.row.id == "" {
		return nil
	}
	lines, x, y := m.row.View(queuelist.EditorWidth(w), max(1, min(composerLines, room/2)))
	return &queuelist.EditorView{ID: string(m.row.id), Lines: lines, X: x, Y: y}
}

// placeCaret remembers where the caret stands on the whole screen.
func (m *Model) placeCaret(rows queuelist.Frame, rowsAt, writeAt, cx, cy int) {
	switch {
	case m.screen.focus == onComposer:
		m.screen.x, m.screen.y, m.screen.caret = cx, writeAt+cy, true
	case m.screen.focus == onQueue && rows.Caret:
		m.screen.x, m.screen.y, m.screen.caret = rows.X, rowsAt+rows.Y, true
	}
}

// Cursor says where the caret stands in the last View.
func (m *Model) Cursor() (x, y int, ok bool) { return m.screen.x, m.screen.y, m.screen.caret }

// refresh gives the queue list what it shows.
func (m *Model) refresh() {
	m.screen.drawn = false
	s := m.eng.State()
	now := m.deps.Now()
	m.pace.saw(s.Work(), now)
	var rows []queuelist.Row
	for _, r := range s.Queue.Rows() {
		files := r.Attachments
		if r.ID == m.row.id { // as a save would leave them
			files = m.row.files
		}
		rows = append(rows, queuelist.Row{ID: string(r.ID), Text: session.Draft{Text: r.Text, Command: r.Command}.Typed(), Word: m.rowWord(s, r.ID, now), Generated: r.Generated != 0,
			Locked: r.ID == s.Locked(), Attachments: fileNames(files)})
	}
	picked, _ := m.list.Selected()
	m.list.SetRows(rows)
	if now, _ := m.list.Selected(); m.screen.focus == onQueue && !m.pace.acting && picked != now {
		m.pace.moved, m.pace.emptied = m.deps.Now(), len(rows) == 0
	}
	if m.screen.focus != onQueue && len(rows) > 0 {
		m.list.Select(rows[0].ID) // nothing is being chosen: point at what comes next
	}
	m.list.SetHeader(m.queueHeader(s.Queue.Full()))
	if len(rows) == 0 && m.screen.focus == onQueue {
		m.screen.focus = onComposer
	}
}

// rowWord is the session's word for a row, without the key where that does something else.
func (m *Model) rowWord(s session.State, id queue.ID, now time.Time) string {
	word := s.Word(id, now)
	if m.screen.focus != onComposer || !m.write.Empty() || len(m.write.files) > 0 {
		word = strings.TrimSuffix(word, ": enter plays")
	}
	return word
}

func (m *Model) queueHeader(full bool) queuelist.Header {
	s := m.eng.State()
	h := queuelist.Header{Count: s.Queue.Len(), Cap: s.Queue.Cap(), Full: full, Ruled: m.screen.h < headerFrom, Above: m.screen.focus == onTranscript}
	if h.Count > 0 { // nothing is held where nothing waits
		h.Hold = s.Held(m.deps.Now())
	}
	switch {
	case m.screen.focus == onQueue && m.row.id != "":
		h.Hints = m.hints(hint{keymap.SaveRow, "saves"}, hint{keymap.Stop, "discards"})
		if len(m.row.files) > 0 {
			h.Hints = append(h.Hints, m.hints(hint{keymap.Interrupt, "drops files"})...)
		}
	case m.screen.focus == onQueue:
		h.Hints = m.queueHints(s)
	default:
		h.Hints = m.distantHints(s)
	}
	return h
}

// distantHints names the keys that reach the queue from where the focus is, and do there
// what they say.
func (m *Model) distantHints(s session.State) []string {
	there := keymap.FocusNext
	if m.screen.focus == onTranscript {
		there = keymap.FocusPrev
	}
	switch {
	case m.completing(): // tab takes the entry
		return nil
	case m.row.id != "":
		return m.hints(hint{there, "to the open row"}, hint{keymap.Stop, "discards"})
	case m.screen.focus == onTranscript:
		return m.hints(hint{there, "to edit"})
	case s.Busy():
		return m.hints(hint{there, "to edit"}, hint{keymap.EditLast, "last"})
	case m.write.Empty() && len(m.write.files) == 0:
		return m.hints(hint{keymap.Send, "plays"}, hint{there, "to edit"})
	}
	return m.hints(hint{there, "to edit"})
}

// queueHints names the keys that matter most in this state first.
func (m *Model) queueHints(s session.State) []string {
	pause := hint{keymap.QueuePause, "pauses"}
	if s.Gate.Paused {
		pause.does = "goes on"
	}
	edit := []hint{{keymap.QueueEdit, "edits"}, {keymap.QueueRemove, "removes"}}
	switch {
	case s.Gate.Paused:
		return m.hints(append([]hint{pause}, append(edit, hint{keymap.QueueSendNow, "sends now"}, hint{keymap.Help, "more"})...)...)
	case s.Busy():
		return m.hints(append(edit, hint{keymap.QueueSendNow, "sends now"}, pause, hint{keymap.Help, "more"})...)
	}
	return m.hints(append([]hint{{keymap.QueuePlay, "plays"}}, append(edit, pause, hint{keymap.Help, "more"})...)...)
}

// hint is an action in a word or two.
type hint struct {
	action keymap.Action
	does   string
}

// hints puts the keys in force before what they do; an action without a key has none, and
// what is only shown has no use for keys.
func (m *Model) hints(all ...hint) []string {
	var hs []string
	if m.eng.ReadOnly() != "" {
		return nil
	}
	for _, h := range all {
		if h := m.deps.Keys.Does(h.does, h.action); h != "" {
			hs = append(hs, h)
		}
	}
	return hs
}
