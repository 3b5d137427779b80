package config

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// A key with generous white space around it still fits.
const maxKeySource = 64 << 10

var errTooMuch = errors.New("more bytes than a key can have")

// SystemKeys reaches the real environment, programs and files.
func SystemKeys() KeyAccess {
	return KeyAccess{Env: os.Getenv, Run: runProgram, ReadFile: readPrivate}
}

// runProgram gives the program no input and drops its standard error: both are the
// screen's while baton runs, and error texts of key stores name what they store.
func runProgram(ctx context.Context, argv []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	out := &limited{}
	cmd.Stdout = out
	cmd.WaitDelay = time.Second // a grandchild may hold the pipe after the kill, or go on as a key store's daemon
	err := runWhileAlive(cmd)
	switch {
	case out.full:
		return nil, errTooMuch
	case errors.Is(err, exec.ErrWaitDelay) && ctx.Err() == nil: // the program itself has ended well
		return out.data, nil
	}
	return out.data, err
}

// limited keeps up to maxKeySource bytes and refuses the rest.
type limited struct {
	data []byte
	full bool
}

func (l *limited) Write(p []byte) (int, error) {
	if len(l.data)+len(p) > maxKeySource {
		l.full = true
		return 0, errTooMuch
	}
	l.data = append(l.data, p...)
	return len(p), nil
}

func readPrivate(path string) ([]byte, fs.FileMode, error) {
	// Looked at before it is opened: opening a pipe would wait for its writer.
	if info, err := os.Stat(path); err != nil {
		return nil, 0, err
	} else if !info.Mode().IsRegular() {
		return nil, 0, errors.New("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKeySource+1))
	if len(data) > maxKeySource {
		return nil, 0, errTooMuch
	}
	return data, info.Mode(), err
}

func octal(m fs.FileMode) string { return "0" + strconv.FormatUint(uint64(m.Perm()), 8) }
