package engine

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = chance{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Command == nil {
		o.Command = func(context.Context, string, Here) (Finish, error) {
			return nil, fmt.Errorf("commands are not available here")
		}
	}
	return o
}

// chance is the runtime's own generator, which is seeded already: a name is to be new, not secret.
type chance struct{}

func (chance) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(rand.Uint32())
	}
	return len(p), nil
}

func newEngine(o Options) *Engine {
	o = o.withDefaults()
	return &Engine{opt: o, agent: o.Agent, state: session.New(o.Settings), work: map[session.TurnID]context.CancelFunc{}, breakers: breakers{}, files: newFiles(), texts: textPlaces{},
		older: &remembered{}, due: SnapshotEvery}
}

// New opens a new session. It makes no file until there is something to keep.
func New(o Options) (*Engine, error) {
	e := newEngine(o)
	id, err := journal.NewID(e.opt.Now(), e.opt.Random)
	if err != nil {
		return nil, fmt.Errorf("name a session: %w", err)
	}
	e.Step(session.Opened{Session: id, Agent: Name(e.agent.Info())})
	e.opt.Log.Info("session begun", "session", id)
	e.retries = false // its job was dropped with the outcome: nobody runs jobs yet
	return e, nil
}

// Resume opens a session that was kept. What ran when it ended is settled, its rows
// are held, and nothing is sent. Errors are those of journal.Open.
func Resume(o Options, id string) (*Engine, error) {
	e := newEngine(o)
	if err := e.take(id); err != nil {
		return nil, err // which names the session
	}
	e.begun()
	e.opt.Log.Info("session taken up", "session", id, "damage", e.damage, "rows", e.state.Queue.Len())
	e.retries = false // its job was dropped with the outcome: nobody runs jobs yet
	return e, nil
}

// take locks a session and reads the end of its log.
func (e *Engine) take(id string) error {
	w, kept, err := journal.OpenTail(e.opt.Dir, id, session.SnapshotKind)
	if err != nil {
		return err
	}
	r, err := journal.OpenReader(e.opt.Dir, id)
	if err == nil {
		err = e.fold(id, kept, r)
		r.Close()
	}
	if err != nil {
		_ = w.Close()
		return err
	}
	e.log = w
	return nil
}

// fold takes the end of a log in, and reads as much of what is before it as a screen wants.
func (e *Engine) fold(id string, kept journal.Contents, r *journal.Reader) error {
	f, err := fold(e.opt.Settings, e.opt.Dir, id, kept, r)
	if err != nil {
		return err
	}
	e.state, e.texts, e.past, e.snapped, e.due = f.state, f.seen, f.past, f.snapped, f.due
	e.state.Session = id // a copied log says the name it had
	if kept.From > 0 && f.uncounted {
		n, err := prompts(r, f.past.end)
		if err != nil {
			return err
		}
		e.state.Prompts += n
		if n > 0 {
			e.due = 0 // the next opening is to find the count: one who only follows writes none
		}
	}
	here := e.state.Items.Len() - e.state.Items.Start()
	if here < openItems && !e.past.none() && e.past.end-e.past.before <= openBytes { // a longer page comes behind the screen
		items, rest, skipped, err := e.past.read(context.Background(), func(items session.Items, bytes int64) bool {
			return here+items.Len()-items.Start() >= openItems || bytes >= openBytes
		})
		if err != nil {
			return err
		}
		e.state = session.Apply(e.state, session.HistoryRead{Items: items})
		e.past, f.skipped = rest, f.skipped+skipped
	}
	e.damage = damaged(f.skipped)
	return nil
}

// prompts counts the prompts that began a turn in a log before an offset, for one whose snapshots do not say.
func prompts(r *journal.Reader, end int64) (n int, err error) {
	for from := int64(0); from < end; {
		kept, err := r.Range(from, min(from+forkBlock, end))
		if err != nil {
			return 0, err
		}
		for _, b := range kept.Batches {
			evs, _ := decode(b.Entries)
			for _, ev := range evs {
				if t, ok := ev.(session.TurnStarted); ok && t.Turn == t.Chain {
					n++
				}
			}
		}
		from = max(from+forkBlock, kept.End)
	}
	return n, nil
}

func decode(entries []journal.Entry) ([]session.Event, bool) {
	var evs []session.Event
	for _, en := range entries {
		ev, known, err := session.Decode(en.Kind, en.Data)
		if err != nil {
			return nil, false
		}
		if known {
			evs = append(evs, ev)
		}
	}
	return evs, true
}
