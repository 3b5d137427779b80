//go:build linux || darwin

package outside

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/model/engine"
	"baton/queue"
)

// folder is a state directory with a short path: those of tests are longer than a socket's may be on some systems.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "q")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func none(string) string { return "" }

// program serves calls by themselves, as a chat would.
func program(t *testing.T, s *Server, do func(Request) Reply) {
	t.Helper()
	go func() {
		for {
			select {
			case c := <-s.Calls():
				if c.take() {
					c.reply(do(c.Request))
				}
			case <-s.closed:
				return
			}
		}
	}()
}

func echo(r Request) Reply { return Reply{Kind: Changed, Text: r.Text} }

func listen(p Places) (*Server, error) {
	s := New(p)
	return s, s.Listen()
}

func listening(t *testing.T, change func(*Server)) (*Server, Places) {
	t.Helper()
	p := PlacesOf(none, folder(t))
	s := New(p)
	if change != nil {
		change(s)
	}
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, p
}

func ask(t *testing.T, path string, req Request) (Reply, error) {
	t.Helper()
	var last Reply
	err := Ask(context.Background(), path, req, func(r Reply) { last = r })
	return last, err
}

// A home may be shared over a network, or with a container: whose process number nothing is known of here is left alone.
func TestOtherMachines(t *testing.T) {
	state := folder(t)
	there := placesOn("there", none, state)
	path, err := there.own(there.name(os.Getpid(), 0))
	must(t, err)
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	must(t, err)
	ln.SetUnlinkOnClose(false)
	must(t, ln.Close()) // as it looks from another machine: nobody listens
	past := time.Now().Add(-2 * orphaned)
	must(t, os.Chtimes(path, past, past))
	here := placesOn("here", none, state)
	if found := Chats(context.Background(), here); len(found) != 0 {
		t.Errorf("reached from another machine: %+v", found)
	}
	here.Sweep()
	if _, err := os.Lstat(path); err != nil {
		t.Error("swept away from another machine:", err)
	}
	if there.Sweep(); len(there.sockets()) != 0 {
		t.Error("its own machine does not sweep it away")
	}
}

// A machine may be called otherwise on another network: who listens is reached all the same.
func TestMachineOfAnotherName(t *testing.T) {
	state := folder(t)
	s, err := listen(placesOn("before", none, state))
	must(t, err)
	defer s.Close()
	program(t, s, func(Request) Reply { return Reply{Kind: Told, Chat: &Chat{PID: os.Getpid(), Session: "s"}} })
	now := placesOn("now", none, state)
	now.Sweep()
	if found := Chats(context.Background(), now); len(found) != 1 || found[0].Err != nil || found[0].Session != "s" {
		t.Errorf("%+v", found)
	}
	if pid := pidOf(s.path); pid != os.Getpid() {
		t.Error(pid)
	}
}

// A program may end before it came to open its socket.
func TestListenBehindClose(t *testing.T) {
	p := PlacesOf(none, folder(t))
	s := New(p)
	s.Close()
	if err := s.Listen(); err != nil || len(p.sockets()) != 0 {
		t.Error(err, p.sockets())
	}
	s.Close()
	never := New(p)
	never.Close() // nothing to remove, nothing to wait for
}

func TestAsk(t *testing.T) {
	s, p := listening(t, nil)
	program(t, s, echo)
	rep, err := ask(t, s.path, Request{Do: Add, Text: "a\nb\x1b[31m"})
	if err != nil || rep.Text != "a\nb\x1b[31m" || rep.Version != Version {
		t.Fatal(rep, err)
	}
	for path, want := range map[string]os.FileMode{s.path: 0o600, filepath.Dir(s.path): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, info.Mode(), err, want)
		}
	}
	if got := p.sockets(); len(got) != 1 || got[0] != s.path {
		t.Error(got)
	}
	if got := PlacesOf(none, folder(t)).sockets(); len(got) != 0 {
		t.Error("another state directory's chats:", got)
	}
	s.Close()
	if _, err := os.Lstat(filepath.Dir(s.path)); !errors.Is(err, os.ErrNotExist) {
		t.Error("left behind:", err)
	}
}

