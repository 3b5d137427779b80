// Baton is a terminal chat client for language-model agents. A failed turn is retried
// inside the same turn, and the next queued prompt starts only when the current turn
// has succeeded.
package main

import (
	_ "baton/ui/term/guard" // first: it must run before Bubble Tea asks the terminal

	"context"
	"os"
	"runtime/debug"

	"baton/ui/cli"
)

// The linker sets these for releases; date is the commit's, RFC 3339.
var version, commit, date string

func main() {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // settings and sessions then come from the environment alone
	}
	os.Exit(cli.Main(context.Background(), cli.World{
		Args: os.Args[1:], Env: os.Getenv, Home: home,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Version: versionOf(), Commit: commit, Date: date,
	}))
}

// versionOf is the release, else the module's version as the go command recorded it.
func versionOf() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
