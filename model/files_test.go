package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/model/engine"
)

// inFolder opens a program whose working directory has files.
func inFolder(t *testing.T, names ...string) (*pump, string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Dir(path), filepath.Base(path), "text of "+name)
	}
	a := &fake{script: []step{says("x")}}
	e, err := engine.New(engineOptions(t.TempDir(), a))
	if err != nil {
		t.Fatal(err)
	}
	return around(t, e, a, func(d *Deps) { d.Dir = dir }), dir
}

func (p *pump) wantFiles(paths ...string) {
	p.t.Helper()
	var got []string
	for _, f := range p.m.write.files {
		got = append(got, f.Path)
	}
	if !slices.Equal(got, paths) {
		p.t.Fatalf("attached %q, want %q", got, paths)
	}
}

// An @ at the start of a word offers files; one is taken with tab or enter, its name stays
// as text, and it goes with the prompt.
func TestMention(t *testing.T) {
	for _, key := range []string{"tab", "enter"} {
		bubble(t, func(t *testing.T) {
			p, dir := inFolder(t, "main.go", "docs/my notes.txt", ".git/config", ".hidden/x", "docs/deep/notes.md")
			p.typ("look at ")
			p.seesNot("main.go")
			p.typ("@")
			p.soon()
			p.sees("› main.go", "docs/my notes.txt")
			p.seesNot(".git", ".hidden")
			p.typ("mynot")
			p.press(key)
			p.want("composer", "look at docs/my notes.txt ", p.draft())
			p.sees("with my notes.txt", "attached my notes.txt; it goes with the next prompt")
			p.seesNot("› ")
			p.wantFiles(filepath.Join(dir, "docs", "my notes.txt"))
			p.want("sent", "", p.agent.prompts())
			p.typ("and @main")
			p.press(key)
			p.wantFiles(filepath.Join(dir, "docs", "my notes.txt"), filepath.Join(dir, "main.go"))
			p.say("please")
			p.want("sent", "look at docs/my notes.txt and main.go please", p.agent.prompts())
			if a := p.agent.requests()[0].Messages[0].Attachments; len(a) != 2 || string(a[0].Data) != "text of docs/my notes.txt" {
				t.Errorf("%+v", a)
			}
			p.end()
		})
	}
}

// Esc leaves the text alone for good; addresses and commands are not mentions; what fits no
// file is text.
func TestNoMention(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, _ := inFolder(t, "alice.txt", "x")
		p.typ("ask @al")
		p.soon()
		p.sees("› alice.txt")
		p.press("esc")
		p.seesNot("› alice.txt")
		p.typ("i")
		p.seesNot("› alice.txt")
		p.run(time.Second)
		p.press("enter")
		p.soon()
		p.want("sent", "ask @ali", p.agent.prompts())
		p.wantFiles()
		for _, text := range []string{"me@al", "/attach @al", "@zzz", "@al x", "(@al"} {
			p.run(time.Second)
			p.typ(text)
			p.seesNot("› alice.txt")
			p.press("ctrl+c")
		}
		p.run(time.Second)
		p.typ("@al") // where one was left alone before, there is another now
		p.sees("› alice.txt")
		p.press("ctrl+c")
		p.end()
	})
}

// An @ is one for as long as a name can be.
func TestLimitOfMentions(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, _ := inFolder(t, "x")
		for n, ok := range map[int]bool{maxMention - 1: true, maxMention: true, maxMention + 1: false} {
			p.m.write.Reset("see @" + strings.Repeat("x", n-1))
			if got, is := p.m.mention(); is != ok || ok && got.chars != n {
				t.Errorf("%d characters: %+v, %v", n, got, is)
			}
		}
		p.end()
	})
}

// Undo takes a mention back whole; a file is attached once.
func TestMentionUndone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, dir := inFolder(t, "main.go")
		p.typ("@ma")
		p.soon()
		p.press("tab")
		p.wantFiles(filepath.Join(dir, "main.go"))
		p.press("ctrl+_")
		p.want("composer", "@ma", p.draft())
		p.wantFiles()
		p.press("tab")
		p.typ("@ma")
		p.press("tab")
		p.want("composer", "main.go main.go ", p.draft())
		p.wantFiles(filepath.Join(dir, "main.go"))
		p.end()
	})
}

// A file that went away meanwhile is not attached, and the text stays.
func TestMentionOfAFileThatIsGone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, dir := inFolder(t, "main.go")
		p.typ("@ma")
		p.soon()
		if err := os.Remove(filepath.Join(dir, "main.go")); err != nil {
			t.Fatal(err)
		}
		p.press("tab")
		p.sees("there is no file")
		p.want("composer", "@ma", p.draft())
		p.wantFiles()
		p.end()
	})
}

// The walk is bounded, sees outer folders first, follows no link and offers no name that
// cannot be shown.
func TestWalk(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b/inner", "a", "b/c/deep", ".git/x", "b/.cache/y", "b/ok name"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, name, "x")
	}
	want := []string{"a", "b/inner", "b/ok name", "b/c/deep"}
	if runtime.GOOS != "windows" {
		writeFile(t, dir, "evil\x1b[2J", "x")
		writeFile(t, dir, " blank", "x")
		if err := errors.Join(os.Symlink(dir, filepath.Join(dir, "b", "loop")), os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "link"))); err != nil {
			t.Fatal(err)
		}
	}
	if got := walk(dir, time.Now().Add(time.Minute)); got.cut || got.err != nil || !slices.Equal(got.names, want) {
		t.Errorf("%+v, want %q", got, want)
	}
	if got := walk(dir, time.Now().Add(-time.Second)); !got.cut || len(got.names) != 0 {
		t.Errorf("behind its time: %+v", got)
	}
	if got := walk(filepath.Join(dir, "none"), time.Now().Add(time.Minute)); got.err == nil {
		t.Errorf("%+v", got)
	}
}

