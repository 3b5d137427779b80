// Package help draws the list of keys and commands over the screen.
// It must not know a key or a command by itself: every line is given to it.
package help

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"baton/ui/keymap"
	"baton/ui/sanitize"
	"baton/ui/theme"
)

// sections are the scopes in the order of the list, with their headings.
var sections = []struct {
	scope   keymap.Scope
	heading string
}{
	{keymap.Global, "Everywhere"},
	{keymap.Composer, "Composer"},
	{keymap.Editor, "Row editor"},
	{keymap.Text, "Composer and row editor"},
	{keymap.Queue, "Queue"},
	{keymap.Transcript, "Transcript and this list"},
	{keymap.Popup, "Completion list"},
}

// Model is the overlay. The zero value is unusable; see New.
type Model struct {
	theme    theme.Theme
	keys     keymap.Map
	commands []Command
	top      int // first line shown

	drawn []string // the whole list for width; theme and keys never change
	width int
}

// Command is a slash command as it is typed, and what it does.
type Command struct{ Usage, Does string }

// New makes an overlay that shows the keys in force in m, and the commands behind them,
// from its beginning.
func New(th theme.Theme, m keymap.Map, commands ...Command) Model {
	return Model{theme: th, keys: m, commands: commands}
}

// Scroll goes down by lines (up when negative) in an overlay of width x height
// cells and stops at either end.
func (m *Model) Scroll(by, width, height int) {
	m.top = clamp(m.top+by, len(m.body(width)), height)
}

// Page is how many lines a page of an overlay of the given height holds.
func Page(height int) int { return max(1, height-chrome(height)) }

// chrome is how many lines title and footer take: none where the keys
// themselves would hardly show.
func chrome(height int) int {
	if height < 5 {
		return 0
	}
	return 2
}

func clamp(top, lines, height int) int {
	return max(0, min(top, lines-Page(height)))
}

// View draws the overlay into at most width x height cells.
func (m *Model) View(width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	body := m.body(width)
	top := clamp(m.top, len(body), height)
	end := min(top+Page(height), len(body))
	if chrome(height) == 0 {
		return slices.Clone(body[top:end])
	}
	lines := []string{m.theme.Heading.Render(sanitize.Truncate("Keys and commands", width))}
	lines = append(lines, body[top:end]...)
	return append(lines, m.theme.Dim.Render(m.footer(top, end, len(body), width)))
}

// footer says how to leave, then where in the list one is, then how to scroll, as far as
// there is room.
func (m *Model) footer(top, end, all, width int) string {
	closes, scroll, at := "", "", ""
	if k := m.keys.Hint(keymap.Stop); k != "" {
		closes = k + " closes"
	}
	if top > 0 || end < all {
		up, down := m.keys.Hint(keymap.ScrollUp), m.keys.Hint(keymap.ScrollDown)
		if up != "" && down != "" {
			scroll = up + "/" + down + " scroll"
		}
		at = fmt.Sprintf("%d-%d of %d", top+1, end, all)
	}
	text := ""
	for _, parts := range [][]string{{closes, scroll, at}, {closes, at}, {closes}} {
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
		if text = strings.Join(parts, " · "); sanitize.Width(text) <= width {
			break
		}
	}
	return sanitize.Truncate(text, width)
}

// body is the whole list for a width, drawn once.
func (m *Model) body(width int) []string {
	if width != m.width {
		m.drawn, m.width = m.draw(width), width
	}
	return m.drawn
}

func (m *Model) draw(width int) []string {
	table := m.keys.Table()
	column := keyColumn(table)
	var lines []string
	section := func(heading string, rows []row) {
		if len(rows) == 0 {
			return
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, m.theme.Bold.Render(sanitize.Truncate(heading, width)))
		for _, r := range rows {
			lines = append(lines, m.row(r, column, width)...)
		}
	}
	for _, s := range sections {
		section(s.heading, bound(table, s.scope))
	}
	var typed []row
	for _, c := range m.commands {
		typed = append(typed, row{sanitize.Line(c.Usage), c.Does})
	}
	section("Commands, typed in the composer", typed)
	return lines
}

// row is one line of the list: what to press or type, and what it does.
type row struct{ what, does string }

// bound lists the bindings of a scope that have a key.
func bound(table []keymap.Row, scope keymap.Scope) []row {
	var rows []row
	for _, r := range table {
		if r.Scope == scope && len(r.Keys) > 0 {
			rows = append(rows, row{labels(r), r.Help})
		}
	}
	return rows
}

// keyColumn is the width of the widest keys, within reason.
func keyColumn(table []keymap.Row) int {
	const most = 24
	widest := 0
	for _, r := range table {
		if w := sanitize.Width(labels(r)); w <= most {
			widest = max(widest, w)
		}
	}
	return widest
}

// leastHelp is the room, in cells, below which help is not set beside keys.
const leastHelp = 28

// row draws one line: keys beside what they do, or above it where the line is narrow or
// the keys are many.
func (m *Model) row(r row, column, width int) []string {
	keys, indent := r.what, column+4
	beside := width-indent >= leastHelp && sanitize.Width(keys) <= column
	if !beside {
		indent = min(4, max(0, width-10))
	}
	help := sanitize.Wrap(sanitize.Line(r.does), max(1, width-indent), math.MaxInt)
	var lines []string
	if !beside {
		lines = append(lines, m.theme.Key.Render(sanitize.Truncate("  "+keys, width)))
	}
	for i, h := range help {
		margin := strings.Repeat(" ", indent)
		if beside && i == 0 {
			margin = m.theme.Key.Render("  "+keys) + strings.Repeat(" ", indent-2-sanitize.Width(keys))
		}
		lines = append(lines, margin+m.theme.Text.Render(h))
	}
	return lines
}

func labels(r keymap.Row) string {
	list := make([]string, len(r.Keys))
	for i, k := range r.Keys {
		list[i] = keymap.Label(k)
	}
	return sanitize.Line(strings.Join(list, ", "))
}
