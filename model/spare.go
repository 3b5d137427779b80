package model

import (
	"time"

	"baton/model/keepsake"
	"baton/model/session"
	"baton/queue"
)

// SpareDrafts sees to it that the drafts that wait for a session are not taken for a text that
// another process is about to put into its queue, as a new row or as another text of one, or to
// send: that came from no composer. s is the session before; state is the directory that the drafts are
// kept in. It must be called before the row is written: a draft that was spared for nothing
// does no harm.
func SpareDrafts(state string, s session.State, text string, now time.Time) {
	place := keepsake.At(state)
	if place.None() {
		return
	}
	_, _, _ = place.Desk().Find(1, now, func(d *keepsake.Draft) keepsake.Fate {
		if d.Session != s.Session || sent(s, *d) {
			return keepsake.Stays
		}
		if d.Next > 0 {
			d.Next = s.Next + 1
		}
		d.Rows = append(d.Rows, sum(queue.Normalize(text)))
		return keepsake.Changed
	})
}
