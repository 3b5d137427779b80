package model

import (
	"strings"
	"testing"
	"time"

	"baton/ui/keymap"
)

// deed is what an action does: the state it is tried in, and what holds afterwards.
type deed struct {
	before func(p *pump)
	want   func(p *pump) bool
}

func draftIs(text string) func(p *pump) bool {
	return func(p *pump) bool { return p.draft() == text }
}

func rowsAre(rows string) func(p *pump) bool {
	return func(p *pump) bool { return p.rows() == rows }
}

// write puts a text of two lines into the composer and the caret behind the first word
// of the second.
func write(p *pump) {
	p.typ("one")
	p.keys("ctrl+j")
	p.typ("two three")
	p.keys("alt+b", "left")
}

func caretAt(row, col int) func(p *pump) bool {
	return func(p *pump) bool {
		r, c := p.m.write.Caret()
		return r == row && c == col
	}
}

// queued has a turn that hangs and rows a, b, c, the second of them selected.
func queued(p *pump) {
	p.say("go")
	for _, r := range []string{"a", "b", "c"} {
		p.say(r)
	}
	p.press("tab", "down")
}

// talk has more answers than the screen shows.
func talk(p *pump) {
	p.agent.script = []step{says(strings.Repeat("line\n\n", 40))}
	p.say("go")
	p.size(80, 24)
}

func topOf(p *pump) string { return strings.Join(p.lines()[:10], "\n") }

// moves is a deed that changes what of the transcript is in view.
func moves(before func(p *pump)) deed {
	var was string
	return deed{func(p *pump) { before(p); was = topOf(p) }, func(p *pump) bool { return topOf(p) != was }}
}

func selectedIs(text string) func(p *pump) bool {
	return func(p *pump) bool {
		_, at := p.m.list.Selected()
		return at >= 0 && p.state().Queue.At(at).Text == text
	}
}

