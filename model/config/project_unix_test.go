//go:build unix

package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func private(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
		t.Errorf("%s: %v, %v", path, info, err)
	}
}

// What somebody else may have put there, or may change, is not read.
func TestProjectFilesThatAreRefused(t *testing.T) {
	put := func(name string, do func(path string) error) string {
		path := filepath.Join(t.TempDir(), ProjectFile)
		if err := do(path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return path
	}
	write := func(mode fs.FileMode, text string) func(string) error {
		return func(path string) error {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				return err
			}
			return os.Chmod(path, mode)
		}
	}
	target := put("target", write(0o600, "x"))
	cases := map[string]struct {
		do   func(string) error
		want string
	}{
		"private":     {write(0o600, "x"), ""},
		"of a group":  {write(0o664, "x"), ""},
		"of all":      {write(0o666, "x"), "everybody can change it (mode 0666)"},
		"link":        {func(p string) error { return os.Symlink(target, p) }, "it is a symbolic link"},
		"broken link": {func(p string) error { return os.Symlink("gone", p) }, "it is a symbolic link"},
		"pipe":        {func(p string) error { return syscall.Mkfifo(p, 0o600) }, "it is no regular file"},
		"missing":     {func(string) error { return nil }, "no such file or directory"},
	}
	if os.Geteuid() == 0 { // nobody else can give a file away
		cases["foreign"] = struct {
			do   func(string) error
			want string
		}{func(p string) error { return firstOf(write(0o600, "x")(p), os.Chown(p, 1, 1)) }, "it belongs to another user"}
	}
	for name, c := range cases {
		p, err := ReadProject(put(name, c.do))
		if (err == nil) != (c.want == "") || err != nil && !strings.HasSuffix(err.Error(), c.want) || err == nil && string(p.Text) != "x" {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	folder := filepath.Join(t.TempDir(), ProjectFile)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadProject(folder); err == nil {
		t.Error("a folder was read")
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Trust that others could have planted counts for nothing.
func TestPlantedTrust(t *testing.T) {
	state := t.TempDir()
	trust, p := TrustIn(state), Project{Path: "/src/.baton.toml", Text: []byte("x")}
	if err := trust.Add(p); err != nil || !trust.Has(p) {
		t.Fatal(err)
	}
	if err := os.Chmod(trust.file(p.Path), 0o666); err != nil {
		t.Fatal(err)
	}
	if trust.Has(p) {
		t.Error("trusted what everybody can write")
	}
}

// A configuration is a regular file of bounded size; nothing else is waited for.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file, pipe := filepath.Join(dir, "f"), filepath.Join(dir, "p")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int]int{0: 0, MaxFileBytes: MaxFileBytes, MaxFileBytes + 1: MaxFileBytes + 1, 2 * MaxFileBytes: MaxFileBytes + 1} {
		if err := os.WriteFile(file, []byte(strings.Repeat("#", size)), 0o600); err != nil {
			t.Fatal(err)
		}
		if b, err := ReadFile(file); err != nil || len(b) != want {
			t.Errorf("%d bytes read as %d, %v", size, len(b), err)
		}
	}
	for path, want := range map[string]string{dir: "it is a folder", pipe: "it is no regular file", "/dev/zero": "it is no regular file"} {
		if _, err := ReadFile(path); err == nil || reasonOnly(err) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("retry.attempts = 2"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if b, err := ReadFile(filepath.Join("/dev/fd", fdOf(r))); err != nil || string(b) != "retry.attempts = 2" {
		t.Errorf("handed over by a shell: %q, %v", b, err)
	}
}

func fdOf(f *os.File) string { return strconv.Itoa(int(f.Fd())) }
