package session

import (
	"fmt"
	"hash/crc32"
	"slices"
	"unicode/utf8"
)

// Ref says where a text stands that a snapshot leaves out.
type Ref struct {
	Text  string `json:"text"`  // which one, as "rows.0"
	At    int64  `json:"at"`    // offset of a line that carries it
	Bytes int    `json:"bytes"` // its length
	Sum   int64  `json:"sum"`   // its CRC-32C
}

func refTo(name, text string, at int64) Ref {
	return Ref{Text: name, At: at, Bytes: len(text), Sum: int64(crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)))}
}

// OwnText is the longest text, in bytes, that a snapshot carries itself. A longer one is
// referred to.
const OwnText = 256

// Elide cuts out texts that are longer than OwnText and that find knows: at is the offset
// of a line one of whose events carries the text, as Texts lists them. One that is no
// UTF-8 stays, since a line has it otherwise.
func (x *Snapshot) Elide(find func(text string) (at int64, ok bool)) {
	x.detach()
	for _, f := range x.texts() {
		if len(*f.text) <= OwnText || !utf8.ValidString(*f.text) {
			continue
		}
		if at, ok := find(*f.text); ok {
			x.Refs = append(x.Refs, refTo(f.name, *f.text, at))
			*f.text = ""
		}
	}
}

// Fill puts the texts back that were cut out. texts returns what Texts lists for the
// events of the line at an offset. It fails if texts does or if none of the line's texts
// is the one that was cut out; such a snapshot is of no use.
func (x *Snapshot) Fill(texts func(at int64) ([]string, error)) error {
	x.detach()
	missing := map[string]Ref{}
	for _, r := range x.Refs {
		missing[r.Text] = r
	}
	for _, f := range x.texts() {
		r, ok := missing[f.name]
		if !ok {
			continue
		}
		found, err := texts(r.At)
		if err != nil {
			return fmt.Errorf("read the text %s of a snapshot at offset %d: %w", r.Text, r.At, err)
		}
		if *f.text, ok = r.among(found); !ok {
			return fmt.Errorf("the text %s of a snapshot is not at offset %d", r.Text, r.At)
		}
		delete(missing, f.name)
	}
	for name := range missing {
		return fmt.Errorf("a snapshot refers to a text %q that it has no place for", name)
	}
	x.Refs = nil
	return nil
}

// among finds the text that was cut out.
func (r Ref) among(texts []string) (string, bool) {
	for _, t := range texts {
		if len(t) == r.Bytes && refTo(r.Text, t, r.At) == r {
			return t, true
		}
	}
	return "", false
}

// named is a text of a snapshot and its name there.
type named struct {
	name string
	text *string
}

// detach makes what holds texts the snapshot's own: states share it.
func (x *Snapshot) detach() {
	draft := func(d *Draft) *Draft {
		if d == nil {
			return nil
		}
		own := *d
		return &own
	}
	x.Rows, x.Turns, x.Draft = slices.Clone(x.Rows), slices.Clone(x.Turns), draft(x.Draft)
	if x.Undo != nil {
		u := *x.Undo
		u.Rows, u.Draft = slices.Clone(u.Rows), draft(u.Draft)
		x.Undo = &u
	}
}

// texts lists every text of any length.
func (x *Snapshot) texts() (fs []named) {
	draft := func(name string, d *Draft) {
		if d != nil {
			fs = append(fs, named{name, &d.Text})
		}
	}
	for i := range x.Rows {
		fs = append(fs, named{fmt.Sprintf("rows.%d", i), &x.Rows[i].Text})
	}
	draft("draft", x.Draft)
	if x.Undo != nil {
		for i := range x.Undo.Rows {
			fs = append(fs, named{fmt.Sprintf("undo.%d", i), &x.Undo.Rows[i].Row.Text})
		}
		draft("undo.draft", x.Undo.Draft)
	}
	for i := range x.Turns {
		fs = append(fs, named{fmt.Sprintf("turns.%d", i), &x.Turns[i].Text})
	}
	return fs
}

// Texts lists the texts of rows, drafts, undo and prompts that an event carries.
func Texts(e Event) (texts []string) {
	draft := func(d *Draft) {
		if d != nil {
			texts = append(texts, d.Text)
		}
	}
	switch e := e.(type) {
	case RowQueued:
		return []string{e.Row.Text}
	case RowEdited:
		return []string{e.Row.Text}
	case TurnStarted:
		return []string{e.Text}
	case EditorOpened:
		draft(e.Draft)
	case UndoUsed:
		draft(e.Composer)
	case UndoKept:
		for _, p := range e.Undo.Rows {
			texts = append(texts, p.Row.Text)
		}
		draft(e.Undo.Draft)
	case Snapshot:
		for _, f := range e.texts() {
			if *f.text != "" {
				texts = append(texts, *f.text)
			}
		}
	}
	return texts
}
