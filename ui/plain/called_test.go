package plain

import (
	"testing"
	"testing/synctest"
	"time"

	"baton/model/engine"
	"baton/model/outside"
)

// reached is a talk that other processes can join. call is one of their requests, answered.
func reached(t *testing.T, script ...step) (k *talk, call func(outside.Request) outside.Reply) {
	t.Helper()
	a := &fake{script: script}
	e, err := engine.New(options("", a))
	if err != nil {
		t.Fatal(err)
	}
	calls := make(chan *outside.Call)
	k = around(t, e, a, Options{Calls: calls, Desk: outside.NewDesk(e, time.Now)})
	return k, func(req outside.Request) outside.Reply {
		t.Helper()
		c := outside.NewCall(req)
		calls <- c
		r := <-c.Replies()
		synctest.Wait()
		return r
	}
}

// What is done from outside is said, with what it led to; refusals are the caller's.
func TestCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, call := reached(t, slow, hangs)
		k.skip()
		call(outside.Request{Do: outside.Add, Text: "hello"})
		k.hears("Sent from outside: hello", "You: hello")
		call(outside.Request{Do: outside.Add, Text: "next"})
		k.hears("Added from outside: next", "Queued as row 1 of 1: next")
		call(outside.Request{Do: outside.Add, Text: "\x1b[2Jlast"})
		k.hears("Added from outside: ␛[2Jlast", "Queued as row 2 of 2: ␛[2Jlast")
		call(outside.Request{Do: outside.Edit, Rows: []string{"2"}, Text: "last"})
		k.hears("Changed from outside: last", "Row 2 is now: last")
		call(outside.Request{Do: outside.Edit, Rows: []string{"9"}, Text: "last"})
		k.hears()
		call(outside.Request{Do: outside.Move, Rows: []string{"2"}, To: 1})
		k.hears("Now row 1 from outside: last", "Row 2 is now row 1 of 2: last")

		// The numbers the person knows are not those of now.
		k.enter("/queue rm 1")
		k.hears("The rows have moved up: row 1 is now: last; enter the command again if that is the one")
		call(outside.Request{Do: outside.Remove, Rows: []string{"1"}})
		k.hears("Removed from outside: last")
		k.pass(2 * time.Second)
		k.hears("Agent: An answer.", "Starting row: next")
		k.sent("hello|next")
		k.quit()
	})
}
