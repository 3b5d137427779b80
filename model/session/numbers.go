package session

import "iter"

// Turns have numbers for people: each prompt of the transcript the next one, from 1, and a retry by hand that of its prompt.
// The ids are shared with rows and commands, and a person would find holes in them.

// Numbered yields the turns that are here with their numbers, the newest first. Only what is behind a turn is counted, so a
// window of the transcript gives the numbers that the whole does.
func (s State) Numbered() iter.Seq2[int, *Turn] {
	return func(yield func(int, *Turn) bool) {
		n := s.Prompts
		for _, it := range s.Items.Back() {
			t := it.Turn
			if t == nil {
				continue
			}
			if !yield(n, t) {
				return
			}
			if !t.Retry() {
				n--
			}
		}
	}
}

// Number is the number of a turn that is here, 0 of another.
func (s State) Number(id TurnID) int {
	for n, t := range s.Numbered() {
		if t.ID == id {
			return n
		}
	}
	return 0
}
