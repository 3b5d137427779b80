package catalog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"baton/model/journal"
	"baton/model/session"
)

// The format of the JSON Lines. The version grows when a reader of the old one would go wrong.
const (
	linesFormat  = "baton.session"
	linesVersion = 1
)

type firstLine struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Session string    `json:"session"`
	Created time.Time `json:"created,omitzero"`
	App     string    `json:"app,omitempty"`
	From    string    `json:"from,omitempty"`
}

// lastLine is there if parts of the log could not be read.
type lastLine struct {
	Missing int `json:"missing"`
}

type eventLine struct {
	Seq  uint64          `json:"seq"`
	Time time.Time       `json:"time"`
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data,omitempty"`
}

// writeLines writes what was recorded, unknown kinds included. Snapshots are left out: they only help to open the log,
// and speak of offsets in its file.
func writeLines(w *bufio.Writer, dir, id string) error {
	first := firstLine{Format: linesFormat, Version: linesVersion, Session: id}
	r, err := journal.OpenReader(dir, id)
	switch {
	case err == nil:
		h := r.Header()
		first.Created, first.App, first.From = h.Created, h.App, h.From
		r.Close()
	case !errors.Is(err, journal.ErrHeader):
		return err
	}
	if err := writeLine(w, first); err != nil {
		return err
	}
	_, unread, err := walk(dir, id, func(b journal.Batch) error {
		for _, e := range b.Entries {
			if e.Kind == session.SnapshotKind {
				continue
			}
			if err := writeLine(w, eventLine{b.Seq, b.Time, e.Kind, e.Data}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, journal.ErrHeader) {
		return err
	}
	if unread > 0 {
		return writeLine(w, lastLine{unread})
	}
	return nil
}

// writeLine writes one value. Errors of writing stay in w.
func writeLine(w *bufio.Writer, v any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // a log is no web page
	if err := e.Encode(v); err != nil {
		return err
	}
	PlainJSON(w, text.Bytes())
	return nil
}

// PlainJSON writes JSON with everything escaped that a terminal might obey: JSON itself asks only for the controls below
// U+0020. Outside of strings there is nothing to escape, so the value stays the same. Errors of writing stay in w.
func PlainJSON(w *bufio.Writer, text []byte) {
	from := 0 // what is not written yet
	for at := 0; at < len(text); {
		r, n := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[at:])
		}
		if !plainRune(r, n) {
			_, _ = w.Write(text[from:at])
			escape(w, r, n)
			from = at + n
		}
		at += n
	}
	_, _ = w.Write(text[from:])
}

// plainRune reports whether a character of n bytes may stand as it is.
func plainRune(r rune, n int) bool {
	switch {
	case r < utf8.RuneSelf:
		return r >= ' ' && r != 0x7f || r == '\n'
	case r == utf8.RuneError && n == 1:
		return false
	}
	return unicode.IsPrint(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

func escape(w *bufio.Writer, r rune, n int) {
	switch {
	case r == utf8.RuneError && n == 1:
		_, _ = w.WriteString(`\ufffd`)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		fmt.Fprintf(w, `\u%04x\u%04x`, high, low)
	default:
		fmt.Fprintf(w, `\u%04x`, r)
	}
}
