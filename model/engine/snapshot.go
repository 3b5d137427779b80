package engine

import (
	"baton/model/journal"
	"baton/model/session"
)

// textPlaces tells where in the log the long texts of rows and prompts stand.
type textPlaces map[string]int64

// of notes the texts of a batch.
func (t textPlaces) of(evs []session.Event, offset int64) []string {
	var all []string
	for _, ev := range evs {
		for _, text := range session.Texts(ev) {
			all = append(all, text)
			if len(text) > session.OwnText && offset >= 0 {
				t[text] = offset
			}
		}
	}
	return all
}

func (t textPlaces) find(text string) (at int64, ok bool) {
	at, ok = t[text]
	return at, ok
}

func (t textPlaces) ofAll(kept journal.Contents) {
	for _, b := range kept.Batches {
		evs, _ := decode(b.Entries)
		t.of(evs, b.Offset)
	}
}

// at reads the texts of the batch at an offset.
func (t textPlaces) at(r *journal.Reader) func(int64) ([]string, error) {
	return func(offset int64) ([]string, error) {
		b, err := r.At(offset)
		if err != nil {
			return nil, err
		}
		evs, _ := decode(b.Entries)
		return t.of(evs, offset), nil
	}
}

// snapshot writes how the session stands once the log has grown enough since it last did,
// so that opening it costs the same however long it is.
func (e *Engine) snapshot() {
	if !e.onDisk() || e.log.End() < e.due || e.log.Status().Unsaved > 0 {
		return
	}
	x, ok := e.state.Snapshot()
	if !ok {
		return
	}
	x.Before = e.snapped
	kept := textPlaces{}
	x.Elide(func(text string) (int64, bool) {
		at, ok := e.texts.find(text)
		if ok {
			kept[text] = at
		}
		return at, ok
	})
	e.texts = kept // what no row and no undo holds any more is of no use
	if b := e.append(entriesOf([]session.Event{x})); b.Offset >= 0 {
		e.snapped = b.Offset
		e.due = nextSnapshot(b.Offset, e.log.End())
	}
}

// nextSnapshot is how long the log is to be before the next snapshot, behind one that
// begins and ends at these offsets. A long one is rare: else it would be most of the log.
func nextSnapshot(begins, ends int64) int64 {
	return ends + max(SnapshotEvery, 4*(ends-begins))
}
