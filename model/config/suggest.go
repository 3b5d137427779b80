package config

import (
	"slices"
	"strings"
)

// meant is ` (did you mean "…"?)` for the name nearest to s, or "" when none is near.
func meant(s string, names []string) string {
	const longest = 64 // longer words are no slips, and the distance costs their product
	best, far := "", min(2, len(s)/3)+1
	for _, n := range names {
		if len(s) > longest || len(n) > longest {
			continue
		}
		if d := distance(s, n); d < far {
			best, far = n, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + quote(best) + "?)"
}

// akin are the names with a word in common with s, as queue_clear has with "clear". Of a
// word that more than a few names have, it is none.
func akin(s string, names []string) (kin []string) {
	const few = 6
	words := strings.Split(strings.ToLower(s), "_")
	for _, n := range names {
		if slices.ContainsFunc(strings.Split(n, "_"), func(w string) bool { return slices.Contains(words, w) }) {
			kin = append(kin, n)
		}
	}
	if len(kin) > few {
		return nil
	}
	return kin
}

// distance counts the insertions, deletions, replacements and swaps of neighbours
// that turn a into b (optimal string alignment).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
