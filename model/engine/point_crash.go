//go:build crashpoints

package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"baton/model/journal"
	"baton/model/session"
)

// crashVariable names the place where the process ends itself, as STAGE:WHAT:COUNT with a count from 1:
// "after-write:row.promoted:2" is behind the second batch that promotes a row.
const crashVariable = "BATON_CRASH"

// planned is the crash that the environment asks for.
var planned = plan(os.Getenv(crashVariable))

type crash struct {
	name string
	left atomic.Int64
}

func plan(text string) *crash {
	at := strings.LastIndex(text, ":")
	if at < 0 {
		return &crash{}
	}
	n, err := strconv.ParseInt(text[at+1:], 10, 64)
	if err != nil || n < 1 {
		panic(fmt.Sprintf("%s=%q does not end in a count from 1", crashVariable, text))
	}
	c := &crash{name: text[:at]}
	c.left.Store(n)
	return c
}

// reached counts a place down and reports whether it is where the process ends.
func (c *crash) reached(name string) bool { return c.name == name && c.left.Add(-1) == 0 }

// point ends the process if this is the planned place. What is an entry or event of the log, an input, or a word.
func point[T any](stage string, what ...T) {
	for _, w := range what {
		if name := nameOf(w); name != "" && planned.reached(stage+":"+name) {
			die()
		}
	}
}

// nameOf is the stable kind of what is recorded, the type's name of an input, a word as it is; "" for what has no name.
func nameOf(what any) string {
	switch w := what.(type) {
	case string:
		return w
	case journal.Entry:
		return w.Kind
	case session.Event:
		kind, _ := session.KindOf(w)
		return kind
	}
	_, name, _ := strings.Cut(fmt.Sprintf("%T", what), ".")
	return name
}

// tear ends the process with half of a batch in the file. The batch was written whole a moment ago; that its second
// half is taken away again leaves what a write leaves that was cut short, since nothing was drawn or sent in between.
func (e *Engine) tear(b journal.Batch) {
	if b.Offset < 0 {
		return
	}
	for _, en := range b.Entries {
		if !planned.reached("half-write:" + en.Kind) {
			continue
		}
		path := filepath.Join(e.opt.Dir, e.log.Header().Session+".jsonl")
		info, err := os.Stat(path)
		if err == nil {
			err = os.Truncate(path, b.Offset+(info.Size()-b.Offset)/2)
		}
		if err != nil {
			panic(err)
		}
		die()
	}
}

// die ends the process without another step.
func die() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {} // the signal may take a moment
}
