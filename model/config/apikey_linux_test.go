package config

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestKeyProgramEndsWithBaton: a program that waits for a passphrase does not outlive a
// baton that was killed.
func TestKeyProgramEndsWithBaton(t *testing.T) {
	named := filepath.Join(t.TempDir(), "pid")
	baton := exec.Command(os.Args[0], "key-program", "asker")
	baton.Env = append(os.Environ(), lingerer+"="+named)
	if err := baton.Start(); err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() {
		_ = baton.Process.Kill()
		_ = baton.Wait()
	})
	t.Cleanup(kill)
	var program string
	until(t, "it started none", func() bool {
		b, _ := os.ReadFile(named)
		program = strings.TrimSpace(string(b))
		return strings.HasSuffix(string(b), "\n") // all of it
	})
	kill()
	until(t, "it outlived it", func() bool {
		stat, err := os.ReadFile(filepath.Join("/proc", program, "stat"))
		return err != nil || strings.Contains(string(stat), ") Z ") // nobody may reap orphans here
	})
}

func TestKeyProgramThatIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, _, err := AgentConfig{Name: "a", APIKeyCommand: []string{path}}.Key(t.Context(), SystemKeys())
	if err == nil || err.Error() != "api_key_command failed: exec format error" {
		t.Error(err)
	}
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}
