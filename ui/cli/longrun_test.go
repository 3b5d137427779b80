package cli

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/agentclient/openaichat"
	"baton/model/engine"
	"baton/model/session"
	"baton/retrypolicy"
)

var longTurns = flag.Int("longrun.turns", 150, "turns of the long run")

// flaky is a server that fails every third request at random, in many ways, and keeps
// its own log of what it was asked.
type flaky struct {
	mu   sync.Mutex
	rand *rand.Rand
	log  []asked
}

type asked struct {
	prompt string // the last message
	body   [sha256.Size]byte
	ok     bool
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var req struct {
		Messages []struct{ Content string }
	}
	if err := json.Unmarshal(body, &req); err != nil || len(req.Messages) == 0 {
		w.WriteHeader(400)
		return
	}
	f.mu.Lock()
	fail := f.rand.IntN(3) == 0
	how := f.rand.IntN(6)
	f.log = append(f.log, asked{req.Messages[len(req.Messages)-1].Content, sha256.Sum256(body), !fail})
	f.mu.Unlock()
	stream := func(parts ...string) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, p := range parts {
			fmt.Fprintf(w, "data: %s\n\n", p)
		}
	}
	text := `{"choices":[{"delta":{"content":"ok"}}]}`
	switch {
	case !fail:
		stream(text, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, "[DONE]")
	case how == 0:
		w.WriteHeader(503)
	case how == 1:
		w.WriteHeader(500)
	case how == 2:
		stream(text) // and no end
	case how == 3:
		stream(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`, "[DONE]") // and no text
	case how == 4:
		stream(text, `{"error":{"message":"overloaded","type":"overloaded_error"}}`)
	default:
		panic(http.ErrAbortHandler) // the connection breaks
	}
}

// TestLongRun: 2,000 turns when asked for, three rows queued throughout, every third
// request failing; a turn that is given up is retried by hand. By the server's own log
// each prompt is answered once, in order, and every attempt of a step sends one body.
func TestLongRun(t *testing.T) {
	const seed = 20260504
	f := &flaky{rand: rand.New(rand.NewPCG(seed, 1))}
	srv := httptest.NewServer(f)
	defer srv.Close()
	agent, err := openaichat.New(openaichat.Config{Name: "flaky", BaseURL: srv.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	p := retrypolicy.DefaultPolicy()
	p.Attempts, p.Base, p.LimitedBase = 3, time.Millisecond, time.Millisecond // few, so that giving up happens too
	e, err := engine.New(engine.Options{Dir: t.TempDir(), App: "test", Agent: agent, Policy: p, Tireless: true})
	if err != nil {
		t.Fatal(err)
	}
	given := drive(t, e, *longTurns)
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	checkLog(t, f.log, *longTurns)
	t.Logf("%d turns, %d requests, %d given up and retried by hand", *longTurns, len(f.log), given)
	if given == 0 && *longTurns >= 150 {
		t.Error("no turn was ever given up: the run shows less than it should")
	}
}

// drive keeps three rows queued and retries by hand what was given up.
func drive(t *testing.T, e *engine.Engine, turns int) (given int) {
	results := make(chan engine.Result)
	next := 0
	var after func(engine.Outcome)
	after = func(out engine.Outcome) {
		for _, job := range out.Jobs {
			go func() { results <- job() }()
		}
	}
	for {
		s := e.State()
		for next < turns && s.Queue.Len() < 3 && (s.Busy() || next == 0) {
			after(e.Step(session.Submit{Draft: session.Draft{Text: fmt.Sprintf("prompt %d", next)}}))
			next++
			s = e.State()
		}
		if last, ok := s.LastTurn(); ok && !s.Busy() {
			if last.Outcome == session.Succeeded && s.Queue.Len() == 0 && s.Awaiting == 0 {
				return given
			}
			if last.Outcome == session.Failed {
				given++
				after(e.Step(session.Retry{Turn: last.ID}))
			}
		}
		select {
		case r := <-results:
			after(e.Take(r))
		case <-time.After(30 * time.Second):
			t.Fatalf("stuck: %T, %d rows, gate %+v", s.Life, s.Queue.Len(), s.Gate)
		}
	}
}

func checkLog(t *testing.T, log []asked, turns int) {
	t.Helper()
	want := 0
	bodies := map[string][sha256.Size]byte{}
	for i, a := range log {
		if a.prompt != fmt.Sprintf("prompt %d", want) {
			t.Fatalf("request %d asks %q, want prompt %d", i, a.prompt, want)
		}
		if b, seen := bodies[a.prompt]; seen && b != a.body {
			t.Fatalf("request %d sends another body for %q", i, a.prompt)
		}
		bodies[a.prompt] = a.body
		if a.ok {
			want++
		}
	}
	if want != turns {
		t.Fatalf("%d prompts answered, want %d", want, turns)
	}
	for p := range bodies {
		if strings.Contains(p, session.ContinueText) {
			t.Error("a generated row was sent beside a retry by hand")
		}
	}
}
