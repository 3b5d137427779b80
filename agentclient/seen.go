package agentclient

import (
	"strings"
	"time"

	"baton/retrypolicy"
)

// seen watches one attempt: it turns pieces into news and fills the receipt.
type seen struct {
	run     *run
	started time.Time
	receipt Attempt

	visible bool // text that is more than white space
	tool    bool // a tool part was created or updated
	over    bool
}

// take is the attempt's Sink.
func (s *seen) take(p Piece) {
	if s.over {
		return // a piece after its attempt belongs to nothing
	}
	id, n := s.run.turn.ID, s.run.n
	spoke := p.Text != "" || p.Reasoning != "" || p.Alive
	if s.receipt.FirstByte == 0 && (spoke || p.Tool != nil || p.Phase == Streaming) {
		s.receipt.FirstByte = max(time.Since(s.started), 1) // 0 would say that none came
	}
	if p.Phase != "" {
		s.run.emit(PhaseChanged{Turn: id, N: n, Phase: p.Phase})
	}
	if p.Tool != nil {
		s.tool = true
		s.run.emit(ToolActivity{Turn: id, N: n, Part: *p.Tool})
	}
	if spoke {
		s.visible = s.visible || strings.TrimSpace(p.Text) != ""
		s.receipt.Bytes += int64(len(p.Text) + len(p.Reasoning))
		s.run.emit(Delta{Turn: id, N: n, Text: p.Text, Reasoning: p.Reasoning})
	}
}

func (s *seen) close() {
	s.over = true
	s.receipt.Took = time.Since(s.started)
}

// nothing is the second lock on an empty success: it returns the failure of an attempt
// that ended well and brought neither visible text nor a tool part.
func (s *seen) nothing(f Finish) error {
	if s.visible || s.tool {
		return nil
	}
	condition := retrypolicy.CondEmpty
	if f.Cut {
		condition = retrypolicy.CondLength
	}
	return &retrypolicy.Failure{Condition: condition, RequestID: f.RequestID}
}
