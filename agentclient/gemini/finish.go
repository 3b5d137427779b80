package gemini

import (
	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/retrypolicy"
)

// filtered are the finish reasons of an answer that a filter stopped.
var filtered = map[string]bool{
	"SAFETY": true, "RECITATION": true, "LANGUAGE": true, "BLOCKLIST": true, "PROHIBITED_CONTENT": true, "SPII": true,
	"IMAGE_SAFETY": true, "IMAGE_PROHIBITED_CONTENT": true, "IMAGE_RECITATION": true,
}

// finish judges an answer whose end was seen. A reason it does not know counts as an
// ordinary end.
func (t *turn) finish() (agentclient.Finish, error) {
	end := wire.End{Reason: t.reason, Usage: t.usage, Asked: t.asked > 0}
	fail := func(c retrypolicy.Condition, message string) (agentclient.Finish, error) {
		if t.words != "" {
			message += ": " + t.words
		}
		return agentclient.Finish{}, t.answer.Fail(c, message)
	}
	switch {
	case t.blocked:
		return fail(retrypolicy.CondRefused, "the prompt was blocked by the server ("+t.reason+")")
	case filtered[t.reason]:
		return fail(retrypolicy.CondRefused, "the answer was stopped by the server's filter ("+t.reason+")")
	}
	switch t.reason {
	case "MAX_TOKENS":
		end.Cut = true
	case "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS":
		end.Asked = true
	case "MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE":
		return fail(retrypolicy.CondMalformed, "the model wrote what the server cannot read ("+t.reason+")")
	case "OTHER":
		return agentclient.Finish{}, t.answer.Ended(t.reason)
	}
	finish, err := t.relay.Finish(end)
	if err == nil && finish.RequestID == "" {
		finish.RequestID = t.answer.Clean(t.id)
	}
	return finish, err
}
