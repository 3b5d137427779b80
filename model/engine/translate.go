package engine

import (
	"fmt"
	"strings"
	"time"

	"baton/agentclient"
	"baton/model/session"
)

// Translate turns the agent client's news into the session's inputs. The switch is
// exhaustive: news that nobody translates would be a defect, so it panics.
func Translate(n agentclient.News, at time.Time) session.Input {
	id := session.TurnID(n.About())
	switch n := n.(type) {
	case agentclient.AttemptStarted:
		return session.AttemptStarted{Turn: id, N: n.N}
	case agentclient.PhaseChanged:
		return session.PhaseChanged{Turn: id, N: n.N, Phase: phase(n.Phase)}
	case agentclient.Delta:
		return session.Delta{Turn: id, N: n.N, Text: n.Text, Reasoning: n.Reasoning, At: at}
	case *joined:
		return session.Delta{Turn: id, N: n.N, Text: strings.Join(n.text, ""), Reasoning: strings.Join(n.reasoning, ""), At: at}
	case agentclient.ToolActivity:
		return session.ToolActivity{Turn: id, N: n.N, Part: session.ToolPart(n.Part)}
	case agentclient.RetryScheduled:
		return session.RetryScheduled{Turn: id, N: n.N, Max: n.Max, Delay: n.Delay, Due: n.Due, Hint: n.Hint, Attempt: attempt(n.Attempt)}
	case agentclient.RetryStarted:
		return session.RetryStarted{Turn: id, N: n.N, Waited: n.Waited}
	case agentclient.Ready:
		return session.Ready{Turn: id, N: n.N, Cut: n.Finish.Cut, Tokens: n.Finish.Usage.Input + n.Finish.Usage.Output, Attempts: attempts(n.Attempts)}
	case agentclient.GaveUp:
		return session.GaveUp{Turn: id, N: n.N, Max: n.Max, Exhausted: n.Exhausted, Cause: session.Cause(n.Cause), Until: n.Hint.Until, Attempts: attempts(n.Attempts)}
	case agentclient.Stopped:
		return session.StoppedByClient{Turn: id, Attempts: attempts(n.Attempts)}
	case agentclient.Promote:
		return session.Promote{Turn: id}
	}
	panic(fmt.Sprintf("engine: news of type %T has no input", n))
}

func phase(p agentclient.Phase) session.Phase {
	switch p {
	case agentclient.Waiting:
		return session.Waiting{}
	case agentclient.Streaming:
		return session.Streaming{}
	case agentclient.Tool:
		return session.ToolRunning{}
	case agentclient.Approval:
		return session.Approval{}
	}
	return session.Connecting{}
}

func attempt(a agentclient.Attempt) session.Attempt {
	return session.Attempt{N: a.N, Started: a.Started, FirstByte: a.FirstByte, Took: a.Took, Bytes: a.Bytes,
		Cause: session.Cause(a.Cause), Hint: a.Hint, Delay: a.Delay, Waited: a.Waited}
}

func attempts(as []agentclient.Attempt) []session.Attempt {
	var out []session.Attempt
	for _, a := range as {
		out = append(out, attempt(a))
	}
	return out
}
