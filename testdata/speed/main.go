//go:build unix

// Command speed measures baton as a person meets it: it builds the program, runs it in a pseudo-terminal against a server of
// its own on loopback, types, and waits for what is drawn. It prints one table.
//
// It must not judge. A figure belongs to a machine and to what else ran there, so the table names the load, nothing fails for
// being slow, and the exit code is 1 only if something could not be measured.
//
//	go run ./testdata/speed                   # about three minutes
//	go run ./testdata/speed -keys 40 -runs 1  # a first look
//	go run ./testdata/speed -only start       # those whose name holds the word
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bench is what all measurements share.
type bench struct {
	baton, bare string // the programs
	scratch     string // a folder that goes away
	server      *server
	keys, runs  int
	report      *report
}

func main() {
	keys := flag.Int("keys", 200, "keys a measurement of echoes presses, at least 10")
	runs := flag.Int("runs", 5, "how often each other measurement is made, at least 1")
	only := flag.String("only", "", "make only the measurements whose name holds this word")
	binary := flag.String("baton", "", "measure this program instead of building one")
	flag.Parse()
	if err := run(max(*keys, 10), max(*runs, 1), *only, *binary); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func run(keys, runs int, only, binary string) error {
	scratch, err := os.MkdirTemp("", "baton-speed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	b := &bench{scratch: scratch, keys: keys, runs: runs, baton: binary, report: newReport()}
	if b.baton == "" {
		if b.baton, err = b.build("baton", "baton"); err != nil {
			return err
		}
	}
	if b.bare, err = b.build("bare", "baton/testdata/speed/bare"); err != nil {
		return err
	}
	if b.server, err = serve(); err != nil {
		return err
	}
	defer b.server.close()
	for _, m := range measurements {
		if !strings.Contains(m.name, only) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring:", m.name)
		if err := m.make(b); err != nil {
			b.report.failed(m.name, err)
		}
	}
	return b.report.print(os.Stdout)
}

// build makes a program as a release is made, but for the version.
func (b *bench) build(name, pkg string) (string, error) {
	path := filepath.Join(b.scratch, name)
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}
