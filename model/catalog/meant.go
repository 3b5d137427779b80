package catalog

import (
	"context"
	"fmt"

	"baton/model/journal"
)

// Named reports whether a text is the name of a session as baton gives them, so that no words need to be looked for.
func Named(text string) bool { return journal.MadeID(text) }

// Meant returns the sessions in dir that a person may mean by some words: the one that is called exactly so, whatever
// others say, else those that Find finds, but for one that cannot be meant ("" for none). So one is the answer, several
// are a choice, and none is a mistake. Errors are those of Find.
func Meant(ctx context.Context, dir, words, but string) ([]Match, error) {
	all, err := journal.List(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.ID == words {
			return []Match{{Info: lookAt(dir, f).info}}, nil
		}
	}
	found, err := Find(ctx, dir, words)
	if err != nil {
		return nil, err
	}
	var meant []Match
	for _, f := range found {
		if f.ID != but {
			meant = append(meant, f)
		}
	}
	return meant, nil
}

// Only is Meant where nobody can choose: it returns the name of the one session, or an error that says what to do.
func Only(ctx context.Context, dir, words, but string) (string, error) {
	found, err := Meant(ctx, dir, words, but)
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot look for sessions: %w", err)
	case len(found) == 0:
		return "", None(words)
	case len(found) > 1:
		return "", fmt.Errorf("%d sessions can be meant, such as %s; /resume alone lists them all", len(found), found[0].ID+" and "+found[1].ID)
	}
	return found[0].ID, nil
}

// None is the error that no session is meant by some words.
func None(words string) error {
	return fmt.Errorf("there is no other session %q, and none has these words; /resume alone lists those there are", words)
}
