package catalog

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
)

var update = flag.Bool("update", false, "write the golden files of testdata")

// TestMain makes documents the same wherever they are made.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

var epoch = time.Date(2026, 11, 30, 15, 42, 10, 0, time.UTC)

// made is a session under construction.
type made struct {
	t   *testing.T
	dir string
	id  string
	w   *journal.Writer
	at  time.Time
}

// begin makes a session's file.
func begun(t *testing.T, dir, id string) *made {
	t.Helper()
	w, err := journal.Create(dir, id, journal.Header{Created: epoch, App: "test"})
	if err != nil {
		t.Fatal(err)
	}
	m := &made{t, dir, id, w, epoch}
	t.Cleanup(func() { _ = w.Close() })
	return m
}

// add appends one batch.
func (m *made) add(events ...session.Event) *made {
	m.t.Helper()
	var entries []journal.Entry
	for _, e := range events {
		kind, data, ok, err := session.Encode(e)
		if !ok || err != nil {
			m.t.Fatal(kind, ok, err)
		}
		entries = append(entries, journal.Entry{Kind: kind, Data: data})
	}
	m.at = m.at.Add(time.Second)
	if _, err := m.w.Append(m.at, entries); err != nil {
		m.t.Fatal(err)
	}
	return m
}

// said is a turn that was answered.
func (m *made) said(turn session.TurnID, prompt, answer string) *made {
	m.t.Helper()
	return m.add(session.TurnStarted{Turn: turn, Chain: turn, Text: prompt}).add(session.TurnSucceeded{Turn: turn, Answer: answer, N: 1, Max: 5})
}

// row is a prompt that waits.
func (m *made) row(n int, text string) *made {
	m.t.Helper()
	return m.add(session.RowQueued{Row: queue.Row{ID: queue.ID(fmt.Sprintf("%s.%d", m.id, n)), Text: text}, Index: 99})
}

// done lets go of the file.
func (m *made) done() *made {
	m.t.Helper()
	if err := m.w.Close(); err != nil {
		m.t.Fatal(err)
	}
	return m
}

// aged makes it as if the session had been written to last some time ago.
func (m *made) aged(now time.Time, ago time.Duration) *made {
	m.t.Helper()
	path := filepath.Join(m.dir, m.id+".jsonl")
	if err := os.Chtimes(path, now.Add(-ago), now.Add(-ago)); err != nil {
		m.t.Fatal(err)
	}
	return m
}

// nasty holds what must not reach a terminal: a clipboard write, a clear, C1 controls, a bidi control, a separator.
const nasty = "one\x1b]52;c;aGk=\a\x1b[2J\u009b31m\u202etwo\u2028\rthree\x7f\x00"

// controls finds what a terminal obeys, or hides: control characters other than LF, bidi controls, separators.
var controls = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u2028-\u202e\u2066-\u2069]")

