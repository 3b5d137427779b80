package cli

import (
	"fmt"
	"time"

	"baton/model/engine"
	"baton/model/outside"
)

// reachable is what lets other processes reach a chat. All of it is empty where they cannot.
type reachable struct {
	srv  *outside.Server
	desk *outside.Desk
	said string // why they cannot, if that is to be told
}

// reach opens the chat's socket. A chat that cannot be reached runs all the same.
func (a *app) reach(s *setup, e *engine.Engine) reachable {
	if s.passing || !outside.Supported {
		return reachable{}
	}
	srv, err := outside.Listen(outside.PlacesOf(a.Env, s.conf.StateDir))
	if err != nil {
		return reachable{said: fmt.Sprintf("baton queue cannot reach this chat: %v", err)}
	}
	return reachable{srv: srv, desk: outside.NewDesk(e, time.Now)}
}

func (r reachable) calls() <-chan *outside.Call {
	if r.srv == nil {
		return nil
	}
	return r.srv.Calls()
}

// close tells those who wait, and ends listening. It may be called twice.
func (r reachable) close() {
	if r.srv != nil {
		r.desk.Close()
		r.srv.Close()
	}
}
