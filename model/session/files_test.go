package session

import (
	"testing"

	"baton/queue"
)

// A command reads no files, so none becomes one by which they would be lost without a word.
func TestCommandsTakeNoFiles(t *testing.T) {
	files := []queue.Attachment{{Path: "/a.png"}}
	command := Draft{Text: "/compact", Attachments: files, Command: true}
	row := fold(with(New(Settings{}), Opened{Session: "s"}, Submit{Draft{Text: "P"}}), Submit{Draft{Text: "A", Attachments: files}})
	head, ok := row.Queue.Head()
	if !ok || len(head.Attachments) != 1 {
		t.Fatalf("the row is %+v", head)
	}
	for name, c := range map[string]struct {
		s    State
		in   Input
		open bool
	}{
		"from outside": {row, Add{command}, false},
		"parked":       {row, Park{command, true}, false},
		"rewritten":    {row, Rewrite{Row: head.ID, Text: "/compact", Command: true}, false},
		"saved":        {fold(row, BeginEdit{head.ID}), EndEdit{Row: head.ID, Save: true, Draft: command}, true},
	} {
		events, _ := Decide(c.s, c.in)
		refused, ok := Event(nil), false
		if len(events) == 1 {
			refused, ok = events[0], true
		}
		if r, is := refused.(Refused); !ok || !is || r.Why != RefusedCommand {
			t.Errorf("%s: %+v", name, events)
		}
		if after := fold(c.s, c.in); (after.Editing == head.ID) != c.open {
			t.Errorf("%s: open in the editor: %q", name, after.Editing)
		}
	}
	bare := Draft{Text: "/compact", Command: true}
	saved := fold(fold(row, BeginEdit{head.ID}), EndEdit{Row: head.ID, Save: true, Draft: bare})
	if got, _ := saved.Queue.Head(); !got.Command || len(got.Attachments) != 0 {
		t.Errorf("without its files the row is %+v", got)
	}
}