func TestList(t *testing.T) {
	dir := t.TempDir()
	if all, err := List(filepath.Join(dir, "none")); err != nil || len(all) != 0 {
		t.Errorf("of no folder: %v, %v", all, err)
	}
	now := time.Now()
	begun(t, dir, "old").said(1, "\n  \n\tthe first "+nasty+"\nmore", "yes").row(2, "waits").row(3, "waits too").done().aged(now, time.Hour)
	held := begun(t, dir, "held").said(1, "in use", "yes")
	held.aged(now, time.Minute)
	begun(t, dir, "files").add(session.TurnStarted{Turn: 1, Chain: 1, Attachments: []queue.Attachment{{Path: "/a/b.png"}, {Path: `C:\c\d.txt`}}}).done()
	all, err := List(dir)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d sessions, %v", len(all), err)
	}
	if all[0].Title != "[b.png] [d.txt]" || all[1].Title != "in use" || !strings.HasPrefix(all[2].Title, "the first one␛]52;c;") {
		t.Errorf("titles %q", []string{all[0].Title, all[1].Title, all[2].Title})
	}
	old := all[2]
	if old.ID != "old" || old.Waiting != 2 || old.Holder != 0 || old.Trouble != "" || !old.Created.Equal(epoch) || old.Bytes == 0 || old.Modified.IsZero() {
		t.Errorf("%+v", old)
	}
	if all[1].Holder != os.Getpid() {
		t.Errorf("held by %d, want %d", all[1].Holder, os.Getpid())
	}
	// What ran when its process ended has been stopped; what runs in another one is not settled.
	held.add(session.TurnStarted{Turn: 2, Chain: 2, Text: "on its way"})
	begun(t, dir, "gone").said(1, "a", "yes").add(session.TurnStarted{Turn: 2, Chain: 2, Text: "b"}, session.TurnFailed{Turn: 2}).done()
	begun(t, dir, "none").done()
	all, err = List(dir)
	ends := map[string]session.Outcome{}
	for _, i := range all {
		ends[i.ID] = i.Last
		if d, err := Describe(dir, i.ID); err != nil || d.Last != i.Last {
			t.Errorf("%s ended as %q, described as %q, %v", i.ID, i.Last, d.Last, err)
		}
	}
	if want := map[string]session.Outcome{"old": "succeeded", "held": "", "files": "stopped", "gone": "failed", "none": ""}; err != nil || !maps.Equal(ends, want) {
		t.Errorf("the last turns ended as %v, want %v, %v", ends, want, err)
	}
	if at := controls.FindString(old.Title); at != "" {
		t.Errorf("C14: %q in a title", at)
	}
}

// A session that is removed between two looks is none.
func TestRemovedMeanwhile(t *testing.T) {
	if l := lookAt(t.TempDir(), journal.Summary{ID: "x"}); !l.gone {
		t.Errorf("%+v", l)
	}
}

