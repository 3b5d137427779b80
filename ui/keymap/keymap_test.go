package keymap

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func key(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }
func char(r rune) tea.KeyMsg       { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }
func alt(m tea.KeyMsg) tea.KeyMsg  { m.Alt = true; return m }

var space = tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}

func TestLookup(t *testing.T) {
	m := Default()
	for _, c := range []struct {
		scope Scope
		msg   tea.KeyMsg
		want  Action // "" = not bound
	}{
		{Composer, key(tea.KeyEnter), Send},
		{Composer, alt(key(tea.KeyEnter)), Newline},
		{Composer, key(tea.KeyCtrlJ), Newline},
		{Composer, key(tea.KeyUp), HistoryPrev},
		{Composer, alt(key(tea.KeyUp)), EditLast},
		{Composer, key(tea.KeyCtrlUnderscore), Undo},
		{Composer, alt(char('_')), Redo},
		{Composer, alt(char('y')), Yank},
		{Composer, key(tea.KeyCtrlD), Quit},
		{Composer, key(tea.KeyPgUp), ScrollUp},
		{Composer, key(tea.KeyEsc), Stop},
		{Composer, char('?'), ""},
		{Composer, char('s'), ""},
		{Composer, space, ""},
		{Editor, key(tea.KeyEnter), SaveRow},
		{Editor, key(tea.KeyUp), LineUp},
		{Editor, key(tea.KeyCtrlK), KillToEnd},
		{Editor, key(tea.KeyCtrlD), ""},
		{Editor, key(tea.KeyEsc), Stop},
		{Editor, char('?'), ""},
		{Queue, space, QueuePlay},
		{Queue, key(tea.KeyEnter), QueueEdit},
		{Queue, char('K'), QueueMoveUp},
		{Queue, char('k'), ""},
		{Queue, alt(key(tea.KeyDown)), QueueMoveDown},
		{Queue, char('?'), Help},
		{Queue, key(tea.KeyTab), FocusNext},
		{Queue, key(tea.KeyCtrlK), ""},
		{Queue, alt(char('d')), ""},
		{Transcript, key(tea.KeyHome), TranscriptTop},
		{Transcript, char('?'), Help},
		{Transcript, char('d'), ""},
		{Popup, key(tea.KeyTab), PopupAccept},
		{Popup, key(tea.KeyShiftTab), FocusPrev},
		{Popup, key(tea.KeyEnter), Send},
		{Popup, char('?'), ""},
		{Global, key(tea.KeyF1), Help},
	} {
		got, ok := m.Action(c.scope, c.msg)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s in %s does %q, want %q", Label(c.msg.String()), c.scope, got, c.want)
		}
	}
}

func TestTextIsNeverAKey(t *testing.T) {
	m := Default()
	spelt := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("up")}
	pasted := char('d')
	pasted.Paste = true
	for s := range behind {
		for _, msg := range []tea.KeyMsg{spelt, pasted, {Type: tea.KeyRunes, Runes: []rune("ctrl+c")}} {
			if a, ok := m.Action(s, msg); ok {
				t.Errorf("text %q in %s does %s", string(msg.Runes), s, a)
			}
		}
	}
	for _, s := range []Scope{Composer, Editor, Popup} {
		for r := rune(' '); r < 0x2000; r++ {
			if a, ok := m.Action(s, char(r)); ok {
				t.Fatalf("typing %q in %s does %s", r, s, a)
			}
		}
	}
}

func TestTableIsSound(t *testing.T) {
	ids := map[Action]bool{}
	for _, r := range table {
		if ids[r.Action] {
			t.Errorf("%s stands in the table twice", r.Action)
		}
		ids[r.Action] = true
		if behind[r.Scope] == nil || r.Help == "" || r.Short == "" || len(r.Keys) == 0 {
			t.Errorf("%s is incomplete: %+v", r.Action, r)
		}
		for _, k := range r.Keys {
			if got, ok := parseKey(k); !ok || got != k {
				t.Errorf("%s has the key %q, which nobody could configure", r.Action, k)
			}
		}
	}
	for _, c := range shadows(Default()) {
		if c.Scope != Popup && !(c.Scope == Composer && (c.Key == "up" || c.Key == "down")) {
			t.Errorf("as shipped, %s", c)
		}
	}
}

