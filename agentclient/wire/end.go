package wire

import (
	"baton/agentclient"
	"baton/retrypolicy"
)

// End is the end of an answer as the protocol tells it, to be judged by what the answer
// brought.
type End struct {
	Reason   string // the protocol's own finish reason
	Usage    agentclient.Usage
	Cut      bool   // the output limit was reached
	Filtered bool   // a content filter stopped the answer
	Asked    bool   // the model waits for the result of a tool
	Refusal  string // the words of a refusal, which are no answer
}

// Finish judges an answer whose end was seen. Only one that shows something and waits
// for nothing is a success.
func (r *Relay) Finish(e End) (agentclient.Finish, error) {
	fail := func(c retrypolicy.Condition, message string) (agentclient.Finish, error) {
		return agentclient.Finish{}, r.answer.Fail(c, message)
	}
	switch {
	case e.Filtered:
		return fail(retrypolicy.CondRefused, "the answer was stopped by the server's content filter")
	case e.Cut && !r.visible:
		return fail(retrypolicy.CondLength, "the output limit was reached before any visible text")
	case e.Asked && !e.Cut:
		return fail(retrypolicy.CondToolAsked, "the model asks for a tool, and none is configured")
	case !r.visible && e.Refusal != "":
		return fail(retrypolicy.CondRefused, "the model refused: "+e.Refusal)
	case !r.visible:
		return fail(retrypolicy.CondEmpty, "the answer holds no visible text")
	}
	return agentclient.Finish{
		Reason: r.answer.Clean(e.Reason), Cut: e.Cut, Usage: e.Usage, RequestID: r.answer.RequestID(),
	}, nil
}

// Truncated is the failure of an answer that ended before its end was seen.
func (a *Answer) Truncated() *retrypolicy.Failure {
	return a.Fail(retrypolicy.CondTruncated, "the answer broke off before its end")
}

// Ended is the failure of an answer whose server ended it with a reason that is an error.
func (a *Answer) Ended(reason string) *retrypolicy.Failure {
	f := a.Fail(retrypolicy.CondStreamError, "the server ended the answer with the reason "+reason)
	f.Code = a.Clean(reason)
	return f
}
