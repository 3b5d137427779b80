package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"baton/agentclient"
	"baton/model/session"
	"baton/queue"
	"baton/retrypolicy"
)

// MaxAttachment is the largest attachment, in bytes.
const MaxAttachment = 20 << 20

// files keeps what attachments held when they were read, so that every attempt and
// every later request sends the same bytes.
type files struct {
	mu   sync.Mutex
	data map[content]agentclient.Attachment
}

// content names what a file held. Equal files under two names are told apart, since
// the model is told the name.
type content struct{ path, sum string }

func newFiles() *files { return &files{data: map[content]agentclient.Attachment{}} }

func (f *files) get(a queue.Attachment) (agentclient.Attachment, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	att, ok := f.data[content{a.Path, a.SHA256}]
	return att, ok
}

// read takes a file in and returns the attachment with size and checksum filled in.
func (f *files) read(path string) (queue.Attachment, error) {
	data, err := readFile(path)
	if err != nil {
		return queue.Attachment{}, err
	}
	sum := sha256.Sum256(data)
	a := queue.Attachment{Path: path, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.data[content{path, a.SHA256}] = agentclient.Attachment{Name: filepath.Base(path), Media: mediaType(path, data), Data: data, SHA256: a.SHA256}
	return a, nil
}

// readFile reads a regular file of at most MaxAttachment bytes.
func readFile(path string) ([]byte, error) {
	name := filepath.Base(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("missing %s", name)
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", name, reason(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	case info.Size() > MaxAttachment:
		return nil, fmt.Errorf("%s is too large (%d bytes, at most %d)", name, info.Size(), MaxAttachment)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, reason(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, MaxAttachment+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", name, reason(err))
	case len(data) > MaxAttachment:
		return nil, fmt.Errorf("%s is too large (at most %d bytes)", name, MaxAttachment)
	}
	return data, nil
}

// reason leaves out the path that the message names already.
func reason(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

func mediaType(path string, data []byte) string {
	if m := mime.TypeByExtension(filepath.Ext(path)); m != "" && !bytes.Contains(data[:min(len(data), 512)], []byte{0}) || strings.HasPrefix(m, "image/") {
		return m
	}
	return http.DetectContentType(data)
}

// sniffed is how much of a file is looked at before it is attached, in bytes.
const sniffed = 8 << 10

// Takes looks at the beginning of a file and says why the agent cannot take it, nil if it may: the whole is looked at when its
// turn comes.
func (e *Engine) Takes(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", filepath.Base(path), reason(err))
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, sniffed))
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", filepath.Base(path), reason(err))
	}
	if len(head) == sniffed { // a character may have been cut in two
		for cut := 0; cut < utf8.UTFMax && !utf8.Valid(head); cut++ {
			head = head[:len(head)-1]
		}
	}
	return agentclient.Takes(e.agent, agentclient.Attachment{Name: filepath.Base(path), Media: mediaType(path, head), Data: head})
}

// prepare reads the attachments of a turn. One that the agent's requests have no place for is as good as missing.
func (e *Engine) prepare(eff session.Prepare) Job {
	ctx, end := e.begin(eff.Turn)
	sess, files, agent := e.state.Session, e.files, e.agent
	return func() Result {
		res := Result{Session: sess, Apply: func() Outcome {
			end()
			return Outcome{}
		}}
		var read []queue.Attachment
		for _, a := range eff.Attachments {
			if ctx.Err() != nil {
				return res
			}
			got, err := files.read(a.Path)
			if err == nil && a.SHA256 != "" && a.SHA256 != got.SHA256 {
				err = fmt.Errorf("%s has changed since it was sent", filepath.Base(a.Path))
			}
			if held, ok := files.get(got); err == nil && ok {
				err = agentclient.Takes(agent, held)
			}
			if err != nil {
				res.Inputs = []session.Input{session.Unprepared{Turn: eff.Turn, Why: err.Error()}}
				return res
			}
			read = append(read, got)
		}
		res.Inputs = []session.Input{session.Prepared{Turn: eff.Turn, Attachments: read}}
		return res
	}
}

// request is what every attempt of a turn sends to agent. older are the items before those of s. What an earlier turn came
// with is named where it cannot be sent: it must not keep all later ones from the agent.
func request(s session.State, older session.Items, id session.TurnID, f *files, agent agentclient.Agent) agentclient.Request {
	var req agentclient.Request
	said := s.Context(id, older)
	for i, m := range said {
		out := agentclient.Message{Role: agentclient.User, Text: m.Text}
		if m.Assistant {
			out.Role = agentclient.Assistant
		}
		for _, a := range m.Attachments {
			att, ok := f.get(a)
			if !ok { // a turn of an earlier run: the file may still be as it was
				if got, err := f.read(a.Path); err == nil && got.SHA256 == a.SHA256 {
					att, ok = f.get(a)
				}
			}
			switch {
			case !ok:
				out.Text += session.LeftOut(a, "is not available any more")
				continue
			case i < len(said)-1 && agentclient.Takes(agent, att) != nil:
				out.Text += session.LeftOut(a, "is left out: it cannot be sent to this agent")
				continue
			}
			out.Attachments = append(out.Attachments, att)
		}
		req.Messages = append(req.Messages, out)
	}
	return req
}

// unready stands in for an agent whose request cannot be made: the turn fails in the way
// any other does, and nothing is sent.
type unready struct {
	agentclient.Agent
	why error
}

// Send fails.
func (u unready) Send(context.Context, agentclient.Request, agentclient.Sink) (agentclient.Finish, error) {
	return agentclient.Finish{}, &retrypolicy.Failure{Condition: retrypolicy.CondRefusedLocal, Message: u.why.Error(), Err: u.why}
}
