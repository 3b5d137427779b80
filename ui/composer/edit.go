package composer

import (
	"strings"
	"unicode/utf8"
)

const (
	// PasteBytes and PasteLines bound what is pasted as plain text. A longer
	// paste becomes a chip.
	PasteBytes = 1024
	PasteLines = 10
	// OpenBytes is the largest chip OpenChip turns into text. Beyond that the
	// text belongs into an external editor.
	OpenBytes = 1 << 20
)

// Insert puts typed text at the caret. CR LF and CR become LF.
func (e *Editor) Insert(text string) {
	e.ready()
	text = normal(text)
	if text == "" {
		return
	}
	kind := typed
	if strings.Contains(text, "\n") {
		kind = whole
	}
	r, _ := utf8.DecodeRuneInString(text)
	e.log.word(r)
	e.edit(e.caret, e.caret, linesOf(text), kind)
}

// Newline puts a line end at the caret.
func (e *Editor) Newline() { e.Insert("\n") }

// Paste puts pasted text at the caret, as one step. More than PasteBytes bytes
// or PasteLines lines become a chip: one unit for the caret, drawn as
// "[pasted 1,240 lines #3]", of which Value gives every byte. CR LF and CR
// become LF.
func (e *Editor) Paste(text string) {
	e.ready()
	text = normal(text)
	if text == "" {
		return
	}
	var content []*line
	if len(text) > PasteBytes || countLines(text) > PasteLines {
		e.chips++
		content = []*line{lineOf([]unit{{chip: newChip(e.chips, text)}})}
	} else {
		content = linesOf(text)
	}
	e.edit(e.caret, e.caret, content, whole)
}

// OpenChip turns the chip at the caret (behind it, else before it) into text. It
// returns false if there is none or if it holds more than OpenBytes bytes.
func (e *Editor) OpenChip() bool {
	e.ready()
	ln := e.line()
	for _, col := range []int{e.caret.col, e.caret.col - 1} {
		if col < 0 || col >= ln.len() {
			continue
		}
		if c := ln.at(col).chip; c != nil {
			if len(c.text) > OpenBytes {
				return false
			}
			row := e.caret.row
			e.edit(pos{row, col}, pos{row, col + 1}, linesOf(c.text), whole)
			return true
		}
	}
	return false
}

// Backspace removes the grapheme, chip or line end before the caret.
func (e *Editor) Backspace() { e.ready(); e.erase(e.left(e.caret), e.caret, backward) }

// Delete removes the grapheme, chip or line end behind the caret.
func (e *Editor) Delete() { e.ready(); e.erase(e.caret, e.right(e.caret), forward) }

func (e *Editor) erase(from, to pos, kind kind) {
	if from.before(to) {
		e.edit(from, to, []*line{newLine("")}, kind)
	}
}

// ReplaceBefore replaces the n graphemes before the caret on its line by text,
// as one step: accepting a completion. A larger n stops at the line's start.
func (e *Editor) ReplaceBefore(n int, text string) {
	e.ready()
	from := pos{e.caret.row, max(e.caret.col-n, 0)}
	e.edit(from, e.caret, linesOf(normal(text)), whole)
}

// EndsWithBackslash reports whether the caret is at the end of the text and a
// backslash directly before it: Enter then continues the line.
func (e *Editor) EndsWithBackslash() bool {
	e.ready()
	return e.caret == e.end() && e.caret.col > 0 && e.line().at(e.caret.col-1).text == `\`
}

// ContinueLine replaces that backslash by a line end. It returns false, having
// done nothing, if there is none.
func (e *Editor) ContinueLine() bool {
	if !e.EndsWithBackslash() {
		return false
	}
	e.ReplaceBefore(1, "\n")
	return true
}

// edit is the one way text changes: it replaces what stands between from and to
// by content, puts the caret behind it and notes how to go back.
func (e *Editor) edit(from, to pos, content []*line, kind kind) {
	before := e.caret
	from, to, content, col := e.join(from, to, content)
	single := len(content) == 1
	e.caret = pos{from.row + len(content) - 1, col}
	if single {
		e.caret.col += from.col
	}
	removed, end := e.splice(from, to, content)
	e.goal = -1
	e.log.record(step{from: from, to: end, old: removed, before: before, after: e.caret, kind: kind}, to)
}
