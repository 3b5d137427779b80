package term

import (
	"bytes"

	tea "github.com/charmbracelet/bubbletea"
)

var pasteEndSeq = []byte("\x1b[201~")

// takePaste moves what belongs to the paste out of b. Bytes at the end that may begin the end mark stay for the next read.
func (d *Decoder) takePaste(b []byte, out []tea.Msg) (int, []tea.Msg) {
	if i := bytes.Index(b, pasteEndSeq); i >= 0 {
		d.paste = append(d.paste, b[:i]...)
		out = d.endPaste(out)
		d.behindPaste = true
		return i + len(pasteEndSeq), out
	}
	n := len(b) - beginning(b, pasteEndSeq)
	d.paste = append(d.paste, b[:n]...)
	return n, d.spill(out)
}

// beginning returns how many bytes at the end of b are a proper beginning of mark.
func beginning(b, mark []byte) int {
	for n := min(len(mark)-1, len(b)); n > 0; n-- {
		if bytes.HasPrefix(mark, b[len(b)-n:]) {
			return n
		}
	}
	return 0
}

func (d *Decoder) endPaste(out []tea.Msg) []tea.Msg {
	d.mode = inText
	t := d.paste
	d.paste = nil
	if len(t) == 0 {
		return out
	}
	return append(out, pasted(t))
}

// spill delivers the front of a paste that has reached its limit, cut where neither a character nor a CRLF is split.
func (d *Decoder) spill(out []tea.Msg) []tea.Msg {
	limit := d.limit
	if limit == 0 {
		limit = maxPaste
	}
	if len(d.paste) < limit {
		return out
	}
	n := len(d.paste) - partial(d.paste)
	if n > 0 && d.paste[n-1] == '\r' {
		n--
	}
	if n == 0 {
		return out
	}
	out = append(out, pasted(d.paste[:n]))
	d.paste = bytes.Clone(d.paste[n:])
	return out
}

// pasted makes one message of a paste. Terminals send carriage returns for line ends.
func pasted(t []byte) tea.Msg {
	t = bytes.ReplaceAll(t, []byte("\r\n"), []byte("\n"))
	t = bytes.ReplaceAll(t, []byte("\r"), []byte("\n"))
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(string(t)), Paste: true}
}
