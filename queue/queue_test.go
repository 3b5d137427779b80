package queue

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRowTextRules(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		att  int
		want error
	}{
		"empty":           {"", 0, ErrBlank},
		"only white":      {" \t\r\n\x00", 0, ErrBlank},
		"attachment only": {" ", 1, nil},
		"one letter":      {" x ", 0, nil},
		"nbsp is a text":  {"\u00a0", 0, nil},
		"limit-1":         {strings.Repeat("x", MaxBytes-1), 0, nil},
		"limit":           {strings.Repeat("x", MaxBytes), 0, nil},
		"limit+1":         {strings.Repeat("x", MaxBytes+1), 0, ErrTooLong},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Check(c.text, c.att); !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestNormalizeKeepsWhiteSpace(t *testing.T) {
	if got := Normalize("  a\r\nb\rc\n\t"); got != "  a\nb\nc\n\t" {
		t.Fatalf("%q", got)
	}
}

func TestFullIsRefused(t *testing.T) {
	var l List
	for i := range MaxRows {
		var err error
		if l, err = l.Push(Row{ID: ID(rune('a' + i))}); err != nil {
			t.Fatal(i, err)
		}
	}
	if l2, err := l.Push(Row{ID: "z"}); !errors.Is(err, ErrFull) || l2.Len() != MaxRows {
		t.Fatal(err)
	}
	if l2, err := l.Insert(0, Row{ID: "z"}); !errors.Is(err, ErrFull) || l2.At(0).ID != "a" {
		t.Fatal(err)
	}
}

// naive is the model: a plain slice.
func TestListAgainstNaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := WithCap(rapid.IntRange(1, MaxRows).Draw(t, "cap"))
		var naive []Row
		next := 0
		if rapid.Bool().Draw(t, "full") {
			for !l.Full() {
				next++
				r := Row{ID: ID(rune(next))}
				l, _ = l.Push(r)
				naive = append(naive, r)
			}
		}
		pick := func() ID {
			if len(naive) == 0 || rapid.IntRange(0, 5).Draw(t, "stale") == 0 {
				return "gone"
			}
			return naive[rapid.IntRange(0, len(naive)-1).Draw(t, "row")].ID
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			before, kept := l, l.Rows()
			var err error
			switch rapid.SampledFrom([]string{"insert", "replace", "remove", "move"}).Draw(t, "op") {
			case "insert":
				at := rapid.IntRange(-2, 20).Draw(t, "at")
				next++
				r := Row{ID: ID(rune(next)), Text: "t"}
				l, err = l.Insert(at, r)
				if (err != nil) != (len(naive) == l.Cap()) {
					t.Fatal("full", err)
				}
				if err == nil {
					naive = slices.Insert(naive, min(max(at, 0), len(naive)), r)
				}
			case "replace":
				r := Row{ID: pick(), Text: rapid.String().Draw(t, "text")}
				l, err = l.Replace(r)
				for i := range naive {
					if naive[i].ID == r.ID {
						naive[i] = r
					}
				}
			case "remove":
				id := pick()
				l, err = l.Remove(id)
				naive = slices.DeleteFunc(naive, func(r Row) bool { return r.ID == id })
			case "move":
				id, to := pick(), rapid.IntRange(-2, 20).Draw(t, "to")
				l, err = l.Move(id, to)
				if i := slices.IndexFunc(naive, func(r Row) bool { return r.ID == id }); i >= 0 {
					r := naive[i]
					naive = slices.Delete(naive, i, i+1)
					naive = slices.Insert(naive, min(max(to, 0), len(naive)), r)
				}
			}
			if got := l.Rows(); len(got)+len(naive) > 0 && !cmp.Equal(got, naive) {
				t.Fatal(cmp.Diff(naive, got))
			}
			if got := before.Rows(); len(got)+len(kept) > 0 && !cmp.Equal(got, kept) {
				t.Fatal("an operation changed the list it started from")
			}
		}
	})
}
