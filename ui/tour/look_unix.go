//go:build unix

package tour

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

func (p *player) sees(args []string) bool    { return p.Has(args[0]) }
func (p *player) seesNot(args []string) bool { return !p.Has(args[0]) }

func (p *player) times(args []string) bool {
	n := 0
	for _, l := range p.Lines() {
		if strings.Contains(l, args[1]) {
			n++
		}
	}
	return n == p.number(args[0])
}

// line is a row of the screen, from 1, or from the end with -1.
func (p *player) line(number string) string {
	lines, n := p.Lines(), p.number(number)
	if n < 0 {
		n += len(lines) + 1
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

func (p *player) row(args []string) bool { return strings.Contains(p.line(args[0]), args[1]) }

// at looks at cells, so that what stands before may be as wide as it likes.
func (p *player) at(args []string) bool {
	return strings.HasPrefix(ansi.TruncateLeft(p.line(args[0]), p.number(args[1])-1, ""), args[2])
}

func (p *player) below(args []string) bool {
	lines := p.Lines()
	for i, l := range lines[:len(lines)-1] {
		if strings.Contains(l, args[0]) && strings.Contains(lines[i+1], args[1]) {
			return true
		}
	}
	return false
}

func (p *player) caret(args []string) bool {
	x, y, shown := p.Cursor()
	return shown && y == p.number(args[0])-1 && x == p.number(args[1])-1
}

func (p *player) caretless([]string) bool {
	_, _, shown := p.Cursor()
	return !shown
}

// A bar stands before each line of the composer, of the row editor, and of what was said; another
// one where keys go elsewhere.
const bar, idle = "┃", "┆"

func barred(line string) bool { return strings.HasPrefix(line, bar) || strings.HasPrefix(line, idle) }

// composer is the composer's text, with the caret in it as | if that is wanted and it is there.
func (p *player) composer(caret bool) string {
	lines := p.Lines()
	end := len(lines)
	for end > 0 && !barred(lines[end-1]) {
		end--
	}
	begin := end
	for cells := p.Cells(); begin > 0 && barred(lines[begin-1]) && cells[begin-1][0] == cells[end-1][0]; {
		begin--
	}
	return p.text(lines, begin, end, caret)
}

// text is what stands behind the bars of the lines from begin to end.
func (p *player) text(lines []string, begin, end int, caret bool) string {
	x, y, shown := p.Cursor()
	var text []string
	for i := begin; i < end; i++ {
		l := strings.TrimPrefix(strings.TrimLeft(lines[i], bar+idle), " ")
		if at := x - 2; caret && shown && y == i && at >= 0 {
			l += strings.Repeat(" ", max(at-ansi.StringWidth(l), 0))
			l = ansi.Truncate(l, at, "") + "|" + ansi.TruncateLeft(l, at, "")
		}
		text = append(text, l)
	}
	return strings.Join(text, "\n")
}

// draft compares the composer's text; with a | in it, the caret too.
func (p *player) draft(args []string) bool {
	return p.composer(strings.Contains(args[0], "|")) == args[0]
}

// edit compares the text of the row that is open, as draft does.
func (p *player) edit(args []string) bool {
	lines := p.Lines()
	open := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "› ") && strings.HasSuffix(l, " editing") })
	if open < 0 {
		return false
	}
	end := open + 1
	for cells := p.Cells(); end < len(lines) && barred(lines[end]) && cells[end][0] == cells[open+1][0]; {
		end++ // the composer may stand right below; the bar of the one that has the keys looks other
	}
	return p.text(lines, open+1, end, strings.Contains(args[0], "|")) == args[0]
}

var queued = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(› |  ) ?(\d+) (\S.*?)(  +(\S.*))?$`) })

// rows are the words and texts of the queue's rows on the screen.
func (p *player) rows() (words, texts []string, selected string) {
	inside := false
	for _, l := range p.Lines() {
		inside = inside || strings.HasPrefix(l, "queue ")
		m := queued().FindStringSubmatch(l)
		if !inside || m == nil {
			continue
		}
		words, texts = append(words, m[3]), append(texts, m[5])
		if m[1] == "› " {
			selected = m[2]
		}
	}
	return words, texts, selected
}

func (p *player) queue(args []string) bool {
	_, texts, _ := p.rows()
	return slices.Equal(texts, args)
}

func (p *player) words(args []string) bool {
	words, _, _ := p.rows()
	return slices.Equal(words, args)
}

func (p *player) selected(args []string) bool {
	_, _, selected := p.rows()
	return selected == args[0]
}

var marks = map[string]string{"Ready": "○ ", "Busy": "● ", "Error": "✗ "}

func (p *player) state(args []string) bool {
	return strings.HasPrefix(p.line("-1"), marks[args[0]]+args[0])
}

func (p *player) asked(args []string) bool {
	rs := p.server.Requests()
	n := p.number(args[0])
	return len(rs) >= n && (len(args) == 1 || rs[n-1].Last() == args[1])
}

func (p *player) title(args []string) bool { return p.Title() == args[0] }

func (p *player) clipboard(args []string) bool {
	all := p.Clipboard()
	if len(all) == 0 {
		return false
	}
	text, err := base64.StdEncoding.DecodeString(all[len(all)-1])
	return err == nil && string(text) == args[0]
}

// mouse looks at the two modes that tell of the wheel.
func (p *player) mouse(args []string) bool {
	on := args[0] == "on"
	return p.Mode(1000) == on && p.Mode(1006) == on
}

func (p *player) whichScreen(args []string) bool { return p.AltScreen() == (args[0] == "alternate") }

// redrawn looks for a drawing of the whole screen since the last key, which changed nothing.
func (p *player) redrawn([]string) bool { return p.redraws() > p.drawn && p.Screen() == p.before }

// ends waits for the program's end and for the terminal as it was.
func (p *player) ends(args []string) bool {
	p.t.Helper()
	if code := p.Wait(); code != p.number(args[0]) {
		p.t.Fatalf("the exit code is %d\n%s", code, p.Picture())
	}
	if left := p.Restored(); len(left) > 0 {
		p.t.Fatalf("the terminal is not as it was: %q", left)
	}
	return true
}
