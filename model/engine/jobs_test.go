package engine

import "testing"

type elsewhere struct{}

func (elsewhere) Origin() (any, []byte) { return "boom", []byte("where it began") }

// TestGuardedKeepsTheOrigin: a panic that was brought to a job keeps its place.
func TestGuardedKeepsTheOrigin(t *testing.T) {
	r := Guarded(func() Result { panic(elsewhere{}) })()
	defer func() {
		p, ok := recover().(*Panic)
		if !ok || p.Value != "boom" || string(p.Stack) != "where it began" {
			t.Errorf("%+v", p)
		}
	}()
	r.Apply()
}
