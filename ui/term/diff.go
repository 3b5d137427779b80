//go:build unix

package term

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// painter writes what leads from the last frame to the next. Its zero value knows nothing of the screen and draws all.
type painter struct {
	lines []string // as they were given, not as they were cut; nil when nothing is known
	shown Frame    // without its text
}

// forget makes the next frame a full one.
func (p *painter) forget() { p.lines = nil }

// paint appends to b what turns the last frame into f: nothing at all if they look the same.
func (p *painter) paint(b *bytes.Buffer, f Frame) {
	if f.W < 1 || f.H < 1 {
		p.forget()
		return
	}
	f.X, f.Y = min(max(f.X, 0), f.W-1), min(max(f.Y, 0), f.H-1)
	lines := fit(f.Text, f.H)
	f.Text = ""
	start := b.Len()
	b.WriteString(beginFrame)
	body := b.Len()
	full := p.lines == nil || p.shown.W != f.W || p.shown.H != f.H
	if full {
		b.WriteString(eraseAll)
		p.lines = make([]string, f.H)
	} else {
		p.scroll(b, lines)
	}
	for y, line := range lines {
		if line != p.lines[y] {
			paintLine(b, p.lines[y], line, y, f.W)
			p.lines[y] = line
		}
	}
	p.paintCursor(b, f, full, b.Len() > body)
	p.shown = f
	if b.Len() == body {
		b.Truncate(start)
		return
	}
	b.WriteString(endFrame)
}

// paintCursor puts the cursor where f has it, after anything drawn has moved it.
func (p *painter) paintCursor(b *bytes.Buffer, f Frame, full, drawn bool) {
	if drawn || f.X != p.shown.X || f.Y != p.shown.Y {
		moveTo(b, f.X, f.Y)
	}
	if full || f.ShowCursor != p.shown.ShowCursor {
		if f.ShowCursor {
			b.WriteString("\x1b[?25h")
		} else {
			b.WriteString("\x1b[?25l")
		}
	}
}

// fit makes exactly h lines of text: the last ones, or with empty ones below.
func fit(text string, h int) []string {
	lines := strings.Split(text, "\n")
	if len(lines) >= h {
		return lines[len(lines)-h:]
	}
	return append(lines, make([]string, h-len(lines))...)
}

// paintLine turns line y from old to line. What comes before the first difference stays if it is plain ASCII.
func paintLine(b *bytes.Buffer, old, line string, y, width int) {
	same := common(old, line)
	if same >= width {
		return // they differ only where both are cut
	}
	moveTo(b, same, y)
	rest := line[same:]
	cells := ansi.StringWidth(rest)
	if cells > width-same {
		rest = ansi.Truncate(rest, width-same, "")
		cells = ansi.StringWidth(rest)
	}
	b.WriteString(rest)
	if strings.IndexByte(rest, esc) >= 0 {
		b.WriteString("\x1b[m")
	}
	// In a full line the cursor stands on the last cell, and EL would erase it.
	if same+cells < width && same < len(old) {
		b.WriteString("\x1b[K")
	}
}

// common is the length of the shared beginning that is printable ASCII, one byte a cell. The last one is given up when
// something follows that might combine with it.
func common(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] && a[i] >= 0x20 && a[i] < 0x7f {
		i++
	}
	if i > 0 && (mayCombine(a, i) || mayCombine(b, i)) {
		i--
	}
	return i
}

func mayCombine(s string, i int) bool { return i < len(s) && (s[i] >= 0x80 || s[i] == esc) }

// scrollLimit bounds the search for moved blocks, which is quadratic in the number of lines.
const scrollLimit = 512

// scroll moves the largest block that went up as a whole with DECSTBM and SU instead of drawing it anew.
func (p *painter) scroll(b *bytes.Buffer, lines []string) {
	if len(lines) > scrollLimit {
		return
	}
	top, by, count := shift(p.lines, lines)
	if count < 3 || by > count {
		return
	}
	b.WriteString("\x1b[" + strconv.Itoa(top+1) + ";" + strconv.Itoa(top+count+by) + "r\x1b[" + strconv.Itoa(by) + "S\x1b[r")
	copy(p.lines[top:top+count], p.lines[top+by:top+by+count])
	clear(p.lines[top+count : top+count+by])
}

// shift finds the largest block of count lines with next[top+i] == old[top+by+i], top being the first line that differs.
func shift(old, next []string) (top, by, count int) {
	n := min(len(old), len(next))
	for top < n && old[top] == next[top] {
		top++
	}
	for d := 1; n-top-d > count; d++ {
		c := 0
		for top+c+d < n && next[top+c] == old[top+c+d] {
			c++
		}
		if c > count {
			by, count = d, c
		}
	}
	return top, by, count
}

func moveTo(b *bytes.Buffer, x, y int) {
	b.WriteString("\x1b[" + strconv.Itoa(y+1))
	if x > 0 {
		b.WriteString(";" + strconv.Itoa(x+1))
	}
	b.WriteByte('H')
}
