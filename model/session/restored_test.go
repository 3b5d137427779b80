package session

import "testing"

// A session that is opened with another agent waits for no time that the former one named.
func TestOpenedWithAnotherAgent(t *testing.T) {
	s := with(New(Settings{}), Opened{Session: "s", Agent: "a · m"}, Submit{Draft{Text: "P"}}, Submit{Draft{Text: "A"}}, AttemptStarted{1, 1},
		GaveUp{Turn: 1, N: 1, Max: 5, Until: epoch})
	if s.Gate.Limit.IsZero() {
		t.Fatal("no limit to begin with")
	}
	if same := fold(s, Opened{Session: "s", Agent: "a · m"}); same.Gate.Limit.IsZero() || same.Gate.Failed {
		t.Errorf("the same agent: %+v", same.Gate)
	}
	if other := fold(s, Opened{Session: "s", Agent: "b · m"}); !other.Gate.Limit.IsZero() || !other.Gate.Failed || !other.Gate.Restored {
		t.Errorf("another agent: %+v", other.Gate)
	}
}
