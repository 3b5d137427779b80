package wire

import (
	"sync"
	"time"

	"baton/agentclient"
	"baton/retrypolicy"
)

// silence is a limit that passed; it is the cause the request is cancelled with.
type silence struct {
	condition retrypolicy.Condition
	after     time.Duration
	what      string
}

func (s *silence) Error() string { return s.what + " within " + s.after.String() }

// limit is one timer that ends the request unless it is stopped or renewed.
type limit struct {
	mu    sync.Mutex
	timer *time.Timer
	cause *silence
	end   func(error)
}

// start begins or renews the limit. A limit of zero is off.
func (l *limit) start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.cause.after <= 0:
	case l.timer == nil:
		cause := l.cause
		l.timer = time.AfterFunc(cause.after, func() { l.end(cause) })
	default:
		l.timer.Reset(l.cause.after)
	}
}

// set changes the limit from its next start on.
func (l *limit) set(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := *l.cause
	changed.after, l.cause = d, &changed
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}

func (l *limit) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
	}
}

// watch holds the limits of one exchange. Connect runs until a connection stands.
// First runs from there, again from the moment the request is written, until the first
// byte of the body: trickling header bytes do not renew it. Idle runs from the end of
// the headers and every byte of the body renews it, whatever the byte means.
type watch struct{ connect, first, idle limit }

func newWatch(t agentclient.Timeouts, end func(error)) *watch {
	return &watch{
		connect: limit{end: end, cause: &silence{retrypolicy.CondConnectTime, t.Connect, "no connection"}},
		first:   limit{end: end, cause: &silence{retrypolicy.CondFirstByteTime, t.FirstByte, "no byte of an answer"}},
		idle:    limit{end: end, cause: &silence{retrypolicy.CondIdleTime, t.Idle, "no further byte"}},
	}
}

func (w *watch) connected() {
	w.connect.stop()
	w.first.start()
}

func (w *watch) bodyByte() {
	w.first.stop()
	w.idle.start()
}

func (w *watch) stop() {
	w.connect.stop()
	w.first.stop()
	w.idle.stop()
}
