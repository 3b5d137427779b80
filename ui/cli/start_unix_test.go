//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"baton/ui/termtest"
)

// What every start pays for before main, in allocations: a clock would blur it. Half of it
// is goldmark, whose entities and patterns for HTML are made at once.
const (
	startObjects    = 3200      // of all packages together
	startBytes      = 600 << 10 //
	startOwnObjects = 520       // of ours
)

// Tables, patterns and lexers are made at their first use, not at the start.
func TestStartIsLight(t *testing.T) {
	cmd := exec.Command(termtest.Build(t), "version")
	cmd.Env = []string{"HOME=" + t.TempDir(), "GODEBUG=inittrace=1", "GORACE=atexit_sleep_ms=0"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err, string(out))
	}
	var objects, size, own int
	var worst []string
	for line := range strings.Lines(string(out)) {
		var pkg string
		var at, took float64
		var b, n int
		if _, err := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes, %d allocs", &pkg, &at, &took, &b, &n); err != nil {
			continue
		}
		objects, size = objects+n, size+b
		if strings.HasPrefix(pkg, "baton/") {
			own += n
		}
		worst = append(worst, fmt.Sprintf("%6d objects, %7d bytes: %s\n", n, b, pkg))
	}
	if strings.Contains(string(out), "init github.com/yuin/goldmark/extension @") {
		t.Error("goldmark/extension compiles patterns for addresses before main: ui/markdown/gfm reads what is needed of it")
	}
	slices.Sort(worst)
	slices.Reverse(worst)
	if own == 0 || objects > startObjects || size > startBytes || own > startOwnObjects {
		t.Errorf("%d objects and %d bytes before main, %d objects of ours; the most:\n%s", objects, size, own, strings.Join(worst[:min(len(worst), 8)], ""))
	}
}

// A program that can run templates keeps every method of every type, a fifth of its size,
// which is memory at rest.
func TestNoTemplateIsLinked(t *testing.T) {
	program, err := os.ReadFile(termtest.Build(t))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(program, []byte("baton/ui/cli.Main")) {
		t.Fatal("the program has no names to look for")
	}
	if bytes.Contains(program, []byte("text/template.(*Template).Execute")) {
		t.Error("text/template is part of the program: Cobra's Set…Template functions bring it in")
	}
}
