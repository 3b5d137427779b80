// Package picture draws what stood on a terminal as SVG 1.1, for the pages of the documentation. It must be imported by
// tests only, and must not let anything depend on the font of whoever looks: each character has its place, lines are
// drawn as lines, and colours are fixed ones.
package picture

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"baton/ui/termtest"
)

// Frame is a window: its title, its cells row by row, and the caret's column and row if it is shown.
type Frame struct {
	Title string
	Cells [][]termtest.Cell
	X, Y  int
	Caret bool
}

// The measures, in pixels. A cell is as wide as a character of the fonts below at that size.
const (
	size   = 14
	wide   = 8.4
	high   = 18
	base   = 13.5 // from the top of a cell to the line that letters stand on
	margin = 12
	bar    = 28 // with the title
)

const fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

// Draw returns the picture.
func Draw(f Frame) []byte {
	columns := 0
	for _, row := range f.Cells {
		columns = max(columns, len(row))
	}
	w, h := 2*margin+float64(columns)*wide, bar+margin+float64(len(f.Cells))*high
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" font-family="%[3]s" font-size="%[4]d">`+"\n",
		px(w), px(h), fonts, size)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(f.Title))
	fmt.Fprintf(&b, `<rect width="%s" height="%s" rx="8" fill="%s"/>`+"\n", px(w), px(h), ground)
	fmt.Fprintf(&b, `<path d="M0 %d V8 Q0 0 8 0 H%s Q%s 0 %[3]s 8 V%[1]d Z" fill="%[4]s"/>`+"\n", bar-4, px(w-8), px(w), above)
	fmt.Fprintf(&b, `<text x="%s" y="16.5" fill="%s" font-size="12" text-anchor="middle">%s</text>`+"\n", px(w/2), faintly(ink), html.EscapeString(f.Title))
	if f.Caret { // below the text, so that the character on it can be read
		x, y := place(f.X, f.Y)
		fmt.Fprintf(&b, `<rect x="%s" y="%s" width="%s" height="%d" fill="%s" fill-opacity="0.5"/>`+"\n", px(x), px(y), px(wide), high, ink)
	}
	for y, row := range f.Cells {
		drawRow(&b, y, row)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// place is the left upper corner of a cell.
func place(x, y int) (float64, float64) { return margin + float64(x)*wide, bar + float64(y)*high }

// px writes a length with one digit behind the point at most.
func px(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// drawRow draws grounds first, so that no character is cut by its neighbour's.
func drawRow(b *bytes.Buffer, y int, row []termtest.Cell) {
	for x := 0; x < len(row); {
		end := x + 1
		_, g := colours(row[x].Look)
		for end < len(row) && second(colours(row[end].Look)) == g {
			end++
		}
		if g != "" {
			left, top := place(x, y)
			fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%d" fill="%s"/>`+"\n", px(left), px(top), px(float64(end-x)*wide), high, g)
		}
		x = end
	}
	for x := 0; x < len(row); {
		n := piece(row[x:])
		drawPiece(b, x, y, row[x:x+n])
		x += n
	}
}

func second(_, b string) string { return b }

// piece is how many cells are drawn at once: words of ASCII that look alike, and anything else for itself, since a font
// may lack it and take it from another one.
func piece(row []termtest.Cell) int {
	n := 1
	if !plain(row[0]) {
		for n < len(row) && row[n].Half {
			n++
		}
		return n
	}
	same := func(n int) bool { return n < len(row) && row[n].Look == row[0].Look }
	for same(n) && (plain(row[n]) || row[n].Text == " " && same(n+1) && plain(row[n+1])) {
		n++
	}
	return n
}

func plain(c termtest.Cell) bool { return len(c.Text) == 1 && c.Text[0] > ' ' && c.Text[0] < 0x7f }

func drawPiece(b *bytes.Buffer, x, y int, cells []termtest.Cell) {
	var text strings.Builder
	for _, c := range cells {
		text.WriteString(c.Text)
	}
	look := cells[0].Look
	fill, _ := colours(look)
	left, top := place(x, y)
	if strings.TrimSpace(text.String()) == "" {
		if look.Underline {
			fmt.Fprintf(b, `<path d="M%s %s h%s" stroke="%s"/>`+"\n", px(left), px(top+base+2), px(float64(len(cells))*wide), fill)
		}
		return
	}
	if drawLines(b, left, top, text.String(), fill) {
		return
	}
	fmt.Fprintf(b, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="%s"%s>%s</text>`+"\n",
		px(left), px(top+base), px(float64(len(cells))*wide), fill, attributes(look), html.EscapeString(text.String()))
}

func attributes(l termtest.Look) string {
	var s string
	if l.Bold {
		s += ` font-weight="bold"`
	}
	if l.Italic {
		s += ` font-style="italic"`
	}
	switch {
	case l.Underline && l.Strike:
		s += ` text-decoration="underline line-through"`
	case l.Underline:
		s += ` text-decoration="underline"`
	case l.Strike:
		s += ` text-decoration="line-through"`
	}
	return s
}

// arms are the directions in which a character of lines goes from the middle of its cell.
var arms = map[string]string{
	"─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu", "├": "udr", "┤": "udl", "┬": "lrd", "┴": "lru", "┼": "lrud", "┃": "ud", "┆": "ud",
}

// drawLines draws what is a piece of a line, so that it meets the next piece whatever the font.
func drawLines(b *bytes.Buffer, left, top float64, text, colour string) bool {
	to, ok := arms[text]
	if !ok {
		return false
	}
	strength := "1"
	if text == "┃" {
		strength = "2"
	}
	ways := map[rune]string{'l': px(left) + " " + px(top+high/2), 'r': px(left+wide) + " " + px(top+high/2), 'u': px(left+wide/2) + " " + px(top), 'd': px(left+wide/2) + " " + px(top+high)}
	fmt.Fprintf(b, `<path d="`)
	for _, way := range to {
		fmt.Fprintf(b, "M%s %sL%s", px(left+wide/2), px(top+high/2), ways[way])
	}
	fmt.Fprintf(b, `" stroke="%s" stroke-width="%s"/>`+"\n", colour, strength)
	return true
}
