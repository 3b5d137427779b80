package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"baton/agentclient"
	"baton/model/session"
	"baton/queue"
)

// put writes a file and returns it as an attachment.
func put(t testing.TB, dir, name, text string) queue.Attachment {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return queue.Attachment{Path: path}
}

func (d *driver) send(text string, files ...queue.Attachment) Outcome {
	return d.in(session.Submit{Draft: session.Draft{Text: text, Attachments: files}})
}

// carried lists the attachments of a request's messages.
func carried(r agentclient.Request) string {
	var all []string
	for _, m := range r.Messages {
		for _, a := range m.Attachments {
			all = append(all, fmt.Sprintf("%s (%s) %s", a.Name, a.Media, a.Data))
		}
	}
	return strings.Join(all, "\n")
}

func word(d *driver) string {
	r, ok := d.State().Queue.Head()
	if !ok {
		return ""
	}
	return d.State().Word(r.ID, time.Now())
}

// What was read once goes with every attempt and stays with the turn, whatever happens
// to the file meanwhile; size and sum are recorded.
func TestAttachmentsAreReadOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir, files := t.TempDir(), t.TempDir()
		d := open(t, dir, status(503), status(503), says("seen"), says("later"))
		notes, same := put(t, files, "my notes.txt", "the text"), put(t, files, "same.md", "the text")
		d.send("read", notes, same)
		d.soon()
		put(t, files, "my notes.txt", "another text")
		d.run(5 * time.Second)
		d.send("and now")
		d.soon()
		rs := d.agent.requests()
		d.want("requests", "4", fmt.Sprint(len(rs)))
		for i, r := range rs {
			d.want(fmt.Sprint("files of request ", i), "my notes.txt (text/plain; charset=utf-8) the text\nsame.md (text/markdown; charset=utf-8) the text", carried(r))
		}
		for _, turn := range d.State().Items.All() {
			if turn.Turn != nil && turn.Turn.Text == "read" {
				a := turn.Turn.Attachments
				if len(a) != 2 || a[0].Size != 8 || len(a[0].SHA256) != 64 || a[0].SHA256 != a[1].SHA256 {
					t.Errorf("recorded: %+v", a)
				}
			}
		}
		d.end()
	})
}

// A file that is not there holds its row and says so; once it is, play sends it.
func TestMissingAttachmentHoldsTheRow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		files := t.TempDir()
		d := open(t, t.TempDir(), after(time.Second, says("x")))
		d.say("go")
		d.send("read", queue.Attachment{Path: filepath.Join(files, "notes.png")})
		d.say("behind")
		d.run(2 * time.Second)
		d.want("queue", "read,behind", d.rows())
		d.want("word", "held: missing notes.png", word(d))
		d.run(time.Minute)
		d.want("requests", "1", fmt.Sprint(len(d.agent.requests())))
		put(t, files, "notes.png", "\x89PNG\r\n\x1a\n\x00")
		d.in(session.Play{})
		d.run(5 * time.Second)
		d.want("sent", "notes.png (image/png) \x89PNG\r\n\x1a\n\x00", carried(d.agent.requests()[1]))
		d.want("queue", "", d.rows())
		d.end()
	})
}

// A retry by hand sends the bytes that were sent before or says why it cannot.
func TestChangedFileIsNotRetried(t *testing.T) {
	bubble(t, func(t *testing.T) {
		files := t.TempDir()
		d := open(t, t.TempDir(), status(401), says("x"))
		notes := put(t, files, "notes.txt", "one")
		d.send("read", notes)
		d.soon()
		last, _ := d.State().LastTurn()
		put(t, files, "notes.txt", "two")
		d.in(session.Retry{Turn: last.ID})
		var said string
		for end := time.After(time.Second); said == ""; {
			select {
			case r := <-d.results:
				if o := d.took(d.Take(r)); o.Refused != nil {
					said = o.Refused.Text
				}
			case <-end:
				said = "nothing"
			}
		}
		d.want("notice", "not retried: notes.txt has changed since it was sent", said)
		d.want("lifecycle and requests", "Error 1", fmt.Sprint(d.life(), " ", len(d.agent.requests())))
		put(t, files, "notes.txt", "one")
		d.in(session.Retry{Turn: last.ID})
		d.soon()
		d.want("retried", carried(d.agent.requests()[0]), carried(d.agent.requests()[1]))
		d.end()
	})
}

// After a restart the bytes of earlier turns are read again if the file is as it was;
// if not, the message says that they are missing.
func TestEarlierAttachmentsAfterARestart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir, files := t.TempDir(), t.TempDir()
		d := open(t, dir, says("x"))
		d.send("read", put(t, files, "kept.txt", "kept"), put(t, files, "changed.txt", "one"), put(t, files, "gone.txt", "gone"))
		d.soon()
		d.end()
		put(t, files, "changed.txt", "two")
		if err := os.Remove(filepath.Join(files, "gone.txt")); err != nil {
			t.Fatal(err)
		}
		r := resume(t, dir, d.Session(), says("y"))
		r.say("and now")
		r.soon()
		req := r.agent.requests()[0]
		r.want("files", "kept.txt (text/plain; charset=utf-8) kept", carried(req))
		r.want("text", "read\n\n(the attachment changed.txt is not available any more)\n\n(the attachment gone.txt is not available any more)", req.Messages[0].Text)
		r.end()
	})
}

// textOnly is what an agent without a place for anything else says.
func textOnly(a agentclient.Attachment) error {
	if bytes.ContainsRune(a.Data, 0) {
		return fmt.Errorf("%s is no text", a.Name)
	}
	return nil
}

