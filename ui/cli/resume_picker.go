package cli

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/catalog"
	"baton/ui/choose"
	"baton/ui/keymap"
	"baton/ui/term"
)

// sessionPicker is the screen on which a person chooses a session. Titles are narrowed down at once; texts are looked
// through in the background once the typing rests.
type sessionPicker struct {
	list   choose.Model
	keys   keymap.Map
	find   func(ctx context.Context, words string) ([]catalog.Match, error)
	ctx    context.Context
	stop   context.CancelFunc // ends the search that runs
	w, h   int
	chosen string
}

type (
	// rested says that nothing was typed for a while.
	rested struct{ typed string }
	// searched is what the texts of the sessions gave.
	searched struct {
		typed string
		found []catalog.Match
	}
)

// typingRests is how long nothing is typed before texts are looked through.
const typingRests = 150 * time.Millisecond

func newSessionPicker(ctx context.Context, s *setup, words string) (*sessionPicker, error) {
	all, err := catalog.List(s.sessions())
	if err != nil {
		return nil, err
	}
	p := &sessionPicker{keys: s.keys, ctx: ctx, stop: func() {}, find: func(ctx context.Context, words string) ([]catalog.Match, error) {
		return catalog.Find(ctx, s.sessions(), words)
	}}
	p.list = choose.New(s.theme, "Take up which session?", choices(all))
	p.list.SetHints(choose.KeyHints(p.keys, "takes it", "leaves")...)
	p.list.Insert(words)
	return p, nil
}

// choices are sessions as the list shows them.
func choices(all []catalog.Info) []choose.Item {
	items := make([]choose.Item, len(all))
	for i, f := range all {
		detail := []string{minute(f.Modified), size(f.Bytes)}
		for _, more := range []string{standing(f), f.Trouble} {
			if more != "" {
				detail = append(detail, more)
			}
		}
		items[i] = choose.Item{ID: f.ID, Title: f.Title, Detail: strings.Join(detail, " · "), Text: f.ID}
	}
	return items
}

// Init looks for the words that were given.
func (p *sessionPicker) Init() tea.Cmd { return p.search() }

// Update turns keys into movements and typed text, and answers into entries.
func (p *sessionPicker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.w, p.h = msg.Width, msg.Height
	case tea.KeyMsg:
		return p, p.key(msg)
	case term.SignalMsg:
		return p, tea.Quit
	case rested:
		if msg.typed == p.list.Typed() {
			return p, p.search()
		}
	case searched:
		hits := make([]choose.Hit, len(msg.found))
		for i, f := range msg.found {
			hits[i] = choose.Hit{ID: f.ID, Excerpt: f.Excerpt}
		}
		p.list.Found(msg.typed, hits)
	}
	return p, nil
}

// search looks through the texts for what is typed, in place of the search before.
func (p *sessionPicker) search() tea.Cmd {
	p.stop()
	typed := p.list.Typed()
	if strings.TrimSpace(typed) == "" {
		return nil
	}
	ctx, stop := context.WithCancel(p.ctx)
	p.stop = stop
	p.list.Looking()
	return func() tea.Msg {
		found, _ := p.find(ctx, typed) // what cannot be read has nothing to add
		if ctx.Err() != nil {
			return nil
		}
		return searched{typed, found}
	}
}

func (p *sessionPicker) key(msg tea.KeyMsg) tea.Cmd {
	before := p.list.Typed()
	a, bound := p.keys.Action(keymap.Popup, msg)
	switch {
	case bound && p.act(a):
		return tea.Quit
	case bound:
		if cmd := terminalKey(a); cmd != nil {
			return cmd
		}
	case (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && (!msg.Alt || msg.Paste):
		p.list.Insert(string(msg.Runes))
	}
	if typed := p.list.Typed(); typed != before {
		p.stop()
		return tea.Tick(typingRests, func(time.Time) tea.Msg { return rested{typed} })
	}
	return nil
}

// act does what a key is for. It reports whether the choice is over.
func (p *sessionPicker) act(a keymap.Action) (over bool) {
	switch a {
	case keymap.Send, keymap.PopupAccept:
		it, ok := p.list.Selected()
		p.chosen = it.ID
		return ok
	case keymap.Stop, keymap.Quit:
		return true
	case keymap.Interrupt:
		over = p.list.Typed() == ""
		p.list.Clear()
		return over
	case keymap.PopupUp:
		p.list.MoveSelection(-1)
	case keymap.PopupDown:
		p.list.MoveSelection(1)
	case keymap.ScrollUp:
		p.list.MoveSelection(-max(2, p.h-4))
	case keymap.ScrollDown:
		p.list.MoveSelection(max(2, p.h-4))
	case keymap.DeleteLeft:
		p.list.Erase()
	case keymap.KillWord:
		p.list.EraseWord()
	case keymap.KillToStart:
		p.list.Clear()
	}
	return false
}

// terminalKey is the command of a key that is about the terminal, nil for the others.
func terminalKey(a keymap.Action) tea.Cmd {
	switch a {
	case keymap.Suspend:
		return term.Suspend
	case keymap.Redraw:
		return term.Repaint
	}
	return nil
}

// View draws the list.
func (p *sessionPicker) View() string { return strings.Join(p.list.View(p.w, p.h), "\n") }

// Cursor stands behind what is typed.
func (p *sessionPicker) Cursor() (x, y int, ok bool) {
	x, y = p.list.Caret(p.w, p.h)
	return x, y, true
}
