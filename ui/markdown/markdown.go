// Package markdown turns markdown that nobody vouches for into styled lines of
// a given width.
// It must not emit anything but text and SGR sequences (ECMA-48 §8.3.117): no
// hyperlink sequence, no control byte, and no address that stays invisible.
//
// The text is cut into top-level blocks first, line by line, in one pass. Each
// block then stands for itself: it is parsed alone (package gfm: CommonMark with
// tables, strikethrough and task lists) and laid out alone, when its lines
// are asked for. That makes an answer that is still arriving cheap, because only
// its last block can change, and it makes the streamed result equal the result
// for the whole text. The price is that a link definition cannot serve a link in
// another block; definitions are shown as text, so nothing is lost.
package markdown

import (
	"github.com/charmbracelet/lipgloss"

	"baton/ui/sanitize"
)

const (
	// MaxBlock is the size in bytes above which a block is shown as plain text.
	// goldmark takes quadratic time on some inputs.
	MaxBlock = 16 << 10
	// MaxDepth is how deep quotes and lists may nest in a block that is parsed.
	MaxDepth = 32
	// MaxDelimiters is how many emphasis delimiters (*, _, ~) a block that is
	// parsed may hold; brackets and backticks together have the same limit.
	MaxDelimiters = 2000
	// MaxCells is how many cells (lines times bars of the fullest line) a block
	// with a table may hold; gfm fills short rows up to the header's width.
	MaxCells = 10_000
)

// Render lays src out in lines of at most width cells, by grapheme clusters
// (UAX 29). A width below 1 counts as 1. Every style is closed on its own line.
func Render(src string, width int, st Styles) []string {
	s := New(st)
	s.Append(src)
	s.End()
	var lines []string
	for i := range s.Len() {
		lines = append(lines, s.Lines(i, width)...)
	}
	return lines
}

// Wrap lays a short text out in one style, in lines of at most width cells (below
// 1 counts as 1). It is not parsed; its spaces and line ends are kept. A long
// text, or one that is still arriving, goes through NewPlain.
func Wrap(text string, width int, style lipgloss.Style) []string {
	rows := wrap([]span{{text: sanitize.Text(text), style: sgrOf(style)}}, max(width, 1), keep)
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = r.text
	}
	return lines
}
