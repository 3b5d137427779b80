package cli

import (
	"testing"

	"baton/ui/keymap"
)

// A key that two actions want is told in one line: which has it, whether the other is left without a key, and what to do.
func TestClashOfKeys(t *testing.T) {
	for _, c := range []struct {
		keys map[string][]string
		want string
	}{
		{map[string][]string{"retry": {"f5"}, "fold": {"f5"}}, "keys: f5 in global does retry, not fold, which has no key now · change one of them in [keys]"},
		{map[string][]string{"retry": {"f5"}, "fold": {"f5", "f6"}}, "keys: f5 in global does retry, not fold · change one of them in [keys]"},
	} {
		keys, clash, err := keymap.Default().Override(c.keys)
		if err != nil {
			t.Fatal(err)
		}
		if got := firstWord(&setup{keys: keys, clash: clash}); got != c.want {
			t.Errorf("%v: %q, want %q", c.keys, got, c.want)
		}
	}
}
