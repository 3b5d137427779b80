package sandbox

import (
	"container/list"
	"crypto/sha256"
	"strings"
)

// MaxScripts bounds how many prompts with faults of their own are remembered.
const MaxScripts = 256

// mark begins the first line of a prompt that brings its faults along.
const mark = "fault:"

// faultOf returns what happens to a request and the prompt to answer. A prompt whose
// first line is "fault: LIST" goes through that list, one fault for each request with
// this very body, so that the retries of a turn meet one after the other and no other
// prompt does; behind the list it is answered as usual. It uses up nothing that is armed.
func (s *Server) faultOf(q asked) (Fault, string, error) {
	first, rest, _ := strings.Cut(q.text, "\n")
	items, scripted := strings.CutPrefix(first, mark)
	if !scripted {
		return s.next(), strings.Join(append(q.files, q.text), "\n"), nil
	}
	faults, err := ParseFaults(items)
	if err != nil {
		return Fault{}, "", err
	}
	if strings.TrimSpace(rest) == "" {
		rest = q.text // there is nothing else to repeat
	}
	fault := fine
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.scripts.met(q.sum); n < len(faults) {
		fault = faults[n]
	}
	return fault, strings.Join(append(q.files, rest), "\n"), nil
}

// scripts counts the requests with the same body, of the last MaxScripts bodies. The
// zero value has seen none.
type scripts struct {
	byAge list.List // of *script, the one met last in front
	by    map[[sha256.Size]byte]*list.Element
}

type script struct {
	sum [sha256.Size]byte
	met int
}

// met counts one more request and returns how many there were before.
func (s *scripts) met(sum [sha256.Size]byte) int {
	if e, ok := s.by[sum]; ok {
		s.byAge.MoveToFront(e)
		c := e.Value.(*script)
		c.met++
		return c.met - 1
	}
	if s.by == nil {
		s.by = map[[sha256.Size]byte]*list.Element{}
	}
	if s.byAge.Len() == MaxScripts {
		oldest := s.byAge.Back()
		delete(s.by, s.byAge.Remove(oldest).(*script).sum)
	}
	s.by[sum] = s.byAge.PushFront(&script{sum, 1})
	return 0
}
