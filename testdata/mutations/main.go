// Command mutations breaks one rule at a time and requires a test to notice. It
// changes copies of the tree, never the tree itself.
//
// Each *.patch beside this file is one mutation. It begins with
//
//	# rule: what is broken, in a person's words
//	# package: ./model/session
//	# test: the pattern of go test -run that must turn red
//	# args: further flags of the test binary (optional)
//
// A patch that does not apply or compile, a test that does not exist, and a test
// that does not fail are all failures of this program. Words on the command line
// choose the patches whose names hold one of them.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutations:", err)
		os.Exit(1)
	}
}

func run(chosen []string) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	all, err := readMutations(filepath.Join(root, "testdata", "mutations"), chosen)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "mutations-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	trees := make([]*tree, max(1, min(runtime.NumCPU(), 4)))
	for i := range trees {
		if trees[i], err = copyTree(root, filepath.Join(tmp, fmt.Sprint(i))); err != nil {
			return fmt.Errorf("copy the tree: %w", err)
		}
	}
	start := time.Now()
	if err := baseline(trees[0], all); err != nil {
		return err
	}
	failed := tryAll(trees, all)
	fmt.Printf("%d mutations, %d not caught, %.0fs\n", len(all), failed, time.Since(start).Seconds())
	if failed > 0 {
		return fmt.Errorf("%d mutations were not caught", failed)
	}
	return nil
}

// baseline requires every named test to exist and to pass on the unchanged code.
func baseline(t *tree, all []*mutation) error {
	seen := map[string]bool{}
	built := ""
	slices.SortStableFunc(all, func(a, b *mutation) int { return strings.Compare(a.pkg, b.pkg) })
	for _, m := range all {
		id := m.pkg + " " + m.test + " " + strings.Join(m.args, " ")
		if seen[id] {
			continue
		}
		seen[id] = true
		if built != m.pkg {
			if out, err := t.build(m.pkg); err != nil {
				return fmt.Errorf("%s does not build unchanged: %w\n%s", m.pkg, err, out)
			}
			built = m.pkg
		}
		out, err := t.test(m)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %s fails on the unchanged code: %w\n%s", m.pkg, m.test, err, out)
		case !ran(out, strings.Count(m.test, "/")):
			return fmt.Errorf("%s: no test is called %s", m.pkg, m.test)
		}
	}
	return nil
}

// ran reports whether a test ran that is at least so many levels deep.
func ran(out string, depth int) bool {
	for l := range strings.Lines(out) {
		if strings.HasPrefix(l, "=== RUN") && strings.Count(l, "/") >= depth {
			return true
		}
	}
	return false
}

// tryAll shares the mutations among the trees and returns how many were not caught.
func tryAll(trees []*tree, all []*mutation) (failed int) {
	work := make(chan *mutation)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, t := range trees {
		wg.Go(func() {
			for m := range work {
				start := time.Now()
				err := t.try(m)
				mu.Lock()
				if err != nil {
					failed++
					fmt.Printf("NOT CAUGHT  %s (%s): %v\n", m.name, m.rule, err)
				} else {
					fmt.Printf("caught %4.1fs  %s: %s\n", time.Since(start).Seconds(), m.name, m.rule)
				}
				mu.Unlock()
			}
		})
	}
	for _, m := range all {
		work <- m
	}
	close(work)
	wg.Wait()
	return failed
}
