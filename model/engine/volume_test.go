package engine

import (
	"encoding/json"
	"net"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
	"weak"

	"baton/agentclient"
	"baton/agentclient/openaichat"
	"baton/agentclient/wire"
	"baton/agentclient/wire/wiretest"
	"baton/model/session"
	"baton/retrypolicy"
)

// volume is what one turn with a real client and a log on disk came to.
type volume struct {
	turn     session.Turn
	deltas   int // inputs with text
	took     time.Duration
	peak     int // the most memory in use at the end of a collection, above that before the turn
	retained int // memory in use once the turn is settled, above that before it
}

// inUse is the memory that the last collection found in use, in bytes.
func inUse() int {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}

// watchMemory calls note with the memory in use now and then, until the returned function is called.
func watchMemory(note func(bytes int)) (end func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				note(inUse())
			}
		}
	}()
	return func() { close(stop); <-done }
}

// stream runs a turn whose answer is the text so many times, an event each.
func stream(t *testing.T, text string, times int) volume {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	event := `data: {"choices":[{"delta":{"content":` + string(quoted) + `}}]}` + "\n\n"
	pack := strings.Repeat(event, max(1, min(times, 64<<10/len(event))))
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
		wiretest.Write(c, wiretest.Head)
		for left := times * len(event); left > 0; left -= len(pack) {
			wiretest.Write(c, pack[:min(left, len(pack))])
		}
		wiretest.Write(c, `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	})
	agent, err := openaichat.New(openaichat.Config{Name: "volume", BaseURL: server.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(Options{Dir: t.TempDir(), App: "test", Agent: agent, Policy: retrypolicy.DefaultPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	var v volume
	runtime.GC()
	runtime.GC() // what pools hold goes with the second
	before := inUse()
	end := watchMemory(func(bytes int) { v.peak = max(v.peak, bytes-before) })
	begin := time.Now()
	v.deltas = settle(e)
	v.took = time.Since(begin)
	end()
	runtime.GC()
	runtime.GC()
	v.retained = inUse() - before
	v.turn, _ = e.State().LastTurn()
	if v.turn.Outcome != session.Succeeded || e.Trouble() != nil {
		t.Fatalf("outcome %v, cause %+v, trouble %v", v.turn.Outcome, v.turn.Cause, e.Trouble())
	}
	if n := len(v.turn.Answer); n != times*len(text) || strings.Count(v.turn.Answer, text) < times {
		t.Fatalf("an answer of %d bytes, want %d", n, times*len(text))
	}
	t.Logf("%d events, %d inputs, %v; in use at most %.1f, then %.1f times the answer", times, v.deltas, v.took,
		float64(v.peak)/float64(len(v.turn.Answer)), float64(v.retained)/float64(len(v.turn.Answer)))
	return v
}

// settle sends a prompt, drives the engine to the turn's settlement and counts its texts.
func settle(e *Engine) (deltas int) {
	results := make(chan Result)
	under := 0
	take := func(o Outcome) {
		for _, job := range o.Jobs {
			under++
			go func() { results <- job() }()
		}
	}
	take(e.Step(session.Submit{Draft: session.Draft{Text: "go on"}}))
	for under > 0 {
		r := <-results
		under--
		for _, in := range r.Inputs {
			if d, ok := in.(session.Delta); ok && d.Text != "" {
				deltas++
			}
		}
		take(e.Take(r))
	}
	return deltas
}

// A million events of one token each reach the rules as one input a frame, and leave no
// more behind than the answer.
func TestMillionDeltas(t *testing.T) {
	v := stream(t, "tok ", 1_000_000/slower)
	if most := int(v.took/frame) + 2; v.deltas > most {
		t.Errorf("%d inputs in %v, at most %d", v.deltas, v.took, most)
	}
	v.bounded(t)
}

// The largest delta that an event can hold.
func TestLargestDelta(t *testing.T) {
	v := stream(t, strings.Repeat("a", wire.MaxEvent-64), 1)
	v.bounded(t)
}

// An answer of 50 MB, log included.
func TestLongAnswer(t *testing.T) {
	v := stream(t, strings.Repeat("Some *text*, \"quoted\".\n", 2000), 1140/slower)
	v.bounded(t)
}

// bounded requires that a turn needs at most ten times its answer, and leaves no more behind
// than the answer, beside a few megabytes that any turn may take.
func (v volume) bounded(t *testing.T) {
	t.Helper()
	const peak, anyway = 10, 8 << 20
	if n := len(v.turn.Answer); v.peak > peak*n+anyway || v.retained > n+anyway {
		t.Errorf("%d bytes in use at most and %d at the end, for an answer of %d", v.peak, v.retained, n)
	}
}

// News that was handed on is not kept by the mailbox it went through: a turn may be over long before the next one.
func TestNewsIsNotKept(t *testing.T) {
	r := &run{wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1)}
	for n := range 3 {
		r.post(agentclient.Delta{Turn: 1, N: n, Text: "much text"})
	}
	r.post(agentclient.Ready{Turn: 1})
	var taken []weak.Pointer[joined]
	for _, n := range r.take() {
		taken = append(taken, weak.Make(n.(*joined)))
	}
	runtime.GC()
	for i, p := range taken {
		if p.Value() != nil {
			t.Errorf("delta %d of %d is still there", i+1, len(taken))
		}
	}
	if len(taken) != 3 || len(r.news) != 1 {
		t.Errorf("%d taken, %d left", len(taken), len(r.news))
	}
}