func TestLimitOfWalks(t *testing.T) {
	dir := t.TempDir()
	for i := range maxWalked + 1 {
		if i == maxWalked-1 {
			if got := walk(dir, time.Now().Add(time.Minute)); got.cut || len(got.names) != maxWalked-1 {
				t.Errorf("one below: %d, cut %v", len(got.names), got.cut)
			}
		}
		writeFile(t, dir, fmt.Sprint("file", i), "")
	}
	if got := walk(dir, time.Now().Add(time.Minute)); len(got.names) != maxWalked {
		t.Errorf("one above: %d", len(got.names))
	}
}

// What was dropped into the window is attached, and becomes text again with undo or ctrl+c.
func TestDrop(t *testing.T) {
	for _, key := range []string{"ctrl+_", "ctrl+c"} {
		bubble(t, func(t *testing.T) {
			p, dir := inFolder(t, "a b.txt", "c.txt")
			one, two := filepath.Join(dir, "a b.txt"), filepath.Join(dir, "c.txt")
			p.typ("look: ")
			p.pasted("'" + one + "' " + two + " ")
			p.want("composer", "look: ", p.draft())
			p.sees("with a b.txt, c.txt", "attached a b.txt, c.txt", "ctrl+_ makes it text")
			p.wantFiles(one, two)
			p.press(key)
			p.want("composer", "look: '"+one+"' "+two+" ", p.draft())
			p.wantFiles()
			p.press("ctrl+c")
			p.pasted(one)
			p.typ("x") // something else was done: it is the draft that is cleared
			p.press("ctrl+c")
			p.want("composer", "", p.draft())
			p.wantFiles()
			p.end()
		})
	}
}

// A path among other words, of nothing, of a folder, or behind a command is text.
func TestPathsThatAreText(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, dir := inFolder(t, "c.txt")
		file := filepath.Join(dir, "c.txt")
		for before, pasted := range map[string]string{
			"":         "see " + file,
			"x ":       file + " and more",
			"y ":       file + "x",
			"z ":       dir,
			"/attach ": file,
			"w ":       "c.txt",
			"v ":       `"` + file,
			"u ":       "https://there/" + file,
			"t ":       "file://elsewhere" + file,
			"s ":       os.DevNull,
		} {
			p.typ(before)
			p.pasted(pasted)
			p.want("composer", before+pasted, p.draft())
			p.wantFiles()
			p.press("ctrl+c")
		}
		p.end()
	})
}

func TestDroppedPaths(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths begin with a slash here")
	}
	for pasted, want := range map[string][]string{
		"/a/b":                   {"/a/b"},
		" /a/b\n":                {"/a/b"},
		"/a/b /c":                {"/a/b", "/c"},
		"/a/b\n/c\n":             {"/a/b", "/c"},
		`/a/my\ notes.txt`:       {"/a/my notes.txt"},
		`'/a/my notes.txt' '/b'`: {"/a/my notes.txt", "/b"},
		`"/a/it's" /b`:           {"/a/it's", "/b"},
		`'/a/it'\''s'`:           {"/a/it's"},
		"file:///a/my%20notes":   {"/a/my notes"},
		"file://localhost/a":     {"/a"},
		"file:///a\r\nfile:///b": {"/a", "/b"},
		"file://host/a":          nil,
		"file:///a?b":            nil,
		"file:///%zz":            nil,
		"relative":               nil,
		"/a relative":            nil,
		"'/a":                    nil,
		`/a\`:                    nil,
		"":                       nil,
		"''":                     nil,
	} {
		if got := droppedPaths(pasted); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", pasted, got, want)
		}
	}
	for n, ok := range map[int]bool{maxDroppedFiles - 1: true, maxDroppedFiles: true, maxDroppedFiles + 1: false} {
		if got := droppedPaths(strings.Repeat("/a ", n)); (got != nil) != ok {
			t.Errorf("%d paths: %d", n, len(got))
		}
	}
	for n, ok := range map[int]bool{maxDropped - 1: true, maxDropped: true, maxDropped + 1: false} {
		if got := droppedPaths("/" + strings.Repeat("a", n-1)); (got != nil) != ok {
			t.Errorf("%d bytes: %d", n, len(got))
		}
	}
}

// The clipboard's image becomes a private file that goes with the prompt; without one there
// is a line that says so.
func TestPasteImage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.say("/paste")
		p.sees("no program here reads images from the clipboard")
		p.want("what failed stays", "/paste", p.draft())
		p.press("ctrl+c")
		png := append(slices.Clone(pngBegins), "picture"...)
		p.m.deps.Clipboard = func(context.Context) ([]byte, error) { return png, nil }
		p.say("/paste")
		p.sees("attached the clipboard's image (1 KB) as clipboard-", "with clipboard-")
		raw, err := os.ReadFile(p.m.write.files[0].Path)
		if err != nil || string(raw) != string(png) || !strings.HasPrefix(p.m.write.files[0].Path, dir) {
			t.Errorf("%q, %v", raw, err)
		}
		p.m.deps.Clipboard = func(context.Context) ([]byte, error) { return nil, errors.New("nothing there") }
		p.say("/paste")
		p.sees("nothing there")
		p.press("ctrl+c")
		p.quits()
	})
}
