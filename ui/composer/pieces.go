package composer

import "strings"

// Piece is a part of a text: what stands as text, or what one chip holds.
type Piece struct {
	Text   string
	Pasted bool // it is a chip
}

// Pieces returns the text in its parts: together they are what Value gave when the
// draft was saved. It may be called on any goroutine.
func (d Draft) Pieces() []Piece {
	var out []Piece
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, Piece{Text: b.String()})
			b.Reset()
		}
	}
	for i, ln := range d.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if !ln.split {
			b.WriteString(ln.raw)
			continue
		}
		for j := range ln.units.len() {
			u := ln.units.at(j)
			if u.chip == nil {
				b.WriteString(u.text)
				continue
			}
			flush()
			out = append(out, Piece{Text: u.chip.text, Pasted: true})
		}
	}
	flush()
	return out
}

// Fill replaces everything by pieces, as if the editor had been opened with them: there is
// nothing to undo. The caret stands at the end.
func (e *Editor) Fill(pieces []Piece) {
	e.Reset("")
	for _, p := range pieces {
		text := normal(p.Text)
		if text == "" {
			continue
		}
		content := linesOf(text)
		if p.Pasted {
			e.chips++
			content = []*line{lineOf([]unit{{chip: newChip(e.chips, text)}})}
		}
		e.edit(e.caret, e.caret, content, whole)
	}
	e.log = log{}
}

// Version changes with the text: as long as it stays, so does what Value returns. It is
// kept by everything that moves the caret alone.
func (e *Editor) Version() uint64 { return e.version }
