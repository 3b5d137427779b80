package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"baton/model/config"
	"baton/model/journal"
	"baton/model/owner"
)

const (
	// littleSpace is when a warning is due: a long talk and its pictures fit.
	littleSpace = 100 << 20
	// noSpace is when nothing can be kept any more.
	noSpace = 1 << 20
	// lookedAt bounds the sessions whose locks are looked at.
	lookedAt = 200
)

// places looks at the folders that baton keeps things in.
func (d *doctor) places(context.Context) {
	if path := config.Path(d.Env, d.Home, d.flags); path != "" {
		d.folder("configuration", filepath.Dir(path), false)
	}
	state := d.conf.StateDir
	if state == "" {
		d.warn("mend the configuration first", "it is not known where sessions are kept")
		return
	}
	d.folder("state", state, true)
	for _, name := range []string{"sessions", "drafts", "trusted", "log", "run"} {
		if path := filepath.Join(state, name); exists(path) {
			d.folder(name, path, true)
		}
	}
	if dir := d.Env("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		if path := filepath.Join(dir, "baton"); exists(path) {
			d.folder("sockets", path, true)
		}
	}
	d.space(state)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// folder looks at one folder; one that is not there yet must be possible to make.
func (d *doctor) folder(name, path string, private bool) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		up := standingAbove(path)
		if !writable(up) {
			d.bad("make "+path+" by hand, or let baton write to "+up, "%s: %s is not there, and cannot be made: %s is not yours to write to", name, path, up)
			return
		}
		d.fine("%s: %s is not there yet; it is made when it is needed", name, path)
	case err != nil:
		d.bad("look at the rights of the folders above it", "%s: %s cannot be looked at: %s", name, path, reason(err))
	case !info.IsDir():
		d.bad("move it away", "%s: %s is no folder", name, path)
	case !writable(path):
		d.bad("chown or chmod u+rwx "+path, "%s: %s is not yours to write to", name, path)
	case private && !owner.Mine(info):
		d.warn("chown it to yourself", "%s: %s belongs to another user", name, path)
	case private && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows":
		d.warn("chmod 700 "+path, "%s: %s can be looked into by others (mode %04o)", name, path, info.Mode().Perm())
	default:
		d.fine("%s: %s", name, path)
	}
}

// standingAbove is the closest folder above path that exists.
func standingAbove(path string) string {
	for {
		up := filepath.Dir(path)
		if up == path || exists(up) {
			return up
		}
		path = up
	}
}

func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func (d *doctor) space(path string) {
	if !exists(path) {
		path = standingAbove(path)
	}
	free, known := freeSpace(path)
	switch {
	case !known:
	case free < noSpace:
		d.bad("make room, or set state_dir", "no space is left where sessions are kept (%s)", size(int64(free)))
	case free < littleSpace:
		d.warn("make room, or set state_dir", "little space is left where sessions are kept: %s", size(int64(free)))
	default:
		d.fine("space: %d MiB are free", free>>20)
	}
}

// sessions looks at what is kept and who has it open.
func (d *doctor) sessions(context.Context) {
	if d.conf.StateDir == "" {
		return
	}
	dir := filepath.Join(d.conf.StateDir, "sessions")
	all, err := journal.List(dir)
	if err != nil {
		d.bad("look at the rights of the folder", "they cannot be listed: %s", reason(err))
		return
	}
	d.fine("%s kept", howMany(len(all), "session"))
	for _, s := range all[:min(len(all), lookedAt)] {
		pid, held, err := journal.Holder(dir, s.ID)
		switch {
		case err != nil:
			d.warn("look at its .lock file", "%s: its lock cannot be looked at: %s", s.ID, reason(err))
		case held && pid > 0:
			d.fine("%s is in use by process %d", s.ID, pid)
		case held:
			d.fine("%s is in use", s.ID)
		}
	}
}
