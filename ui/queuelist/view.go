package queuelist

import (
	"fmt"
	"strconv"
	"strings"

	"baton/ui/sanitize"

	"github.com/charmbracelet/x/ansi"
)

// A bar stands before each line of the row editor, as before the composer's; the idle one,
// thinner, where keys go elsewhere.
const (
	bar  = "┃ "
	idle = "┆ "
)

// EditorWidth is how wide the row editor is to be drawn in a list of width
// cells.
func EditorWidth(width int) int { return max(1, width-barWidth(width)) }

func barWidth(width int) int {
	if width < 8 {
		return 0
	}
	return sanitize.Width(bar)
}

// Height is how many lines the list wants on a screen of the given height: all
// of them where they fit into three tenths of it (half of it with an open
// editor), and never less than the header and two rows. A screen of 24 lines
// gives the header, five rows and the line that counts the rest. 0 means there
// is nothing to show.
func (m *Model) Height(screen int, editor *EditorView) int {
	if len(m.rows) == 0 && m.header.Hold == "" && !m.header.Full {
		return 0
	}
	want, room := 1+len(m.rows), screen*3/10
	if n := m.editorRow(editor); n >= 0 {
		want, room = want+len(editor.Lines), screen/2
	}
	return max(0, min(want, max(room, 3), screen))
}

// View draws the list into at most width x height cells, the header first. The
// selected row, or the open editor with its caret, is always among the lines
// when height is 2 or more. In height 1 there is the header, or the editor.
// Reasons that their lines would cut get up to aside of these lines (see Aside).
func (m *Model) View(width, height, aside int, focused bool, editor *EditorView) Frame {
	if width < 1 || height < 1 {
		return Frame{}
	}
	open := m.editorRow(editor)
	said := m.asides(width, min(aside, height-1-min(len(m.rows), 2)), focused, open)
	var f Frame
	if height > 1 || open < 0 {
		f.Lines = append(append(f.Lines, m.headerLine(width, len(said.queue) > 0)), said.queue...)
	}
	body := height - len(f.Lines)
	if body == 0 || len(m.rows) == 0 {
		return f
	}
	edit := window(editor, open, body)
	anchor, room := m.sel, body-len(said.row)
	if open >= 0 {
		anchor, room = open, body-edit.size()
	}
	from, to, rest := m.slice(anchor, room, open)
	rows := look{m.wordWidth(from, to, width), width, focused && open < 0}
	for i := from; i < to; i++ {
		if i != open || edit.named {
			f.Lines = append(f.Lines, m.rowLine(i, m.wordBeside(i, said.row), rows, i == open))
		}
		if i == m.sel {
			f.Lines = append(f.Lines, said.row...)
		}
		if i == open {
			f.Caret, f.X, f.Y = true, min(barWidth(width)+max(0, editor.X), width-1), len(f.Lines)+edit.caret
			f.Lines = append(f.Lines, m.editorLines(edit, width, focused)...)
		}
	}
	if rest != "" {
		f.Lines = append(f.Lines, m.theme.Dim.Render(sanitize.Truncate(rest, width)))
	}
	return f
}

// editorRow is the index of the row that editor edits, -1 when none does.
func (m *Model) editorRow(editor *EditorView) int {
	if editor == nil || len(editor.Lines) == 0 {
		return -1
	}
	for i, r := range m.rows {
		if r.ID == editor.ID {
			return i
		}
	}
	return -1
}

// moreFrom is the number of body lines from which the last one may be spent on
// counting the rows that are not shown; below that the header's count does.
const moreFrom = 4

// slice picks the rows to show in room lines so that anchor is among them,
// with the row below it, and words what is left out. With an open editor
// (open >= 0) room is what it leaves for the other rows, possibly 0.
func (m *Model) slice(anchor, room, open int) (from, to int, rest string) {
	n := room
	if open >= 0 {
		n++
	}
	if n >= len(m.rows) {
		return 0, len(m.rows), ""
	}
	counted := room >= moreFrom
	if counted {
		n--
	}
	below := min(1, n-1) // rows kept in sight under the anchor
	from = max(0, min(anchor+below-n+1, len(m.rows)-n))
	to = from + n
	if !counted {
		return from, to, ""
	}
	return from, to, wordRest(from, len(m.rows)-to)
}

func wordRest(above, below int) string {
	rest := fmt.Sprintf("  +%d more", above+below)
	switch {
	case below == 0:
		rest += " above"
	case above > 0:
		rest += fmt.Sprintf(": %d above, %d below", above, below)
	}
	return rest
}

// edited is the part of the row editor that is shown.
type edited struct {
	lines []string
	caret int  // index into lines
	named bool // the row's own line stands above
}

func (e edited) size() int {
	if e.named {
		return len(e.lines) + 1
	}
	return len(e.lines)
}

// window cuts the editor to body lines around its caret and decides whether
// there is room for the row's line too.
func window(editor *EditorView, open, body int) edited {
	if open < 0 {
		return edited{}
	}
	y := max(0, min(editor.Y, len(editor.Lines)-1))
	if len(editor.Lines) < body {
		return edited{lines: editor.Lines, caret: y, named: true}
	}
	n := body
	if body > 2 {
		n--
	}
	from := max(0, min(y-n/2, len(editor.Lines)-n))
	return edited{lines: editor.Lines[from:min(from+n, len(editor.Lines))], caret: y - from, named: body > 2}
}

func (m *Model) editorLines(e edited, width int, focused bool) []string {
	lines, before := make([]string, len(e.lines)), m.theme.Prompt.Render(bar)
	if !focused {
		before = m.theme.Dim.Render(idle)
	}
	for i, l := range e.lines {
		if w := barWidth(width); w > 0 {
			lines[i] = before + ansi.Truncate(l, width-w, "")
		} else {
			lines[i] = ansi.Truncate(l, width, "")
		}
	}
	return lines
}

// word is what stands before a row's text. The reason that holds the whole
// queue stands in the header and is not repeated.
func (m *Model) word(i int) string {
	w := m.rows[i].Word
	if w == "" || w != m.header.Hold {
		return w
	}
	if head, _, ok := strings.Cut(w, ":"); ok {
		return head
	}
	return "waiting"
}

// wordBeside is the word of a row, of the selected one its beginning where the rest stands on
// lines of its own.
func (m *Model) wordBeside(i int, aside []string) string {
	word := m.word(i)
	if first, _ := parted(word); i == m.sel && first != "" && len(aside) > 0 {
		return first
	}
	return word
}

// wordWidth is the width of the column of words: the widest one that is shown and takes at
// most a third of the line, or "waiting" on a narrow one.
func (m *Model) wordWidth(from, to, width int) int {
	most, widest, any := mostWords(width), 0, false
	for i := from; i < to; i++ {
		w := sanitize.Width(m.word(i))
		any = any || w > 0
		if w <= most {
			widest = max(widest, w)
		}
	}
	if widest == 0 && any {
		return most
	}
	return widest
}

func mostWords(width int) int { return max(width/3, min(len("waiting"), width*2/5)) }

func (m *Model) numberWidth() int { return len(strconv.Itoa(len(m.rows))) }
