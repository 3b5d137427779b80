package keepsake

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func prompts(t *testing.T, p Place) []string {
	t.Helper()
	texts, err := p.Prompts()
	must(t, err)
	return texts
}

// Prompts come back in their order, each once, where it was entered last.
func TestPrompts(t *testing.T) {
	p := At(t.TempDir())
	if got := prompts(t, p); got != nil {
		t.Errorf("%q", got)
	}
	must(t, p.AddPrompts([]string{"a", "b\nwith two lines", " ", ""}))
	must(t, p.AddPrompts([]string{"/queue", "a"}))
	if got := fmt.Sprintf("%q", prompts(t, p)); got != `["b\nwith two lines" "/queue" "a"]` {
		t.Error(got)
	}
	if info, _ := os.Stat(p.prompts()); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
}

// A line that is damaged costs itself and no other, half a line at the end included.
func TestDamagedPrompts(t *testing.T) {
	p := At(t.TempDir())
	must(t, p.AddPrompts([]string{"one", "two", "three"}))
	raw, err := os.ReadFile(p.prompts())
	must(t, err)
	for cut := range raw {
		must(t, os.WriteFile(p.prompts(), raw[:cut], 0o600))
		must(t, p.AddPrompts([]string{"behind"}))
		got := prompts(t, p)
		whole := bytes.Count(raw[:cut], []byte("\n"))
		if bytes.HasSuffix(raw[:cut], []byte("}")) {
			whole++ // all but its line end
		}
		if want := append(slices.Clone([]string{"one", "two", "three"}[:whole]), "behind"); !slices.Equal(got, want) {
			t.Fatalf("cut at %d: %q, want %q", cut, got, want)
		}
	}
	must(t, os.WriteFile(p.prompts(), append([]byte("\x00\x00\x00\n[1]\n{\"prompt\":3}\n\n"), raw...), 0o600))
	if got := prompts(t, p); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("%q", got)
	}
}

// The oldest go, in number and in bytes; a prompt that is too long is not kept.
func TestLimitsOfPrompts(t *testing.T) {
	for _, n := range []int{MaxPrompts - 1, MaxPrompts, MaxPrompts + 1} {
		p := At(t.TempDir())
		var texts []string
		for i := range n {
			texts = append(texts, fmt.Sprint("prompt ", i))
		}
		must(t, p.AddPrompts(texts))
		want := texts[max(n-MaxPrompts, 0):]
		for range 2 { // the second time from a tidied file
			if got := prompts(t, p); !slices.Equal(got, want) {
				t.Errorf("of %d %d are kept, from %q", n, len(got), got[0])
			}
		}
		if raw, _ := os.ReadFile(p.prompts()); bytes.Count(raw, []byte("\n")) != len(want) {
			t.Error("the file is not tidied")
		}
	}
	p := At(t.TempDir())
	for n, kept := range map[int]bool{MaxPrompt - 1: true, MaxPrompt: true, MaxPrompt + 1: false} {
		long := strings.Repeat("x", n)
		must(t, p.AddPrompts([]string{long}))
		if slices.Contains(prompts(t, p), long) != kept {
			t.Errorf("%d bytes are kept: %v", n, !kept)
		}
	}
	for i := range 3 * MaxPromptsBytes / MaxPrompt {
		must(t, p.AddPrompts([]string{fmt.Sprint(i, strings.Repeat("y", MaxPrompt-100))}))
		if info, _ := os.Stat(p.prompts()); info.Size() > MaxPromptsBytes {
			t.Fatalf("%d bytes", info.Size())
		}
	}
	if got := prompts(t, p); len(got) < 10 || !strings.HasPrefix(got[len(got)-1], "47") {
		t.Errorf("%d kept", len(got))
	}
}

// Several that write at once lose nothing.
func TestPromptsOfSeveral(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := range 25 {
				if err := At(dir).AddPrompts([]string{fmt.Sprint(w, " says ", i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got := prompts(t, At(dir))
	if len(got) != 100 {
		t.Errorf("%d prompts", len(got))
	}
	for w := range 4 {
		at := -1
		for i := range 25 {
			next := slices.Index(got, fmt.Sprint(w, " says ", i))
			if next <= at {
				t.Fatalf("%d's prompt %d stands at %d, the one before at %d", w, i, next, at)
			}
			at = next
		}
	}
}

func TestPrivateFiles(t *testing.T) {
	p := At(t.TempDir())
	draft, err := p.Scratch("text")
	must(t, err)
	picture, err := p.Picture(now, []byte("png"))
	must(t, err)
	for path, want := range map[string]string{draft: "text", picture: "png"} {
		raw, err := os.ReadFile(path)
		if info, _ := os.Stat(path); err != nil || string(raw) != want || !strings.HasPrefix(path, p.dir) || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %q, %v", path, raw, err)
		}
	}
	must(t, os.Chtimes(draft, now, now))
	for _, by := range []time.Duration{-time.Minute, 0, time.Minute} {
		p.Sweep(now.Add(ScratchKept + by))
		if _, err := os.Stat(draft); (err == nil) != (by <= 0) {
			t.Errorf("%v beside the limit: %v", by, err)
		}
	}
	if _, err := os.Stat(picture); err != nil {
		t.Error(err)
	}
	temp, err := At("").Scratch("x")
	must(t, err)
	must(t, os.Remove(temp))
}