// What an agent cannot take holds its row, as what is missing does: a turn with it would fail, and all behind it.
func TestFilesThatAnAgentCannotTake(t *testing.T) {
	bubble(t, func(t *testing.T) {
		files := t.TempDir()
		d := open(t, t.TempDir(), says("x"))
		d.agent.takes = textOnly
		bin, text := put(t, files, "a.bin", "\x00\x01"), put(t, files, "a.txt", "text")
		for path, want := range map[string]string{bin.Path: "a.bin is no text", text.Path: "<nil>", filepath.Join(files, "none"): "cannot read none: no such file or directory"} {
			d.want("a look at "+path, want, fmt.Sprint(d.Takes(path)))
		}
		d.send("read", text, bin)
		d.soon()
		d.want("row and word", "read held: a.bin is no text", d.rows()+" "+word(d))
		d.want("requests", "0", fmt.Sprint(len(d.agent.requests())))
		d.end()
	})
}

// A character at the border of what is looked at is none that a text cannot have.
func TestLookAtTheBeginning(t *testing.T) {
	e, err := New(Options{Agent: &fake{takes: func(a agentclient.Attachment) error {
		if !utf8.Valid(a.Data) || len(a.Data) == 0 {
			return fmt.Errorf("%d bytes that are no text", len(a.Data))
		}
		return nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{strings.Repeat("x", sniffed-1) + "世世", strings.Repeat("x", sniffed-2) + "世", strings.Repeat("x", sniffed-3) + "世", "short 世"} {
		if err := e.Takes(put(t, t.TempDir(), "f", text).Path); err != nil {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
	if err := e.Takes(put(t, t.TempDir(), "f", strings.Repeat("\xff", 2*sniffed)).Path); err == nil {
		t.Error("no text is taken for one")
	}
}

// What an earlier turn came with must not keep later ones from an agent that cannot take it.
func TestEarlierFilesForAnotherAgent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), says("seen"), says("y"))
		d.send("look", put(t, t.TempDir(), "a.bin", "\x00"))
		d.soon()
		d.agent.takes = textOnly
		d.say("and now")
		d.soon()
		reqs := d.agent.requests()
		d.want("sent", "look\n\n(the attachment a.bin is left out: it cannot be sent to this agent)", reqs[1].Messages[0].Text)
		d.want("files, first and then", "a.bin (application/octet-stream) \x00 | ", carried(reqs[0])+" | "+carried(reqs[1]))
		d.end()
	})
}

// A file that a turn may have failed for goes with no later turn; one that met a server in trouble does, since "Continue"
// needs it.
func TestFilesOfFailedTurns(t *testing.T) {
	for code, want := range map[int]string{
		400: "look\n\n(the attachment a.png is left out: the turn that it came with failed)| ",
		413: "look\n\n(the attachment a.png is left out: the turn that it came with failed)| ",
		401: "look|a.png (image/png) pixels ",
	} {
		bubble(t, func(t *testing.T) {
			d := open(t, t.TempDir(), status(code), says("y"), status(code))
			d.send("look", put(t, t.TempDir(), "a.png", "pixels"))
			d.soon()
			d.say("and now")
			d.soon()
			reqs := d.agent.requests()
			d.want(fmt.Sprint("behind ", code), want, reqs[1].Messages[0].Text+"|"+carried(reqs[1])+" ")
			d.end()
		})
	}
}

// A stop while attachments are read starts nothing.
func TestStoppedPreparation(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), says("x"))
		o := d.Step(session.Submit{Draft: session.Draft{Text: "read", Attachments: []queue.Attachment{put(t, t.TempDir(), "a", "a")}}})
		d.want("lifecycle", "Preparing", d.life())
		d.in(session.Stop{Turn: d.State().Work()})
		d.took(o)
		d.soon()
		d.want("after", "Ready read", d.life()+" "+d.rows())
		d.want("word", "held: you stopped", word(d))
		d.want("requests", "0", fmt.Sprint(len(d.agent.requests())))
		d.end()
	})
}

// The limit of an attachment, a byte around it.
func TestAttachmentLimit(t *testing.T) {
	dir := t.TempDir()
	for _, by := range []int{-1, 0, 1} {
		path := filepath.Join(dir, fmt.Sprint("f", by))
		if err := os.WriteFile(path, bytes.Repeat([]byte{'x'}, MaxAttachment+by), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := newFiles().read(path)
		switch {
		case by <= 0 && (err != nil || a.Size != int64(MaxAttachment+by)):
			t.Errorf("%+d: %d bytes, %v", by, a.Size, err)
		case by > 0 && (err == nil || err.Error() != "f1 is too large (20971521 bytes, at most 20971520)"):
			t.Errorf("%+d: %v", by, err)
		}
	}
}

// What is no file is refused by name, without its path and without waiting.
func TestUnreadableAttachments(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "nobody"): "missing nobody",
		dir:                          filepath.Base(dir) + " is not a regular file",
	} {
		if _, err := newFiles().read(path); err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestMediaType(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"a.png", "\x89PNG\r\n\x1a\n\x00", "image/png"},
		{"a.txt", "text", "text/plain; charset=utf-8"},
		{"a.txt", "\x00\x01\x02", "application/octet-stream"},
		{"a", "%PDF-1.4", "application/pdf"},
		{"a", "", "text/plain; charset=utf-8"},
	} {
		if got := mediaType(c.name, []byte(c.data)); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.name, c.data, got, c.want)
		}
	}
}
