package model

import "testing"

// What was done last is undone first: what the queue lost goes before the edits of a draft that stood there already, and
// the word names the key that brings it back from where keys go.
func TestLostIsUndoneBeforeTheDraft(t *testing.T) {
	for name, c := range map[string]struct {
		rows    []string
		loses   func(p *pump)
		says    string
		after   string // the rows once it is lost
		reopens string // what stands in the row editor once it is undone
	}{
		"removed":                {[]string{"a"}, func(p *pump) { p.press("tab", "d") }, "removed · ctrl+_ undoes", "", ""},
		"cleared":                {[]string{"a", "b"}, func(p *pump) { p.press("tab", "c") }, "cleared · ctrl+_ undoes", "", ""},
		"removed, and come back": {[]string{"a", "b"}, func(p *pump) { p.press("tab", "d"); p.sees("removed · u undoes"); p.press("shift+tab") }, "", "b", ""},
		"edit discarded":         {[]string{"a", "b"}, func(p *pump) { p.press("alt+up"); p.typ(" x"); p.press("esc") }, "edit discarded · ctrl+_ undoes", "a,b", "b x"},
	} {
		bubble(t, func(t *testing.T) {
			p := busyWith(t, c.rows...)
			all := p.rows()
			p.typ("a draft")
			c.loses(p)
			p.sees(c.says)
			p.want(name+": rows", c.after, p.rows())
			p.want(name+": focus", "composer", p.focus())
			p.press("ctrl+_")
			p.want(name+": undone", all+" a draft "+c.reopens, p.rows()+" "+p.draft()+" "+p.m.row.Value())
			if c.reopens != "" {
				p.press("esc", "ctrl+_", "esc") // once more, and no further
				p.want(name+": the draft", "a draft", p.draft())
			} else {
				p.press("ctrl+_")
				p.want(name+": then the draft", all+" a ", p.rows()+" "+p.draft())
			}
			p.end()
		})
	}
}

// Once the draft is changed, its edits are what was done last.
func TestEditBehindARemovalIsUndoneFirst(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a")
		p.typ("a draft")
		p.press("tab", "d")
		p.typ(" more")
		p.press("ctrl+_")
		p.want("the edit", " a draft ", p.rows()+" "+p.draft())
		p.press("ctrl+_", "ctrl+_", "ctrl+_", "ctrl+_")
		p.want("behind all edits, the row", "a ", p.rows()+" "+p.draft())
		p.end()
	})
}

// A command that takes a row away names the key that works in the composer, where it was typed, whatever else waits.
func TestRemovalByACommandNamesAKeyThatWorks(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a", "b")
		p.say("/queue rm 1")
		p.sees("row 1 removed · ctrl+_ undoes")
		p.press("ctrl+_")
		p.want("rows", "a,b", p.rows())
		p.end()
	})
}
