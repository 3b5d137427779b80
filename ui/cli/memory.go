package cli

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// spare is how much memory a program may keep that it does not need, in bytes. Less is not
// worth a collection.
const spare = 8 << 20

// memory gives free memory back to the system, and remembers how much is needed anyway.
type memory struct {
	mu     sync.Mutex
	needed uint64
}

// free collects garbage and gives back what is free, if there may be much of it: as long
// as no more than a half was added to what was needed the last time, it does nothing.
func (m *memory) free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.much() {
		debug.FreeOSMemory()
		m.needed = heapTaken()
	}
}

// much reports whether there may be memory worth giving back.
func (m *memory) much() bool { return heapTaken() > m.needed+max(spare, m.needed/2) }

// heapTaken is what the heap has of the system's memory now, in bytes, garbage included.
func heapTaken() uint64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	var sum uint64
	for _, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			sum += s.Value.Uint64()
		}
	}
	return sum
}
