// Package composer is the text editor of the program: the composer below the
// transcript and the editor of a queue row are both one of these. It keeps text
// exactly as it was entered and shows it made printable; it must not send,
// queue or store anything, nor know which key means which action.
//
// The caret moves by grapheme clusters (UAX 29). A key costs what it changes and
// what is on screen, never the length of the text elsewhere.
package composer

import "strings"

// Editor holds one text with its caret, undo steps and kill buffer. The zero
// value and New are an empty text. A copy shares its text with the original: use
// one of them. An Editor serves one goroutine.
type Editor struct {
	// ChipStyle styles a chip's label when it is drawn; nil leaves it plain. It
	// may add styling sequences, never cells.
	ChipStyle func(string) string

	lines gap[*line] // at least one once ready
	caret pos
	goal  int // column that Up and Down aim at, -1 if they did not just happen
	bytes int
	chips int // number of the last chip
	log   log
	kill  []*line
	port  *viewport // shared by copies: it only caches what was seen

	version uint64 // counts the changes of the text
}

// New returns an empty editor.
func New() Editor {
	var e Editor
	e.ready()
	return e
}

func (e *Editor) ready() {
	if e.port == nil {
		e.port = &viewport{width: 80}
		e.empty()
	}
}

// empty drops the text and what undo knows of it.
func (e *Editor) empty() {
	e.version++
	e.lines = newGap([]*line{newLine("")})
	e.caret, e.goal, e.bytes, e.chips = pos{}, -1, 0, 0
	e.log = log{}
	e.port.top = place{}
}

// Value returns the text as it would be sent: chips expanded, lines ended by LF.
func (e *Editor) Value() string {
	e.ready()
	var b strings.Builder
	b.Grow(e.bytes)
	for i := range e.lines.len() {
		if i > 0 {
			b.WriteByte('\n')
		}
		e.lines.at(i).writeTo(&b)
	}
	return b.String()
}

// Bytes returns len(Value()) without building it.
func (e *Editor) Bytes() int { return e.bytes }

// Empty reports whether there is no text at all, not even white space.
func (e *Editor) Empty() bool { return e.bytes == 0 }

// TakeValue returns the text and leaves the editor empty. Undo forgets it: the
// text is somewhere else now, and must not be in two places.
func (e *Editor) TakeValue() string {
	text := e.Value()
	e.empty()
	return text
}

// Reset replaces everything by text, as if the editor had been opened with it:
// there is nothing to undo. The caret stands at the end.
func (e *Editor) Reset(text string) {
	e.ready()
	e.empty()
	e.splice(pos{}, pos{}, linesOf(normal(text)))
	e.caret = e.end()
}

// SetValue replaces everything by text, as one step that can be undone. The
// caret stands at the end.
func (e *Editor) SetValue(text string) {
	e.ready()
	e.replaceAll(linesOf(normal(text)))
}

// Clear removes everything, as one step that can be undone.
func (e *Editor) Clear() {
	if !e.Empty() {
		e.replaceAll([]*line{newLine("")})
	}
}

func (e *Editor) replaceAll(content []*line) {
	e.edit(pos{}, e.end(), content, whole)
}

// Caret returns the caret's line, from 0, and how many graphemes stand before it
// on that line.
func (e *Editor) Caret() (row, col int) { return e.caret.row, e.caret.col }

// Before returns the text between the start of the caret's line, or the last
// chip on it, and the caret: at most limit graphemes, the ones nearest the caret.
func (e *Editor) Before(limit int) string {
	e.ready()
	ln, from := e.line(), e.caret.col
	for from > 0 && e.caret.col-from < limit && ln.at(from-1).chip == nil {
		from--
	}
	var b strings.Builder
	for i := from; i < e.caret.col; i++ {
		b.WriteString(ln.at(i).text)
	}
	return b.String()
}

func (e *Editor) line() *line { return e.lines.at(e.caret.row) }

func (e *Editor) end() pos {
	row := e.lines.len() - 1
	return pos{row, e.lines.at(row).len()}
}

// normal makes LF the only line end.
func normal(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
