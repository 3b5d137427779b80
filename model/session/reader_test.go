package session

import "reflect"

// reader follows a walk as one that has not read the whole log: it began with a snapshot.
// It must decide as one that has.
type reader struct {
	s, disk State
	here    bool // it has come to its node
}

// read brings the reader of a node there. In a small scope it begins anew at every node in
// which nothing runs; in a large one now and then, so that it goes a long way too.
func (n *node) read(t tester) {
	if n.reader.here {
		return
	}
	r := reader{here: true}
	x, ok := n.s.Snapshot()
	if ok && (n.scope.turns <= small.turns || n.s.Next%3 == 0) {
		if steps.Load()%8 == 0 {
			x = stored(t, x)
		}
		r.s = x.State(n.s.Settings)
		r.disk = r.s
	} else {
		before := n.from.reader
		r.s, r.disk = before.s, replay(t, before.disk, n.events, false)
		if _, ok := n.in.(crash); ok {
			r.s = before.disk
		}
		r.s = foldAll(r.s, n.events)
	}
	n.reader, n.events = r, nil
}

// decide takes a step from the reader's node and compares what it leads to.
func (r reader) decide(t tester, m *node, evs []Event, effs []Effect) {
	from, in := r.s, m.in
	if _, ok := in.(crash); ok {
		from, in = r.disk, Opened{Session: "s"}
	}
	got, do := Decide(from, in)
	if !reflect.DeepEqual(got, evs) || !reflect.DeepEqual(do, effs) {
		t.Fatalf("begun with a snapshot it decides otherwise:\n%+v %+v\nwant\n%+v %+v\n%s", got, do, evs, effs, m.trail())
	}
}
