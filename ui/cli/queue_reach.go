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
}

// reach prepares the chat's socket, which open makes.
func (a *app) reach(s *setup, e *engine.Engine) reachable {
	if s.passing || !outside.Supported {
		return reachable{}
	}
	return reachable{srv: outside.New(outside.PlacesOf(a.Env, s.conf.StateDir)), desk: outside.NewDesk(e, time.Now)}
}

// open makes the socket, and returns what is to be told. A chat that cannot be reached runs all the same.
func (r reachable) open() string {
	if r.srv == nil {
		return ""
	}
	if err := r.srv.Listen(); err != nil {
		return fmt.Sprintf("baton queue cannot reach this chat: %v", err)
	}
	return ""
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