var deeds = map[keymap.Action]deed{
	keymap.Stop:       {func(p *pump) { p.say("go") }, func(p *pump) bool { return p.life() == "Ready" }},
	keymap.Interrupt:  {write, draftIs("")},
	keymap.Retry:      {func(p *pump) { p.agent.script = []step{answers(401), hangs}; p.say("go") }, func(p *pump) bool { return p.agent.prompts() == "go|go" }},
	keymap.FocusNext:  {func(p *pump) {}, func(p *pump) bool { return p.focus() == "transcript" }},
	keymap.FocusPrev:  {func(p *pump) {}, func(p *pump) bool { return p.focus() == "transcript" }},
	keymap.ScrollUp:   moves(talk),
	keymap.ScrollDown: moves(func(p *pump) { talk(p); p.press("pgup") }),
	keymap.Fold: {func(p *pump) { p.agent.script = []step{thinks("thoughts", says("x"))}; p.say("go") },
		func(p *pump) bool { return strings.Contains(p.screen(), "thoughts") }},
	keymap.Help:    {func(p *pump) { p.press("tab") }, func(p *pump) bool { return strings.Contains(p.screen(), "Everywhere") }},
	keymap.Suspend: {func(p *pump) { p.other = nil }, func(p *pump) bool { return len(p.other) > 0 }},
	keymap.Redraw:  {func(p *pump) { p.other = nil }, func(p *pump) bool { return len(p.other) > 0 }},

	keymap.Mouse: {func(p *pump) {}, func(p *pump) bool { return p.m.Window().Mouse }},

	keymap.Send:          {func(p *pump) { p.run(time.Second); p.typ("go") }, func(p *pump) bool { return p.agent.prompts() == "go" }},
	keymap.HistoryPrev:   {func(p *pump) { p.say("go"); p.typ("draft") }, draftIs("go")},
	keymap.HistoryNext:   {func(p *pump) { p.say("go"); p.typ("draft"); p.press("up") }, draftIs("draft")},
	keymap.HistorySearch: {func(p *pump) { p.say("go") }, func(p *pump) bool { return p.m.screen.choice != nil }},
	keymap.EditLast:      {func(p *pump) { queued(p); p.press("shift+tab") }, func(p *pump) bool { return p.m.row.Value() == "c" }},
	keymap.Quit:          {func(p *pump) {}, func(p *pump) bool { return p.quit }},
	keymap.SaveRow:       {func(p *pump) { queued(p); p.press("e"); p.typ("!") }, rowsAre("a,b!,c")},

	keymap.Newline:        {func(p *pump) { p.typ("x") }, draftIs("x\n")},
	keymap.ExternalEditor: {func(p *pump) { p.other = nil }, func(p *pump) bool { return len(p.other) > 0 }},
	keymap.OpenPaste:      {func(p *pump) { p.pasted(strings.Repeat("x\n", 12)) }, func(p *pump) bool { return strings.Contains(p.screen(), "┃ x") }},
	keymap.Undo:           {write, func(p *pump) bool { return p.draft() != "one\ntwo three" }},
	keymap.Redo:           {func(p *pump) { write(p); p.press("ctrl+_") }, draftIs("one\ntwo three")},
	keymap.KillToEnd:      {write, draftIs("one\ntwo")},
	keymap.KillToStart:    {write, draftIs("one\n three")},
	keymap.KillWord:       {write, draftIs("one\n three")},
	keymap.Yank:           {func(p *pump) { write(p); p.press("ctrl+k") }, draftIs("one\ntwo three")},
	keymap.Left:           {write, caretAt(1, 2)},
	keymap.Right:          {write, caretAt(1, 4)},
	keymap.WordLeft:       {write, caretAt(1, 0)},
	keymap.WordRight:      {write, caretAt(1, 9)},
	keymap.LineUp:         {write, caretAt(0, 3)},
	keymap.LineDown:       {func(p *pump) { write(p); p.press("up") }, caretAt(1, 3)},
	keymap.LineStart:      {write, caretAt(1, 0)},
	keymap.LineEnd:        {write, caretAt(1, 9)},
	keymap.TextStart:      {write, caretAt(0, 0)},
	keymap.TextEnd:        {write, caretAt(1, 9)},
	keymap.DeleteLeft:     {write, draftIs("one\ntw three")},
	keymap.DeleteRight:    {write, draftIs("one\ntwothree")},

	keymap.QueueUp:       {queued, selectedIs("a")},
	keymap.QueueDown:     {queued, selectedIs("c")},
	keymap.QueueEdit:     {queued, func(p *pump) bool { return p.m.row.Value() == "b" }},
	keymap.QueueRemove:   {queued, rowsAre("a,c")},
	keymap.QueueUndo:     {func(p *pump) { queued(p); p.press("d") }, rowsAre("a,b,c")},
	keymap.QueueMoveUp:   {queued, rowsAre("b,a,c")},
	keymap.QueueMoveDown: {queued, rowsAre("a,c,b")},
	keymap.QueuePlay: {func(p *pump) { queued(p); p.press("esc") },
		func(p *pump) bool { return strings.HasSuffix(p.agent.prompts(), "go|a") }},
	keymap.QueueSendNow: {queued, func(p *pump) bool { return strings.HasSuffix(p.agent.prompts(), "go|b") }},
	keymap.QueuePause:   {queued, func(p *pump) bool { return p.state().Gate.Paused }},
	keymap.QueueClear:   {queued, rowsAre("")},

	keymap.TranscriptUp:     moves(func(p *pump) { talk(p); p.press("tab") }),
	keymap.TranscriptDown:   moves(func(p *pump) { talk(p); p.press("tab", "pgup") }),
	keymap.TranscriptTop:    moves(func(p *pump) { talk(p); p.press("tab") }),
	keymap.TranscriptBottom: moves(func(p *pump) { talk(p); p.press("tab", "pgup") }),

	keymap.Search:       {reading, func(p *pump) bool { return p.m.screen.finding != nil }},
	keymap.SearchNext:   {searching, foundAt(1)},
	keymap.SearchPrev:   {searching, foundAt(39)},
	keymap.MessageUp:    {reading, chosen("1-agent")},
	keymap.MessageDown:  {func(p *pump) { reading(p); p.press("k", "k") }, chosen("1-agent")},
	keymap.MessageCopy:  {reading, wordBegins("copied ")},
	keymap.CodeCopy:     {reading, wordBegins("there is no code in it")},
	keymap.MessageAgain: {func(p *pump) { reading(p); p.press("k") }, func(p *pump) bool { p.soon(); return p.agent.prompts() == "go|go" }},
	keymap.MessageFork:  {reading, wordBegins("choose a message first: k chooses")},

	keymap.PopupUp:     {func(p *pump) { p.typ("/"); p.press("down") }, completes("/agent")},
	keymap.PopupDown:   {func(p *pump) { p.typ("/") }, completes("/attach")},
	keymap.PopupAccept: {func(p *pump) { p.typ("/he") }, draftIs("/help ")},
}

