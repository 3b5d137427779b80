// Package frametest checks what components draw: that it fits, and that it
// still looks as it was last reviewed.
// It must not be imported by anything but tests.
package frametest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the frames that golden tests compare with")

// Golden compares lines, without their styles, with the file
// testdata/frames/<name>.txt of the repository. Every line ends in a bar, so
// that trailing space can be reviewed. With -update the file is written.
func Golden(t *testing.T, name string, lines []string) {
	t.Helper()
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(ansi.Strip(l) + "|\n")
	}
	compare(t, name, b.String())
}

// compare is the golden file itself.
func compare(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join(root, "testdata", "frames", filepath.FromSlash(name)+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("no frame to compare with (run with -update): %v", err)
	}
	if d := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); d != "" {
		t.Errorf("%s changed (-reviewed +drawn):\n%s", name, d)
	}
}

// root is the directory of the module, above that of the package under test: where the
// test program begins, whatever directory a test changes to.
var root = func() string {
	dir, err := os.Getwd()
	for err == nil && filepath.Dir(dir) != dir {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return "."
}()

// Fits fails the test when lines do not fit into width x height cells, or when
// a line would move the cursor anywhere but to the right.
func Fits(t *testing.T, lines []string, width, height int) {
	t.Helper()
	if len(lines) > height {
		t.Fatalf("%dx%d: %d lines:\n%s", width, height, len(lines), strings.Join(lines, "\n"))
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w > width {
			t.Fatalf("%dx%d: a line of %d cells: %q", width, height, w, l)
		}
		if i := strings.IndexFunc(ansi.Strip(l), func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }); i >= 0 {
			t.Fatalf("%dx%d: a control character in %q", width, height, l)
		}
	}
}

// Sizes calls f for sizes from 1x1 to 200x60: every width up to 60, and some beyond, with
// a dozen heights, every height with a dozen widths, and a few that no window should have.
func Sizes(f func(width, height int)) {
	few := []int{1, 2, 3, 4, 5, 6, 8, 10, 13, 20, 24, 40}
	for w := 1; w <= 200; w++ {
		for _, h := range few {
			if w <= 60 || w%20 < 2 {
				f(w, h)
			}
		}
	}
	for _, w := range append(few, 80, 120, 200) {
		for h := 1; h <= 60; h++ {
			f(w, h)
		}
	}
	for _, s := range [][2]int{{0, 0}, {0, 5}, {5, 0}, {-1, -1}, {1000, 300}} {
		f(s[0], s[1])
	}
}
