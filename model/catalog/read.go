package catalog

import (
	"errors"

	"baton/model/journal"
	"baton/model/session"
)

// What is read of a session's beginning to find its first prompt, in bytes: little, and more where that is not enough.
const (
	headBytes     = 64 << 10
	headMoreBytes = 1 << 20
)

// windowBytes is how much of a log is decoded at a time where all of it is read.
const windowBytes = 4 << 20

func newState(id string) session.State {
	s := session.New(session.Settings{})
	s.Session = id
	return s
}

// reading is what was read of a session.
type reading struct {
	header journal.Header
	state  session.State
	unread int   // parts that could not be read
	err    error // why there is not more; one of the journal's
}

// readEnd folds a session from its last snapshot on.
func readEnd(dir, id string) reading {
	r, err := journal.OpenReader(dir, id)
	if err != nil {
		return readAll(dir, id)
	}
	defer r.Close()
	last, err := r.Tail(session.SnapshotKind)
	if err != nil {
		return reading{header: r.Header(), state: newState(id), err: err}
	}
	start, ok := begin(r, id, last)
	if !ok { // a snapshot that does not fit its log is of no use
		return readAll(dir, id)
	}
	state, unread := fold(start, last.Batches)
	return reading{header: last.Header, state: state, unread: unread + len(last.Damage)}
}

// begin is the state that the end of a log begins with.
func begin(r *journal.Reader, id string, last journal.Contents) (session.State, bool) {
	if last.From == 0 {
		return newState(id), true
	}
	events, ok := decode(last.Batches[0].Entries)
	if !ok || len(events) == 0 {
		return session.State{}, false
	}
	snapshot, ok := events[0].(session.Snapshot)
	if !ok {
		return session.State{}, false
	}
	err := snapshot.Fill(func(at int64) ([]string, error) {
		b, err := r.At(at)
		if err != nil {
			return nil, err
		}
		return textsOf(b), nil
	})
	return snapshot.State(session.Settings{}), err == nil
}

func textsOf(b journal.Batch) []string {
	var texts []string
	events, _ := decode(b.Entries)
	for _, e := range events {
		texts = append(texts, session.Texts(e)...)
	}
	return texts
}

// readAll folds all of a session. A log with a damaged header is read all the same.
func readAll(dir, id string) reading {
	all := reading{state: newState(id)}
	unread := 0
	all.header, all.unread, all.err = walk(dir, id, func(b journal.Batch) error {
		var n int
		all.state, n = fold(all.state, []journal.Batch{b})
		unread += n
		return nil
	})
	all.unread += unread
	return all
}

// walk shows each batch of a session to see, reading a part of the log at a time, until there is an error. unread counts
// the damaged parts. A log with a damaged header is walked through all the same, and its error is journal.ErrHeader.
func walk(dir, id string, see func(journal.Batch) error) (h journal.Header, unread int, err error) {
	r, err := journal.OpenReader(dir, id)
	if err != nil {
		if errors.Is(err, journal.ErrHeader) {
			kept, _ := journal.Read(dir, id)
			unread = len(kept.Damage)
			err = errors.Join(err, showAll(kept.Batches, new(uint64), see))
		}
		return h, unread, err
	}
	defer r.Close()
	last := uint64(0)
	for from := int64(0); ; {
		kept, err := r.Range(from, from+windowBytes)
		if err == nil {
			err = showAll(kept.Batches, &last, see)
		}
		if unread += len(kept.Damage); err != nil || kept.End < from+windowBytes {
			return r.Header(), unread, err
		}
		from = kept.End
	}
}

// showAll shows batches to see; a line that was written twice counts once.
func showAll(batches []journal.Batch, last *uint64, see func(journal.Batch) error) error {
	for _, b := range batches {
		if b.Seq <= *last {
			continue
		}
		*last = b.Seq
		if err := see(b); err != nil {
			return err
		}
	}
	return nil
}

// fold applies batches, each whole or not at all, and counts those it had to leave out. Kinds of events that this
// version does not know are skipped.
func fold(s session.State, batches []journal.Batch) (end session.State, unread int) {
	for _, b := range batches {
		events, ok := decode(b.Entries)
		if !ok {
			unread++
			continue
		}
		for _, e := range events {
			s = session.Apply(s, e)
		}
	}
	return s, unread
}

func decode(entries []journal.Entry) (events []session.Event, ok bool) {
	for _, entry := range entries {
		e, known, err := session.Decode(entry.Kind, entry.Data)
		if err != nil {
			return nil, false
		}
		if known {
			events = append(events, e)
		}
	}
	return events, true
}

// firstPrompt makes a title of a session's first prompt. end is the session as far as it was read.
func firstPrompt(dir, id string, end session.State) string {
	if end.Items.Start() > 0 {
		for _, limit := range []int64{headBytes, headMoreBytes} {
			kept, _ := journal.Head(dir, id, limit)
			begin, _ := fold(newState(id), kept.Batches)
			if t := titleOf(begin); t != "" {
				return t
			}
		}
	}
	return titleOf(end)
}

// titleOf takes the oldest prompt of a state, else the first row that waits.
func titleOf(s session.State) string {
	for _, it := range s.Items.All() {
		if it.Turn != nil && !it.Turn.Retry() {
			if t := Title(it.Turn.Text, it.Turn.Attachments); t != "" {
				return t
			}
		}
	}
	if head, ok := s.Queue.Head(); ok {
		return Title(head.Text, head.Attachments)
	}
	return ""
}

// holder is the process that has a session open, 0 for none, -1 for one that cannot be named.
func holder(dir, id string) int {
	switch pid, held, err := journal.Holder(dir, id); {
	case err != nil, held && pid == 0:
		return -1
	case held:
		return pid
	}
	return 0
}
