package cli

import (
	"errors"
	"fmt"
	"io"

	"baton/model/config"
	"baton/ui/sanitize"
)

// Exit codes, as documented in the README.
const (
	ExitOK        = 0
	ExitFailed    = 1  // a failed turn, or nothing to continue
	ExitUsage     = 2  // wrong flags or arguments, or no terminal
	ExitExhausted = 75 // retries exhausted: try later (EX_TEMPFAIL of sysexits.h)
	ExitAuth      = 77 // EX_NOPERM
	ExitConfig    = 78 // EX_CONFIG
)

// configError reports whether an error is about the configuration, and says so itself.
func configError(err error) bool {
	var conf *config.Error
	return errors.As(err, &conf)
}

// exitError carries the code that an error ends the program with.
type exitError struct {
	code int
	err  error
	next string // what the person can do, "" if the error says it
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usage(next, format string, args ...any) error {
	return &exitError{ExitUsage, fmt.Errorf(format, args...), next}
}

func failure(next, format string, args ...any) error {
	return &exitError{ExitFailed, fmt.Errorf(format, args...), next}
}

// codes are the exit codes and what they mean, as people read them.
var codes = [][2]string{
	{"0", "all went well; or the chat, or a list of sessions, was left"},
	{"1", "a turn failed; or something could not be done, such as taking up a session that does not exist"},
	{"2", "wrong use, or the chat was given no terminal"},
	{"75", "retries exhausted: try later"},
	{"77", "the key was refused"},
	{"78", "a mistake in the configuration"},
	{"129, 130, 131, 143", "ended by SIGHUP, SIGINT, SIGQUIT, SIGTERM"},
	{"141", "nobody read the output any more"},
}

// several says of mistakes in the configuration where all of them are seen: a line has room for the first.
func (a *app) several(err error) error {
	var all config.Problems
	if !errors.As(err, &all) || len(all) < 2 {
		return err
	}
	check := "baton config check"
	if a.flags.ConfigFile != "" { // else another file may be looked at, and be in order
		check += " --config " + a.flags.ConfigFile
	}
	return &exitError{ExitConfig, err, check + " lists them all"}
}

// report writes an error as one line, wrapped on a terminal, with its next step and returns the exit code.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return ExitOK
	}
	code, next := ExitUsage, "see baton --help" // what cobra refuses is a wrong use
	var ex *exitError
	var conf *config.Error
	switch {
	case errors.As(err, &ex):
		code, next = ex.code, ex.next
	case errors.As(err, &conf):
		code, next = ExitConfig, conf.Next
	}
	line := sanitize.Line("baton: " + err.Error())
	if next != "" {
		line += " · " + sanitize.Line(next)
	}
	fmt.Fprintln(stderr, wrapped(line, columns(stderr)))
	return code
}
