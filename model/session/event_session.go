package session

var _ = durable[SessionOpened]("session.opened", "a process took the session up; what ran before is settled in the same batch")

// SessionOpened ends the state before the first input.
type SessionOpened struct {
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"`
}

func (e SessionOpened) apply(s *State) {
	s.Session, s.Awaiting, s.Quitting, s.CarryTo = e.Session, 0, false, ""
	if e.Agent != "" {
		s.Agent = e.Agent
	}
	if s.Life == nil {
		s.Life = LifeReady{}
	}
}

var _ = durable[AgentSwitched]("agent.switched", "later turns go to another agent or model")

// AgentSwitched names the agent of the turns to come.
type AgentSwitched struct {
	Agent string `json:"agent"`
}

func (e AgentSwitched) apply(s *State) { s.Agent = e.Agent }

var _ = durable[Noted]("note", "a line for the transcript that no turn owns")

// Noted puts a line into the transcript.
type Noted struct {
	Text string `json:"text"`
}

func (e Noted) apply(s *State) { s.Items = s.Items.Append(Item{Note: e.Text}) }

// QuitRequested says the program ends when the running turn has settled. Not
// recorded: a quit that does not happen is of no interest later.
type QuitRequested struct{}

func (QuitRequested) apply(s *State) { s.Quitting = true }

// Refused says that what an input asked for was not done, and why. Not recorded.
type Refused struct {
	Why  Refusal
	Text string // for people, one line with a next step
}

func (Refused) apply(*State) {}
