package catalog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"baton/model/session"
	"baton/ui/sanitize"

	"pgregory.net/rapid"
)

// names lists what was found, as id or id:excerpt.
func names(found []Match) string {
	var all []string
	for _, m := range found {
		all = append(all, m.ID)
	}
	return strings.Join(all, " ")
}

func TestFind(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	begun(t, dir, "a").said(1, "Fix the retry loop", "It was the JITTER.").row(9, "and then deploy").done().aged(now, 4*time.Hour)
	begun(t, dir, "b").said(1, "explain jitter", "Straße und Kelvin \u212a").done().aged(now, 3*time.Hour)
	m := begun(t, dir, "c").said(1, "poem", `He said "no \ yes" /path key="value"`).row(2, "gone")
	m.add(session.RowsRemoved{Rows: m.ids(2)}).done().aged(now, 2*time.Hour)
	begun(t, dir, "d").add(session.TurnStarted{Turn: 1, Chain: 1, Text: "stop me"}).
		add(session.TurnStopped{Turn: 1, Partial: "half of it, line\ntwo"}).done().aged(now, time.Hour)
	begun(t, dir, "e").add(session.TurnStarted{Turn: 1, Chain: 1, Text: "running"}).
		add(session.TurnPartial{Turn: 1, N: 1, Text: "cut in "}).add(session.TurnPartial{Turn: 1, N: 1, Text: "two pieces"}).done()
	for query, want := range map[string]string{
		"":              "e d c b a",
		"jitter":        "b a", // the title first, then the text
		"JITTER loop":   "a",   // one word in the answer, one in the prompt
		"fix deploy":    "a",   // a row that waits
		"gone":          "",    // a row that was removed
		"rtry":          "a",   // letters of a word of the title
		"rx":            "",    // not letters of several
		`"no`:           "c",   // what JSON escapes
		`\ yes"`:        "c",
		"/path":         "c",
		`key="val`:      "c",
		"line":          "d",
		"line two":      "d",
		"half":          "d",
		"cut pieces":    "e", // the text of a turn that still runs
		"STRASSE":       "",  // simple folding: ß is no ss
		"STRAßE":        "b",
		"kelvin k":      "b",
		"\u212aelvin":   "b",
		"turn.started":  "", // how it is written down is no text
		"crc32c":        "",
		"jitter poem":   "",
		"stop of it me": "d",
	} {
		found, err := Find(t.Context(), dir, query)
		if err != nil || names(found) != want {
			t.Errorf("%q: %q, %v, want %q", query, names(found), err, want)
		}
	}
	found, _ := Find(t.Context(), dir, "jitter")
	if found[0].Excerpt != "" || found[1].Excerpt != "It was the JITTER." {
		t.Errorf("excerpts %q and %q", found[0].Excerpt, found[1].Excerpt)
	}
}

// A damaged line is not what the session says.
func TestFindInDamage(t *testing.T) {
	dir := t.TempDir()
	begun(t, dir, "x").said(1, "first", "a word of it").said(2, "second", "another").done()
	path := filepath.Join(dir, "x.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(raw), "a word", "a sord", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"sord": "", "another": "x", "first": "x"} {
		if found, err := Find(t.Context(), dir, query); err != nil || names(found) != want {
			t.Errorf("%q: %q, %v", query, names(found), err)
		}
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("词 before ", 100) + "the\x1b[2J\nNeedle" + strings.Repeat(" behind 词", 100)
	for name, text := range map[string]string{"long": long, "start": "needle" + strings.Repeat("é", 200), "alone": "needle", "end": strings.Repeat("x", 400) + "needle"} {
		at, end := newWord("needle").find([]byte(text))
		got := excerpt([]byte(text), at, end)
		if w := sanitize.Width(got); w > excerptCells || name == "long" && w < excerptCells-8 { // a word at each end may be left out
			t.Errorf("%s: %d cells: %q", name, w, got)
		}
		if !strings.Contains(strings.ToLower(got), "needle") || controls.MatchString(got) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
	words := "Nobody asked the whale why it sings to the needle of a compass, nor would it have answered them, whatever they say"
	at, end := newWord("needle").find([]byte(words))
	if got, want := excerpt([]byte(words), at, end), "…why it sings to the needle of a compass, nor would it have answered them,…"; got != want {
		t.Errorf("words are cut: %q", got)
	}
	if at, end := newWord("b").find([]byte("a b c")); excerpt([]byte("a b c"), at, end) != "a b c" {
		t.Errorf("%q", excerpt([]byte("a b c"), at, end))
	}
}

// Whatever a text holds, the look at the raw line denies nothing that the text has.
func TestRawLinesDenyNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab\"\\/\n\t<&kKſs\u212a\u2028é\x00\x7fßẞ词"))).Draw(rt, "text")
		if strings.TrimSpace(text) == "" {
			return
		}
		runes := []rune(text)
		from := rapid.IntRange(0, len(runes)-1).Draw(rt, "from")
		to := rapid.IntRange(from+1, len(runes)).Draw(rt, "to")
		query := strings.ToUpper(string(runes[from:to]))
		_, line, _, err := session.Encode(session.TurnSucceeded{Answer: text})
		if err != nil {
			rt.Fatal(err)
		}
		for _, w := range wordsOf(query) {
			one := search{words: []*word{w}}
			if w.in(text) && !one.mayHold(line) {
				rt.Errorf("%q is in %q and denied in %s", w.plain, text, line)
			}
		}
	})
}

