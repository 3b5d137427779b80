package cli

import (
	"os"
	"strings"

	xterm "golang.org/x/term"

	"baton/ui/sanitize"
)

// leastColumn is the least width, in cells, in which the last column of a table is wrapped below itself.
const leastColumn = 24

// columns is how wide the terminal is that v writes to, as the system knows it without a query; 0 for what is none, or
// does not know. Who reads that is given whole lines.
func columns(v any) int {
	if f, ok := v.(*os.File); ok && isTerminal(f) {
		if w, _, err := xterm.GetSize(int(f.Fd())); err == nil {
			return w
		}
	}
	return 0
}

// wrapped lays out printable lines for a terminal of so many columns: broken between words, with what follows indented. No
// word is broken, not even at a hyphen: paths, commands and ids are there to be copied.
func wrapped(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if sanitize.Width(line) > columns {
			first, indent := hanging(line, columns)
			lines[i] = line[:first] + filled(line[first:], sanitize.Width(line[:first]), indent, columns)
		}
	}
	return strings.Join(lines, "\n")
}

// hanging says where in a line its text begins, in bytes, and how far in the rest of that goes, in cells: below the last
// column of a table, else two cells further in than the line.
func hanging(line string, columns int) (first, indent int) {
	start := len(line) - len(strings.TrimLeft(line, " "))
	if i := strings.LastIndex(line, "  "); i >= start {
		if at := sanitize.Width(line[:i+2]); columns-at >= leastColumn {
			return i + 2, at
		}
	}
	return start, start + 2
}

// filled puts words into lines, the first of which has used so many cells already.
func filled(text string, used, indent, columns int) string {
	var b strings.Builder
	begun := false // a word stands in this line
	for word := range strings.FieldsSeq(text) {
		w := sanitize.Width(word)
		switch {
		case begun && used+1+w > columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			used = indent
		case begun:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used, begun = used+w, true
	}
	return b.String()
}

// wrappedHelp is wrapped for help: lines of a paragraph, which are those that are not indented, are filled anew where one
// of them is too long.
func wrappedHelp(text string, columns int) string {
	if columns <= 0 {
		return text
	}
	var out, paragraph []string
	end := func() {
		whole := strings.Join(paragraph, "\n")
		for _, line := range paragraph {
			if sanitize.Width(line) > columns {
				whole = filled(whole, 0, 0, columns)
				break
			}
		}
		if len(paragraph) > 0 {
			out, paragraph = append(out, whole), nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		end()
		out = append(out, wrapped(line, columns))
	}
	end()
	return strings.Join(out, "\n")
}
