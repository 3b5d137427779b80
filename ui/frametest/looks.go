package frametest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Look is a picture as one theme draws it, line by line.
type Look struct {
	Name  string
	Lines []string
}

// letters name the styles of a picture; a cell without any style is a dot.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Looks compares a picture, drawn once by each theme, with testdata/frames/<name>.txt.
// The file holds the text once, since every theme must show the same one: what only a
// colour says fails here. Below it the styles stand as a picture of letters, cell by cell,
// and a legend tells what each letter is in each theme. ascii is the picture as a terminal
// without the glyphs gets it, nil for none: its lines that differ are in the file. notes
// are lines for what belongs to the picture and is not seen, such as the caret.
func Looks(t *testing.T, name string, looks []Look, ascii []string, notes ...string) {
	t.Helper()
	text := stripped(looks[0].Lines)
	for _, l := range looks[1:] {
		if got := stripped(l.Lines); !slices.Equal(got, text) {
			t.Errorf("%s: %s reads otherwise than %s:\n%s\n%s", name, l.Name, looks[0].Name, strings.Join(got, "\n"), strings.Join(text, "\n"))
		}
	}
	var b strings.Builder
	for _, l := range text {
		b.WriteString(l + "|\n")
	}
	for _, n := range notes {
		b.WriteString(n + "\n")
	}
	b.WriteString(differing(text, stripped(ascii)))
	b.WriteString(styles(t, name, looks))
	compare(t, name, b.String())
}

func stripped(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = ansi.Strip(l)
	}
	return out
}

// differing lists the lines of an ASCII picture that are not those of the text.
func differing(text, ascii []string) string {
	var b strings.Builder
	for i, l := range ascii {
		if l != text[i] {
			fmt.Fprintf(&b, "%2d %s|\n", i+1, l)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nin ASCII, where it differs:\n" + b.String()
}

// styles draws the picture of letters and its legend.
func styles(t *testing.T, name string, looks []Look) string {
	t.Helper()
	cells := make([][][]string, len(looks)) // look, line, cell
	for i, l := range looks {
		for _, line := range l.Lines {
			cells[i] = append(cells[i], cellStyles(line))
		}
	}
	known, legend := map[string]byte{strings.Repeat("\x00", len(looks)): '.'}, [][]string{}
	var b strings.Builder
	b.WriteString("\nstyles:\n")
	for y := range looks[0].Lines {
		var row []byte
		for x := range cells[0][y] {
			all := make([]string, len(looks))
			for i := range looks {
				if x < len(cells[i][y]) {
					all[i] = cells[i][y][x]
				}
			}
			key := strings.Join(all, "\x00") + "\x00"
			if _, ok := known[key]; !ok {
				if len(legend) == len(letters) {
					t.Fatalf("%s: more styles than letters", name)
				}
				known[key] = letters[len(legend)]
				legend = append(legend, all)
			}
			row = append(row, known[key])
		}
		b.WriteString(strings.TrimRight(string(row), ".") + "\n")
	}
	b.WriteString("\n" + table(looks, legend))
	return b.String()
}

// table lays the legend out in columns.
func table(looks []Look, legend [][]string) string {
	rows := [][]string{{" "}}
	for _, l := range looks {
		rows[0] = append(rows[0], l.Name)
	}
	for i, all := range legend {
		row := []string{letters[i : i+1]}
		for _, s := range all {
			if s == "" {
				s = "-"
			}
			row = append(row, s)
		}
		rows = append(rows, row)
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, s := range row {
			width[i] = max(width[i], len(s))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, s := range row {
			line += s + strings.Repeat(" ", width[i]-len(s)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
