package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// Match is a session that was found.
type Match struct {
	Info
	Excerpt string // where in its texts it was found, one printable line; "" when its title has the words
}

// How well a session fits, best first.
const (
	titled  = iota // its title has all words
	spelled        // its title has words with their letters, in their order
	said           // one text has all words
	strewn         // its texts together have them
	unfit
)

// Find returns the sessions that have every word of query, the best first and among equals the one written last: in the
// title, where the letters of a word may have others between them, or in prompts, answers and rows that wait. Upper and
// lower case are the same. An empty query finds all. Its memory does not depend on how long the sessions are, only on
// their longest line. It ends early with ctx's error; a session that cannot be read is found by its title alone.
func Find(ctx context.Context, dir, query string) ([]Match, error) {
	all, err := lookAll(ctx, dir)
	if err != nil {
		return nil, err
	}
	words := wordsOf(query)
	var found []Match
	ranks := map[string]int{}
	for _, l := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rank, text := titleRank(words, l.info.Title), ""
		if rank == unfit {
			s := search{words: words, seen: map[*word]bool{}}
			if err := s.session(ctx, dir, l); err != nil {
				return nil, err
			}
			rank, text = s.rank(), s.excerpt
		}
		if rank != unfit {
			ranks[l.info.ID] = rank
			found = append(found, Match{l.info, text})
		}
	}
	slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(ranks[a.ID], ranks[b.ID]) })
	return found, nil
}

// titleRank is titled, spelled or unfit.
func titleRank(words []*word, title string) int {
	rank := titled
	for _, w := range words {
		switch {
		case w.in(title):
		case w.spelledIn(title):
			rank = spelled
		default:
			return unfit
		}
	}
	return rank
}

// spelledIn reports whether one word of the title has the letters, the first of them at its beginning: rtry is in retry,
// and nothing is found by letters that a long title happens to have.
func (w *word) spelledIn(title string) bool {
	for _, t := range strings.Fields(title) {
		if w.prefixLetter(t) && len(fuzzy.Find(w.plain, []string{t})) > 0 {
			return true
		}
	}
	return false
}

func (w *word) prefixLetter(t string) bool {
	for _, r := range t {
		return len(w.fold) > 1 && folded(r) == w.fold[0]
	}
	return false
}

// search looks for words in the texts of one session.
type search struct {
	words   []*word
	seen    map[*word]bool // words that were met, in whatever text
	best    int            // most words met in one text
	excerpt string         // of that text
}

func (s *search) rank() int {
	switch {
	case s.best == len(s.words):
		return said
	case len(s.seen) == len(s.words):
		return strewn
	}
	return unfit
}

// text takes up one text of the session. It reports whether nothing better can come.
func (s *search) text(t string) (done bool) {
	if t == "" {
		return false
	}
	raw, n, first, last := []byte(t), 0, -1, -1
	for _, w := range s.words {
		at, end := w.find(raw)
		if at < 0 {
			continue
		}
		n++
		s.seen[w] = true
		if first < 0 || at < first {
			first, last = at, end
		}
	}
	if n > s.best {
		s.best, s.excerpt = n, excerpt(raw, first, last)
	}
	return s.best == len(s.words)
}
