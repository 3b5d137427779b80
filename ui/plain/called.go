package plain

import (
	"baton/model/engine"
	"baton/model/outside"
	"baton/queue"
)

// called does what another process asks for, and says so.
func (p *program) called(c *outside.Call) {
	before := p.eng.State().Queue
	p.do(func() engine.Outcome {
		res := p.Desk.Take(c)
		if res.Note != "" {
			p.say(sentenceOf(res.Note))
			p.told.removed = c.Request.Do == outside.Remove
		}
		return res.Outcome
	})
	p.told.removed = false
	if moved(before, p.eng.State().Queue) {
		p.seen.shifted = p.Now()
	}
}

// moved reports whether rows have other numbers than before.
func moved(before, after queue.List) bool {
	for i, r := range before.Rows() {
		if after.Index(r.ID) != i {
			return true
		}
	}
	return false
}
