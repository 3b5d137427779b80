package markdown

import "strings"

// lineKind is what a line would begin if it stood at the top level.
type lineKind uint8

const (
	isText lineKind = iota
	isBlank
	isIndented // four columns or more
	isHeading
	isRule
	isFence
	isQuote
	isItem
)

// line is what can be told about a line by itself.
type line struct {
	kind   lineKind
	indent int // columns before the first visible character
	body   string

	setext bool // it would underline a paragraph before it

	fence byte // ` or ~
	run   int  // how many of them
	info  string

	marker  byte // - + * . )
	number  int  // of an ordered item
	content int  // column where the text of the item begins
	empty   bool // the item has no text on this line
}

// scan looks at a line without its end. whole is false for the first piece of a
// very long line, which is none of the things that must be seen to their end.
func scan(text string, whole bool) line {
	l := line{}
	l.indent, l.body = indentation(text)
	switch {
	case l.body == "" && whole:
		l.kind = isBlank
	case l.indent >= 4:
		l.kind = isIndented
	case l.body[0] == '>':
		l.kind = isQuote
	case heading(l.body):
		l.kind = isHeading
	case whole && rule(l.body):
		l.kind = isRule
		l.setext = setext(l.body)
	case whole && l.openFence():
		l.kind = isFence
	case l.openItem():
		l.kind = isItem
		l.setext = whole && setext(l.body)
	default:
		l.setext = whole && setext(l.body)
	}
	return l
}

// interrupts reports whether the line ends a paragraph before it (CommonMark
// 0.31: an item only if it has text and is not numbered other than 1).
func (l line) interrupts() bool {
	switch l.kind {
	case isHeading, isRule, isFence, isQuote:
		return true
	case isItem:
		return !l.empty && (l.bullet() || l.number == 1)
	}
	return false
}

func (l line) bullet() bool { return l.marker != '.' && l.marker != ')' }

// indentation measures leading white space with tab stops every four columns.
func indentation(text string) (columns int, rest string) {
	for i := range len(text) {
		switch text[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, text[i:]
		}
	}
	return columns, ""
}

// outdent takes up to columns of leading white space off.
func outdent(text string, columns int) string {
	at := 0
	for i := range len(text) {
		if at >= columns {
			return strings.Repeat(" ", at-columns) + text[i:]
		}
		switch text[i] {
		case ' ':
			at++
		case '\t':
			at += 4 - at%4
		default:
			return text[i:]
		}
	}
	return strings.Repeat(" ", max(0, at-columns))
}

func leading(body string, c byte) int {
	n := 0
	for n < len(body) && body[n] == c {
		n++
	}
	return n
}

func heading(body string) bool {
	n := leading(body, '#')
	return n >= 1 && n <= 6 && (n == len(body) || body[n] == ' ' || body[n] == '\t')
}

// rule reports a thematic break: three or more of one of - _ * and else blanks.
func rule(body string) bool {
	if body[0] != '-' && body[0] != '_' && body[0] != '*' {
		return false
	}
	n := 0
	for i := range len(body) {
		switch body[i] {
		case body[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// setext reports the underline of a heading.
func setext(body string) bool {
	body = strings.TrimRight(body, " \t")
	return (body[0] == '=' || body[0] == '-') && leading(body, body[0]) == len(body)
}

func (l *line) openFence() bool {
	l.fence = l.body[0]
	if l.fence != '`' && l.fence != '~' {
		return false
	}
	l.run = leading(l.body, l.fence)
	l.info = strings.TrimSpace(l.body[l.run:])
	return l.run >= 3 && (l.fence == '~' || !strings.Contains(l.info, "`"))
}

// closes reports whether the line ends a code block opened by run times fence.
func (l line) closes(fence byte, run int) bool {
	return l.kind == isFence && l.fence == fence && l.run >= run && l.info == ""
}

func (l *line) openItem() bool {
	mark := l.listMark()
	if mark == 0 {
		return false
	}
	l.marker = l.body[mark-1]
	after, rest := indentation(l.body[mark:])
	if rest != "" && after == 0 {
		return false
	}
	if l.empty = rest == ""; l.empty || after > 4 {
		after = 1
	}
	l.content = l.indent + mark + after
	return true
}

// listMark returns the length of a bullet, or of a number of at most nine digits
// and its delimiter; 0 if there is none.
func (l *line) listMark() int {
	if strings.IndexByte("-+*", l.body[0]) >= 0 {
		return 1
	}
	n := 0
	for n < len(l.body) && n < 10 && l.body[n] >= '0' && l.body[n] <= '9' {
		l.number = l.number*10 + int(l.body[n]-'0')
		n++
	}
	if n == 0 || n > 9 || n == len(l.body) || strings.IndexByte(".)", l.body[n]) < 0 {
		return 0
	}
	return n + 1
}
