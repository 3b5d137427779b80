package chat

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// allocated returns how many bytes f allocates, which no clock can blur.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func history(n int) []Block {
	blocks := make([]Block, n)
	for i := range blocks {
		blocks[i] = Block{ID: fmt.Sprint(i), Kind: Kind(i % 2), Text: fmt.Sprintf("text **%d**\n\n- a\n- b", i)}
	}
	return blocks
}

// long is a text of n bytes with paragraphs, lists and code.
func long(n int) string {
	const piece = "A paragraph of **some** words, `code` and more.\n\n- item one\n- item two\n\n```go\nx := 1\n```\n\n"
	return strings.Repeat(piece, n/len(piece)+1)
}

// drawing draws while text arrives, while scrolling, and folded and unfolded.
func drawing(m *Model) func() {
	return func() {
		for range 10 {
			m.Stream("live", Agent, "more ")
			m.View(80, 24)
		}
		m.PageUp()
		m.View(80, 24)
		m.ScrollUp(3)
		m.View(80, 24)
		m.ToggleFold()
		m.View(80, 24)
		m.End()
		m.View(80, 24)
	}
}

// A frame costs the same with a long history and in a long message.
func TestFrameCostIsIndependentOfLength(t *testing.T) {
	cost := func(fill func(m *Model)) uint64 {
		m := newModel(t)
		fill(m)
		m.View(80, 24)
		return allocated(drawing(m))
	}
	few := cost(func(m *Model) { m.Reset(history(10)) })
	for name, fill := range map[string]func(m *Model){
		"10,000 blocks": func(m *Model) { m.Reset(history(10_000)) },
		"1 MB answer":   func(m *Model) { m.Append(Block{ID: "a", Kind: Agent, Text: long(1 << 20)}) },
		"1 MB live":     func(m *Model) { m.Stream("live", Agent, long(1<<20)) },
		"1 MB fence":    func(m *Model) { m.Stream("live", Agent, "```\n"+strings.Repeat("code\n", 1<<18)) },
		"1 MB line":     func(m *Model) { m.Stream("live", Agent, strings.Repeat("word ", 1<<18)) },
		"1 MB prompt":   func(m *Model) { m.Append(Block{ID: "u", Kind: User, Text: long(1 << 20)}) },
	} {
		// The allowance is what laying out one part of bounded size takes, and
		// its growing buffers, for each of the frames.
		much := cost(fill)
		if much > 3*few+14*(300<<10) {
			t.Errorf("%s: %d bytes for the frames, %d with ten blocks", name, much, few)
		}
	}
}

// A frame in which nothing changed lays nothing out.
func TestUnchangedFrameIsCheap(t *testing.T) {
	m := newModel(t)
	m.Reset(history(1000))
	m.Stream("live", Agent, long(1<<20))
	m.View(80, 24)
	if n := testing.AllocsPerRun(20, func() { m.View(80, 24) }); n > 24+24 {
		t.Errorf("%v allocations for a frame of 24 lines", n)
	}
}

// Opening a long session lays out what is in view only.
func TestFirstFrameIsCheap(t *testing.T) {
	first := func(n int) uint64 {
		blocks := history(n)
		m := newModel(t)
		m.Reset(blocks)
		return allocated(func() { m.View(80, 24) })
	}
	if few, many := first(20), first(20_000); many > 2*few+1<<20 {
		t.Errorf("%d bytes for 20 blocks, %d for 20,000", few, many)
	}
}
