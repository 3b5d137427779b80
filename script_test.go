package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be the program: under the name baton it is main, guard
// included.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"baton": main, surroundings: tellSurroundings})
}

// TestScripts runs the program as a shell would: every file of testdata/script is a
// script, and a subtest.
//
// How to write one. Begin the file's name with the command it is about (run_stdin.txtar);
// a script for a new command is what TestEveryCommandHasAScript of ui/cli asks for. Each
// script has a folder ($WORK, the working directory), a home ($HOME), a state
// ($XDG_STATE_HOME, sessions in $SESSIONS) and a configuration ($XDG_CONFIG_HOME) of its
// own, no terminal, no key and short waits between retries. Files it needs stand below it
// behind "-- NAME --". The commands of testscript do (exec, stdin, stdout, stderr, cmp,
// grep, exists, env, …; go doc github.com/rogpeppe/go-internal/testscript), and these,
// from script_commands_test.go and script_server_test.go:
//
//	exec baton ARG...            must end with 0; stdout and stderr then look at its output
//	exits CODE baton ARG...      must end with this code
//	refused CODE PATTERN baton ARG...   … with nothing on stdout and one line "baton: …" on stderr that matches
//	printable stdout|stderr|FILE holds no control character but line ends and tabs (C14)
//	session NAME                 sets $NAME to the id of the session written last
//	sessions N                   so many sessions are kept
//	hold ID                      has the session in use until the script ends
//	start NAME baton ARG...      runs on beside the script; stdin works as for exec
//	talk NAME baton ARG...       … with its standard input left open, for type
//	type NAME LINE               enters a line
//	waitfor NAME PATTERN         until its stdout or stderr matches
//	signal NAME INT|TERM|…       sends it a signal
//	ends NAME CODE               waits for its end; stdout and stderr then look at its output
//	server ANSWER...             starts a server on loopback, $SERVER is its base URL, $SERVER_ADDR host:port; again: adds answers
//	requests N                   waits for N requests; there must be no more
//	asked N TEXT                 request N (from 1) ends with this message
//	[!] request N PATTERN        request N's body matches
//	models NAME...               what the server lists; nothing: the list fails
//	release TEXT                 lets the first gate that waits go on with TEXT, and end
//
// An ANSWER is: ok:TEXT, echo, a status (500, 401), 429:SECONDS (with Retry-After),
// 401:MESSAGE, cut@WORDS, stall@WORDS, hang, silent, empty, reset, or gate:TEXT, which waits
// for release behind TEXT; *N behind one repeats it (500*5). When the list is used up, the
// answer echoes the prompt.
//
// Never wait by sleeping: waitfor, requests and ends wait by condition. Conditions such as
// [unix] and [!windows] go before a command. A script is run alone with
// go test . -run TestScripts/NAME.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"), Setup: settle, Cmds: scriptCommands(), RequireUniqueNames: true,
	})
}

// settle gives a script a home of its own.
func settle(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	state := filepath.Join(home, "state")
	e.Vars = append(e.Vars,
		"HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_STATE_HOME="+state,
		"SESSIONS="+filepath.Join(state, "baton", "sessions"),
		"BATON_RETRY_BASE=1ms", "BATON_RETRY_CAP=2ms", "TZ=UTC", "TERM=xterm-256color", "NO_PROXY=*",
		"GORACE=atexit_sleep_ms=0") // the race detector would wait a second at each end
	e.Values[standing{}] = &stage{env: e, running: map[string]*process{}}
	return os.MkdirAll(home, 0o700)
}