func TestTitle(t *testing.T) {
	for want, in := range map[string]string{
		"":         " \n\t\n\x00\n",
		"hello":    "\n\nhello\nworld",
		"a b":      "  a \t b  ",
		"<U+200B>": "\u200b",
	} {
		if got := Title(in, nil); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for _, n := range []int{titleCells - 1, titleCells, titleCells + 1} {
		if got := []rune(Title(strings.Repeat("x", n), nil)); len(got) != min(n, titleCells) || (got[len(got)-1] == '…') != (n > titleCells) {
			t.Errorf("of %d cells: %d, ends in %c", n, len(got), got[len(got)-1])
		}
	}
}

// The end of a session has the queue and its beginning the title, whatever lies between.
func TestListReadsBothEnds(t *testing.T) {
	for _, n := range []int{100, headBytes, headMoreBytes - 1000, headMoreBytes + 1} {
		dir := t.TempDir()
		m := begun(t, dir, "long").said(1, "the very first\n"+strings.Repeat("p", n), "an answer")
		for i := range 4 {
			m.said(session.TurnID(i+2), "another", strings.Repeat("a", 40<<10))
		}
		m.row(900, "still waits")
		state, _ := fold(newState("long"), mustRead(t, dir, "long").Batches)
		snapshot, ok := state.Snapshot()
		if !ok {
			t.Fatal("no snapshot of an idle session")
		}
		m.add(snapshot).done()
		all, err := List(dir)
		if err != nil || all[0].Waiting != 1 || all[0].Trouble != "" {
			t.Fatalf("%+v, %v", all, err)
		}
		want := "the very first"
		if n > headMoreBytes {
			want = "still waits" // the beginning is too far off
		}
		if all[0].Title != want {
			t.Errorf("behind %d bytes: title %q, want %q", n, all[0].Title, want)
		}
	}
}

func mustRead(t *testing.T, dir, id string) journal.Contents {
	t.Helper()
	kept, err := journal.Read(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// A row's long text that the snapshot leaves out is read where it stands; a snapshot that refers to nothing is not used.
func TestElidedTexts(t *testing.T) {
	for _, broken := range []bool{false, true} {
		dir := t.TempDir()
		m := begun(t, dir, "s").said(1, "first", "yes")
		m.row(2, "a needle in a row "+strings.Repeat("x", 300))
		kept := mustRead(t, dir, "s")
		state, _ := fold(newState("s"), kept.Batches)
		snapshot, _ := state.Snapshot()
		snapshot.Elide(func(string) (int64, bool) {
			if broken {
				return kept.Batches[0].Offset, true
			}
			return kept.Batches[len(kept.Batches)-1].Offset, true
		})
		if raw, _ := json.Marshal(snapshot); strings.Contains(string(raw), "needle") {
			t.Fatal("nothing was left out")
		}
		m.add(snapshot).done()
		found, err := Find(t.Context(), dir, "NEEDLE")
		if err != nil || len(found) != 1 || !strings.Contains(found[0].Excerpt, "a needle in a row") || found[0].Waiting != 1 {
			t.Errorf("broken %t: %+v, %v", broken, found, err)
		}
	}
}

func TestTrouble(t *testing.T) {
	dir := t.TempDir()
	whole := func() []byte {
		begun(t, dir, "x").said(1, "the first", "yes").row(2, "waits").done()
		raw, err := os.ReadFile(filepath.Join(dir, "x.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}()
	for want, raw := range map[string][]byte{
		"empty":                 nil,
		"damaged":               []byte(strings.Replace(string(whole), "the first", "the worst", 1)),
		"its header is damaged": []byte(strings.Replace(string(whole), "created", "creatde", 1)),
	} {
		if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := List(dir)
		if err != nil || len(all) != 1 || all[0].Trouble != want {
			t.Errorf("%s: %+v, %v", want, all, err)
		}
		if want == "its header is damaged" && (all[0].Title != "the first" || all[0].Waiting != 1) {
			t.Errorf("nothing is known behind a damaged header: %+v", all[0])
		}
	}
}

// ids names rows.
func (m *made) ids(ns ...int) (all []queue.ID) {
	for _, n := range ns {
		all = append(all, queue.ID(fmt.Sprintf("%s.%d", m.id, n)))
	}
	return all
}

func reads(text string) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(strings.NewReader(text), 4<<10)}
}

// Latest stops where it is told to: it is asked while a person waits at a shell.
func TestLatest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 6 {
		m := begun(t, dir, fmt.Sprintf("2026010%d-000000-aaaa", i+1))
		at := epoch.Add(time.Duration(i) * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, m.id+".jsonl"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx   context.Context
		begin string
		n     int
		want  string
	}{
		"all":       {t.Context(), "", 7, "20260106 20260105 20260104 20260103 20260102 20260101"},
		"one below": {t.Context(), "", 5, "20260106 20260105 20260104 20260103 20260102"},
		"begins so": {t.Context(), "20260103", 5, "20260103"},
		"none":      {t.Context(), "x", 5, ""},
		"too late":  {ended, "", 5, ""},
	} {
		var got []string
		for _, i := range Latest(c.ctx, dir, c.begin, c.n) {
			got = append(got, i.ID[:8])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := Latest(t.Context(), filepath.Join(dir, "none"), "", 5); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// A fork is told from the session that it was copied from, in lists and in documents.
func TestTitleOfAFork(t *testing.T) {
	dir := t.TempDir()
	w, err := journal.Create(dir, "fork", journal.Header{Created: epoch, App: "test", From: "parent", Turn: 3})
	if err != nil {
		t.Fatal(err)
	}
	m := &made{t, dir, "fork", w, epoch}
	t.Cleanup(func() { _ = w.Close() })
	m.add(session.TurnStarted{Turn: 1, Chain: 1, Text: "the first prompt"})
	all, err := List(dir)
	if err != nil || len(all) != 1 || all[0].Title != "fork at turn 3: the first prompt" {
		t.Errorf("%+v, %v", all, err)
	}
	var b strings.Builder
	if err := Export(&b, dir, "fork", Markdown); err != nil || !strings.HasPrefix(b.String(), "# fork at turn 3: the first prompt\n") {
		t.Errorf("%v, %q", err, b.String())
	}
	found, err := Find(t.Context(), dir, "first fork")
	if err != nil || len(found) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}
