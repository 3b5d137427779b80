package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tree is a copy of the module that may be broken.
type tree struct {
	root string // the original
	dir  string
	bin  string // where its test binary goes
}

func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	mod := strings.TrimSpace(string(out))
	if err != nil || mod == "" || mod == os.DevNull {
		return "", fmt.Errorf("not inside the module: %q %w", mod, err)
	}
	return filepath.Dir(mod), nil
}

func copyTree(root, dir string) (*tree, error) {
	t := &tree{root: root, dir: dir, bin: dir + ".test"}
	return t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // somebody's temporary file
			return nil
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.Type().IsRegular():
			rel, _ := filepath.Rel(root, path)
			return t.restore(rel)
		}
		return nil
	})
}

// restore makes one file as in the original.
func (t *tree) restore(rel string) error {
	raw, err := os.ReadFile(filepath.Join(t.root, rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	to := filepath.Join(t.dir, rel)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, raw, 0o644)
}

// try applies a mutation and returns nil if its test failed as a test fails.
func (t *tree) try(m *mutation) (err error) {
	defer func() {
		for _, f := range m.changes {
			err = errors.Join(err, t.restore(f))
		}
	}()
	if out, err := t.command(t.dir, "git", "apply", "-C1", m.file); err != nil {
		return fmt.Errorf("the patch does not apply any more, make it anew\n%s", out)
	}
	if out, err := t.build(m.pkg); err != nil {
		return fmt.Errorf("the broken code does not compile\n%s", out)
	}
	out, err := t.test(m)
	switch {
	case err == nil:
		return fmt.Errorf("%s still passes", m.test)
	case strings.Contains(out, "panic: test timed out"):
		return fmt.Errorf("%s hangs", m.test)
	case !strings.Contains(out, "--- FAIL"):
		return fmt.Errorf("%s did not fail as a test fails: %w\n%s", m.test, err, out)
	}
	return nil
}

// build compiles the tests of a package. Paths are trimmed so that all trees share
// the build cache.
func (t *tree) build(pkg string) (string, error) {
	return t.command(t.dir, "go", "test", "-c", "-trimpath", "-vet=off", "-ldflags=-s -w", "-o", t.bin, pkg)
}

// test runs the named test of the binary that was built last.
func (t *tree) test(m *mutation) (string, error) {
	args := append([]string{"-test.v", "-test.timeout=60s", "-test.failfast", "-test.run=" + anchored(m.test)}, m.args...)
	return t.command(filepath.Join(t.dir, filepath.FromSlash(m.pkg)), t.bin, args...)
}

// anchored makes each part of a pattern match whole names.
func anchored(pattern string) string {
	parts := strings.Split(pattern, "/")
	for i, p := range parts {
		parts[i] = "^(" + p + ")$"
	}
	return strings.Join(parts, "/")
}

func (t *tree) command(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(t.dir))
	out, err := c.CombinedOutput()
	return string(out), err
}
