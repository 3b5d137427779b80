package config

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKeyProgramEndsWithBaton: a program that waits for a passphrase does not outlive a
// baton that was killed.
func TestKeyProgramEndsWithBaton(t *testing.T) {
	baton := exec.Command(os.Args[0], "key-program", "asker")
	if err := baton.Start(); err != nil {
		t.Fatal(err)
	}
	task := filepath.Join("/proc", strconv.Itoa(baton.Process.Pid), "task")
	var child string
	until(t, "it started none", func() bool {
		child = ""
		lists, _ := filepath.Glob(filepath.Join(task, "*", "children"))
		for _, l := range lists {
			b, _ := os.ReadFile(l)
			child += strings.TrimSpace(string(b))
		}
		cmd, _ := os.ReadFile(filepath.Join("/proc", child, "cmdline")) // the parent's until it has become the program
		return child != "" && strings.Contains(string(cmd), "linger")
	})
	if err := baton.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = baton.Wait()
	until(t, "it outlived it", func() bool {
		stat, err := os.ReadFile(filepath.Join("/proc", child, "stat"))
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
