package openaichat

import (
	"baton/agentclient"
	"baton/agentclient/wire"
)

// finish judges an answer whose end was seen.
func (t *turn) finish() (agentclient.Finish, error) {
	end := wire.End{Reason: t.reason, Usage: t.usage, Asked: t.relay.Tooled(), Refusal: t.refusal.String()}
	switch t.reason {
	case "content_filter":
		end.Filtered = true
	case "length", "max_tokens":
		end.Cut = true
	case "tool_calls", "function_call":
		end.Asked = true
	case "error", "abort", "aborted", "cancelled", "canceled", "insufficient_system_resource":
		return agentclient.Finish{}, t.answer.Ended(t.reason)
	}
	return t.relay.Finish(end)
}
