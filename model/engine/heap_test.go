package engine

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

// megabytes is how long the logs are that sessions are resumed from. The figures of
// docs/performance.md are those of 1024.
var megabytes = flag.Int("engine.megabytes", 48, "length of the generated log of TestResumeIsSmall and BenchmarkResume, in MB")

// generated writes a log of ordinary turns of some kilobytes each, with snapshots where
// the engine would write them, and returns its id. Nothing of it is sparse.
func generated(t testing.TB, dir string, mb int) string {
	t.Helper()
	id := fmt.Sprintf("long-%d", mb)
	w, err := journal.Create(dir, id, journal.Header{App: "test"})
	if err != nil {
		t.Fatal(err)
	}
	s, snapped := taken(session.New(session.Settings{}), id), int64(0)
	write := func(evs ...session.Event) {
		if _, err := w.Append(time.Unix(1_800_000_000, 0), entriesOf(evs)); err != nil {
			t.Fatal(err)
		}
		for _, ev := range evs {
			s = session.Apply(s, ev)
		}
	}
	for n := session.TurnID(1); w.End() < int64(mb)<<20; n++ {
		answer := fmt.Sprintf("answer %d ", n) + strings.Repeat(fmt.Sprintf("words of turn %d, ", n), 200)
		write(session.TurnStarted{Turn: n, Chain: n, Text: fmt.Sprintf("prompt %d", n)})
		write(session.TurnPartial{Turn: n, N: 1, Text: answer[:1000], At: time.Unix(1_800_000_000, 0)})
		write(session.TurnSucceeded{Turn: n, Answer: answer, N: 1, Max: 5})
		if w.End()-snapped > SnapshotEvery {
			x, _ := s.Snapshot()
			x.Before = snapped
			snapped = w.End()
			write(x)
			s = x.State(session.Settings{}) // what is written need not be held
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return id
}

// heap is what is held after a collection, in bytes.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// maxResumed is the heap that a resumed session may take, in bytes, however long its log.
const maxResumed = 64 << 20

// A session is resumed with what is on the screen in memory, not with all of it.
func TestResumeIsSmall(t *testing.T) {
	dir := t.TempDir()
	id := generated(t, dir, *megabytes)
	before := heap()
	o, _ := options(t, dir, says("x"))
	e, err := Resume(o, id)
	if err != nil {
		t.Fatal(err)
	}
	after := heap()
	t.Logf("a log of %d MB: %d KB of heap, %d items of %d in memory", *megabytes, (int64(after)-int64(before))>>10,
		e.State().Items.Len()-e.State().Items.Start(), e.State().Items.Len())
	if after > maxResumed || after > before+maxResumed/8 {
		t.Errorf("the heap went from %d to %d bytes", before, after)
	}
	if last, _ := e.State().LastTurn(); int(last.ID) != e.State().Items.Len() {
		t.Errorf("turn %d is the last of %d", last.ID, e.State().Items.Len())
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkResume opens logs of 1 MB and of -engine.megabytes.
func BenchmarkResume(b *testing.B) {
	for _, mb := range []int{1, *megabytes} {
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			dir := b.TempDir()
			id := generated(b, dir, mb)
			b.ReportAllocs()
			for b.Loop() {
				o, _ := options(b, dir, says("x"))
				e, err := Resume(o, id)
				if err != nil {
					b.Fatal(err)
				}
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
