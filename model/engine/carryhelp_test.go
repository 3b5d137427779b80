package engine

import (
	"context"
	"fmt"
	"testing"
)

// withNew makes /new work and every other command fail.
func withNew(o Options) Options {
	o.Command = func(_ context.Context, text string) (Finish, error) {
		if text != "/new" {
			return nil, fmt.Errorf("no %s", text)
		}
		return func(e *Engine) Outcome { return e.NewSession() }, nil
	}
	return o
}

func openWithNew(t testing.TB, dir string, script ...step) *driver {
	t.Helper()
	o, a := options(t, dir, script...)
	e, err := New(withNew(o))
	if err != nil {
		t.Fatal(err)
	}
	return drive(t, e, a)
}
