package cli

import (
	"runtime"
	"strings"
	"testing"
)

// What a turn needed on its way goes back to the system, and nothing is collected where
// nothing is to be gained.
func TestMemoryGoesBack(t *testing.T) {
	var m memory
	m.free() // what earlier tests left
	m.needed = heapTaken()
	runtime.KeepAlive(strings.Repeat("x", 4*spare+int(m.needed)))
	taken := heapTaken()
	m.free()
	if left := heapTaken(); left > taken-3*spare {
		t.Errorf("%d bytes of %d are left", left, taken)
	}
	if m.much() {
		t.Error("would collect again where nothing is to be gained")
	}
}
