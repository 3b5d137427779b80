// Package leaktest ends a package's tests with a look at what still runs: who talks to
// agents starts goroutines for every request, and none may outlive it. It must not be
// imported outside tests.
package leaktest

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// patience is how long goroutines have to end once the last test has: the kernel may
// take a moment to tell that a connection was closed.
const patience = 5 * time.Second

// Exit ends the process with the code of the tests, or with 1 if goroutines outlive
// them. It is the last call of a TestMain: leaktest.Exit(m.Run()).
func Exit(code int) {
	if left := Left(patience); code == 0 && len(left) > 0 {
		fmt.Fprintf(os.Stderr, "%d goroutines outlive the tests:\n\n%s\n", len(left), strings.Join(left, "\n\n"))
		code = 1
	}
	os.Exit(code)
}

// Left returns the stacks of the goroutines that run besides the caller's, after waiting
// for them to end, at most for the given time. Those that testing and the runtime started
// do not count, nor do connections that a test's own requests keep for later ones.
func Left(wait time.Duration) []string {
	for end := time.Now().Add(wait); ; time.Sleep(time.Millisecond) {
		http.DefaultClient.CloseIdleConnections()
		left := others()
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}

// others are the stacks of all goroutines but this one and those that come with a test.
func others() []string {
	all := strings.Split(strings.TrimSpace(stacks()), "\n\n")
	return slices.DeleteFunc(all[1:], func(stack string) bool {
		_, by, started := strings.Cut(stack, "\ncreated by ")
		return !started || slices.ContainsFunc(beside, func(name string) bool { return strings.HasPrefix(by, name) })
	})
}

// beside begin the functions that start goroutines beside any test. The process's first
// one nobody started.
var beside = []string{"testing.", "runtime.", "os/signal."}

// stacks are those of all goroutines, the caller's first.
func stacks() string {
	for size := 1 << 16; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size {
			return string(buf[:n])
		}
	}
}