func TestDoes(t *testing.T) {
	m, _, err := Default().Override(map[string][]string{"send": {"ctrl+s", "enter"}, "popup_accept": {}})
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string]string{
		"ctrl+s takes it": m.Does("takes it", Send),
		"up/down choose":  m.Does("choose", PopupUp, PopupDown),
		"":                m.Does("takes", PopupUp, PopupAccept),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOverride(t *testing.T) {
	m, conflicts, err := Default().Override(map[string][]string{"retry": {"F5", "alt+Space"}, "queue_up": {"k", "up", "k"}, "redo": {}})
	if err != nil || len(conflicts) > 0 {
		t.Fatalf("conflicts %v, error %v", conflicts, err)
	}
	if a, _ := m.Action(Composer, key(tea.KeyF5)); a != Retry {
		t.Errorf("f5 does %q", a)
	}
	if _, ok := m.Action(Composer, key(tea.KeyCtrlY)); ok {
		t.Error("the replaced key still acts")
	}
	if got := m.Keys(QueueUp); !slices.Equal(got, []string{"k", "up"}) {
		t.Errorf("queue_up has %q", got)
	}
	if m.Hint(Redo) != "" || m.Hint(Retry) != "f5" {
		t.Errorf("hints %q %q", m.Hint(Redo), m.Hint(Retry))
	}
	if got := Default().Keys(Retry); !slices.Equal(got, []string{"ctrl+y"}) {
		t.Errorf("the shipped table changed: %q", got)
	}
}

func TestOverrideConflicts(t *testing.T) {
	for _, c := range []struct {
		keys map[string][]string
		want Conflict
	}{
		{map[string][]string{"undo": {"ctrl+k"}}, Conflict{"ctrl+k", Text, Undo, KillToEnd}},
		{map[string][]string{"yank": {"ctrl+_"}}, Conflict{"ctrl+_", Text, Yank, Undo}},
		{map[string][]string{"kill_word": {"ctrl+o"}}, Conflict{"ctrl+o", Text, KillWord, Fold}},
		{map[string][]string{"queue_pause": {"tab"}}, Conflict{"tab", Queue, QueuePause, FocusNext}},
		{map[string][]string{"fold": {"d"}}, Conflict{"d", Queue, QueueRemove, Fold}},
	} {
		m, conflicts, err := Default().Override(c.keys)
		if err != nil || !slices.Equal(conflicts, []Conflict{c.want}) {
			t.Errorf("%v: conflicts %v, error %v; want %v", c.keys, conflicts, err, c.want)
		}
		if got := m.winner(c.want.Scope, c.want.Key); got != c.want.Winner {
			t.Errorf("%v: %s does %s", c.keys, c.want.Key, got)
		}
		if lost := m.Keys(KillToEnd); c.want.Loser == KillToEnd && len(lost) > 0 {
			t.Errorf("%v: help still offers %q for %s", c.keys, lost, KillToEnd)
		}
	}
}

func TestOverrideErrors(t *testing.T) {
	for _, c := range []struct {
		id, key string
		want    []string
	}{
		{"retyr", "f5", []string{`"retyr"`, `"retry"`}},
		{"retry", "ctlr+y", []string{"retry", `"ctlr+y"`, `"ctrl+y"`}},
		{"retry", "pgdwn", []string{`"pgdwn"`, `"pgdn"`}},
		{"retry", "", []string{`""`}},
		{"retry", "ctrl+shift+y", []string{`"ctrl+shift+y"`}},
		{"retry", "a\x1b", []string{`"a\x1b"`}},
		{"undo", "z", []string{"undo", `"z"`, "types text"}},
		{"send", "space", []string{"send", `"space"`, "types text"}},
	} {
		m, _, err := Default().Override(map[string][]string{c.id: {c.key}})
		if err == nil {
			t.Errorf("%s = %q was accepted", c.id, c.key)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s = %q: error %q does not say %s", c.id, c.key, err, w)
			}
		}
		if a, _ := m.Action(Composer, key(tea.KeyCtrlY)); a != Retry {
			t.Errorf("%s = %q: the map changed in spite of the error", c.id, c.key)
		}
	}
	if _, _, err := Default().Override(map[string][]string{"interrupt": {}}); err == nil {
		t.Error("interrupt was unbound")
	}
}

func TestAliases(t *testing.T) {
	for given, want := range map[string]string{
		"Ctrl+K": "ctrl+k", "ESC": "esc", "space": " ", "alt+K": "alt+K", "Alt+enter": "alt+enter", "K": "K", "é": "é",
		"ctrl+i": "tab", "ctrl+/": "ctrl+_", "shift+enter": "ctrl+j", "pgdn": "pgdown", "alt+_": "alt+_", "F12": "f12", "+": "+",
	} {
		if got, ok := parseKey(given); !ok || got != want {
			t.Errorf("%q is read as %q, %v; want %q", given, got, ok, want)
		}
	}
}

func TestMapIsNotShared(t *testing.T) {
	m := Default()
	m.Keys(Retry)[0] = "x"
	m.Table()[0].Keys[0] = "x"
	if m.Hint(Retry) != "ctrl+y" || m.Hint(Stop) != "esc" {
		t.Error("a caller changed the map through a slice it was given")
	}
}
