package openaichat

import (
	"baton/agentclient"
	"baton/retrypolicy"
)

// ended judges a body that ended without [DONE] and without a finish reason.
func (t *turn) ended() (agentclient.Finish, error) {
	if t.lenient {
		return t.finish()
	}
	return agentclient.Finish{}, t.answer.Fail(retrypolicy.CondTruncated, "the answer broke off before its end")
}

// finish judges an answer whose end was seen.
func (t *turn) finish() (agentclient.Finish, error) {
	done := agentclient.Finish{Reason: t.answer.Clean(t.reason), Usage: t.usage, RequestID: t.answer.RequestID()}
	fail := func(c retrypolicy.Condition, message string) (agentclient.Finish, error) {
		return agentclient.Finish{}, t.answer.Fail(c, message)
	}
	switch t.reason {
	case "content_filter":
		return fail(retrypolicy.CondRefused, "the answer was stopped by the server's content filter")
	case "length", "max_tokens":
		if !t.visible {
			return fail(retrypolicy.CondLength, "the output limit was reached before any visible text")
		}
		done.Cut = true
		return done, nil
	case "error", "abort", "aborted", "cancelled", "canceled", "insufficient_system_resource":
		f := t.answer.Fail(retrypolicy.CondStreamError, "the server ended the answer with finish reason "+t.reason)
		f.Code = t.answer.Clean(t.reason)
		return agentclient.Finish{}, f
	case "tool_calls", "function_call":
		t.toolSeen = true
	}
	switch {
	case t.toolSeen:
		return fail(retrypolicy.CondToolAsked, "the model asks for a tool, and none is configured")
	case !t.visible && t.refusal.Len() > 0:
		return fail(retrypolicy.CondRefused, "the model refused: "+t.refusal.String())
	case !t.visible:
		return fail(retrypolicy.CondEmpty, "the answer holds no visible text")
	}
	return done, nil
}
