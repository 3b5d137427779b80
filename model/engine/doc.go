// Package engine drives a session: each input is decided, recorded, folded and only
// then acted upon, in this order, always. It must not import Bubble Tea, so that the
// screen and the headless runner share it.
//
// An Engine belongs to one goroutine. What takes time is handed out as Jobs, which run
// anywhere and come back as Results to that goroutine.
package engine
