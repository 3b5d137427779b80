package engine

import (
	"context"
	"errors"
	"fmt"

	"baton/model/journal"
	"baton/model/session"
)

// Fork copies a session up to the end of the turn with a number, retries by hand included, into a new one, which appears
// whole or not at all, and returns its id. Numbers are those that people see, see session.State.Numbered. It may be called on any goroutine, also while
// the session grows. A turn that runs there is interrupted in the copy.
func Fork(ctx context.Context, o Options, id string, turn int) (string, error) {
	o = o.withDefaults()
	r, err := journal.OpenReader(o.Dir, id)
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	defer r.Close()
	name, err := journal.NewID(o.Now(), o.Random)
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	h := journal.Header{Session: name, Created: o.Now(), App: o.App, From: id, Turn: turn}
	c := copying{last: turn, state: session.New(session.Settings{}), made: session.New(session.Settings{}), due: SnapshotEvery, texts: textPlaces{}}
	c.made.Session = name
	err = journal.Build(o.Dir, name, h, func(w *journal.Writer) error { return c.all(ctx, r, w, o) })
	if err == nil && ctx.Err() != nil { // stopped when it was made already: nobody goes there
		err = errors.Join(context.Cause(ctx), journal.Remove(o.Dir, name))
	}
	var none noTurnError
	switch {
	case errors.As(err, &none):
		return "", none // what was being made says nothing to a person
	case err != nil:
		return "", fmt.Errorf("fork: %w", err)
	}
	return name, nil
}

// noTurnError is the number of a turn that a session does not have.
type noTurnError int

func (n noTurnError) Error() string {
	return fmt.Sprintf("there is no turn %d in this session; /fork lists them", int(n))
}

// copying takes the items of one log into another.
type copying struct {
	last  int            // the number of the turn to end with
	begun int            // how many were seen
	chain session.TurnID // that turn's, once it was seen
	state session.State  // holds the items that are not written yet

	made    session.State // what the copy says
	snapped int64         // offset of its newest snapshot
	due     int64         // how long it is to be before the next one
	texts   textPlaces
}

// forkBlock is how much of the log, in bytes, is read at once.
const forkBlock = 4 << 20

func (c *copying) all(ctx context.Context, r *journal.Reader, w *journal.Writer, o Options) error {
	for from := int64(0); ; {
		kept, err := r.Range(from, from+forkBlock)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case len(kept.Batches) == 0 && kept.End <= from:
			return c.finish(w, o)
		}
		for _, b := range kept.Batches {
			if done, err := c.batch(b, w, o); done || err != nil {
				return errors.Join(err, c.finish(w, o))
			}
		}
		from = max(from+forkBlock, kept.End)
	}
}

// batch folds one batch and writes what is settled by then. done says that the turns
// behind the one to end with have begun.
func (c *copying) batch(b journal.Batch, w *journal.Writer, o Options) (done bool, err error) {
	evs, _ := decode(b.Entries)
	for _, ev := range evs {
		if started, ok := ev.(session.TurnStarted); ok {
			if c.chain != 0 && started.Chain != c.chain {
				return true, nil
			}
			if started.Turn == started.Chain {
				c.begun++
			}
			if c.begun == c.last {
				c.chain = started.Chain
			}
		}
		c.state = session.Apply(c.state, ev)
	}
	if c.state.Busy() {
		return false, nil
	}
	return false, c.write(w, o)
}

// write moves the items over.
func (c *copying) write(w *journal.Writer, o Options) error {
	for _, it := range c.state.Items.All() {
		evs := it.Copies()
		if len(evs) == 0 {
			continue
		}
		if err := c.put(w, o, evs); err != nil {
			return err
		}
	}
	c.state = session.New(session.Settings{})
	return nil
}

// put writes a batch, and a snapshot where one is due, so that the copy opens as its
// original does.
func (c *copying) put(w *journal.Writer, o Options, evs []session.Event) error {
	b, err := w.Append(o.Now(), entriesOf(evs))
	if err != nil {
		return err
	}
	c.texts.of(evs, b.Offset)
	for _, ev := range evs {
		c.made = session.Apply(c.made, ev)
	}
	x, ok := c.made.Snapshot()
	if !ok || w.End() < c.due {
		return nil
	}
	c.made = x.State(session.Settings{}) // what is written need not be held
	x.Before = c.snapped
	x.Elide(c.texts.find)
	if b, err = w.Append(o.Now(), entriesOf([]session.Event{x})); err != nil {
		return err
	}
	c.snapped, c.due, c.texts = b.Offset, nextSnapshot(b.Offset, w.End()), textPlaces{}
	return nil
}

// finish ends the copy; nothing is made where the turn was not found.
func (c *copying) finish(w *journal.Writer, o Options) error {
	if c.chain == 0 {
		return noTurnError(c.last)
	}
	if c.state.Busy() { // it was named all the same: the copy has what there is of it
		events, _ := session.Decide(c.state, session.Opened{})
		for _, ev := range events {
			c.state = session.Apply(c.state, ev)
		}
	}
	return c.write(w, o)
}
