package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"baton/agentclient"
	"baton/model/session"
	"baton/retrypolicy"
)

const (
	// frame is how often streamed text is handed on at most: one message a frame.
	frame = time.Second / 60
	// flushAfter is how long streamed text may stay unrecorded when nothing follows it.
	flushAfter = session.PartialEvery
)

// run is a turn under way: its news, in order, between the goroutine that performs it
// and the one that listens.
type run struct {
	session string
	turn    session.TurnID
	cancel  context.CancelFunc
	skip    chan int
	start   func(emit func(agentclient.News))
	now     func() time.Time
	settled chan struct{} // closed when the agent client is done

	mu     sync.Mutex
	news   []agentclient.News
	wake   chan struct{}
	urgent chan struct{}

	// What follows is owned by listen.
	lastHanded time.Time
	flushAt    time.Time // when text that nothing followed is to be recorded; zero for none
	flushN     int       // the attempt that text belongs to
}

func newRun(e *Engine, id session.TurnID, policy retrypolicy.Policy) *run {
	ctx, cancel := context.WithCancel(context.Background())
	r := &run{session: e.state.Session, turn: id, cancel: cancel, skip: make(chan int, 1), now: e.opt.Now,
		settled: make(chan struct{}), wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1)}
	state, past, kept, files, agent := e.state, e.past, e.older, e.files, e.agent
	turn := agentclient.Turn{ID: agentclient.TurnID(id), Policy: policy, Limit: e.opt.Limit, Skip: r.skip, Now: e.opt.Now}
	log := e.opt.Log.With("session", r.session)
	r.start = func(emit func(agentclient.News)) {
		older, err := past.context(ctx, state.Items, kept)
		if err != nil { // a request without what was said before would be another one
			agent = unready{agent, err}
		}
		turn.Request = request(state, older, id, files, agent)
		agentclient.Run(ctx, turn, agent, agentclient.Observed(log, emit))
	}
	return r
}

// perform runs the turn to its settlement. Its news goes to listen.
func (r *run) perform() Result {
	defer close(r.settled)
	r.start(r.post)
	return Result{}
}

// skipWait ends the wait behind an attempt.
func (r *run) skipWait(attempt int) {
	select {
	case <-r.skip: // an older wish that nobody took
	default:
	}
	r.skip <- attempt
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// post takes news in. Deltas that follow each other become one.
func (r *run) post(n agentclient.News) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d, streamed := n.(agentclient.Delta)
	if last := len(r.news) - 1; streamed && last >= 0 {
		if before, ok := r.news[last].(*joined); ok && before.N == d.N {
			before.add(d)
			signal(r.wake)
			return
		}
	}
	if streamed {
		j := &joined{Delta: agentclient.Delta{Turn: d.Turn, N: d.N}}
		j.add(d)
		r.news = append(r.news, j)
		signal(r.wake)
		return
	}
	r.news = append(r.news, n)
	if _, ready := n.(agentclient.Ready); ready {
		return // goes out together with the Promote behind it
	}
	signal(r.urgent)
	signal(r.wake)
}

// take removes all news there is, but for a Ready whose Promote is still to come. The
// urgency of what it takes is over, so that it does not hurry the text behind it.
func (r *run) take() []agentclient.News {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.urgent:
	default:
	}
	n := len(r.news)
	if n > 0 {
		if _, ready := r.news[n-1].(agentclient.Ready); ready {
			n--
		}
	}
	news := slices.Clone(r.news[:n])
	r.news = slices.Delete(r.news, 0, n) // nothing here may keep a text that was handed on
	return news
}

// joined collects deltas without copying what came before.
type joined struct {
	agentclient.Delta
	text, reasoning []string
}

func (j *joined) add(d agentclient.Delta) {
	if d.Text != "" {
		j.text = append(j.text, d.Text)
	}
	if d.Reasoning != "" {
		j.reasoning = append(j.reasoning, d.Reasoning)
	}
}

// listen waits for news and brings back everything there is: text at most once a
// frame, everything else at once. Text that nothing follows is flushed to the record.
func (r *run) listen() Result {
	news, flush := r.await()
	at := r.now()
	r.lastHanded = at
	res := Result{Session: r.session, Again: r.listen}
	if flush {
		res.Inputs = append(res.Inputs, session.Delta{Turn: r.turn, N: r.flushN, At: at})
		r.flushAt = time.Time{}
	}
	for _, n := range news {
		res.Heard = r.turn
		if j, ok := n.(*joined); ok && len(j.text)+len(j.reasoning) > 0 {
			r.flushAt, r.flushN = at.Add(flushAfter), j.N
		}
		res.Inputs = append(res.Inputs, Translate(n, at))
		if settles(n) {
			res.Again = nil
		}
	}
	return res
}

// await returns once there is news, or text has stood unrecorded for long enough.
func (r *run) await() (news []agentclient.News, flush bool) {
	var due <-chan time.Time
	if !r.flushAt.IsZero() {
		due = time.After(r.flushAt.Sub(r.now()))
	}
	for len(news) == 0 && !flush { // a wake may be for news that was taken already
		select {
		case <-r.wake:
			r.rest()
		case <-due:
			flush = true
		}
		news = r.take()
	}
	return news, flush
}

// rest waits for the next frame, unless something comes that is more than text.
func (r *run) rest() {
	wait := frame - r.now().Sub(r.lastHanded)
	if wait <= 0 || wait > frame { // the latter: the clock was set back
		return
	}
	select {
	case <-time.After(wait):
	case <-r.urgent:
	}
}

// settles reports whether nothing follows this news.
func settles(n agentclient.News) bool {
	switch n.(type) {
	case agentclient.Promote, agentclient.GaveUp, agentclient.Stopped:
		return true
	}
	return false
}
