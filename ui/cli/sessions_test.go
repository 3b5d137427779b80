package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"baton/model/journal"
)

// nasty holds what must not reach a terminal: a clipboard write, a clear, C1 controls,
// a bidi control, a bell.
const nasty = "one\x1b]52;c;aGk=\a\x1b[2J\u009b31m\u202etwo\rthree\tfour\nfive"

// sessionsOf is the folder of sessions under a home.
func sessionsOf(home string) string {
	return filepath.Join(home, ".local", "state", "baton", "sessions")
}

// ids lists the sessions, the one written last first.
func ids(t *testing.T, home string) []string {
	t.Helper()
	var all []string
	for l := range strings.Lines(run(t, home, "sessions", "list").out) {
		all = append(all, strings.Fields(l)[0])
	}
	return all
}

// snapshot is everything that is in a folder: names, modes, times, bytes.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Mode(), info.ModTime(), info.Size())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// controls finds a control character other than LF and TAB, or a bidi control.
var controls = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u202a-\u202e\u2066-\u2069]")

func TestSessions(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if r := run(t, home, "sessions", "list"); r.code != 0 || r.out != "" || !strings.Contains(r.errs, "no session yet") {
		t.Errorf("without any: %+v", r)
	}
	if r := run(t, home, "sessions", "list", "--json"); r.code != 0 || r.out != "[]\n" || r.errs != "" {
		t.Errorf("without any, as JSON: %+v", r)
	}
	if _, err := os.Stat(sessionsOf(home)); err == nil {
		t.Error("listing made a folder")
	}
	run(t, home, "run", "-p", nasty, "--fault", "503:hostile,hostile")
	first := ids(t, home)[0]
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(sessionsOf(home), first+".jsonl"), past, past); err != nil {
		t.Fatal(err)
	}
	run(t, home, "run", "-p", "a prompt "+strings.Repeat("x", 300), "-p", "fails", "-p", "and\nmore", "--fault", "json,429:quota:hostile")
	before := snapshot(t, home)

	list := run(t, home, "sessions", "list")
	lines := strings.Split(strings.TrimSpace(list.out), "\n")
	if list.code != 0 || list.errs != "" || len(lines) != 2 || !strings.HasPrefix(lines[1], first) {
		t.Fatalf("list %+v", list)
	}
	if !strings.Contains(lines[0], "  failed, 2 waiting  a prompt xxx") || !strings.HasSuffix(lines[0], "x…") || !strings.Contains(lines[1], past.Local().Format("2006-01-02 15:04")) {
		t.Errorf("list\n%s", list.out)
	}
	if !strings.Contains(list.out, "  one␛]52;c;aGk=␇␛[2J<U+009B>31m<U+202E>two\n") {
		t.Errorf("a title is not one printable line: %q", lines[1])
	}

	var as []struct {
		ID, Title string
		Waiting   int
		InUse     bool `json:"in_use"`
		Created   time.Time
	}
	r := run(t, home, "sessions", "list", "--json")
	if err := json.Unmarshal([]byte(r.out), &as); err != nil || len(as) != 2 || as[1].ID != first || !strings.HasPrefix(as[1].Title, "one␛") || strings.Count(r.out, "\n") != 1 ||
		as[0].Waiting != 2 || as[1].Waiting != 0 || as[0].InUse || time.Since(as[0].Created) > time.Hour {
		t.Errorf("as JSON: %v\n%s", err, r.out)
	}

	show := run(t, home, "sessions", "show", first)
	for _, want := range []string{"session " + first + " · ", " · 1 turn\n", "\nyou\n  one␛]52;", "\n  five\n", "\nagent\n  ␛]52;", "> five", "\n· Retried model request (1/4)\n"} {
		if !strings.Contains(show.out, want) {
			t.Errorf("show does not say %q:\n%s", want, show.out)
		}
	}
	if strings.Contains(show.out, "attempt 1") {
		t.Error("the transcript lists attempts")
	}
	receipts := run(t, home, "sessions", "show", "--receipts", first)
	for _, want := range []string{"turn 1 · succeeded · 2 attempts of 5\n", " · attempt 1 · 503 overloaded: ␛]52;", " · attempt 2 · answered · "} {
		if !strings.Contains(receipts.out, want) {
			t.Errorf("receipts do not say %q:\n%s", want, receipts.out)
		}
	}
	held := run(t, home, "sessions", "show", as[0].ID)
	for _, want := range []string{"· Turn failed · quota · 429 · ", "\nqueue 2/16 · held: last turn failed\n  1 Continue the current turn\n  2 and\n  more\n"} {
		if !strings.Contains(held.out, want) {
			t.Errorf("show does not say %q:\n%s", want, held.out)
		}
	}
	for _, r := range []ran{list, show, receipts, held, run(t, home, "sessions", "list", "--json")} {
		if at := controls.FindString(r.out + r.errs); at != "" || r.code != 0 || r.errs != "" {
			t.Errorf("C14: %q got through, exit code %d\n%q %q", at, r.code, r.out, r.errs)
		}
	}
	if after := snapshot(t, home); after != before {
		t.Errorf("looking changed something:\n%s\n%s", before, after)
	}
}

