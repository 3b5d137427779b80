package session

var _ = durable[TurnSucceeded]("turn.succeeded", "the turn's one settlement: an answer")

// TurnSucceeded settles a turn with its answer.
type TurnSucceeded struct {
	Turn      TurnID    `json:"turn"`
	Answer    string    `json:"answer"`
	Reasoning string    `json:"reasoning,omitempty"`
	Cut       bool      `json:"cut,omitempty"`
	Compact   bool      `json:"compact,omitempty"` // as the turn's start says, which a tail may lack
	Tokens    int64     `json:"tokens,omitempty"`
	N         int       `json:"n"` // attempts made
	Max       int       `json:"max,omitempty"`
	Attempts  []Attempt `json:"attempts,omitempty"`
}

func (e TurnSucceeded) apply(s *State) {
	s.Life, s.Awaiting, s.live = LifeReady{}, e.Turn, live{}
	s.setTurn(e.Turn, func(t *Turn) {
		t.Outcome, t.Answer, t.Reasoning, t.Cut, t.Tokens = Succeeded, e.Answer, e.Reasoning, e.Cut, e.Tokens
		t.N, t.Max, t.Attempts = e.N, e.Max, e.Attempts
		t.Compact = t.Compact || e.Compact
	})
}

var _ = durable[TurnFailed]("turn.failed", "the turn's one settlement: it was given up")

// TurnFailed settles a turn as given up. It alone is enough for the error row.
type TurnFailed struct {
	Turn      TurnID    `json:"turn"`
	Cause     Cause     `json:"cause"`
	N         int       `json:"n"` // attempts made
	Max       int       `json:"max"`
	Exhausted bool      `json:"exhausted,omitempty"`
	Lost      string    `json:"lost,omitempty"` // text of the last attempt
	Reasoning string    `json:"reasoning,omitempty"`
	Attempts  []Attempt `json:"attempts,omitempty"`
}

func (e TurnFailed) apply(s *State) {
	s.Life, s.live = LifeError{e.Turn}, live{}
	s.setTurn(e.Turn, func(t *Turn) {
		t.Outcome, t.Cause, t.Lost, t.Reasoning = Failed, e.Cause, e.Lost, e.Reasoning
		t.N, t.Max, t.Attempts = e.N, e.Max, e.Attempts
	})
}

var _ = durable[TurnStopped]("turn.stopped", "the turn's one settlement: the person, or the end of the program, stopped it")

// TurnStopped settles a turn that was stopped.
type TurnStopped struct {
	Turn        TurnID    `json:"turn"`
	Partial     string    `json:"partial,omitempty"` // of the running attempt; part of the context
	Reasoning   string    `json:"reasoning,omitempty"`
	Lost        string    `json:"lost,omitempty"` // of a failed attempt; never sent
	Interrupted bool      `json:"interrupted,omitempty"`
	N           int       `json:"n,omitempty"` // attempts begun
	Max         int       `json:"max,omitempty"`
	Attempts    []Attempt `json:"attempts,omitempty"`
}

func (e TurnStopped) apply(s *State) {
	s.Life, s.live = LifeReady{}, live{}
	s.setTurn(e.Turn, func(t *Turn) {
		t.Outcome, t.Answer, t.Reasoning, t.Lost, t.Interrupted = Stopped, e.Partial, e.Reasoning, e.Lost, e.Interrupted
		t.N, t.Max, t.Attempts = e.N, e.Max, e.Attempts
	})
}

var _ = durable[StopRequested]("stop.requested", "the person asked the running turn to stop")

// StopRequested moves a turn to stopping.
type StopRequested struct {
	Turn TurnID `json:"turn"`
	Open bool   `json:"open,omitempty"` // nothing held the queue at that moment
}

func (e StopRequested) apply(s *State) { PhaseEntered{Stopping{e.Open}}.apply(s) }

var _ = durable[BatonPassed]("baton.passed", "the turn's promotion was used, whether or not a row started")

// BatonPassed uses up the promotion of a succeeded turn.
type BatonPassed struct {
	Turn TurnID `json:"turn"`
}

func (e BatonPassed) apply(s *State) { s.Awaiting = 0 }
