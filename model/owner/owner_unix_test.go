//go:build unix

package owner

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// stated is a file of which the system says this.
type stated struct {
	fs.FileInfo
	sys any
}

func (s stated) Sys() any { return s.sys }

func TestMine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	made, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	me := uint32(os.Geteuid())
	for name, c := range map[string]struct {
		info fs.FileInfo
		want bool
	}{
		"just made":       {made, true},
		"of this user":    {stated{made, &syscall.Stat_t{Uid: me}}, true},
		"of another user": {stated{made, &syscall.Stat_t{Uid: me + 1}}, false},
		"nothing is said": {stated{made, nil}, false},
	} {
		if got := Mine(c.info); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