// reading has the focus on the transcript.
func reading(p *pump) {
	talk(p)
	p.press("tab")
}

func searching(p *pump) {
	reading(p)
	p.press("/")
	p.typ("line")
	p.press("enter")
}

func foundAt(n int) func(p *pump) bool {
	return func(p *pump) bool {
		_, _, at := p.m.chat.Searched()
		return at == n
	}
}

func chosen(id string) func(p *pump) bool {
	return func(p *pump) bool {
		b, ok := p.m.chat.Selected()
		return ok && b.ID == id
	}
}

func wordBegins(text string) func(p *pump) bool {
	return func(p *pump) bool {
		p.run(100 * time.Millisecond)
		return strings.HasPrefix(p.m.currentWord(), text)
	}
}

func completes(name string) func(p *pump) bool {
	return func(p *pump) bool {
		it, _ := p.m.pop.Selected()
		return it.Name == name
	}
}

// Every key of the table does what it says where it counts.
func TestEveryKey(t *testing.T) {
	tried := map[keymap.Action]bool{}
	for _, row := range keymap.Default().Table() {
		d, ok := deeds[row.Action]
		if !ok {
			t.Errorf("nothing tries %s", row.Action)
			continue
		}
		tried[row.Action] = true
		for _, key := range row.Keys {
			t.Run(string(row.Action)+" "+key, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					p := open(t, hangs)
					d.before(p)
					if d.want(p) {
						t.Fatalf("it holds before the key\n%s", p.screen())
					}
					p.press(key)
					if !d.want(p) {
						t.Errorf("draft %q, rows %s, life %s\n%s", p.draft(), p.rows(), p.life(), p.screen())
					}
					p.end()
				})
			})
		}
	}
	for a := range deeds {
		if !tried[a] {
			t.Errorf("%s is not in the table", a)
		}
	}
}

// While the help is open keys move it, and what they mean elsewhere does not happen.
func TestKeysWhileTheHelpIsOpen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("go")
		p.say("row")
		p.typ("draft")
		p.press("f1")
		first := p.screen()
		p.press("pgdown")
		if p.screen() == first {
			t.Error("it does not scroll")
		}
		p.press("home")
		p.want("back at the beginning", first, p.screen())
		p.press("down", "up", "end", "home", "x", "enter", "d", "tab", "ctrl+y", "ctrl+d", " ")
		p.want("nothing else happened", "draft row go composer", p.draft()+" "+p.rows()+" "+p.agent.prompts()+" "+p.focus())
		if p.quit {
			t.Error("it quit")
		}
		p.press("?")
		p.seesNot("Everywhere")
		p.end()
	})
}

// A letter that is bound to nothing where the focus is goes nowhere.
func TestUnboundKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		queued(p)
		before := p.screen()
		p.press("z", "Z", "1", "alt+x")
		p.want("screen", before[:200], p.screen()[:200])
		p.want("nothing typed", "a,b,c ", p.rows()+" "+p.draft())
		p.press("tab")
		p.press("d", "s", "c")
		p.want("no queue keys in the transcript", "a,b,c", p.rows())
		p.end()
	})
}
