package retrypolicy

import (
	"errors"
	"time"
)

// Verdict is the judgement on one failure.
type Verdict struct {
	Kind  Kind
	Retry bool   // another attempt is worth making
	Class string // the ID of the class that decided
}

// Classify judges err by the first of Classes that fits. err is a *Failure or any other
// error; maxWait is the longest wait a server may ask for (Policy.MaxWait). A failure
// whose NoRetry is set keeps its kind and is not repeated.
func Classify(err error, maxWait time.Duration) Verdict {
	c := newCaseOf(err, maxWait)
	for _, class := range classes {
		if class.fits(c) {
			return Verdict{Kind: class.Kind, Retry: class.Retry && !c.f.NoRetry, Class: class.ID}
		}
	}
	return Verdict{Kind: Internal, Class: "anything-else"}
}

// caseOf is one failure as the classes look at it.
type caseOf struct {
	f       Failure
	cond    Condition
	status  int // the answer's, or the one that the error's own code stands for
	answer  int // the answer's own
	maxWait time.Duration
	err     error // what lies beneath
	words   string
}

func newCaseOf(err error, maxWait time.Duration) *caseOf {
	c := &caseOf{maxWait: maxWait, err: err}
	var f *Failure
	if errors.As(err, &f) && f != nil {
		c.f, c.err = *f, f.Err
	}
	c.cond, c.status, c.answer = c.f.Condition, c.f.Status, c.f.Status
	c.words = words(c.f.Code) + words(c.f.Type) + words(c.f.Message)
	if c.status < 300 && (c.cond == CondStreamError || c.cond == CondNone) {
		if s := statusOf(c.f.Code, c.f.Type); s != 0 {
			c.status = s
		}
	}
	return c
}

// named says whether code or type is one of the given names.
func (c *caseOf) named(names func() map[string]bool) bool {
	return names()[words(c.f.Code)] || names()[words(c.f.Type)]
}

// speaksOf says whether the error's own code, type or message holds one of the phrases.
func (c *caseOf) speaksOf(phrases ...string) bool { return holds(c.words, phrases) }

// idSays looks into the ids of the quota and of the error, not into prose.
func (c *caseOf) idSays(phrases ...string) bool {
	return holds(words(c.f.QuotaID)+words(c.f.Code)+words(c.f.Type), phrases)
}

// quick says whether the server asks for a wait that the policy accepts.
func (c *caseOf) quick() bool { return c.f.Hint.Wait > 0 && c.f.Hint.Wait <= c.maxWait }

// perMinute says whether the quota that was hit is one of minutes. Google's older
// answers name the quota in the message only.
func (c *caseOf) perMinute() bool {
	return c.idSays("per minute") || c.speaksOf("per minute")
}

func (c *caseOf) money() bool {
	return c.speaksOf(quotaPhrases...) || c.status == 429 && c.speaksOf(dailyPhrases...)
}

// tooLong says whether the request does not fit the model's context.
func (c *caseOf) tooLong() bool {
	return c.named(contextCodes) || c.speaksOf(contextPhrases...) ||
		c.speaksOf(contextNouns...) && c.speaksOf(excessWords...)
}
