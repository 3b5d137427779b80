package outside

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"baton/model/owner"
)

// Places is where chats that keep their sessions below a state directory are reached.
type Places struct {
	runtime string // $XDG_RUNTIME_DIR, or ""
	state   string // the state directory, or ""
	temp    string // for sockets whose path would be too long in the others, or ""
	system  string // where a login's $XDG_RUNTIME_DIR is, for callers that have none: cron, su, a service
	world   string // tells sockets of other state directories apart
	machine string // … and those of other machines, whose processes are not known here
}

// PlacesOf names them. state is the state directory, "" for none. Machines and containers that share it do not sweep away
// each other's sockets. A chat is found by its socket whatever the machine was called when it began: a name may change with the network.
func PlacesOf(env func(string) string, state string) Places { return placesOn(machine(), env, state) }

func placesOn(machine string, env func(string) string, state string) Places {
	whole, err := filepath.Abs(state)
	if err != nil || state == "" {
		whole = state
	}
	p := Places{state: whole, world: digest(whole), machine: digest(machine), system: fmt.Sprintf("/run/user/%d", os.Getuid())}
	if dir := env("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		p.runtime = dir
	}
	if state != "" {
		p.temp = cmp.Or(env("TMPDIR"), "/tmp")
	}
	return p
}

// digest stands for a name that may be too long, or not fit into a file's name.
func digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])[:8]
}

// errPlace says that there is no place for a socket.
var errPlace = errors.New("no folder of your own for the socket; set XDG_RUNTIME_DIR or XDG_STATE_HOME")

// own returns the path of a socket with this name, in a folder that is made for it. A folder of the wrong owner, that
// others may enter, that a symbolic link stands in for, or whose path is too long, is refused: the next one is taken.
func (p Places) own(name string) (path string, err error) {
	err = errPlace
	for _, f := range p.folders() {
		path = filepath.Join(f.parent, f.dir, name)
		if len(path) > pathBytes {
			err = fmt.Errorf("the path of the socket is too long: %d bytes, at most %d; set XDG_RUNTIME_DIR", len(path), pathBytes)
			continue
		}
		if err = f.ready(f.parent); err == nil {
			err = made(filepath.Dir(path))
		}
		if err == nil {
			return path, nil
		}
	}
	return "", err
}

// place is a folder for sockets, and what has to be so with the one it stands in.
type place struct {
	parent, dir string
	ready       func(parent string) error
}

// folders lists the places, the preferred one first.
func (p Places) folders() []place {
	all := []place{
		{p.runtime, "baton", func(parent string) error { return private(parent, os.Stat) }},
		{p.state, "run", func(parent string) error { return os.MkdirAll(parent, 0o700) }},
		{p.temp, fmt.Sprintf("baton-%d", os.Getuid()), func(string) error { return nil }},
	}
	return slices.DeleteFunc(all, func(f place) bool { return f.parent == "" })
}

// sockets lists the sockets of this world's chats, dead ones included, in folders that may be trusted.
func (p Places) sockets() (paths []string) {
	all := p.folders()
	if p.system != p.runtime {
		all = append(all, place{parent: p.system, dir: "baton"})
	}
	for _, f := range all {
		dir := filepath.Join(f.parent, f.dir)
		if private(dir, os.Lstat) != nil {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), p.world+"-") && e.Type()&fs.ModeSocket != 0 {
				paths = append(paths, filepath.Join(dir, e.Name()))
			}
		}
	}
	return paths
}

// name is the socket of a process; the second and later tries have a number.
func (p Places) name(pid, try int) string {
	if try == 0 {
		return fmt.Sprintf("%s-%s-%d", p.world, p.machine, pid)
	}
	return fmt.Sprintf("%s-%s-%d-%d", p.world, p.machine, pid, try)
}

// ours reports whether a socket of this world is named after a process of this machine.
func (p Places) ours(path string) bool {
	return strings.HasPrefix(filepath.Base(path), p.world+"-"+p.machine+"-")
}

// pidOf is the process that a socket is named after, 0 if it is after none.
func pidOf(path string) int {
	parts := strings.Split(filepath.Base(path), "-")
	if len(parts) < 3 {
		return 0
	}
	pid, err := strconv.Atoi(parts[2])
	if err != nil {
		return 0
	}
	return pid
}

// made makes a folder that is the person's alone.
func made(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return private(dir, os.Lstat)
}

// private refuses a folder that is not the person's alone. look is os.Lstat where a symbolic link is to be refused.
func private(dir string, look func(string) (fs.FileInfo, error)) error {
	info, err := look(dir)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link", dir)
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("others may enter %s", dir)
	case !owner.Mine(info):
		return fmt.Errorf("%s belongs to somebody else", dir)
	}
	return nil
}
