package outside

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sort"
	"sync"
	"syscall"
	"time"

	"baton/model/owner"
	"baton/ui/sanitize"
)

// dialTime is how long a connection may take.
const dialTime = 2 * time.Second

// helloTime is how long a chat may take to introduce itself. One that takes longer is suspended, or stuck.
const helloTime = 3 * time.Second

// ErrUnknown says that the connection ended before the reply: what was asked for may have been done or not.
var ErrUnknown = errors.New("the chat went away before it answered; baton queue list shows whether it was done")

// ErrSilent says that a chat listens and does not answer.
var ErrSilent = errors.New("the chat does not answer; it may be suspended")

// Reached is a running chat.
type Reached struct {
	Chat
	Path string
	Err  error // why it did not introduce itself, nil if it did
}

// Chats asks all running chats of this world who they are, in the order of their processes. Dead sockets are passed over.
func Chats(ctx context.Context, p Places) []Reached {
	paths := p.sockets()
	found := make([]Reached, len(paths))
	var all sync.WaitGroup
	for i, path := range paths {
		all.Go(func() { found[i] = meet(ctx, path) })
	}
	all.Wait()
	var live []Reached
	for _, r := range found {
		if !errors.Is(r.Err, syscall.ECONNREFUSED) && !errors.Is(r.Err, os.ErrNotExist) {
			live = append(live, r)
		}
	}
	sort.Slice(live, func(i, j int) bool { return live[i].PID < live[j].PID })
	return live
}

func meet(ctx context.Context, path string) Reached {
	r := Reached{Path: path, Chat: Chat{PID: pidOf(path)}}
	r.Err = Ask(ctx, path, Request{Do: Hello}, func(rep Reply) {
		if rep.Chat != nil {
			r.Chat = *rep.Chat
			r.Session = sanitize.Line(r.Session) // it is listed for the person
		}
	})
	if r.Err == nil && r.Session == "" {
		r.Err = ErrSilent
	}
	return r
}

// Ask sends one request and hands each reply on. It returns once the last has come; the first comes within ReplyTime or
// not at all.
func Ask(ctx context.Context, path string, req Request, each func(Reply)) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !owner.Mine(info) {
		return fmt.Errorf("%s belongs to somebody else", path)
	}
	d := net.Dialer{Timeout: dialTime}
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if uid, err := peer(conn.(*net.UnixConn)); err != nil || uid != os.Getuid() {
		return fmt.Errorf("who listens at %s is somebody else", path)
	}
	req.Version = Version
	within := ReplyTime
	if req.Do == Hello {
		within = helloTime
	}
	_ = conn.SetDeadline(time.Now().Add(within))
	wrote := writeLine(conn, req)
	// Where nobody read it a reply may be there all the same, such as that there are too many callers.
	if err := replies(conn, req, each); err != nil {
		if wrote != nil {
			return unanswered(wrote, req)
		}
		return err
	}
	return nil
}

func replies(conn net.Conn, req Request, each func(Reply)) error {
	r := bufio.NewReader(conn)
	for {
		var rep Reply
		if err := readLine(r, MaxReply, &rep); err != nil {
			return unanswered(err, req)
		}
		if rep.Version != Version {
			return fmt.Errorf("the chat speaks version %d of the queue's protocol, not %d; both have to be the same baton", rep.Version, Version)
		}
		each(rep)
		if !rep.More {
			return nil
		}
		_ = conn.SetDeadline(time.Time{}) // what comes later takes as long as turns do
	}
}

// unanswered says what a broken connection means.
func unanswered(err error, req Request) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) && req.Do == Hello:
		return ErrSilent
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("%w (%w)", ErrUnknown, err)
	}
	return err
}
