package engine

import (
	"context"
	"fmt"
	"sync"

	"baton/model/journal"
	"baton/model/session"
)

const (
	// SnapshotEvery is how many bytes of log there are between snapshots at least. One is
	// written at the next moment at which nothing runs.
	SnapshotEvery = 64 << 10

	// openItems and openBytes are how much of the transcript is read at once when a session
	// is opened: whole pages, until there is as much of one or the other.
	openItems = 40
	openBytes = 256 << 10

	// MaxContext is how much text, in bytes, one request may carry. What is longer has no
	// chance with any model and is refused before it is sent.
	MaxContext = 64 << 20
)

// past is the part of a session's log whose items are not in memory. It is a value; its
// methods may be called on any goroutine, also while the log grows.
type past struct {
	dir, id string
	end     int64 // offset of the snapshot that the first item follows; 0 when there is nothing before it
	before  int64 // offset of the snapshot that the page before end begins with; 0 for the beginning of the file
}

// none reports whether there is nothing older.
func (p past) none() bool { return p.end == 0 }

// read returns the items of whole pages before the present ones: as many as it takes to
// have enough, which is asked after each page. The rest is what is older still; skipped is
// how much of what was read is damaged.
func (p past) read(ctx context.Context, enough func(items session.Items, bytes int64) bool) (items session.Items, rest past, skipped int, err error) {
	r, err := journal.OpenReader(p.dir, p.id)
	if err != nil {
		return items, p, 0, err
	}
	defer r.Close()
	first := true
	for from := p.end; !p.none() && (first || !enough(items, from-p.end)); {
		if ctx.Err() != nil {
			return items, p, skipped, context.Cause(ctx)
		}
		page, next, damaged, err := p.page(r)
		if err != nil {
			return items, p, skipped, err
		}
		if first {
			items, first = page, false
		} else {
			items = items.Prepend(page)
		}
		p, skipped = next, skipped+damaged
	}
	return items, p, skipped, nil
}

// page reads one page.
func (p past) page(r *journal.Reader) (session.Items, past, int, error) {
	kept, err := r.Range(p.before, p.end)
	if err != nil {
		return session.Items{}, p, 0, fmt.Errorf("read the older part of session %s: %w", p.id, err)
	}
	rest := past{dir: p.dir, id: p.id, end: p.before}
	s := session.New(session.Settings{})
	s.Session = p.id
	if p.before > 0 {
		x, ok := leading(kept)
		if !ok { // it was damaged since it was written; the one before it begins a longer page
			if p.before, err = r.Before(p.before, session.SnapshotKind); err != nil {
				return session.Items{}, p, 0, err
			}
			return p.page(r)
		}
		s, rest.before = x.State(session.Settings{}), x.Before
	}
	s, skipped := replay(s, kept)
	return s.Items, rest, skipped, nil
}

// leading returns the snapshot that a part of a log begins with.
func leading(kept journal.Contents) (session.Snapshot, bool) {
	if len(kept.Batches) == 0 || kept.Batches[0].Offset != kept.From {
		return session.Snapshot{}, false
	}
	evs, ok := decode(kept.Batches[0].Entries)
	if !ok || len(evs) == 0 {
		return session.Snapshot{}, false
	}
	x, ok := evs[0].(session.Snapshot)
	return x, ok
}

// replay folds batches and counts what could not be read of them.
func replay(s session.State, kept journal.Contents) (session.State, int) {
	skipped := len(kept.Damage)
	for _, b := range kept.Batches {
		evs, ok := decode(b.Entries)
		if !ok { // a batch is applied whole or not at all
			skipped++
			continue
		}
		for _, ev := range evs {
			s = session.Apply(s, ev)
		}
	}
	return s, skipped
}

// Replay folds a whole log. What cannot be read is told in a line; kinds of events that
// this version does not know are skipped.
func Replay(s session.State, kept journal.Contents) (session.State, string) {
	s, skipped := replay(s, kept)
	return s, damaged(skipped)
}

func damaged(skipped int) string {
	if skipped == 0 {
		return ""
	}
	return plural(skipped, "damaged part of this session's log was skipped", "damaged parts of this session's log were skipped")
}

// Peek reads how a session stands from the end of its log, without locking or changing
// anything; the items are those behind the last snapshot. Errors are those of journal.Read.
func Peek(dir, id string) (session.State, journal.Contents, error) {
	r, err := journal.OpenReader(dir, id)
	if err != nil {
		return session.State{}, journal.Contents{}, err
	}
	defer r.Close()
	kept, err := r.Tail(session.SnapshotKind)
	if err != nil {
		return session.State{}, kept, err
	}
	f, err := fold(session.Settings{}, dir, id, kept, r)
	return f.state, kept, err
}

