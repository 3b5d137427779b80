package composer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/ui/sanitize"

	"github.com/charmbracelet/x/ansi"
)

// maxUnit is the longest unit in bytes. A longer grapheme cluster (thousands of
// marks on a letter) is divided, so that a key never pays for its length.
const maxUnit = 128

// unit is what the caret steps over: a grapheme cluster (UAX 29) or a chip.
type unit struct {
	text string
	chip *chip // if set, text is empty
}

// size is the number of bytes the unit stands for.
func (u unit) size() int {
	if u.chip != nil {
		return len(u.chip.text)
	}
	return len(u.text)
}

func (u unit) value() string {
	if u.chip != nil {
		return u.chip.text
	}
	return u.text
}

func (u unit) is(class func(rune) bool) bool {
	r, _ := utf8.DecodeRuneInString(u.text)
	return u.chip == nil && class(r)
}

func (u unit) space() bool { return u.is(unicode.IsSpace) }

func (u unit) word() bool {
	return u.is(func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// draw returns what the unit looks like at column x of a row of the given width,
// unstyled, and its cells: 1 to width.
func (u unit) draw(x, width int) (string, int) {
	switch {
	case u.chip != nil:
		return fit(u.chip.label, width)
	case len(u.text) == 1 && u.text[0] >= ' ' && u.text[0] <= '~':
		return u.text, 1
	case u.text == "\t":
		n := min(tabWidth-x%tabWidth, max(width-x, 1))
		return strings.Repeat(" ", n), n
	}
	return fit(sanitize.Text(u.text), width)
}

func fit(s string, width int) (string, int) {
	s = sanitize.Truncate(s, width)
	return s, sanitize.Width(s)
}

// chip is a large paste, held beside the text.
type chip struct {
	text  string
	label string // what is drawn instead
}

func newChip(id int, text string) *chip {
	noun, n := "lines", countLines(text)
	if n == 1 {
		noun = "line"
	}
	return &chip{text: text, label: fmt.Sprintf("[pasted %s %s #%d]", thousands(n), noun, id)}
}

// thousands writes n with a comma every three digits.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// countLines counts lines as a person does: a line end at the very end adds none.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// first returns how many leading bytes of s, which must not be empty, are its
// first unit. Where units end depends on what follows their beginning only.
func first(s string) int {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return 1
	}
	cluster, _ := ansi.FirstGraphemeCluster(s[:min(len(s), maxUnit+utf8.UTFMax)], ansi.GraphemeWidth)
	n := max(len(cluster), 1)
	if n > maxUnit {
		for n = maxUnit; n > maxUnit-utf8.UTFMax && !utf8.RuneStart(s[n]); {
			n--
		}
	}
	return n
}

// divide cuts s into units.
func divide(s string) []unit {
	units := make([]unit, 0, utf8.RuneCountInString(s))
	for s != "" {
		n := first(s)
		units = append(units, unit{text: s[:n]})
		s = s[n:]
	}
	return units
}
