package termtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

// staleAfter is when a binary that another test process left behind is removed.
const staleAfter = time.Hour

// Raced reports whether the tests, and the program that Build makes for them, have the race detector.
func Raced() bool { return len(raceFlags) > 0 }

// Build returns the module's program, built once per test process, with the race detector if the tests have it.
func Build(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var build = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("baton-termtest-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a place for the program: %w", err)
	}
	old, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("look for old programs: %w", err)
	}
	for _, e := range old {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	path := filepath.Join(dir, fmt.Sprintf("baton-%d", os.Getpid()))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	args := append([]string{"build", "-o", path}, raceFlags...)
	out, err := exec.Command("go", append(args, "baton")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
})
