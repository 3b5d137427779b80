package term

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Way is how a person who looks elsewhere is told something.
type Way uint8

// The ways. The zero value tells nothing.
const (
	Quiet  Way = iota
	Bell       // BEL: a sound or a mark on the tab, as the person set it
	OSC9       // a desktop notification as iTerm2 reads it
	OSC777     // the same as rxvt and VTE read it
)

// WayOf is the way called bell, osc9, osc777 or off. Any other name goes by what the terminal says of itself in the
// environment, and where nothing there speaks for a notification it is the bell; the terminal is never asked. getenv is
// os.Getenv or a stand-in.
func WayOf(name string, getenv func(string) string) Way {
	switch name {
	case "bell":
		return Bell
	case "osc9":
		return OSC9
	case "osc777":
		return OSC777
	case "off":
		return Quiet
	}
	term := getenv("TERM")
	switch {
	case getenv("TMUX") != "", strings.HasPrefix(term, "screen"), strings.HasPrefix(term, "tmux"):
		return Bell // they pass a bell on, and notifications only if told to
	case getenv("TERM_PROGRAM") == "iTerm.app", getenv("TERM_PROGRAM") == "WezTerm", getenv("TERM_PROGRAM") == "ghostty", term == "xterm-kitty":
		return OSC9
	case strings.HasPrefix(term, "rxvt"), strings.HasPrefix(term, "foot"):
		return OSC777
	}
	return Bell
}

// Notify tells text in a way; the bell alone has no words. Control characters are dropped; at most 200 characters stay.
func Notify(way Way, text string) tea.Cmd {
	return func() tea.Msg { return writeMsg(notification(way, text)) }
}

// notification is the sequence. A text that begins with a number and a semicolon would be another command of OSC 9
// (progress in ConEmu and Windows Terminal), so one that begins with a digit gets a space in front. In OSC 777 semicolons
// part the title from the text.
func notification(way Way, text string) string {
	text = plain(text)
	switch {
	case way == Quiet:
		return ""
	case way == Bell || text == "":
		return "\a"
	case way == OSC777:
		return "\x1b]777;notify;baton;" + strings.ReplaceAll(text, ";", ",") + "\a"
	case text[0] >= '0' && text[0] <= '9':
		text = " " + text
	}
	return "\x1b]9;" + text + "\a"
}
