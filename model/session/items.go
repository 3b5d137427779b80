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

// Items is the transcript. It is a value: Append and Set return a new one and copy a
// small part only, however long the history is. The zero value is empty.
type Items struct {
	chunks [][]Item // all but the last hold chunkItems
	n      int
}

const chunkItems = 64

// Len is the number of items.
func (x Items) Len() int { return x.n }

// At returns the item at index i, 0 to Len()-1.
func (x Items) At(i int) Item { return x.chunks[i/chunkItems][i%chunkItems] }

// All yields the items with their index, in order.
func (x Items) All() iter.Seq2[int, Item] {
	return func(yield func(int, Item) bool) {
		for i := range x.n {
			if !yield(i, x.At(i)) {
				return
			}
		}
	}
}

// Back yields the items with their index, the newest first.
func (x Items) Back() iter.Seq2[int, Item] {
	return func(yield func(int, Item) bool) {
		for i := x.n - 1; i >= 0; i-- {
			if !yield(i, x.At(i)) {
				return
			}
		}
	}
}

// Append adds an item.
func (x Items) Append(it Item) Items {
	x.chunks = slices.Clone(x.chunks)
	if x.n%chunkItems == 0 {
		x.chunks = append(x.chunks, nil)
	}
	last := len(x.chunks) - 1
	x.chunks[last] = append(slices.Clone(x.chunks[last]), it)
	x.n++
	return x
}

// Set replaces the item at index i.
func (x Items) Set(i int, it Item) Items {
	x.chunks = slices.Clone(x.chunks)
	c := slices.Clone(x.chunks[i/chunkItems])
	c[i%chunkItems] = it
	x.chunks[i/chunkItems] = c
	return x
}
