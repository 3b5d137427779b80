package term

import tea "github.com/charmbracelet/bubbletea"

// shifted are the keys named by a letter, after SS3 and as final bytes of CSI.
var shifted = map[byte]tea.KeyType{
	'A': tea.KeyUp, 'B': tea.KeyDown, 'C': tea.KeyRight, 'D': tea.KeyLeft, 'F': tea.KeyEnd, 'H': tea.KeyHome,
	'M': tea.KeyEnter, 'P': tea.KeyF1, 'Q': tea.KeyF2, 'R': tea.KeyF3, 'S': tea.KeyF4,
	'a': tea.KeyCtrlUp, 'b': tea.KeyCtrlDown, 'c': tea.KeyCtrlRight, 'd': tea.KeyCtrlLeft, // rxvt
}

// numbered are the keys of CSI number ~.
var numbered = map[int]tea.KeyType{
	1: tea.KeyHome, 2: tea.KeyInsert, 3: tea.KeyDelete, 4: tea.KeyEnd, 5: tea.KeyPgUp, 6: tea.KeyPgDown, 7: tea.KeyHome, 8: tea.KeyEnd,
	11: tea.KeyF1, 12: tea.KeyF2, 13: tea.KeyF3, 14: tea.KeyF4, 15: tea.KeyF5, 17: tea.KeyF6, 18: tea.KeyF7, 19: tea.KeyF8,
	20: tea.KeyF9, 21: tea.KeyF10, 23: tea.KeyF11, 24: tea.KeyF12, 25: tea.KeyF13, 26: tea.KeyF14, 28: tea.KeyF15, 29: tea.KeyF16,
	31: tea.KeyF17, 32: tea.KeyF18, 33: tea.KeyF19, 34: tea.KeyF20,
}

// What a key becomes with modifiers, where Bubble Tea has a name for it; other keys stay what they are.
var (
	shiftKeys = map[tea.KeyType]tea.KeyType{
		tea.KeyUp: tea.KeyShiftUp, tea.KeyDown: tea.KeyShiftDown, tea.KeyRight: tea.KeyShiftRight, tea.KeyLeft: tea.KeyShiftLeft,
		tea.KeyHome: tea.KeyShiftHome, tea.KeyEnd: tea.KeyShiftEnd,
	}
	ctrlKeys = map[tea.KeyType]tea.KeyType{
		tea.KeyUp: tea.KeyCtrlUp, tea.KeyDown: tea.KeyCtrlDown, tea.KeyRight: tea.KeyCtrlRight, tea.KeyLeft: tea.KeyCtrlLeft,
		tea.KeyHome: tea.KeyCtrlHome, tea.KeyEnd: tea.KeyCtrlEnd, tea.KeyPgUp: tea.KeyCtrlPgUp, tea.KeyPgDown: tea.KeyCtrlPgDown,
	}
	ctrlShiftKeys = map[tea.KeyType]tea.KeyType{
		tea.KeyUp: tea.KeyCtrlShiftUp, tea.KeyDown: tea.KeyCtrlShiftDown, tea.KeyRight: tea.KeyCtrlShiftRight, tea.KeyLeft: tea.KeyCtrlShiftLeft,
		tea.KeyHome: tea.KeyCtrlShiftHome, tea.KeyEnd: tea.KeyCtrlShiftEnd,
	}
)
