package session

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A session that begins with another one's turns shows their rows and sends their context.
func TestCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := with(New(Settings{}), Opened{Session: "s"})
		for c := range rapid.IntRange(1, 5).Draw(t, "turns") {
			switch {
			case c > 0 && rapid.IntRange(0, 3).Draw(t, "compact") == 0:
				s = fold(s, Submit{Draft{Text: "/compact", Command: true}})
			default:
				s = fold(s, Submit{Draft{Text: fmt.Sprintf("prompt %d", c)}})
			}
			runTurn(t, &s)
			if last, _ := s.LastTurn(); last.Outcome != Succeeded && rapid.Bool().Draw(t, "again") {
				s = fold(s, Retry{Turn: last.ID})
				runTurn(t, &s)
			}
			if rapid.Bool().Draw(t, "note") {
				s = with(s, Note{Text: "a note"})
			}
		}
		other := New(Settings{})
		var shown, copied []Row
		for i, it := range s.Items.All() {
			for _, ev := range it.Copies() {
				other = Apply(other, ev)
			}
			shown = append(shown, it.Rows(i)...)
			copied = append(copied, other.Items.At(i).Rows(i)...)
		}
		other = with(other, Opened{Session: "t"})
		if d := cmp.Diff(shown, copied); d != "" {
			t.Fatal(d)
		}
		s, other = fold(s, Submit{Draft{Text: "now"}}), fold(other, Submit{Draft{Text: "now"}})
		this, _ := s.LastTurn()
		that, _ := other.LastTurn()
		if d := cmp.Diff(s.Context(this.ID, Items{}), other.Context(that.ID, Items{})); d != "" {
			t.Fatal(d)
		}
	})
}

func TestARunningTurnIsNotCopied(t *testing.T) {
	s := with(New(Settings{}), Opened{Session: "s"}, Submit{Draft{Text: "P"}})
	if evs := s.Items.At(0).Copies(); evs != nil {
		t.Error(evs)
	}
}