// raw sends bytes as they are and returns the line that comes back.
func raw(t *testing.T, path string, b []byte) string {
	t.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	_, _ = c.Write(b) // the other side may have closed
	line, _ := bufio.NewReader(c).ReadString('\n')
	return line
}

func TestMalformedRequests(t *testing.T) {
	s, _ := listening(t, nil)
	done := 0
	program(t, s, func(Request) Reply { done++; return Reply{Kind: Changed} })
	for name, c := range map[string]struct{ line, want string }{
		"no json":        {"hello\n", "malformed"},
		"half a line":    {`{"baton":1`, "malformed"},
		"another type":   {`{"baton":1,"do":7}` + "\n", "malformed"},
		"a list":         {"[]\n", "malformed"},
		"newer":          {`{"baton":2,"do":"add"}` + "\n", "version"},
		"no version":     {`{"do":"add"}` + "\n", "version"},
		"deeply nested":  {strings.Repeat("[", 100_000) + "\n", "malformed"},
		"nothing at all": {"\n", "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: s.path, Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = conn.Write([]byte(c.line))
			_ = conn.CloseWrite()
			_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
			var rep Reply
			if err := readLine(bufio.NewReader(conn), MaxReply, &rep); err != nil || rep.Kind != Refused || rep.Why != c.want {
				t.Errorf("%+v %v, want %s", rep, err, c.want)
			}
		})
	}
	if rep, err := ask(t, s.path, Request{Do: "dance"}); err != nil || rep.Kind != Changed {
		t.Error("the server is no judge of verbs:", rep, err)
	}
	if done != 1 {
		t.Errorf("%d calls reached the program", done)
	}
}

// A request that is one byte too long is refused, whatever it says, and the longest row there can be fits.
func TestLimitOfRequests(t *testing.T) {
	s, _ := listening(t, nil)
	program(t, s, func(r Request) Reply { return Reply{Kind: Changed, N: len(r.Text)} })
	line := func(n int) []byte {
		head := `{"baton":1,"do":"add","text":"`
		return []byte(head + strings.Repeat("x", n-len(head)-3) + "\"}\n")
	}
	for by, want := range map[int]string{-1: "changed", 0: "changed", 1: "malformed"} {
		if got := raw(t, s.path, line(MaxRequest+by)); !strings.Contains(got, want) {
			t.Errorf("%+d: %q, want %s", by, got, want)
		}
	}
	rep, err := ask(t, s.path, Request{Do: Add, Text: strings.Repeat("\x01", queue.MaxBytes)})
	if err != nil || rep.N != queue.MaxBytes {
		t.Error(rep, err)
	}
}

func TestLimitOfReplies(t *testing.T) {
	for by, fits := range map[int]bool{-1: true, 0: true, 1: false} {
		line := strings.Repeat("x", MaxReply+by-1) + "\n"
		if err := readLine(bufio.NewReaderSize(strings.NewReader(line), 1<<20), MaxReply, &Reply{}); errors.Is(err, errLong) == fits {
			t.Errorf("%+d: %v", by, err)
		}
	}
	row, err := json.Marshal(Row{Text: strings.Repeat("\x01", queue.MaxBytes)})
	if err != nil || (len(row)+4096)*queue.MaxRows > MaxReply {
		t.Errorf("a full row takes %d bytes, %v", len(row), err)
	}
}

