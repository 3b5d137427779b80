package model

import (
	"path/filepath"
	"strings"

	"baton/model/command"
	"baton/model/session"
	"baton/queue"
	"baton/ui/composer"
	"baton/ui/help"
	"baton/ui/theme"
)

// writing is the composer, the files that ride with its text, and what was sent before.
type writing struct {
	composer.Editor
	files   []queue.Attachment
	history *composer.History
	noPopup bool    // no completion for this text: it was closed, or comes from the history
	popOf   offered // what the completion offers
	popText string  // what it was narrowed down by
	models  map[server]models
	tree    tree
	known   titles // of sessions
	shunned *spot  // of an @ that nothing is wanted for
	handed  handed
	lost    lost
	keep    keeping

	underway underway
}

func newWriting(th theme.Theme) writing {
	w := writing{Editor: composer.New(), history: composer.NewHistory(nil), models: map[server]models{}}
	w.ChipStyle = render(th)
	return w
}

func render(th theme.Theme) func(string) string {
	return func(s string) string { return th.Chip.Render(s) }
}

// rowEditor is the second composer, in the place of the row that is open.
type rowEditor struct {
	composer.Editor
	id    queue.ID
	was   string // the row's own text
	from  focus  // where the edit was opened
	files []queue.Attachment
	kept  rowStamp // what the session's log has of it
	timed bool     // a look is on its way
	due   bool     // … and has come
}

func newRowEditor(th theme.Theme) rowEditor {
	r := rowEditor{Editor: composer.New()}
	r.ChipStyle = render(th)
	return r
}

func (r *rowEditor) open(row queue.Row, draft *session.Draft) {
	r.id, r.was, r.files = row.ID, session.Draft{Text: row.Text, Command: row.Command}.Typed(), row.Attachments
	r.Reset(r.was)
	if draft != nil {
		r.files = draft.Attachments
		r.SetValue(draft.Typed())
	}
	r.DocEnd()
	r.kept = r.stamp()
}

// draft is what stands in the row editor. ok is false, with a word, if it is a command
// that cannot wait in the queue.
func (m *Model) rowDraft() (session.Draft, bool) {
	text := m.row.Value()
	_, _, kind, err := command.Parse(text)
	switch {
	case kind == command.Unknown:
		m.say(err.Error())
		return session.Draft{}, false
	case kind == command.Now:
		m.say("that command runs at once and cannot wait in the queue; type it in the composer")
		return session.Draft{}, false
	}
	return session.Draft{Text: text, Attachments: m.row.files, Command: kind == command.Turn}, true
}

// openDraft is the row editor's content for an operation that takes the open row away.
func (m *Model) openDraft() *session.Draft {
	if m.row.id == "" {
		return nil
	}
	_, _, kind, _ := command.Parse(m.row.Value())
	return &session.Draft{Text: m.row.Value(), Attachments: m.row.files, Command: kind != command.Text}
}

// giveBack puts a text, as it is typed, that has no other place into the composer, behind what is there.
func (m *Model) giveBack(d session.Draft) {
	if m.write.Empty() {
		m.write.SetValue(d.Text)
	} else {
		m.write.DocEnd()
		m.write.Insert("\n\n" + d.Text)
		m.say("its row has left the queue; the text is at the end of the composer")
	}
	m.write.files = append(m.write.files, d.Attachments...)
	m.screen.focus = onComposer
}

// closeRow closes the row editor because the session around it was left. What was
// changed in it goes to the composer.
func (m *Model) closeRow() {
	if m.row.id == "" {
		return
	}
	d := *m.openDraft()
	changed := m.row.Value() != m.row.was
	m.row.id = ""
	m.row.Reset("")
	if changed {
		m.giveBack(d)
	}
}

func fileNames(files []queue.Attachment) []string {
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f.Path))
	}
	return names
}

// newHelp lists the keys in force and the commands there are.
func newHelp(d Deps) help.Model {
	var cs []help.Command
	for _, c := range command.For(d.Engine.Agent().Info().Protocol) {
		cs = append(cs, help.Command{Usage: strings.TrimSpace("/" + c.Name + " " + c.Args), Does: c.Help})
	}
	return help.New(d.Theme, d.Keys, cs...)
}

func draftFrom(text string) session.Draft { return session.Draft{Text: text} }

// trimLastNewline takes away the newline that editors put behind the last line.
func trimLastNewline(s string) string { return strings.TrimSuffix(s, "\n") }
