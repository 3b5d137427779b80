package logbook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
)

// TestMain lets the test binary stand in for another process that writes to the same log.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "write" {
		write(os.Args[2], os.Args[3])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const eachWrites = 1500

func write(dir, who string) {
	for part := range 3 {
		b := Open(dir, slog.LevelInfo)
		log := b.Logger()
		for n := range eachWrites / 3 {
			log.Info("line", "who", who, "n", part*eachWrites/3+n, "fill", strings.Repeat("x", 300))
		}
		b.mu.Lock()
		done := b.done
		b.mu.Unlock()
		b.Close()
		if done != nil {
			<-done // however busy the machine is
		}
	}
}

// entries reads every line of all files.
func entries(t *testing.T, dir string) (all []map[string]any) {
	t.Helper()
	for n := range Files + 1 {
		raw, err := os.ReadFile((&file{dir: dir}).path(n))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil || n == Files {
			t.Errorf("file %d: %v", n, err)
		}
		if len(raw) > MaxFile+maxWrite { // who could not get the lock soon does not turn over
			t.Errorf("file %d has %d bytes", n, len(raw))
		}
		for line := range bytes.Lines(raw) {
			var e map[string]any
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatalf("%v: %q", err, line)
			}
			all = append(all, e)
		}
	}
	return all
}

// What is handed over is written, in private files, and nothing before there is something.
func TestRecordsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "state", "log")
		b := Open(dir, slog.LevelInfo)
		log := b.Logger().With("a", 1).WithGroup("g")
		log.Debug("too fine")
		time.Sleep(2 * gather)
		if _, err := os.Stat(filepath.Dir(dir)); err == nil {
			t.Error("something was made for nothing")
		}
		log.Warn("it happened", "err", fmt.Errorf("wrapped: %w", os.ErrNotExist), "took", 1500*time.Millisecond, "n", 7, "ok", true, "list", []int{1, 2})
		time.Sleep(gather / 2)
		if _, err := os.Stat(filepath.Dir(dir)); err == nil {
			t.Error("a record is written while more may come")
		}
		time.Sleep(2 * gather)
		es := entries(t, dir)
		if len(es) != 1 {
			t.Fatalf("%v", es)
		}
		for key, want := range map[string]any{"msg": "it happened", "level": "WARN", "pid": float64(os.Getpid()), "a": float64(1),
			"g.err": "wrapped: file does not exist", "g.took": "1.5s", "g.n": float64(7), "g.ok": true, "g.list": "[1 2]"} {
			if es[0][key] != want {
				t.Errorf("%s: %#v, want %#v", key, es[0][key], want)
			}
		}
		log.Info("later")
		b.Close()
		log.Info("behind the end")
		b.Close()
		if es = entries(t, dir); len(es) != 2 {
			t.Errorf("%v", es)
		}
		if runtime.GOOS == "windows" {
			return // it has no such modes
		}
		for path, mode := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, File): 0o600, filepath.Join(dir, File+".lock"): 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v, %v", path, info, err)
			}
		}
	})
}

// C14 and C15: no secret and no control character gets into the file, in keys' values,
// messages or errors, and long values are cut.
func TestTextsAreMadeHarmless(t *testing.T) {
	dir := t.TempDir()
	b := Open(dir, slog.LevelDebug)
	log := b.Logger().With("early", "the secret")
	b.Clean(func(s string) string { return strings.ReplaceAll(s, "secret", "[redacted]") })
	log.Info("a secret\x1b[2J message", "text", "x\x1b]0;evil\a\u009b6n\u202e\nsecret", "err", errors.New("secret\x00"))
	for _, n := range []int{maxValue - 1, maxValue, maxValue + 1, maxLooked - 1, maxLooked, maxLooked + 1} {
		log.Info("long", "n", n, "text", strings.Repeat("y", n))
	}
	b.Close()
	raw, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	if i := bytes.IndexFunc(raw, func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }); i >= 0 {
		t.Errorf("%q", raw[max(0, i-40):i+20])
	}
	if bytes.Contains(raw, []byte("secret")) || bytes.Contains(raw, []byte(`\u`)) {
		t.Errorf("%s", raw)
	}
	es := entries(t, dir)
	if es[0]["early"] != "the [redacted]" || !strings.HasSuffix(es[0]["text"].(string), "[redacted]") {
		t.Errorf("%v", es[0])
	}
	for _, e := range es[1:] {
		n, text := int(e["n"].(float64)), e["text"].(string)
		switch {
		case n <= maxValue && len(text) != n, n > maxValue && n <= maxLooked && (len(text) > maxValue || !strings.HasSuffix(text, "…")),
			n > maxLooked && text != fmt.Sprintf("(%d bytes, left out)", n):
			t.Errorf("%d bytes are written as %d: %.20s", n, len(text), text)
		}
	}
}

