package protocoltest

import (
	"bytes"
	"encoding/json"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
)

// word is what an event says: about as much as a token.
const word = " baton"

// maxAllocs bounds what reading one event allocates, in objects, through the whole of a
// client. What no event can do without is its data as a text, the decoder with what it
// fills, and the word itself.
const maxAllocs = 18

// streams starts a server that answers with so many words, an event each, and returns
// what reads one such answer.
func (p Protocol) streams(tb testing.TB, words int) (read func()) {
	tb.Helper()
	answer := p.head() + p.whole(Done, strings.Repeat(p.Stream.Text(word), words))
	server := wiretest.Start(tb, func(_ int, c *net.TCPConn) { wiretest.Write(c, answer) })
	agent, err := p.Open(Settings{BaseURL: "http://" + server.Addr() + p.Base, Model: "m"})
	if err != nil {
		tb.Fatal(err)
	}
	return func() {
		heard := 0
		if _, err := agent.Send(tb.Context(), hello, func(piece agentclient.Piece) { heard += len(piece.Text) }); err != nil {
			tb.Fatal(err)
		}
		if heard != words*len(word) {
			tb.Fatalf("%d bytes heard, want %d", heard, words*len(word))
		}
	}
}

// event is the JSON of one event.
func (p Protocol) event() []byte {
	text := p.Stream.Text(word)
	return []byte(strings.TrimSpace(text[strings.Index(text, "{"):]))
}

// Costs bounds what reading an event allocates, whatever the answer's length. What a
// request costs by itself does not count.
func Costs(t *testing.T, p Protocol) {
	t.Helper()
	const few, many = 500, 5500
	short, long := p.streams(t, few), p.streams(t, many)
	each := (testing.AllocsPerRun(2, long) - testing.AllocsPerRun(2, short)) / (many - few)
	t.Logf("%.1f allocations an event", each)
	if each > maxAllocs {
		t.Errorf("%.1f allocations an event, at most %d", each, maxAllocs)
	}
}

// Bench compares reading an answer of short events through the whole client with decoding
// their bare JSON by encoding/json, in turns: into maps and lists, and to nothing, which is
// a check of its grammar. The ratios are of the best times.
func Bench(b *testing.B, p Protocol) {
	const words = 20_000
	read, event := p.streams(b, words), p.event()
	best := map[string]time.Duration{}
	timed := func(name string, f func()) {
		runtime.GC() // what one leaves behind is not the next one's cost
		begin := time.Now()
		f()
		if took := time.Since(begin); best[name] == 0 || took < best[name] {
			best[name] = took
		}
	}
	for b.Loop() {
		timed("client", read)
		timed("maps", func() {
			for range words {
				var v any
				if err := json.Unmarshal(event, &v); err != nil {
					b.Fatal(err)
				}
			}
		})
		timed("grammar", func() {
			for range words {
				if !json.Valid(event) {
					b.Fatal("not JSON")
				}
			}
		})
	}
	b.SetBytes(int64(words * len(bytes.TrimSpace(event))))
	b.ReportMetric(float64(best["client"])/float64(best["maps"]), "client/maps")
	b.ReportMetric(float64(best["client"])/float64(best["grammar"]), "client/grammar")
	b.ReportMetric(testing.AllocsPerRun(1, read)/words, "allocs/event")
}
