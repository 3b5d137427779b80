package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"baton/model/engine"
	"baton/model/session"
	"baton/queue"
	"baton/ui/sanitize"
)

const (
	// maxPrompts is one that runs and a full queue behind it.
	maxPrompts = queue.MaxRows + 1
	// maxInput is the most bytes that are read from a file or standard input: the longest
	// prompt, even if each of its lines ends in CRLF, and a full queue behind it.
	maxInput = 2 * (session.MaxPrompt + queue.MaxRows*queue.MaxBytes)
	// inputWait is how long standard input may stay open before the person is told that it
	// is waited for: they may not know that it is read.
	inputWait = 3 * time.Second
)

const stdinName = "standard input"

// drafts collects what is to be sent, and refuses what cannot be before anything is.
func (a *app) drafts(f runFlags, args []string) ([]session.Draft, error) {
	as, err := a.collect(f, args)
	if err != nil {
		return nil, err
	}
	if err := fits(as, args, a.cont); err != nil {
		return nil, err
	}
	ds := make([]session.Draft, len(as))
	for i, q := range as {
		if ds[i], err = q.draft(); err != nil {
			return nil, err
		}
		most := queue.MaxBytes
		if i == 0 && len(q.files) == 0 && !a.cont {
			most = session.MaxPrompt // it is sent at once, the others wait in the queue
		}
		if err := queue.Within(most, ds[i].Text, len(ds[i].Attachments)); err != nil {
			return nil, usage("", "%s: %w", q.from, err)
		}
	}
	return ds, nil
}

// fits refuses no prompt where there must be one, and more than can run and wait.
func fits(as []prompt, args []string, continues bool) error {
	most, next := mostPrompts(as), "send the rest in another run"
	if len(args) == 1 {
		next += ", or --split none sends all of " + nameOf(args[0]) + " as one prompt"
	}
	switch {
	case len(as) > most:
		return usage(next, "%d prompts are too many: one runs and %d wait", len(as), most-1)
	case len(as) > 0 || continues && len(args) == 0:
		return nil
	case len(args) == 1:
		return usage("", "%s holds no prompt", nameOf(args[0]))
	}
	return usage("give -p TEXT, a file, or - for standard input", "there is no prompt")
}

// mostPrompts is how many fit. One with files is in the queue until they are read.
func mostPrompts(as []prompt) int {
	if len(as) > 0 && len(as[0].files) > 0 {
		return queue.MaxRows
	}
	return maxPrompts
}

// collect reads the prompts in their order: those of -p, with what was piped, then those of
// the file.
func (a *app) collect(f runFlags, args []string) ([]prompt, error) {
	var as []prompt
	for i, p := range f.prompts {
		as = append(as, prompt{text: p, from: fmt.Sprintf("prompt %d", i+1)})
	}
	if len(as) > 0 && (len(args) == 0 || args[0] != "-") {
		piped, err := a.piped()
		if err != nil {
			return nil, err
		}
		if !queue.Blank(piped) && !queue.Blank(as[0].text) {
			as[0].text += "\n\n" + strings.TrimRight(piped, "\r\n")
		}
	}
	if len(args) == 1 {
		text, err := a.readPrompts(args[0])
		if err != nil {
			return nil, err
		}
		more, err := splitPrompts(nameOf(args[0]), text, f.split)
		if err != nil {
			return nil, err
		}
		as = append(as, more...)
	}
	switch {
	case len(f.attach) > 0 && len(as) > 0:
		as[0].files = append(append([]string(nil), f.attach...), as[0].files...)
	case len(f.attach) > 0:
		return nil, usage("add -p TEXT", "--attach needs a prompt to go with")
	}
	return as, nil
}

func nameOf(arg string) string {
	if arg == "-" {
		return stdinName
	}
	return arg
}

// piped is what comes through a pipe or from a redirected file, "" at a terminal.
func (a *app) piped() (string, error) {
	if a.Stdin == nil || isTerminal(a.Stdin) {
		return "", nil
	}
	told := time.AfterFunc(inputWait, func() {
		fmt.Fprintln(a.Stderr, "baton: waiting for the end of standard input, which goes with the prompt; < /dev/null leaves it out")
	})
	defer told.Stop()
	return readText(stdinName, a.Stdin)
}

func (a *app) readPrompts(name string) (string, error) {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return "", usage("-p TEXT gives a prompt itself", "cannot read %s: %w", name, reasonOf(err))
		}
		defer file.Close()
		return readText(name, file)
	}
	if isTerminal(a.Stdin) {
		fmt.Fprintln(a.Stderr, "baton: reading prompts from the terminal; ctrl+d ends")
	}
	return readText(stdinName, a.Stdin)
}

// reasonOf leaves out the path that a message names already.
func reasonOf(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// readText reads UTF-8 text to its end. It refuses what is none: an agent would be told
// something else than what the person sees.
func readText(name string, in io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	switch {
	case err != nil:
		return "", usage("", "cannot read %s: %w", name, reasonOf(err))
	case len(b) > maxInput:
		return "", usage("--attach sends a file as it is", "%s is too long: over %d bytes", name, maxInput)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if bad := notText(b); bad >= 0 {
		return "", usage("convert it, or send a file as it is with --attach", "%s is not UTF-8 text: see byte %d", name, bad+1)
	}
	return string(b), nil
}

// notText is where the first byte stands that no UTF-8 text holds, or -1.
func notText(b []byte) int {
	if utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 {
		return -1
	}
	at := 0
	for {
		r, n := utf8.DecodeRune(b[at:])
		if r == 0 || r == utf8.RuneError && n <= 1 { // U+FFFD itself may stand in a text
			return at
		}
		at += n
	}
}

// draft is the prompt as the session takes it, its files checked.
func (q prompt) draft() (session.Draft, error) {
	if !utf8.ValidString(q.text) || strings.ContainsRune(q.text, 0) {
		return session.Draft{}, usage("", "%s is not UTF-8 text", q.from)
	}
	d := session.Draft{Text: queue.Normalize(q.text)}
	for _, path := range q.files {
		full, err := attachable(path)
		if err != nil {
			return session.Draft{}, usage("nothing was sent", "%s: %w", q.from, err)
		}
		d.Attachments = append(d.Attachments, queue.Attachment{Path: full})
	}
	return d, nil
}

// takes refuses files that the agent cannot take.
func takes(e *engine.Engine, drafts []session.Draft) error {
	for _, d := range drafts {
		for _, f := range d.Attachments {
			if err := e.Takes(f.Path); err != nil {
				return usage("nothing was sent", "%w", err)
			}
		}
	}
	return nil
}

// attachable returns the absolute path of a file that can be sent.
func attachable(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s", sanitize.Line(path))
	case err != nil:
		return "", fmt.Errorf("cannot attach %s: %w", path, reasonOf(err))
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("cannot attach %s: it is not a regular file", path)
	case info.Size() > engine.MaxAttachment:
		return "", fmt.Errorf("cannot attach %s: %d bytes are too many, at most %d", path, info.Size(), engine.MaxAttachment)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("cannot attach %s: %w", path, reasonOf(err))
	}
	_ = file.Close() // it was only to see whether it opens
	return filepath.Abs(path)
}