// As many callers as there may be are served at once; one more is told so, and a place that becomes free is used.
func TestLimitOfCallers(t *testing.T) {
	s, _ := listening(t, nil)
	program(t, s, echo)
	var idle []net.Conn
	defer func() {
		for _, c := range idle {
			_ = c.Close()
		}
	}()
	full := func() bool { return len(s.slots) == MaxCallers }
	for range MaxCallers {
		c, err := net.Dial("unix", s.path)
		if err != nil {
			t.Fatal(err)
		}
		idle = append(idle, c)
	}
	until(t, "all places to be taken", full)
	if rep, err := ask(t, s.path, Request{Do: List}); err != nil || rep.Why != "busy" {
		t.Errorf("%+v %v", rep, err)
	}
	_ = idle[0].Close()
	until(t, "a place to be free", func() bool { return !full() })
	if rep, err := ask(t, s.path, Request{Do: List, Text: "x"}); err != nil || rep.Text != "x" {
		t.Errorf("%+v %v", rep, err)
	}
}

// until waits for a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain for ", what)
		}
	}
}

// A caller that says nothing, or says it byte by byte, is let go, and holds nobody up meanwhile.
func TestSlowCallers(t *testing.T) {
	s, _ := listening(t, func(s *Server) { s.requestTime = time.Second })
	program(t, s, echo)
	c, err := net.Dial("unix", s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() {
		for {
			if _, err := c.Write([]byte(" ")); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	if rep, err := ask(t, s.path, Request{Do: Add, Text: "x"}); err != nil || rep.Text != "x" {
		t.Error(rep, err)
	}
	var rep Reply
	if err := readLine(bufio.NewReader(c), MaxReply, &rep); err == nil && rep.Kind != Refused {
		t.Errorf("%+v", rep)
	}
	until(t, "its place to be free", func() bool { return len(s.slots) == 0 })
}

// Who is another user is not heard (a machine with two users is not at hand: the look at the peer is replaced).
func TestOtherUsersAreNotHeard(t *testing.T) {
	for name, who := range map[string]func(*net.UnixConn) (int, error){
		"another":  func(*net.UnixConn) (int, error) { return os.Getuid() + 1, nil },
		"nobody":   func(*net.UnixConn) (int, error) { return -1, nil },
		"an error": func(*net.UnixConn) (int, error) { return os.Getuid(), errors.New("cannot be told") },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := listening(t, func(s *Server) { s.who = who })
			program(t, s, func(Request) Reply {
				t.Error("it reached the program")
				return Reply{Kind: Changed}
			})
			if rep, err := ask(t, s.path, Request{Do: Add, Text: "x"}); err == nil {
				t.Errorf("answered: %+v", rep)
			}
		})
	}
	t.Run("oneself", func(t *testing.T) {
		var mu sync.Mutex
		uid := -2
		s, _ := listening(t, func(s *Server) {
			s.who = func(c *net.UnixConn) (int, error) {
				mu.Lock()
				defer mu.Unlock()
				var err error
				uid, err = peer(c)
				return uid, err
			}
		})
		program(t, s, echo)
		if _, err := ask(t, s.path, Request{Do: Add}); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		if uid != os.Getuid() {
			t.Errorf("the system names user %d, this is %d", uid, os.Getuid())
		}
	})
}

// What the program did not begin in time is never done: the caller was told so.
func TestGivenUpIsNeverDone(t *testing.T) {
	s, _ := listening(t, func(s *Server) { s.takeTime = 500 * time.Millisecond })
	var late *Call
	got := make(chan struct{})
	go func() { // a program that stands still with the call in its hands
		late = <-s.Calls()
		close(got)
	}()
	rep, err := ask(t, s.path, Request{Do: Add, Text: "x"})
	if err != nil || rep.Kind != Refused || rep.Why != "silent" {
		t.Fatalf("%+v %v", rep, err)
	}
	<-got
	if late.take() {
		t.Error("it was taken behind the caller's back")
	}
	if rep, err := ask(t, s.path, Request{Do: Add, Text: "y"}); err != nil || rep.Why != "silent" { // nobody takes it at all
		t.Errorf("%+v %v", rep, err)
	}
}

// A caller that went away before its call began gets nothing done.
func TestCallerThatWentAway(t *testing.T) {
	s, _ := listening(t, nil)
	c, err := net.Dial("unix", s.path)
	if err != nil {
		t.Fatal(err)
	}
	_ = writeLine(c, Request{Version: Version, Do: Add, Text: "x"})
	call := <-s.Calls()
	_ = c.Close()
	until(t, "the call to be given up", func() bool { return call.state.Load() == givenUp })
	if call.take() {
		t.Error("it was taken")
	}
}

// Replies come in their order, and the last ends the connection.
func TestSeveralReplies(t *testing.T) {
	s, _ := listening(t, nil)
	go func() {
		c := <-s.Calls()
		c.take()
		c.reply(Reply{Kind: Queued, More: true})
		c.reply(Reply{Kind: Sent, More: true})
		time.Sleep(20 * time.Millisecond)
		c.reply(Reply{Kind: Done})
	}()
	var kinds []string
	if err := Ask(context.Background(), s.path, Request{Do: Add, Wait: true}, func(r Reply) { kinds = append(kinds, string(r.Kind)) }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(kinds, " "); got != "queued sent done" {
		t.Error(got)
	}
}

// A program that ends tells those who wait, and a program that dies leaves them with the truth.
func TestWhoWaitsIsTold(t *testing.T) {
	s, _ := listening(t, nil)
	go func() {
		c := <-s.Calls()
		c.take()
		c.reply(Reply{Kind: Queued, More: true})
		c.reply(Reply{Kind: Left})
		s.Close()
	}()
	rep, err := ask(t, s.path, Request{Do: Add, Wait: true})
	if err != nil || rep.Kind != Left {
		t.Errorf("%+v %v", rep, err)
	}

	dir := folder(t)
	path := filepath.Join(dir, "s")
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() {
		for _, more := range []bool{true, false} {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			_ = readLine(bufio.NewReader(c), MaxRequest, &Request{})
			if more {
				_ = writeLine(c, Reply{Version: Version, Kind: Queued, More: true})
			}
			_ = c.Close()
		}
	}()
	for range 2 {
		if _, err := ask(t, path, Request{Do: Add}); !errors.Is(err, ErrUnknown) {
			t.Error(err)
		}
	}
}

// What a dead process left is swept and taken over; what somebody listens at stays.
func TestSocketsOfTheDead(t *testing.T) {
	p := PlacesOf(none, folder(t))
	if err := os.Mkdir(filepath.Join(p.state, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	left := func(name string) string {
		path := filepath.Join(p.state, "run", name)
		ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		ln.SetUnlinkOnClose(false)
		_ = ln.Close()
		return path
	}
	own, dead := left(p.name(os.Getpid(), 0)), left(p.name(999999999, 0))
	young, old := left(p.name(1, 0)), left(p.name(1, 1))
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-2*orphaned)); err != nil {
		t.Fatal(err)
	}
	strange := left("strange-1")
	if found := Chats(context.Background(), p); len(found) != 0 {
		t.Errorf("the dead answer: %+v", found)
	}
	s, err := listen(p)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	program(t, s, func(Request) Reply { return Reply{Kind: Told, Chat: &Chat{PID: os.Getpid(), Session: "s"}} })
	if s.path != own {
		t.Errorf("%s is not taken over: %s", own, s.path)
	}
	p.Sweep()
	for path, stays := range map[string]bool{own: true, dead: false, young: true, old: false, strange: true} {
		if _, err := os.Lstat(path); (err == nil) != stays {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	second, err := listen(p)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	program(t, second, func(Request) Reply { return Reply{Kind: Told, Chat: &Chat{PID: os.Getpid(), Session: "t"}} })
	if second.path == s.path {
		t.Error("a living socket was taken over")
	}
	if found := Chats(context.Background(), p); len(found) != 2 || found[0].Session == found[1].Session {
		t.Errorf("%+v", found)
	}
}

// Who clears away after the dead calls nobody that may live: each call would take a caller's place in a running chat.
func TestSweepCallsNoLivingChat(t *testing.T) {
	p := PlacesOf(none, folder(t))
	if err := os.Mkdir(filepath.Join(p.state, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(p.state, "run", p.name(os.Getpid(), 0)), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	p.Sweep()
	own, err := net.Dial("unix", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = own.Write([]byte("own"))
	_ = own.Close()
	c, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if first, err := io.ReadAll(c); string(first) != "own" {
		t.Errorf("somebody called before: %q, %v", first, err)
	}
}

// A caller without the variable, as in cron, finds the chat of a login that has it; without it the text would go into a
// session that lies there.
func TestCallersOutsideOfALogin(t *testing.T) {
	login, state := folder(t), folder(t)
	s, err := listen(PlacesOf(func(name string) string { return map[string]string{"XDG_RUNTIME_DIR": login}[name] }, state))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	program(t, s, func(Request) Reply { return Reply{Kind: Told, Chat: &Chat{Session: "s"}} })
	p := PlacesOf(none, state)
	if want := fmt.Sprintf("/run/user/%d", os.Getuid()); p.system != want {
		t.Errorf("%s, want %s", p.system, want)
	}
	p.system = login
	if found := Chats(context.Background(), p); len(found) != 1 || found[0].Session != "s" {
		t.Errorf("%+v", found)
	}
	p.runtime = login // each once
	if found := Chats(context.Background(), p); len(found) != 1 {
		t.Errorf("%+v", found)
	}
	must(t, os.Chmod(filepath.Join(login, "baton"), 0o750))
	p.runtime = ""
	if found := Chats(context.Background(), p); len(found) != 0 {
		t.Errorf("a folder that others may enter is trusted: %+v", found)
	}
}

// How a chat introduces itself is printable: it is listed where several run (C14).
func TestIntroductionsArePrintable(t *testing.T) {
	s, p := listening(t, nil)
	program(t, s, func(Request) Reply { return Reply{Kind: Told, Chat: &Chat{Session: "s\x1b]52;c;aGk=\x07"}} })
	if found := Chats(context.Background(), p); len(found) != 1 || strings.ContainsAny(found[0].Session, "\x1b\x07") {
		t.Errorf("%q", fmt.Sprintf("%+v", found))
	}
}

// Folders that are not the person's alone are refused, and the next one is used.
func TestPlaces(t *testing.T) {
	state := folder(t)
	runtime := func(prepare func(dir string)) func(string) string {
		dir := folder(t)
		prepare(dir)
		return func(name string) string { return map[string]string{"XDG_RUNTIME_DIR": dir}[name] }
	}
	inRuntime := func(path string, env func(string) string) bool {
		return strings.HasPrefix(path, env("XDG_RUNTIME_DIR"))
	}
	for name, c := range map[string]struct {
		prepare func(dir string)
		taken   bool
	}{
		"as it should be": {func(string) {}, true},
		"used before":     {func(dir string) { must(t, os.Mkdir(filepath.Join(dir, "baton"), 0o700)) }, true},
		"open to others":  {func(dir string) { must(t, os.Chmod(dir, 0o755)) }, false},
		"its folder open": {func(dir string) {
			must(t, os.Mkdir(filepath.Join(dir, "baton"), 0o700))
			must(t, os.Chmod(filepath.Join(dir, "baton"), 0o750))
		}, false},
		"a symbolic link": {func(dir string) { must(t, os.Symlink(folder(t), filepath.Join(dir, "baton"))) }, false},
		"a file":          {func(dir string) { must(t, os.WriteFile(filepath.Join(dir, "baton"), nil, 0o600)) }, false},
		"gone":            {func(dir string) { must(t, os.Remove(dir)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			env := runtime(c.prepare)
			path, err := PlacesOf(env, state).own("x")
			if err != nil || inRuntime(path, env) != c.taken {
				t.Error(path, err)
			}
			if _, err := PlacesOf(env, "").own("x"); (err == nil) != c.taken {
				t.Error("without a state directory:", err)
			}
		})
	}
	t.Run("owner", func(t *testing.T) {
		for _, dir := range []string{"/", "/etc"} { // root's, or open to others
			if err := private(dir, os.Lstat); err == nil {
				t.Errorf("%s is taken for the person's alone", dir)
			}
		}
	})
	t.Run("long", func(t *testing.T) {
		temp, deep := folder(t), filepath.Join(folder(t), strings.Repeat("x", pathBytes))
		to := func(dir string) func(string) string {
			return func(name string) string { return map[string]string{"TMPDIR": dir}[name] }
		}
		mine := filepath.Join(temp, fmt.Sprintf("baton-%d", os.Getuid()))
		s, err := listen(PlacesOf(to(temp), deep))
		if err != nil || filepath.Dir(s.path) != mine {
			t.Fatal(s, err)
		}
		s.Close()
		must(t, os.Mkdir(mine, 0o700))
		must(t, os.Chmod(mine, 0o777)) // as somebody would who wants to listen in
		if _, err := listen(PlacesOf(to(temp), deep)); err == nil || !strings.Contains(err.Error(), "others may enter") {
			t.Error(err)
		}
		if _, err := listen(PlacesOf(to(deep), deep)); err == nil || !strings.Contains(err.Error(), "too long") {
			t.Error(err)
		}
		dir := folder(t)
		room := pathBytes - len(dir) - len("/run/")
		for by, fits := range map[int]bool{-1: true, 0: true, 1: false} {
			path, err := PlacesOf(to(temp), dir).own(strings.Repeat("x", room+by))
			if strings.HasPrefix(path, dir) != fits {
				t.Errorf("%+d: %v", by, err)
			}
		}
	})
	t.Run("nowhere", func(t *testing.T) {
		if _, err := listen(PlacesOf(none, "")); !errors.Is(err, errPlace) {
			t.Error(err)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A flood of callers, some of whom say nothing, does not shut out one who asks again.
func TestFlood(t *testing.T) {
	s, _ := listening(t, func(s *Server) { s.requestTime = 100 * time.Millisecond })
	program(t, s, echo)
	var all sync.WaitGroup
	for i := range 400 {
		all.Go(func() {
			c, err := net.Dial("unix", s.path)
			if err != nil {
				return // the queue of the system is full: that is its way to say so
			}
			defer c.Close()
			if i%2 == 0 {
				_ = writeLine(c, Request{Version: Version, Do: List})
			}
			_ = c.SetReadDeadline(time.Now().Add(2 * time.Second))
			_, _ = c.Read(make([]byte, 100))
		})
	}
	until(t, "an answer", func() bool {
		rep, err := ask(t, s.path, Request{Do: Add, Text: "x"})
		return err == nil && rep.Text == "x"
	})
	all.Wait()
	until(t, "all places to be free", func() bool { return len(s.slots) == 0 })
	if rep, err := ask(t, s.path, Request{Do: Add, Text: "y"}); err != nil || rep.Kind != Changed {
		t.Error(rep, err)
	}
}

// What goes wrong in a goroutine of the server comes out where the program takes calls, with the stack of where it was:
// there the terminal is given back. None begins in any other way.
func TestPanicsComeOutWithTheCalls(t *testing.T) {
	s, _ := listening(t, func(s *Server) {
		s.who = func(*net.UnixConn) (int, error) { panic("who is that") }
	})
	c, err := net.Dial("unix", s.path)
	must(t, err)
	defer c.Close()
	call := <-s.Calls()
	func() {
		defer func() {
			p, ok := recover().(*engine.Panic)
			if !ok || p.Value != "who is that" || !bytes.Contains(p.Stack, []byte("TestPanicsComeOutWithTheCalls")) {
				t.Errorf("%+v", p)
			}
		}()
		new(Desk).Take(call)
	}()

	files, err := filepath.Glob("*.go")
	must(t, err)
	begin := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		must(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok {
				begin++
			}
			return true
		})
	}
	if begin != 1 {
		t.Errorf("goroutines begin in %d places", begin)
	}
}