func TestFindCancelled(t *testing.T) {
	dir := t.TempDir()
	begun(t, dir, "x").said(1, "first", "yes").done()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := Find(ctx, dir, "yes"); !errors.Is(err, context.Canceled) || found != nil {
		t.Errorf("%v, %v", found, err)
	}
	s := search{words: wordsOf("nowhere"), seen: map[*word]bool{}}
	if err := s.session(ctx, dir, look{info: Info{ID: "x"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A long log costs no more memory than a short one.
func TestFindIsBounded(t *testing.T) {
	cost := func(turns int) uint64 {
		dir := t.TempDir()
		m := begun(t, dir, "x")
		for i := range turns {
			m.said(session.TurnID(i+1), "prompt", strings.Repeat("word ", 8<<10))
		}
		m.done()
		s := search{words: wordsOf("absent"), seen: map[*word]bool{}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := s.session(t.Context(), dir, look{info: Info{ID: "x"}}); err != nil || s.rank() != unfit {
			t.Fatal(err, s.rank())
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	short, long := cost(4), cost(100)
	if long > 2*short+1<<20 {
		t.Errorf("%d bytes for 4 turns, %d for 100", short, long)
	}
}

// A line whose words are elsewhere is not decoded; keptBytes is what stays between lines.
func TestLongLinesAreLetGo(t *testing.T) {
	for _, n := range []int{keptBytes - 1, keptBytes, keptBytes + 1} {
		l := reads(strings.Repeat("x", n-1) + "\nshort\n")
		at, line, ok := l.next()
		if at != 0 || len(line) != n || !ok {
			t.Fatalf("at %d, %d bytes, %t", at, len(line), ok)
		}
		at, line, ok = l.next()
		if at != int64(n) || string(line) != "short\n" || !ok {
			t.Errorf("at %d, %q, %t", at, line, ok)
		}
		if n > keptBytes && cap(l.buf) > keptBytes {
			t.Errorf("%d bytes are kept behind a line of %d", cap(l.buf), n)
		}
	}
}

// A session's whole name means that one, whatever the others say; words mean every one that has them but the one that
// cannot be meant.
func TestMeant(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	begun(t, dir, "whales").said(1, "about owls", "they hoot").done().aged(now, 3*time.Hour)
	begun(t, dir, "b").said(1, "about whales", "they sing").done().aged(now, 2*time.Hour)
	begun(t, dir, "c").said(1, "about ants", "they carry whales").done().aged(now, time.Hour)
	for _, c := range []struct{ words, but, want, only string }{
		{"whales", "", "whales", "whales"},
		{"whales", "whales", "whales", "whales"}, // its own name is no words
		{"Whales", "", "b c", "2 sessions can be meant, such as b and c; /resume alone lists them all"},
		{"they whales", "", "c b", "2 sessions can be meant, such as c and b; /resume alone lists them all"},
		{"they WHALES", "c", "b", "b"},
		{"about", "c", "b whales", "2 sessions can be meant, such as b and whales; /resume alone lists them all"},
		{"hoot", "whales", "", `there is no other session "hoot", and none has these words; /resume alone lists those there are`},
		{"../b", "", "", `there is no other session "../b", and none has these words; /resume alone lists those there are`},
		{"", "c", "b whales", "2 sessions can be meant, such as b and whales; /resume alone lists them all"},
	} {
		found, err := Meant(t.Context(), dir, c.words, c.but)
		if got := names(found); got != c.want || err != nil {
			t.Errorf("%q but %q: %q, %v, want %q", c.words, c.but, got, err, c.want)
		}
		only, err := Only(t.Context(), dir, c.words, c.but)
		if err != nil {
			only = err.Error()
		}
		if only != c.only {
			t.Errorf("%q but %q: only %q, want %q", c.words, c.but, only, c.only)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Only(stopped, dir, "whales sing", ""); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !Named("20261130-154210-4fzq") || Named("20261330-154210-4fzq") || Named("20261130-154210-4fzi") || Named("retry-loop") || Named("") {
		t.Error("names and words are mixed up")
	}
}