// folded is what was made of the end of a log.
type folded struct {
	state   session.State
	past    past
	skipped int   // parts that are damaged
	snapped int64 // offset of the newest snapshot
	due     int64 // how long the log is to be before the next one
	seen    textPlaces

	uncounted bool // the snapshot does not say how many prompts there were before it
}

// fold makes the state of what a reader found at the end of a log. If the snapshot there is
// of no use it reads the whole.
func fold(set session.Settings, dir, id string, kept journal.Contents, r *journal.Reader) (folded, error) {
	f := folded{seen: textPlaces{}, snapped: kept.From, due: SnapshotEvery}
	if kept.From > 0 {
		f.due = nextSnapshot(kept.From, endOfFirst(kept))
		if x, ok := leading(kept); ok && x.Fill(f.seen.at(r)) == nil {
			f.state, f.skipped = replay(x.State(set), kept)
			f.uncounted = x.Prompts == 0 && x.Items > 0
			f.past = past{dir: dir, id: id, end: kept.From, before: x.Before}
			f.seen.ofAll(kept)
			return f, nil
		}
		var err error
		if kept, err = r.Tail(""); err != nil {
			return f, err
		}
	}
	start := session.New(set)
	start.Session = id // numbers of rows are read with it, also when the opening is damaged
	f.state, f.skipped = replay(start, kept)
	f.seen.ofAll(kept)
	return f, nil
}

// endOfFirst is the offset behind the first batch.
func endOfFirst(kept journal.Contents) int64 {
	if len(kept.Batches) > 1 {
		return kept.Batches[1].Offset
	}
	return kept.End
}

// Older returns a job that reads at least so many bytes of the log before the items that
// are there, nil if there are none or they are being read. What could not be read is tried
// again only when asked says that a person wants it.
func (e *Engine) Older(bytes int64, asked bool) Job {
	if e.past.none() || e.reading || e.unread && !asked {
		return nil
	}
	e.reading, e.unread = true, false
	p, sess := e.past, e.state.Session
	return func() Result {
		items, rest, skipped, err := p.read(context.Background(), func(_ session.Items, n int64) bool { return n >= bytes })
		return Result{Apply: func() Outcome {
			if e.state.Session != sess || e.past != p {
				return Outcome{}
			}
			e.reading = false
			if err != nil {
				e.unread = true
				return Outcome{Said: "older messages cannot be shown: " + err.Error()}
			}
			e.past = rest
			ev := session.HistoryRead{Items: items}
			e.state = session.Apply(e.state, ev)
			if e.follow != nil {
				e.follow.file = session.Apply(e.follow.file, ev)
			}
			return Outcome{Events: []session.Event{ev}, Said: damaged(skipped)}
		}}
	}
}

// MayOlder reports whether there are items that were not read yet.
func (e *Engine) MayOlder() bool { return !e.past.none() }

// errTooMuch says that a conversation is longer than a request may be.
var errTooMuch = fmt.Errorf("the conversation is longer than a request can carry (%d MiB): /new starts another, /fork goes back to an earlier turn", MaxContext>>20)

// maxKept is how much text of older items is kept between requests, in bytes.
const maxKept = 16 << 20

// remembered keeps what the last request read of the items that are not in memory. It
// may be used on any goroutine.
type remembered struct {
	mu    sync.Mutex
	of    past
	items session.Items
}

// context returns the items that a request needs besides those in memory: back to the
// newest summary, else all. The error is errTooMuch, ctx's or one of reading.
func (p past) context(ctx context.Context, here session.Items, kept *remembered) (older session.Items, err error) {
	if here.Stands() {
		return older, nil
	}
	size := textOf(here, here.Len())
	kept.mu.Lock()
	defer kept.mu.Unlock()
	switch {
	case p.none():
	case kept.of == p:
		older = kept.items
	default:
		if older, err = p.all(ctx, here.Start(), MaxContext-size); err != nil {
			return older, err
		}
		if textOf(older, older.Len()) <= maxKept {
			kept.of, kept.items = p, older
		}
	}
	if size+textOf(older, older.Len()) > MaxContext && !older.Stands() {
		return older, errTooMuch
	}
	return older, nil
}

// all reads back to the newest summary, else to the beginning, but no further than room
// bytes of text, or four times as many of log.
func (p past) all(ctx context.Context, start int, room int64) (older session.Items, err error) {
	size, counted := int64(0), start
	older, rest, _, err := p.read(ctx, func(items session.Items, log int64) bool {
		size, counted = size+textOf(items, counted), items.Start()
		return size > room || log > 4*MaxContext || items.Stands()
	})
	if err == nil && !rest.none() && !older.Stands() {
		err = errTooMuch
	}
	return older, err
}

// textOf is how many bytes of text the items before index end hold.
func textOf(items session.Items, end int) (bytes int64) {
	for i := items.Start(); i < min(end, items.Len()); i++ {
		if t := items.At(i).Turn; t != nil {
			bytes += int64(len(t.Text) + len(t.Answer))
		}
	}
	return bytes
}
