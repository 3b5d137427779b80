package term

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func newCrash(o Options) (*crash, chan struct{}) {
	stopped := make(chan struct{}, 16)
	return &crash{opts: o, stop: func() { stopped <- struct{}{} }}, stopped
}

func TestCrashReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crash")
	c, stopped := newCrash(Options{
		CrashFile: func() string { return path },
		Redact:    func(s string) string { return strings.ReplaceAll(s, "sk-secret", "[key]") },
	})
	c.start(func() { panic("bad key sk-secret\n\x1b]52;c;x\a" + strings.Repeat("y", 9999)) })
	<-stopped
	line := c.reported()
	if !strings.HasPrefix(line, "internal error: bad key [key] ]52;c;xyyy") || !strings.HasSuffix(line, "(stack in "+path+")") {
		t.Errorf("%q", line)
	}
	if strings.ContainsAny(line, "\n\x1b\a") || len(line) > 700 {
		t.Errorf("no line for a terminal: %q", line)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "TestCrashReport") || strings.Contains(string(text), "sk-secret") {
		t.Errorf("the file says %s", text)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	c.start(func() { panic("second") })
	<-stopped
	if c.reported() != line {
		t.Error("a later panic took the place of the first")
	}
}

func TestCrashFileIsNeverOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(path, []byte("keep"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, _ := newCrash(Options{CrashFile: func() string { return path }})
	c.caught("x")
	if text, _ := os.ReadFile(path); string(text) != "keep" {
		t.Errorf("%q", text)
	}
	if !strings.Contains(c.reported(), "no stack kept") {
		t.Error(c.reported())
	}
}

func TestCrashReportSurvivesItsOptions(t *testing.T) {
	c, stopped := newCrash(Options{Redact: func(string) string { panic("again") }})
	c.caught("x")
	<-stopped
	if c.reported() == "" {
		t.Error("nothing reported")
	}
}

// run executes a command the way Bubble Tea does and returns the messages that reach a model.
func run(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice {
		return []tea.Msg{msg}
	}
	var out []tea.Msg
	for i := range v.Len() {
		out = append(out, run(v.Index(i).Interface().(tea.Cmd))...)
	}
	return out
}

func TestGuardReachesEveryCommand(t *testing.T) {
	bad := func() tea.Msg { panic("bad") }
	good := func() tea.Msg { return tick{} }
	for name, cmd := range map[string]tea.Cmd{
		"single":   bad,
		"batch":    tea.Batch(good, bad),
		"sequence": tea.Sequence(good, bad),
		"nested":   tea.Batch(good, tea.Sequence(good, tea.Batch(good, bad))),
	} {
		c, stopped := newCrash(Options{})
		run(c.guard(cmd))
		run(c.guard(cmd)) // a command that is run twice, as from a timer, is guarded in a copy
		if len(stopped) != 2 || c.reported() != "internal error: bad" {
			t.Errorf("%s: %d stops, %q", name, len(stopped), c.reported())
		}
	}
	c, _ := newCrash(Options{})
	if c.guard(nil) != nil {
		t.Error("nil became a command")
	}
	if got := run(c.guard(tea.Batch(good, nil, good))); len(got) != 2 {
		t.Error(got)
	}
}

// brought is a panic that was caught elsewhere and goes on here.
type brought struct{ value, stack string }

func (b *brought) Origin() (any, []byte) { return b.value, []byte(b.stack) }

// A panic that comes from another goroutine is reported as what it was, with the stack of where it was.
func TestCrashKeepsWhereItBegan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crash")
	c, stopped := newCrash(Options{CrashFile: func() string { return path }})
	c.start(func() { panic(&brought{"in the other", "the stack of the other"}) })
	<-stopped
	if line := c.reported(); line != "internal error: in the other (stack in "+path+")" {
		t.Errorf("%q", line)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "the stack of the other") || strings.Contains(string(text), "TestCrashKeepsWhereItBegan") {
		t.Errorf("%v: %s", err, text)
	}
}

// One that was recovered outside of the screen is no other: what brought it here is not what it was.
func TestReportKeepsWhereItBegan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crash")
	line := Report(Options{CrashFile: func() string { return path }}, &brought{"in the other", "the stack of the other"}, []byte("the stack here"))
	if line != "internal error: in the other (stack in "+path+")" {
		t.Errorf("%q", line)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.HasSuffix(string(text), "\n\nthe stack of the other") {
		t.Errorf("%v: %s", err, text)
	}
}
