package term

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// maxNumber bounds a parameter; larger ones saturate. It is above every code point.
const maxNumber = 1 << 21

// numbers reads parameters. Missing ones are 0; what follows a colon is dropped (sub-parameters of the kitty protocol).
func numbers(s string) []int {
	var out []int
	for field := range strings.SplitSeq(s, ";") {
		n := 0
		for _, c := range field {
			if c < '0' || c > '9' {
				break
			}
			n = min(n*10+int(c-'0'), maxNumber)
		}
		out = append(out, n)
	}
	return out
}

// modifiers as xterm and kitty send them: one more than a sum of bits.
type modifiers struct{ shift, alt, ctrl bool }

func modifiersAt(v []int, i int) modifiers {
	if len(v) <= i || v[i] < 1 {
		return modifiers{}
	}
	bits := v[i] - 1
	return modifiers{shift: bits&1 != 0, alt: bits&2 != 0, ctrl: bits&4 != 0}
}

// controlMessage is what the control sequence with these parameters and this final byte says.
func controlMessage(params string, final byte) tea.Msg {
	if params != "" && params[0] >= '<' {
		return private(params, final)
	}
	v := numbers(params)
	mod := modifiersAt(v, 1)
	switch final {
	case '~':
		return tilde(v)
	case '^': // rxvt: a function key with ctrl
		return function(numbered[v[0]], modifiers{ctrl: true})
	case 'u':
		return codeKey(v[0], mod)
	case 'a', 'b', 'c', 'd': // rxvt: a cursor key with shift
		if params == "" {
			return function(shifted[final-'a'+'A'], modifiers{shift: true})
		}
	case 'A', 'B', 'C', 'D', 'F', 'H', 'P', 'Q', 'S':
		return function(shifted[final], mod)
	case 'R': // F3 with a modifier; any other is a report of the cursor's place
		if modifiedF3(v) {
			return function(tea.KeyF3, mod)
		}
	case 'Z':
		return key(tea.KeyShiftTab, mod.alt)
	case 'I':
		return tea.FocusMsg{}
	case 'O':
		return tea.BlurMsg{}
	}
	return swallowed
}

func modifiedF3(v []int) bool { return len(v) == 2 && v[0] == 1 && v[1] >= 2 && v[1] <= 8 }

// private reads what begins with one of < = > ?. Only SGR mouse reports (<) are for us; the others are replies.
func private(params string, final byte) tea.Msg {
	v := numbers(params[1:])
	if params[0] != '<' || final != 'M' || len(v) != 3 {
		return swallowed
	}
	return wheel(v[0], v[1], v[2])
}

func tilde(v []int) tea.Msg {
	switch v[0] {
	case 200:
		return pasteStart
	case 201:
		return pasteEnd
	case 27: // xterm's modifyOtherKeys: 27 ; modifiers ; character
		if len(v) == 3 {
			return codeKey(v[2], modifiersAt(v, 1))
		}
		return swallowed
	}
	return function(numbered[v[0]], modifiersAt(v, 1))
}

// function is a cursor or function key with modifiers; t is 0 for a key that is not known.
func function(t tea.KeyType, mod modifiers) tea.Msg {
	if t == 0 {
		return swallowed
	}
	var table map[tea.KeyType]tea.KeyType
	switch {
	case mod.ctrl && mod.shift:
		table = ctrlShiftKeys
	case mod.ctrl:
		table = ctrlKeys
	case mod.shift:
		table = shiftKeys
	}
	if with, ok := table[t]; ok {
		t = with
	}
	return key(t, mod.alt)
}

// codeKey is a key named by its character, as modifyOtherKeys and the kitty protocol send it.
func codeKey(c int, mod modifiers) tea.Msg {
	switch {
	case c == '\r' && mod.shift:
		return key(tea.KeyCtrlJ, false) // the newline key
	case c == '\t' && mod.shift:
		return key(tea.KeyShiftTab, mod.alt)
	case c == '\r', c == '\t', c == esc, c == 0x7f:
		return key(tea.KeyType(c), mod.alt)
	case mod.ctrl:
		if t, ok := controlKey(c); ok {
			return key(t, mod.alt)
		}
		return swallowed
	case c == ' ':
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: mod.alt}
	case c < ' ', c >= 0xd800 && c <= 0xf8ff, c > unicode.MaxRune:
		return swallowed // a control, a surrogate, or one of kitty's own function keys
	}
	r := rune(c)
	if mod.shift {
		r = unicode.ToUpper(r)
	}
	return runes(mod.alt, r)
}

// controlKey is the control character that a terminal without these protocols sends for ctrl and c.
func controlKey(c int) (tea.KeyType, bool) {
	switch {
	case c >= '@' && c <= '~':
		return tea.KeyType(c & 0x1f), true
	case c == ' ', c == '2':
		return tea.KeyCtrlAt, true
	case c == '/', c == '-':
		return tea.KeyCtrlUnderscore, true
	}
	return 0, false
}

// wheel is what a mouse report says if it is about the wheel; nothing else is of use here. Coordinates begin with 1.
func wheel(button, x, y int) tea.Msg {
	buttons := map[int]tea.MouseButton{
		64: tea.MouseButtonWheelUp, 65: tea.MouseButtonWheelDown, 66: tea.MouseButtonWheelLeft, 67: tea.MouseButtonWheelRight,
	}
	b, ok := buttons[button&^(4|8|16)]
	if !ok || x < 1 || y < 1 || x == maxNumber || y == maxNumber {
		return swallowed
	}
	return tea.MouseMsg{
		X: x - 1, Y: y - 1, Button: b, Action: tea.MouseActionPress,
		Shift: button&4 != 0, Alt: button&8 != 0, Ctrl: button&16 != 0,
	}
}
