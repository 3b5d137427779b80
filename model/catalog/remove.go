package catalog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"baton/model/journal"
	"baton/queue"
)

// Description says what a removal takes away. Its texts are printable.
type Description struct {
	Info
	Turns int      // prompts that ran, tries by hand included
	Rows  []string // titles of the rows that wait
}

// Describe reads all of a session. A damaged one is described as far as it can be read; the error is that of journal.Read
// where nothing can be.
func Describe(dir, id string) (Description, error) {
	r := readAll(dir, id)
	for _, readable := range []error{journal.ErrHeader, journal.ErrEmpty, journal.ErrNewer} {
		if errors.Is(r.err, readable) {
			return describe(dir, id, r), nil
		}
	}
	if r.err != nil {
		return Description{}, fmt.Errorf("describe session %s: %w", id, r.err)
	}
	return describe(dir, id, r), nil
}

func describe(dir, id string, r reading) Description {
	held := holder(dir, id)
	d := Description{Info: Info{
		ID: id, Title: forked(r.header, titleOf(r.state)), Created: r.header.Created,
		Waiting: r.state.Queue.Len(), Trouble: trouble(r), Last: last(r.state, held), Holder: held,
	}, Rows: rowTitles(r.state.Queue)}
	if info, err := os.Stat(filepath.Join(dir, id+".jsonl")); err == nil {
		d.Bytes, d.Modified = info.Size(), info.ModTime()
	}
	for _, it := range r.state.Items.All() {
		if it.Turn != nil {
			d.Turns++
		}
	}
	return d
}

func rowTitles(q queue.List) []string {
	var all []string
	for _, r := range q.Rows() {
		all = append(all, Title(r.Text, r.Attachments))
	}
	return all
}

// Remove deletes a session with all that belongs to it. One that is in use gives journal.ErrLocked, an absent one
// fs.ErrNotExist.
func Remove(dir, id string) error {
	if err := journal.Remove(dir, id); err != nil {
		return fmt.Errorf("remove session %s: %w", id, err)
	}
	return nil
}

// Retain removes the sessions that were not written to for longer than keep. It spares the one named spare, those in use,
// those with rows that wait, and those that cannot be read whole, since they may have such rows. A keep of 0 or less
// removes nothing. What went before an error is returned with it.
func Retain(dir string, keep time.Duration, now time.Time, spare string) (removed []Info, err error) {
	if keep <= 0 {
		return nil, nil
	}
	found, err := journal.List(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if f.ID == spare || now.Sub(f.Modified) <= keep {
			continue
		}
		i := lookAt(dir, f).info
		if i.Holder != 0 || i.Waiting > 0 || i.Trouble != "" && i.Bytes > 0 || touched(dir, f) {
			continue
		}
		switch e := Remove(dir, f.ID); {
		case e == nil:
			removed = append(removed, i)
		case !errors.Is(e, journal.ErrLocked) && !errors.Is(e, os.ErrNotExist):
			err = errors.Join(err, e)
		}
	}
	return removed, err
}

// touched reports whether a session was written to since it was listed.
func touched(dir string, f journal.Summary) bool {
	info, err := os.Lstat(filepath.Join(dir, f.ID+".jsonl"))
	return err != nil || !info.ModTime().Equal(f.Modified) || info.Size() != f.Size
}
