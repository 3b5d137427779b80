package markdown

import (
	"strings"

	"baton/ui/sanitize"
)

// class says what a piece of source is.
type class uint8

const (
	noClass class = iota
	keywordClass
	stringClass
	numberClass
	commentClass
	funcClass
	typeClass
	addedClass
	removedClass
	classes
)

// token is a piece of source of one class; it goes from the end of the token before
// it to end.
type token struct {
	class class
	end   int
}

// sourceMode is what a place in a source is inside of.
type sourceMode uint8

const (
	inCode sourceMode = iota
	inString
	inComment // between two marks
	inRest    // of a line that is of one class
)

// sourceState is all that the source before a place has to say about what follows
// it, so that a long block can be coloured piece by piece. The zero value is the
// beginning. It may be compared.
type sourceState struct {
	mode    sourceMode
	tag     bool   // within < and >
	midLine bool   // the place is not the beginning of a line
	class   class  // inRest
	depth   int32  // inComment: how many are open
	quote   *quote // inString
}

// source colours text. It looks at each byte a bounded number of times and never
// goes back, so it takes linear time whatever the text is. It knows what a reader
// sees at a glance (comments, strings, numbers, words), not the grammar.
type source struct {
	*language
	sourceState
	text   string
	at     int
	tokens []token
}

// colour cuts text into tokens and returns the state behind it.
func (l *language) colour(text string, from sourceState) ([]token, sourceState) {
	s := source{language: l, sourceState: from, text: text}
	for s.at < len(text) {
		switch s.mode {
		case inString:
			s.inString(s.at)
		case inComment:
			s.inComment()
		case inRest:
			s.take(s.class, s.lineEnd())
			s.mode = inCode
			if s.at == len(text) {
				s.mode = inRest
			}
		default:
			s.inCode()
		}
	}
	return s.tokens, s.sourceState
}

// take ends a token at end, or behind the grapheme cluster that goes on there, so
// that no cluster is torn apart.
func (s *source) take(c class, end int) {
	if end == s.at {
		return // a string that ends where this piece of source begins
	}
	if end < len(s.text) && s.text[end] >= 0x80 && s.text[end-1] < 0x80 {
		cluster, _ := sanitize.Cluster(s.text[end-1:])
		end += len(cluster) - 1
	}
	s.midLine = s.text[end-1] != '\n'
	s.at = end
	if n := len(s.tokens); n > 0 && s.tokens[n-1].class == c {
		s.tokens[n-1].end = end
		return
	}
	s.tokens = append(s.tokens, token{c, end})
}

// lineEnd is where the line ends, before its line end.
func (s *source) lineEnd() int {
	if i := strings.IndexByte(s.text[s.at:], '\n'); i >= 0 {
		return s.at + i
	}
	return len(s.text)
}

func (s *source) has(prefix string) bool {
	return prefix != "" && strings.HasPrefix(s.text[s.at:], prefix)
}

// inCode takes one token where nothing is open.
func (s *source) inCode() {
	if !s.midLine && s.whole != nil {
		if c := s.whole(s.text[s.at:s.lineEnd()]); c != noClass {
			s.mode, s.class = inRest, c
			return
		}
	}
	c := s.text[s.at]
	switch {
	case c == ' ' || c == '\t' || c == '\n':
		s.take(noClass, s.at+1)
	case s.openComment() || s.tags && s.markup(c) || s.openString():
	case digit(c):
		s.take(numberClass, s.numberEnd())
	case s.begins(c):
		end := s.wordEnd(s.at + 1)
		s.take(s.classOf(end), end)
	default:
		s.take(noClass, s.at+1)
	}
}

func (s *source) openComment() bool {
	if s.has(s.block[0]) {
		s.mode, s.depth = inComment, 1
		s.take(commentClass, s.at+len(s.block[0]))
		return true
	}
	for _, mark := range s.line {
		// Within a word # is something else in most languages.
		if s.has(mark) && (mark != "#" || s.at == 0 && !s.midLine || s.at > 0 && strings.IndexByte(" \t\n;)}]", s.text[s.at-1]) >= 0) {
			s.mode, s.class = inRest, commentClass
			return true
		}
	}
	return false
}

func (s *source) inComment() {
	for i := s.at; i < len(s.text); {
		switch {
		case strings.HasPrefix(s.text[i:], s.block[1]):
			i += len(s.block[1])
			if s.depth--; s.depth == 0 {
				s.mode = inCode
				s.take(commentClass, i)
				return
			}
		case s.nests && strings.HasPrefix(s.text[i:], s.block[0]):
			i += len(s.block[0])
			s.depth++
		default:
			i++
		}
	}
	s.take(commentClass, len(s.text))
}

