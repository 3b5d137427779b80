package session

import (
	"fmt"
	"testing"
	"time"

	"baton/queue"
)

// standing is everything a row's word depends on.
type standing struct {
	life                      Lifecycle
	head, editing, mark       bool
	due, awaiting             bool
	mine, other               bool // blocked: this row, another row
	paused, restored, stopped bool
	failed                    bool
	limit                     time.Time
}

func (c standing) state() State {
	s := New(Settings{})
	s.Queue, _ = s.Queue.Push(queue.Row{ID: "first"})
	s.Queue, _ = s.Queue.Push(queue.Row{ID: "second"})
	s.Life, s.Due = c.life, c.due
	if c.editing {
		s.Editing = c.id()
	}
	if c.mark {
		s.Mark = Mark{Row: c.id(), Turn: 1}
	}
	if c.awaiting {
		s.Awaiting = 1
	}
	s.Gate = Gate{Failed: c.failed, Stopped: c.stopped, Restored: c.restored, Paused: c.paused, Limit: c.limit}
	if c.other {
		s.Gate = s.Gate.block("third", "missing other.png")
	}
	if c.mine {
		s.Gate = s.Gate.block(c.id(), "missing mine.png")
	}
	return s
}

func (c standing) id() queue.ID {
	if c.head {
		return "first"
	}
	return "second"
}

// word is the order of precedence, written down once more: the first that is true.
func (c standing) word() string {
	p, preparing := c.life.(LifePreparing)
	cmd, command := c.life.(LifeCommand)
	_, turn := c.life.(LifeTurn)
	soft := c.failed || c.stopped || !c.limit.IsZero()
	hard := c.mine || c.other || c.paused || c.restored
	for _, w := range []struct {
		is   bool
		word string
	}{
		{c.editing, "editing"},
		{preparing && p.Row == c.id(), "preparing"},
		{command && cmd.Row == c.id(), "running"},
		{c.mark, "sending next"},
		{c.mine, "held: missing mine.png"},
		{c.other, "held: missing other.png"},
		{c.paused, "held: paused"},
		{c.restored, "held: restored"},
		{(turn || preparing) && soft && !hard, "after this turn"},
		{!c.limit.IsZero() && !c.limit.After(epoch), "held: limit passed"},
		{!c.limit.IsZero(), "held: limit until " + c.limit.Format("15:04")},
		{c.stopped, "held: you stopped"},
		{c.failed, "held: last turn failed"},
		{c.head && !turn && !preparing && !command && !c.due && !c.awaiting, "ready: enter plays"},
		{c.head, "next"},
	} {
		if w.is {
			return w.word
		}
	}
	return "waiting"
}

// TestWordsInOrder goes through every combination.
func TestWordsInOrder(t *testing.T) {
	lives := []Lifecycle{LifeReady{}, LifeError{1}, LifeTurn{Turn: 1, Phase: Waiting{}}, LifeTurn{Turn: 1, Phase: Stopping{}},
		LifePreparing{Turn: 1, Row: "first"}, LifePreparing{Turn: 1, Chain: 1}, LifeCommand{ID: 1, Row: "first"}, LifeCommand{ID: 1}}
	limits := []time.Time{{}, epoch.Add(-time.Minute), epoch, epoch.Add(time.Minute)}
	n := 0
	for _, life := range lives {
		for _, limit := range limits {
			for bits := range 1 << 11 {
				on := func(i int) bool { return bits>>i&1 == 1 }
				c := standing{life: life, limit: limit, head: on(0), editing: on(1), mark: on(2), due: on(3), awaiting: on(4),
					mine: on(5), other: on(6), paused: on(7), restored: on(8), stopped: on(9), failed: on(10)}
				s := c.state()
				if c.other && c.mine { // the first of several speaks for the queue, a row's own for the row
					if got := s.Held(epoch); got != "held: missing other.png" {
						t.Fatalf("%+v: the queue says %q", c, got)
					}
				}
				if got := s.Word(c.id(), epoch); got != c.word() {
					t.Fatalf("%+v\ngot  %q\nwant %q", c, got, c.word())
				}
				n++
			}
		}
	}
	t.Logf("%d combinations", n)
}

func TestClock(t *testing.T) {
	zone := time.FixedZone("east", 2*3600)
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{epoch.Add(2*time.Hour + 5*time.Minute), "14:05"},
		{epoch.Add(2*time.Hour + 5*time.Minute + 1), "14:06"}, // who comes earlier comes too early
		{time.Date(2026, 5, 4, 16, 5, 0, 0, zone), "14:05"},
		{time.Date(2026, 5, 4, 23, 59, 0, 0, time.UTC), "23:59"},
		{time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC), "2026-05-05 00:00"},
		{time.Date(2027, 5, 4, 12, 0, 0, 0, time.UTC), "2027-05-04 12:00"},
	} {
		if got := Clock(c.at, epoch); got != c.want {
			t.Error(fmt.Sprint(c.at), got, "want", c.want)
		}
	}
}
