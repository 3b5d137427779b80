package choose

import (
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"baton/ui/sanitize"
)

// narrow lists the items that have every word typed, in either case: first those with all of them in the title, then
// those where some are spelled there with other letters between, then those that have them elsewhere, then what was found
// by other means. Within each the order is the items'.
func (m *Model) narrow() {
	words := strings.Fields(strings.ToLower(m.typed))
	ranked := make([][]entry, unfit)
	in := map[string]bool{}
	for i, it := range m.items {
		if r := rank(it, words); r < unfit {
			ranked[r] = append(ranked[r], entry{item: i, title: titleOf(it)})
			in[it.ID] = true
		}
	}
	m.shown = nil
	for _, es := range ranked {
		m.shown = append(m.shown, es...)
	}
	for _, h := range m.hits {
		for i, it := range m.items {
			if it.ID == h.ID && !in[h.ID] {
				m.shown = append(m.shown, entry{i, titleOf(it), sanitize.Line(h.Excerpt)})
			}
		}
	}
	m.sel = max(0, min(m.sel, len(m.shown)-1))
}

func titleOf(it Item) string {
	if t := sanitize.Line(it.Title); t != "" {
		return t
	}
	return sanitize.Line(it.ID)
}

// How an item fits, best first.
const (
	called = iota
	spelled
	within
	unfit
)

func rank(it Item, words []string) int {
	best := called
	title, text := strings.ToLower(it.Title), ""
	for _, w := range words {
		switch {
		case strings.Contains(title, w):
			continue
		case spelt(w, title):
			best = max(best, spelled)
			continue
		case text == "":
			text = strings.ToLower(it.Detail + "\n" + it.Text)
		}
		if !strings.Contains(text, w) {
			return unfit
		}
		best = within
	}
	return best
}

// spelt reports whether one word of the title begins with the first letter of w and has the others in their order.
func spelt(w, title string) bool {
	first, n := utf8.DecodeRuneInString(w)
	if n == len(w) {
		return false
	}
	for _, t := range strings.Fields(title) {
		if r, _ := utf8.DecodeRuneInString(t); r == first && len(fuzzy.Find(w, []string{t})) > 0 {
			return true
		}
	}
	return false
}
