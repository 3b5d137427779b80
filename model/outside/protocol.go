package outside

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Version is what both sides speak: one line of JSON from the caller, then one or more
// lines back, the last of which has no More. Unknown fields are passed over; a change that
// the other side must understand is another version.
const Version = 1

// Limits of what goes over a socket.
const (
	// MaxRequest is the longest request in bytes: a full row in which every byte has to be
	// escaped, and room for paths.
	MaxRequest = 2 << 20
	// MaxReply is the longest reply in bytes: a full queue of such rows.
	MaxReply = 32 << 20
	// MaxCallers is how many connections are served at once; those that wait for a row count.
	MaxCallers = 32
	// MaxFiles is how many files one request may name.
	MaxFiles = 32
	// RequestTime is how long a caller may take to say what it wants.
	RequestTime = 5 * time.Second
	// TakeTime is how long a chat may take to begin with it. What was not begun by then is
	// never done.
	TakeTime = 4 * time.Second
	// ReplyTime is how long a caller waits for the first reply, and a chat for a reply to be
	// taken.
	ReplyTime = 10 * time.Second
)

// Verb is what is asked for.
type Verb string

// The verbs.
const (
	Hello  Verb = "hello" // who are you
	List   Verb = "list"
	Add    Verb = "add"    // Text and Files, as Enter would; with Hold parked; with Wait until it is settled
	Edit   Verb = "edit"   // the one of Rows gets Text
	Remove Verb = "rm"     // Rows, all or none
	Move   Verb = "move"   // the one of Rows goes to place To
	Play   Verb = "play"   // start the head
	Pause  Verb = "pause"  // hold the queue
	Resume Verb = "resume" // end that
)

// Request is one line from a caller.
type Request struct {
	Version int  `json:"baton"`
	Do      Verb `json:"do"`
	// Session is the one that is meant. A chat that shows another one does nothing.
	Session string   `json:"session,omitempty"`
	Text    string   `json:"text,omitempty"`
	Files   []string `json:"files,omitempty"` // absolute paths
	Hold    bool     `json:"hold,omitempty"`
	Wait    bool     `json:"wait,omitempty"`
	Rows    []string `json:"rows,omitempty"` // each a number from 1 or an id
	To      int      `json:"to,omitempty"`   // from 1
}

// Kind says what a reply reports.
type Kind string

// The kinds. Those of a row's way come in this order; Queued may be left out.
const (
	Told    Kind = "told"    // what Hello and List asked for
	Changed Kind = "changed" // it was done
	Refused Kind = "refused" // nothing was done
	Queued  Kind = "queued"
	Held    Kind = "held" // the row waits for somebody, and for what; at each change
	Sent    Kind = "sent"
	Done    Kind = "done"
	Failed  Kind = "failed"
	Stopped Kind = "stopped"
	Removed Kind = "removed"
	Left    Kind = "left" // nobody will report any more
)

// Reply is one line to a caller. It is sent only when what it reports is in the journal.
type Reply struct {
	Version int    `json:"baton"`
	Kind    Kind   `json:"kind"`
	ID      string `json:"id,omitempty"`   // of the row, or of the turn where there never was a row
	N       int    `json:"row,omitempty"`  // where the row stands, from 1
	Text    string `json:"text,omitempty"` // one line for people
	Why     string `json:"why,omitempty"`  // the kind of a refusal or of a failure
	// Exhausted says that a failed turn used up its retries.
	Exhausted bool   `json:"exhausted,omitempty"`
	More      bool   `json:"more,omitempty"` // other replies follow
	Chat      *Chat  `json:"chat,omitempty"`
	Queue     *Queue `json:"queue,omitempty"`
}

// Chat is how a running chat introduces itself.
type Chat struct {
	PID     int    `json:"pid"`
	Session string `json:"session"`
	Rows    int    `json:"rows"`
	Busy    bool   `json:"busy"`
	// ReadOnly says why it only shows the session, "" if it has it.
	ReadOnly string `json:"read_only,omitempty"`
}

// Queue is how a queue stands.
type Queue struct {
	Session string `json:"session"`
	Running bool   `json:"running"` // a chat has it open
	Busy    bool   `json:"busy"`
	Header  string `json:"header"`         // as on the screen
	Held    string `json:"held,omitempty"` // why nothing starts by itself
	Cap     int    `json:"cap"`
	Rows    []Row  `json:"rows"`
}

// Row is one row of it.
type Row struct {
	N         int      `json:"row"`
	ID        string   `json:"id"`
	Word      string   `json:"word"` // as on the screen
	Text      string   `json:"text"`
	Files     []string `json:"files,omitempty"`
	Command   bool     `json:"command,omitempty"`
	Generated bool     `json:"generated,omitempty"` // made by a give-up
}

var errLong = errors.New("the line is too long")

// readLine reads one line of JSON of at most limit bytes.
func readLine(r *bufio.Reader, limit int, into any) error {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit {
			return fmt.Errorf("%w: at most %d bytes", errLong, limit)
		}
		line = append(line, part...)
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) && len(line) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
	}
	if err := json.Unmarshal(line, into); err != nil {
		return fmt.Errorf("not a line of JSON: %w", err)
	}
	return nil
}

func writeLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
