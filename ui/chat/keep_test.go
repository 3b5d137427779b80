package chat

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// heap is what is held after a collection, in bytes.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A message that is out of view takes its source and 300 bytes at most, also after
// someone has read everything from end to end.
func TestMessagesOutOfViewAreSmall(t *testing.T) {
	const messages, each = 2000, 300
	for _, size := range []int{16, 2048, 20_480} { // an allocator does not round these up
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			n := min(messages, 512<<10/size)
			m := newModel(t)
			m.View(80, 50)
			before := heap()
			source := 0
			for i := range n {
				id, text := fmt.Sprint("message-", i), strings.Clone(long(size)[:size])
				source += len(id) + len(text)
				m.Append(Block{ID: id, Version: 1, Kind: Kind(i % 2), Text: text})
			}
			built := heap() - before
			m.Home()
			for m.View(80, 50); !m.AtEnd(); m.View(80, 50) {
				m.ScrollDown(2000) // what is laid out on the way counts as seen
			}
			for range keptFrames + 1 {
				m.View(80, 50)
			}
			read := heap() - before
			t.Logf("%d messages: %d bytes a message besides its source, %d after all was read", n, (int(built)-source)/n, (int(read)-source)/n)
			// What may be kept beyond that does not depend on how much there is.
			if most := uint64(source + n*each); built > most+32<<10 || read > most+keptBytes+keptBytes/2 {
				t.Errorf("%d bytes, and %d after all was read, of %d", built, read, most)
			}
			runtime.KeepAlive(m)
		})
	}
}

// What was let go is laid out as it was; what is live is never let go.
func TestLettingGoIsNotSeen(t *testing.T) {
	m := newModel(t)
	m.Reset(session)
	m.Append(Block{ID: "long", Kind: Agent, Text: long(300_000)})
	m.Append(Block{ID: "longer", Kind: User, Text: long(300_000)})
	m.Stream("live", Agent, "a **li")
	for _, b := range numbered(12) { // the last screen is always laid out
		m.Append(b)
	}
	m.Home()
	first := m.View(80, 24)
	m.ScrollDown(100)
	m.View(80, 24) // in the long one
	m.End()
	last := m.View(80, 24)
	for range keptFrames + 1 {
		m.View(80, 24)
	}
	for id, want := range map[string]bool{"a1": false, "long": false, "longer": false, "live": true, "b11": true} {
		if got := m.items[m.index[id]].laid != nil; got != want {
			t.Errorf("%s is laid out: %v", id, got)
		}
	}
	m.Home()
	if diff := cmp.Diff(first, m.View(80, 24)); diff != "" {
		t.Error(diff)
	}
	m.ScrollDown(100) // into the long one
	for range keptFrames + 1 {
		m.View(80, 24)
	}
	if m.items[0].laid != nil || m.items[m.index["long"]].laid == nil {
		t.Error("something else is in view than was meant to be")
	}
	m.End()
	if diff := cmp.Diff(last, m.View(80, 24)); diff != "" {
		t.Error(diff)
	}
	shows := func(when string) {
		t.Helper()
		if frame := unstyled(m.View(80, 40)); !strings.Contains(frame, "a live word\n") {
			t.Errorf("the text is broken %s:\n%s", when, frame)
		}
	}
	m.Stream("live", Agent, "ve** word")
	shows("while it comes")
	m.CloseLive("live", Block{ID: "live", Version: 1, Kind: Agent, Text: "a **live** word"})
	shows("at its end")
}

// Blocks that were taken away or replaced are not held on to.
func TestGoneBlocksAreLetGo(t *testing.T) {
	m := newModel(t)
	for i := range 200 {
		m.Stream("live", Agent, long(10_000))
		m.View(80, 24)
		if i%2 == 0 {
			m.DropLive("live")
		} else {
			m.CloseLive("live", Block{ID: "live", Kind: Agent, Text: "other"})
			m.Remove("live")
		}
		m.Append(Block{ID: "kept", Kind: User, Text: fmt.Sprint(i)})
		m.View(80, 24)
	}
	if n := len(m.laid); n > keptBytes/laidTimes/10_000+4 {
		t.Errorf("%d items are held on to", n)
	}
}
