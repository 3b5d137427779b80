package session

import (
	"iter"
	"slices"
)

// Item is one entry of the transcript, in order: a turn or a note.
type Item struct {
	Turn *Turn // never changed in place
	Note string
}

// Items is a window of the transcript that reaches to its end. An item keeps its index
// however much of what came before it is here. It is a value: Append, Set and Prepend
// return a new one and copy a small part only, however long the history is. The zero
// value is an empty transcript.
type Items struct {
	chunks [][]Item // chunkItems each
	tail   []Item   // what fills no chunk yet, so that an append does not touch the chunks
	pad    int      // the empty places that the first chunk begins with
	start  int
	n      int
}

const chunkItems = 64

// Start is the index of the first item that is here; Len if none is.
func (x Items) Start() int { return x.start }

// Len is the index behind the last item: their number, with those that are not here.
func (x Items) Len() int { return x.n }

// place is where the item at index i stands: in which chunk, and where there.
func (x Items) place(i int) (chunk, at int) {
	p := i - x.start + x.pad
	return p / chunkItems, p % chunkItems
}

// At returns the item at index i, Start() to Len()-1.
func (x Items) At(i int) Item {
	chunk, at := x.place(i)
	if chunk == len(x.chunks) {
		return x.tail[at]
	}
	return x.chunks[chunk][at]
}

// All yields the items that are here with their index, in order.
func (x Items) All() iter.Seq2[int, Item] {
	return func(yield func(int, Item) bool) {
		for i := x.start; i < x.n; i++ {
			if !yield(i, x.At(i)) {
				return
			}
		}
	}
}

// Back yields the items that are here with their index, the newest first.
func (x Items) Back() iter.Seq2[int, Item] {
	return func(yield func(int, Item) bool) {
		for i := x.n - 1; i >= x.start; i-- {
			if !yield(i, x.At(i)) {
				return
			}
		}
	}
}

// Append adds an item.
func (x Items) Append(it Item) Items {
	x.tail = append(slices.Clone(x.tail), it)
	if len(x.tail) == chunkItems {
		x.chunks, x.tail = append(slices.Clone(x.chunks), x.tail), nil
	}
	x.n++
	return x
}

// Set replaces the item at index i, Start() to Len()-1. Of the newest items it costs the
// least.
func (x Items) Set(i int, it Item) Items {
	chunk, at := x.place(i)
	if chunk == len(x.chunks) {
		x.tail = slices.Clone(x.tail)
		x.tail[at] = it
		return x
	}
	x.chunks = slices.Clone(x.chunks)
	c := slices.Clone(x.chunks[chunk])
	c[at] = it
	x.chunks[chunk] = c
	return x
}

// Prepend puts a page of older items before those that are here. A turn that is in both,
// since the page ends in its midst, becomes one at its place in the page. What is behind
// keeps its index, and the page's own indexes do not count; but where the beginning turns
// out to lie before 0, because nobody knew how much is missing, all indexes move up.
func (x Items) Prepend(page Items) Items {
	front := make([]Item, 0, page.n-page.start+2*chunkItems)
	for _, it := range page.All() {
		front = append(front, it)
	}
	if len(front) == 0 {
		return x
	}
	split := x.first()
	at := -1 // where in the page the first turn that is here stands
	if split < x.n {
		at = slices.IndexFunc(front, func(it Item) bool { return it.Turn != nil && it.Turn.ID == x.At(split).Turn.ID })
	}
	rest := 1 // the first chunk that stays as it is
	if at >= 0 {
		chunk, _ := x.place(split)
		rest = chunk + 1
	}
	start := x.start - len(front)
	end := min(x.n, x.start-x.pad+rest*chunkItems) // of what the new chunks take over
	for i := x.start; i < end; i++ {
		if i == split && at >= 0 {
			t := x.At(i).Turn.after(*front[at].Turn)
			front[at].Turn = &t
			x.n--
			continue
		}
		front = append(front, x.At(i))
	}
	return x.rebuilt(max(start, 0), x.n-start, front, rest)
}

// first is the index of the first turn, Len if there is none. One turn runs at a time, so
// only that turn can have begun earlier.
func (x Items) first() int {
	for i, it := range x.All() {
		if it.Turn != nil {
			return i
		}
	}
	return x.n
}

// rebuilt is a window of count items from start on: those of front, then the chunks of x
// from rest on, which are shared.
func (x Items) rebuilt(start, count int, front []Item, rest int) Items {
	y := Items{start: start, n: start + count, pad: (chunkItems - len(front)%chunkItems) % chunkItems}
	padded := append(make([]Item, y.pad, y.pad+len(front)), front...)
	for c := range slices.Chunk(padded, chunkItems) {
		y.chunks = append(y.chunks, c)
	}
	if rest <= len(x.chunks) {
		y.chunks, y.tail = append(y.chunks, x.chunks[rest:]...), x.tail
	}
	return y
}

// after returns a turn of which t holds what its later events said, and first what the
// earlier ones did.
func (t Turn) after(first Turn) Turn {
	if t.Chain == 0 { // its start is not among the later events
		t.Chain, t.Text, t.Attachments, t.Compact = first.Chain, first.Text, first.Attachments, first.Compact
	}
	tools := slices.Clone(first.Tools)
	for _, p := range t.Tools {
		tools = withTool(tools, p)
	}
	t.Tools = tools
	if t.Outcome == Unsettled { // a settlement names all attempts
		t.Attempts = slices.Concat(first.Attempts, t.Attempts)
		if t.Max == 0 {
			t.Max = first.Max
		}
	}
	return t
}

// withTool puts a tool part in the place of an older state of it, or behind the others.
func withTool(parts []ToolPart, p ToolPart) []ToolPart {
	if i := slices.IndexFunc(parts, func(q ToolPart) bool { return q.ID == p.ID }); i >= 0 {
		parts[i] = p
		return parts
	}
	return append(parts, p)
}
