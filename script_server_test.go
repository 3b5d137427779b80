package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"baton/ui/termtest"
)

// serverCommands are the script's commands about the server that stands for a provider.
func serverCommands() map[string]scriptCommand {
	return map[string]scriptCommand{
		"server": positive(0, startServer), "requests": positive(1, wantRequests), "asked": positive(2, wantAsked), "request": wantBody,
		"models":  positive(0, func(ts *testscript.TestScript, args []string) { provider(ts).Models(args...) }),
		"release": positive(0, releaseGate),
	}
}

func provider(ts *testscript.TestScript) *termtest.Provider {
	p := stageOf(ts).server
	if p == nil {
		ts.Fatalf("no server was started")
	}
	return p
}

func startServer(ts *testscript.TestScript, args []string) {
	s := stageOf(ts)
	var script []termtest.Response
	for _, arg := range args {
		more, err := s.answers(arg)
		ts.Check(err)
		script = append(script, more...)
	}
	if s.server != nil {
		s.server.Then(script...)
		return
	}
	s.server = termtest.NewProvider(s.test(), script...)
	ts.Setenv("SERVER", s.server.URL())
	ts.Setenv("SERVER_ADDR", s.server.Addr())
}

// answers reads one ANSWER of the script.
func (s *stage) answers(spec string) ([]termtest.Response, error) {
	times := 1
	if before, n, ok := strings.Cut(spec, "*"); ok && !strings.Contains(before, ":") {
		var err error
		if times, err = strconv.Atoi(n); err != nil {
			return nil, fmt.Errorf("%s: %w", spec, err)
		}
		spec = before
	}
	var list []termtest.Response
	for range times {
		r, err := s.answer(spec)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

func (s *stage) answer(spec string) (termtest.Response, error) {
	name, text, _ := strings.Cut(spec, ":")
	if kind, n, ok := strings.Cut(name, "@"); ok {
		words, err := strconv.Atoi(n)
		if cuts := map[string]func(int) termtest.Response{"cut": termtest.CutAfter, "stall": termtest.StallAfter}[kind]; err == nil && cuts != nil {
			return cuts(words), nil
		}
	}
	if code, err := strconv.Atoi(name); err == nil {
		return status(code, text), nil
	}
	switch name {
	case "ok":
		return termtest.OK(text), nil
	case "gate":
		g := termtest.NewGate(s.test(), text)
		s.gates = append(s.gates, g)
		return g.Response(), nil
	}
	simple := map[string]func() termtest.Response{
		"echo": termtest.Echo, "hang": termtest.Hang, "silent": termtest.Silent, "empty": termtest.Empty200,
		"reset": func() termtest.Response { return termtest.Reset(0) },
	}
	if r := simple[name]; r != nil {
		return r(), nil
	}
	return nil, fmt.Errorf("there is no answer %q", spec)
}

// status is a failure, with the seconds to wait or a message of its own.
func status(code int, text string) termtest.Response {
	if text == "" {
		return termtest.Fail(code)
	}
	if _, err := strconv.Atoi(text); err == nil {
		return termtest.Status(code, map[string]string{"Retry-After": text}, termtest.ErrorBody("", "", "wait"))
	}
	return termtest.Status(code, nil, termtest.ErrorBody("", "", text))
}

func wantRequests(ts *testscript.TestScript, args []string) {
	n := number(ts, args[0])
	if got := len(awaitRequests(ts, n)); got != n {
		ts.Fatalf("the server saw %d requests, want %d", got, n)
	}
}

// awaitRequests waits for n requests, as long as there is somebody who can send them.
func awaitRequests(ts *testscript.TestScript, n int) []termtest.Request {
	p, s := provider(ts), stageOf(ts)
	for limit := time.Now().Add(scriptPatience); ; time.Sleep(time.Millisecond) {
		alone := s.alone()
		switch rs := p.Requests(); {
		case len(rs) >= n:
			return rs
		case alone || time.Now().After(limit):
			ts.Fatalf("the server saw %d requests, want %d", len(rs), n)
		}
	}
}

func nthRequest(ts *testscript.TestScript, arg string) termtest.Request {
	n := number(ts, arg)
	return awaitRequests(ts, n)[n-1]
}

func wantAsked(ts *testscript.TestScript, args []string) {
	if got := nthRequest(ts, args[0]).Last(); got != args[1] {
		ts.Fatalf("request %s ends with %q, want %q", args[0], got, args[1])
	}
}

func wantBody(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] request N PATTERN")
	}
	body := nthRequest(ts, args[0]).Body
	if pattern(ts, args[1]).Match(body) == neg {
		ts.Fatalf("the body of request %s:\n%s", args[0], body)
	}
}

func releaseGate(ts *testscript.TestScript, args []string) {
	s := stageOf(ts)
	if len(s.gates) == 0 {
		ts.Fatalf("no gate is left")
	}
	s.gates[0].Release(args...)
	s.gates = s.gates[1:]
}
