package retrypolicy

import (
	"testing"
	"time"
)

func TestBreaker(t *testing.T) {
	t0 := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return t0.Add(time.Duration(s * float64(time.Second))) }
	open := func(b Breaker, s float64) bool { _, yes := b.Open(at(s)); return yes }

	var b Breaker
	if open(b, 0) {
		t.Fatal("the zero value is closed")
	}
	b = b.Exhausted(at(0)).Exhausted(at(30))
	if open(b, 30) {
		t.Error("two exhausted turns do not open it")
	}
	if late := b.Exhausted(at(60.001)); open(late, 60.001) {
		t.Error("three in more than a minute do not open it")
	}
	b = b.Exhausted(at(60))
	if until, yes := b.Open(at(60)); !yes || !until.Equal(at(90)) {
		t.Errorf("three within a minute open it for 30 s: %v until %v", yes, until)
	}
	if !open(b, 89.999) || open(b, 90) {
		t.Error("it stays open for exactly 30 s")
	}
	if open(b, 59) {
		t.Error("a clock set back must not keep it open")
	}
	if again := b.Exhausted(at(80)); !open(again, 109) {
		t.Error("a failed probe opens it again")
	}
	if after := b.Exhausted(at(200)); open(after, 200) {
		t.Error("one failure long after is no reason")
	}
}
