//go:build unix

// Package crashtest kills the real program again and again, takes its session up again, and holds what is there against
// what the screen had acknowledged. It must not look into the running program: it knows the screen, the logs on disk
// and the requests that reached the server.
package crashtest

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"baton/ui/termtest"
)

var (
	killsWanted = flag.Int("crash.kills", 40, "how often the program is killed")
	onlyAt      = flag.String("crash.at", "", "plan only ends at places whose names hold this word")
	firstSeed   = flag.Uint64("crash.seed", 1, "seed of the first chain of lives; each further chain takes the next")
)

// lives is how many lives of the program one session goes through, so that damage would add up.
const lives = 8

// place is where the program is built.
var place string

// binary is the program with the places where it can end itself.
var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(place, "baton")
	out, err := exec.Command("go", "build", "-trimpath", "-tags", "crashpoints", "-o", path, "baton").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	var err error
	if place, err = os.MkdirTemp("", "baton-crashtest-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(place)
	os.Exit(code)
}

// TestCrashLoop (C3): chains of lives, each of a session of its own, until the program was killed often enough. The
// name of a chain is its seed: -run 'TestCrashLoop/seed_7$' -crash.seed=7 -crash.kills=1 lives it again.
func TestCrashLoop(t *testing.T) {
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	all := &tally{at: map[string]int{}}
	t.Run("chains", func(t *testing.T) {
		for worker := range uint64(2) {
			t.Run(fmt.Sprintf("worker %d", worker+1), func(t *testing.T) {
				t.Parallel()
				for seed := *firstSeed + worker; all.more(); seed += 2 {
					if !t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { newChain(t, bin, seed, all).live() }) {
						all.count(func() { all.failed = true })
					}
				}
			})
		}
	})
	t.Log(all)
}

// TestProgramsHaveNoCrashPoints: a program as it is built for people does not know the variable, and lives through it.
func TestProgramsHaveNoCrashPoints(t *testing.T) {
	path := termtest.Build(t)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(raw, []byte(crashVariable)) {
		t.Errorf("the program holds the name %s", crashVariable)
	}
	p := termtest.NewProvider(t, termtest.OK("the answer"))
	s := termtest.Start(t, termtest.Options{Binary: path, Args: []string{"--base-url", p.URL(), "--model", "m"},
		Env: map[string]string{crashVariable: "after-write:turn.started:1"}})
	s.WaitFor("○ Ready")
	s.Type("a prompt")
	s.WaitFor("┃ a prompt")
	s.Key("enter")
	s.WaitFor("the answer")
	s.WaitFor("○ Ready")
	if !s.Running() {
		t.Error("it ended")
	}
}

// tally counts what was tried.
type tally struct {
	mu        sync.Mutex
	kills     int
	lives     int
	quits     int
	texts     int            // typed
	snapshots int            // written
	at        map[string]int // kills by place
	failed    bool
}

func (c *tally) more() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kills < *killsWanted && !c.failed
}

func (c *tally) count(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

func (c *tally) killed(place string) { c.count(func() { c.kills++; c.at[place]++ }) }

func (c *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d kills in %d lives, %d ended by quitting, %d texts, %d snapshots", c.kills, c.lives, c.quits, c.texts, c.snapshots)
	for _, name := range slices.Sorted(maps.Keys(c.at)) {
		fmt.Fprintf(&b, "\n%5d  %s", c.at[name], name)
	}
	return b.String()
}

// chance is a source of its own for each seed and purpose, so that a change of one does not change the others.
func chance(seed uint64, purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
