package markdown

import "strings"

// heavy reports whether a block is shown as plain text because parsing it could
// take too long. It looks at the text alone and takes linear time.
func heavy(text string) bool {
	return len(text) > MaxBlock || crowded(text) || wide(text) || deep(text)
}

// crowded counts what goldmark may have to pair up.
func crowded(text string) bool {
	var emphasis, brackets int
	for i := range len(text) {
		switch text[i] {
		case '*', '_', '~':
			emphasis++
		case '[', ']', '`', '<':
			brackets++
		}
	}
	return emphasis > MaxDelimiters || brackets > MaxDelimiters
}

// wide bounds the number of table cells.
func wide(text string) bool {
	var lines, most int
	for l := range strings.Lines(text) {
		lines++
		most = max(most, strings.Count(l, "|"))
	}
	return most > 0 && lines*(most+1) > MaxCells
}

// deep bounds how far quotes and items nest. It keeps the columns of the markers
// that may be open and counts too many rather than too few. Since each line is
// held against everything that is open, the sum of the depths is bounded too.
func deep(text string) bool {
	var open []mark
	sum := 0
	for l := range strings.Lines(text) {
		open = nest(open, l)
		sum += len(open)
		if len(open) > MaxDepth || sum > maxDepths {
			return true
		}
	}
	return false
}

// maxDepths is above what 16 KB of a readable text can reach.
const maxDepths = 20_000

// mark is a quote's or an item's marker.
type mark struct {
	column int
	quote  bool
}

// nest updates the open markers for one more line.
func nest(open []mark, text string) []mark {
	column := 0
	for len(open) <= MaxDepth {
		indent, body := indentation(text)
		column += indent
		var width int
		m := mark{column: column}
		l := line{body: body}
		switch {
		case body == "" || body == "\n":
			return open
		case body[0] == '>':
			m.quote, width = true, 1
		case l.openItem():
			width = l.content - 1
		default:
			return open
		}
		open = within(open, m)
		column += width
		text = body[min(width, len(body)):]
	}
	return open
}

// within closes what m cannot stand in and opens m. A quote goes on where one
// stands in the same column.
func within(open []mark, m mark) []mark {
	for i, o := range open {
		if m.quote && o == m {
			return open
		}
		if o.column >= m.column {
			return append(open[:i], m)
		}
	}
	return append(open, m)
}