// What another process holds can be read all the same, and what runs there is marked.
func TestSessionsInUse(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run(t, home, "run", "-p", "hello", "--fault", "json")
	id := ids(t, home)[0]
	w, kept, err := journal.Open(sessionsOf(home), id)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	entry := func(kind, data string) journal.Entry { return journal.Entry{Kind: kind, Data: json.RawMessage(data)} }
	if _, err := w.Append(time.Now(), []journal.Entry{entry("turn.started", `{"turn":9,"chain":9,"text":"still at it"}`)}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Append(time.Now(), []journal.Entry{entry("turn.partial", `{"turn":9,"n":1,"text":"half an ans"}`)}); err != nil {
		t.Fatal(err)
	}
	r := run(t, home, "sessions", "show", id)
	if r.code != 0 || r.errs != "" || !strings.Contains(r.out, "\nyou\n  still at it\n\nagent, unfinished\n  half an ans\n") {
		t.Errorf("%d batches before: %+v", len(kept.Batches), r)
	}
	if got := ids(t, home); len(got) != 1 || got[0] != id {
		t.Errorf("list %q", got)
	}
	if r := run(t, home, "sessions", "list"); !strings.Contains(r.out, fmt.Sprintf("  in use by %d  hello\n", os.Getpid())) {
		t.Errorf("nobody says who has it: %q", r.out)
	}
	if r := run(t, home, "sessions", "list", "--json"); !strings.Contains(r.out, fmt.Sprintf(`"in_use":true,"pid":%d,`, os.Getpid())) {
		t.Errorf("nobody says who has it: %q", r.out)
	}
}

func TestSessionsDamaged(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run(t, home, "run", "-p", "the first", "-p", "the second", "--fault", "json,json")
	id := ids(t, home)[0]
	path := filepath.Join(sessionsOf(home), id+".jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rewrite := func(text []byte) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	broken := bytes.Replace(whole, lines[3], append([]byte("\x1b[2Jnonsense"), lines[3]...), 1)
	rewrite(append(broken, `{"half`...))
	show := run(t, home, "sessions", "show", id)
	for _, want := range []string{"baton: 1 damaged part", "baton: line 4: ", "baton: 6 bytes of an unfinished line"} {
		if !strings.Contains(show.errs, want) {
			t.Errorf("nobody says %q: %q", want, show.errs)
		}
	}
	if show.code != 0 || !strings.Contains(show.out, "the second") || controls.MatchString(show.out+show.errs) {
		t.Errorf("%+v", show)
	}
	if list := run(t, home, "sessions", "list"); list.code != 0 || !strings.HasSuffix(list.out, " [damaged]\n") {
		t.Errorf("list %+v", list)
	}

	rewrite(append([]byte("{\"format\":\"\x1b[2J\"}\n"), bytes.Join(lines[1:], nil)...))
	if r := run(t, home, "sessions", "show", id); r.code != 0 || !strings.Contains(r.out, "the first") || !strings.Contains(r.errs, "line 1: is not a header") {
		t.Errorf("a damaged header: %+v", r)
	}
	rewrite(nil)
	run(t, home, "sessions", "show", id).refused(t, 1, "empty file", "sessions list")
	if list := run(t, home, "sessions", "list"); !strings.HasSuffix(list.out, " [empty]\n") {
		t.Errorf("list %+v", list)
	}
	newer := `{"format":99,"session":["x"]`
	rewrite(fmt.Appendf(nil, "%s,\"crc32c\":\"%08x\"}\n", newer, crc32.Checksum([]byte(newer), crc32.MakeTable(crc32.Castagnoli))))
	run(t, home, "sessions", "show", id).refused(t, 1, "newer baton", "update baton")
}

func TestSessionsRefuse(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run(t, home, "sessions", "show", "20200101-000000-abcd").refused(t, 1, "no session", "sessions list")
	for _, id := range []string{"../../etc/passwd", "A", "a\x1b[2Jb", ""} {
		r := run(t, home, "sessions", "show", id)
		r.refused(t, 2, "not the name of a session", "sessions list")
		if controls.MatchString(strings.TrimSuffix(r.errs, "\n")) {
			t.Errorf("C14: %q", r.errs)
		}
	}
	run(t, home, "sessions", "show").refused(t, 2)
	run(t, home, "sessions").refused(t, 2, "baton sessions list")
}
