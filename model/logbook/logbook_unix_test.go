//go:build unix

package logbook

import (
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A link or a pipe in the file's place is not written to.
func TestForeignFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(path string) error{
		"link": func(p string) error { return os.Symlink(target, p) },
		"pipe": func(p string) error { return syscall.Mkfifo(p, 0o600) },
	} {
		log := filepath.Join(dir, name)
		if err := os.Mkdir(log, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := make(filepath.Join(log, File)); err != nil {
			t.Fatal(err)
		}
		b := Open(log, slog.LevelInfo)
		b.Logger().Info("x")
		b.Close()
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}