func (s *source) openString() bool {
	for i := range s.quotes {
		q := &s.quotes[i]
		if !s.has(q.open) || q.single && !s.character(q) {
			continue
		}
		s.mode, s.quote = inString, q
		s.inString(s.at + len(q.open))
		return true
	}
	return false
}

// character reports whether the quote that stands here is closed behind one
// character, or an escaped one.
func (s *source) character(q *quote) bool {
	const longest = 12 // '\u{10ffff}'
	rest := s.text[s.at+len(q.open):]
	rest = rest[:min(len(rest), longest)]
	end := strings.Index(rest, q.end)
	if end == 0 || strings.HasPrefix(rest, `\'`) {
		end = 2
	}
	if end < 0 || end >= len(rest) || rest[end] != q.end[0] {
		return false
	}
	body := rest[:end]
	return body[0] == '\\' || len(body) == 1 || body[0] >= 0x80
}

// inString takes a string that is open already up to from.
func (s *source) inString(from int) {
	for i := from; i < len(s.text); {
		switch {
		case s.text[i] == '\n' && !s.quote.lines:
			s.mode = inCode
			s.take(stringClass, i)
			return
		case s.quote.escapes && s.text[i] == '\\' && i+1 < len(s.text) && s.text[i+1] != '\n':
			i += 2
		case strings.HasPrefix(s.text[i:], s.quote.end):
			s.mode = inCode
			i += len(s.quote.end)
			s.take(s.orKey(stringClass, i), i)
			return
		default:
			i++
		}
	}
	s.take(stringClass, len(s.text))
}

// markup takes what is special about < and > and names.
func (s *source) markup(c byte) bool {
	switch {
	case !s.tag && c == '<':
		end := s.at + 1
		for end < len(s.text) && strings.IndexByte("/!?", s.text[end]) >= 0 {
			end++
		}
		if end == len(s.text) || !s.begins(s.text[end]) {
			return false
		}
		s.tag = true
		s.take(keywordClass, s.wordEnd(end))
	case !s.tag:
		end := s.at + 1
		if i := strings.IndexAny(s.text[end:], "<\n"); i >= 0 {
			end += i
		} else {
			end = len(s.text)
		}
		s.take(noClass, end)
	case c == '>':
		s.tag = false
		s.take(keywordClass, s.at+1)
	default:
		return false
	}
	return true
}

// begins reports whether a word begins with c.
func (s *source) begins(c byte) bool {
	return letter(c) || strings.IndexByte(s.sigils, c) >= 0
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// wordEnd is where the word ends that goes on at i.
func (s *source) wordEnd(i int) int {
	for i < len(s.text) && (letter(s.text[i]) || digit(s.text[i]) || strings.IndexByte(s.joins, s.text[i]) >= 0) {
		i++
	}
	return i
}

// numberEnd is where the number ends, with its fraction, unit and exponent.
func (s *source) numberEnd() int {
	for i := s.at + 1; i < len(s.text); i++ {
		c := s.text[i]
		dot := c == '.' && i+1 < len(s.text) && digit(s.text[i+1]) && s.text[i-1] != '.'
		if !dot && c != '%' && (!letter(c) && !digit(c) || c >= 0x80) {
			return i
		}
	}
	return len(s.text)
}

// classOf says what the word is that stands here.
func (s *source) classOf(end int) class {
	word := s.text[s.at:end]
	switch c, known := s.word(word); {
	case s.tag:
		return typeClass // the name of an attribute
	case known:
		return c
	case !letter(word[0]) && len(word) == 1:
		return noClass
	case !letter(word[0]):
		return typeClass // a variable, a decorator, a directive
	case end < len(s.text) && s.text[end] == '(':
		return funcClass
	case s.capitals && word[0] >= 'A' && word[0] <= 'Z' && strings.ToUpper(word) != word:
		return typeClass
	}
	return s.orKey(noClass, end)
}

// orKey is c, unless what ends at end is a key.
func (s *source) orKey(c class, end int) class {
	if s.keys == "" {
		return c
	}
	rest := strings.TrimLeft(s.text[end:min(len(s.text), end+keyGap)], " \t")
	if rest == "" || strings.IndexByte(s.keys, rest[0]) < 0 || strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "://") {
		return c
	}
	return typeClass
}

// keyGap is how far behind a key its mark may stand.
const keyGap = 32