// Several processes write whole lines, and the file is turned over before it is too large.
func TestSeveralProcesses(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var others []*exec.Cmd
	for _, who := range []string{"a", "b", "c"} {
		cmd := exec.Command(self, "write", dir, who)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		others = append(others, cmd)
	}
	for _, cmd := range others {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	seen := map[string]bool{}
	for _, e := range entries(t, dir) {
		seen[fmt.Sprint(e["who"], e["n"])] = true
	}
	if len(seen) != 3*eachWrites {
		t.Errorf("%d lines of %d", len(seen), 3*eachWrites)
	}
	if _, err := os.Stat(filepath.Join(dir, File+".1")); err != nil {
		t.Errorf("it was not turned over: %v", err)
	}
}

// The oldest file goes; all of them together stay within their bound.
func TestFilesAreTurnedOver(t *testing.T) {
	dir := t.TempDir()
	f := file{dir: dir}
	line := []byte(`{"n":"` + strings.Repeat("x", 999) + "\"}\n")
	for range (Files + 1) * MaxFile / len(line) {
		f.add(line)
	}
	f.close()
	info, err := os.Stat(f.path(1))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(entries(t, dir)) * len(line); n > Files*MaxFile || info.Size() > MaxFile || n < (Files-1)*MaxFile {
		t.Errorf("%d bytes are kept", n)
	}
	whole := bytes.Repeat(line, 3*maxWrite/len(line)) // one hand-over, several writes
	other := file{dir: t.TempDir()}
	other.add(whole)
	other.close()
	if got, err := os.ReadFile(other.path(0)); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("%d bytes of %d, %v", len(got), len(whole), err)
	}
}

// C13: whoever logs waits for nothing; what does not fit is counted.
func TestNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		for _, n := range []int{maxPending - 1, maxPending, maxPending + 1, 2 * maxPending} {
			b := Open(filepath.Join(dir, fmt.Sprint(n)), slog.LevelInfo)
			log, start := b.Logger(), time.Now()
			for i := range n {
				log.Info("x", "i", i)
			}
			if took := time.Since(start); took > 0 {
				t.Errorf("it took %v", took)
			}
			b.Close()
			es := entries(t, b.dir)
			lost := max(0, n-maxPending)
			if want := n - lost + min(1, lost); len(es) != want {
				t.Errorf("%d records of %d, want %d", len(es), n, want)
			}
			if last := es[len(es)-1]; lost > 0 && last["count"] != float64(lost) {
				t.Errorf("%v, want %d", last, lost)
			}
		}
	})
}

// Whatever stands in the way: nothing fails, and the end is not held up.
func TestNothingFails(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "blocked")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, File), 0o700); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(dir, "locked")
	held := (&file{dir: locked})
	if err := os.Mkdir(locked, 0o700); err != nil {
		t.Fatal(err)
	}
	lock := held.lock()
	defer lock.Unlock()
	for name, where := range map[string]string{"a file for the folder": blocked, "a folder for the file": folder, "locked": locked, "none": ""} {
		b := Open(where, slog.LevelInfo)
		b.Logger().Info("x")
		b.mu.Lock()
		done := b.done
		b.mu.Unlock()
		b.Close()
		if done != nil {
			<-done // however busy the machine is
		}
		if name == "locked" && len(entries(t, locked)) != 1 {
			t.Error("what another one holds up is not written")
		}
	}
	b := Open(filepath.Join(dir, "panic"), slog.LevelInfo)
	b.Clean(func(string) string { panic("in who takes secrets away") })
	b.Logger().Info("x")
	b.Close()
	var none *Book
	none.Logger().Error("x")
	none.Clean(nil)
	none.Close()
}

// Switched off, a record costs no memory.
func TestOffIsFree(t *testing.T) {
	for name, log := range map[string]*slog.Logger{"no place": Open("", slog.LevelInfo).Logger(), "too fine": Open(t.TempDir(), slog.LevelInfo).Logger()} {
		if n := testing.AllocsPerRun(100, func() { log.Debug("x", "n", 1) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
