package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/ui/sanitize"
)

// span is printable text in one style. A hard span ends the line and has no text.
type span struct {
	text  string
	style sgr
	hard  bool
	fixed bool // no address is looked for in it
}

// row is one laid out line and how many cells it takes. A table has very many of them for a
// moment: they are kept to 24 bytes.
type row struct {
	text  string
	cells int32
	more  bool // it goes on with a line that was broken where no word ends
}

// wrapMode says what becomes of white space.
type wrapMode uint8

const (
	collapse wrapMode = iota // runs become one space; lines break at words
	keep                     // spaces stay; lines break at words
	verbatim                 // spaces stay; lines break anywhere
)

const tabStop = 4

// cell is a grapheme cluster, or several letters, on the way into a row.
type cell struct {
	text  string
	width int
	style sgr
}

// wrapper fills rows. A row that is finished never changes.
type wrapper struct {
	mode  wrapMode
	width int
	rows  []row

	line  strings.Builder
	cells int
	on    sgr // the style that is open in line
	more  bool

	word      []cell
	wordCells int
	longest   int    // word so far, in cells
	long      bool   // the word did not fit a whole row; the rest follows directly
	space     []cell // white space before word
}

// wrap lays spans out in rows of at most width cells; there is at least one.
func wrap(spans []span, width int, mode wrapMode) []row {
	w := wrapper{mode: mode, width: width}
	w.fill(spans)
	return w.rows
}

func (w *wrapper) fill(spans []span) {
	for _, s := range spans {
		if s.hard {
			w.long = false
			w.flush()
			w.newRow()
			continue
		}
		w.addText(s.text, s.style)
	}
	w.flush()
	w.newRow()
}

func (w *wrapper) addText(text string, style sgr) {
	if r, _ := utf8.DecodeRuneInString(text); unicode.Is(unicode.M, r) {
		text = sanitize.Text(text) // markup or an indent was its base, and is gone
	}
	for text != "" {
		if n := w.ascii(text); n > 1 {
			w.addCell(cell{text[:n], n, style})
			text = text[n:]
			continue
		}
		cluster, cells := sanitize.Cluster(text)
		text = text[len(cluster):]
		switch {
		case cluster == "\n":
			w.long = false
			w.flush()
			w.newRow()
		case cluster == " " || cluster == "\t":
			w.addSpace(cluster == "\t", style)
		case cells > w.width:
			w.addCell(cell{"…", 1, style})
		default:
			w.addCell(cell{cluster, cells, style})
		}
	}
}

// ascii returns how much of text can be taken at once: plain letters that fit
// into the row. It only saves time. The last one before something else is left
// out, since a mark may follow it.
func (w *wrapper) ascii(text string) int {
	room := w.width - w.cells
	if w.mode != verbatim && !w.long {
		room = w.width - w.wordCells
	}
	n := 0
	for n < len(text) && n < room && text[n] > ' ' && text[n] < 0x7f {
		n++
	}
	if n < len(text) && text[n] >= 0x80 {
		n--
	}
	return n
}

// addCell puts a cluster at the end of the word. A wide one is a word by itself,
// as is usual where words have no spaces between them.
func (w *wrapper) addCell(c cell) {
	if w.mode == verbatim || w.long {
		w.putBroken(c)
		return
	}
	wide := c.width > 1 && c.text[0] >= 0x80
	if wide && len(w.word) > 0 {
		w.flush()
	}
	w.word = append(w.word, c)
	w.wordCells += c.width
	if wide || w.wordCells > w.width {
		w.long = w.wordCells > w.width
		w.flush()
	}
}

func (w *wrapper) addSpace(tab bool, style sgr) {
	n := 1
	if w.mode != collapse && tab {
		n = tabStop - w.column()%tabStop
	}
	if w.mode == verbatim {
		for range n {
			w.putBroken(cell{" ", 1, style})
		}
		return
	}
	w.long = false
	if len(w.word) > 0 {
		w.flush()
	}
	if w.mode == collapse && (len(w.space) > 0 || w.cells == 0) {
		return
	}
	// More than a row of spaces says nothing more than a row of them.
	for range min(n, w.width-len(w.space)) {
		w.space = append(w.space, cell{" ", 1, style})
	}
}

// column is where the next cell would stand if nothing had to wrap.
func (w *wrapper) column() int { return w.cells + len(w.space) + w.wordCells }

// flush moves the word into the row, or into the next row if it does not fit.
func (w *wrapper) flush() {
	w.longest = max(w.longest, w.wordCells)
	switch {
	case len(w.word) == 0:
		if w.mode == keep {
			w.putSpace()
		}
	case w.cells+len(w.space)+w.wordCells <= w.width:
		w.putSpace()
	case w.cells > 0:
		w.newRow()
	default:
		w.space = w.space[:0]
	}
	for _, c := range w.word {
		w.putBroken(c)
	}
	w.word, w.wordCells, w.space = w.word[:0], 0, w.space[:0]
}

func (w *wrapper) putSpace() {
	for _, c := range w.space {
		if w.cells < w.width {
			w.put(c)
		}
	}
}

// putBroken puts a cell into the row, or at the start of the next.
func (w *wrapper) putBroken(c cell) {
	if w.cells+c.width > w.width {
		w.newRow()
		w.more = true
	}
	w.put(c)
}

func (w *wrapper) put(c cell) {
	if c.style != w.on {
		w.off()
		w.line.WriteString(string(c.style))
		w.on = c.style
	}
	w.line.WriteString(c.text)
	w.cells += c.width
}

func (w *wrapper) off() {
	if w.on != "" {
		w.line.WriteString(reset)
	}
	w.on = ""
}

func (w *wrapper) newRow() {
	w.off()
	w.rows = append(w.rows, row{w.line.String(), int32(w.cells), w.more})
	w.line.Reset()
	w.cells, w.more = 0, false
}
