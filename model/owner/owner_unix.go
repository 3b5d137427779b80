//go:build unix

package owner

import (
	"io/fs"
	"os"
	"syscall"
)

// Mine reports whether a file belongs to the user in whose name the program acts (geteuid(2)): what the program makes
// belongs to that one. It is false where the system does not say.
func Mine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(stat.Uid) == int64(os.Geteuid())
}
