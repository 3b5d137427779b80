package theme

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/spinner"
	"github.com/charmbracelet/x/ansi"
)

func TestTwinsAreASCIIAndAsWide(t *testing.T) {
	for r, twin := range twins() {
		if twin < ' ' || twin > '~' || ansi.StringWidth(string(r)) != 1 {
			t.Errorf("%q has the twin %q", r, twin)
		}
	}
	if got, want := ASCII("a\u00e9 ● \x1b[1m␛]0;x␇\x1b[0m…\uFFFD"), "a\u00e9 * \x1b[1m?]0;x?\x1b[0m~?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEveryGlyphHasATwin reads the source: what stands in a text or character there and is beyond ASCII is drawn some day.
func TestEveryGlyphHasATwin(t *testing.T) {
	seen := 0
	look := func(where, text string) {
		for _, r := range text {
			if r >= 0x80 {
				seen++
				if strings.ContainsRune(ASCII(string(r)), r) {
					t.Errorf("%s: %q has no ASCII twin", where, r)
				}
			}
		}
	}
	for _, frame := range spinner.MiniDot.Frames {
		look("the spinner", frame)
	}
	for _, part := range []string{"chat", "choose", "composer", "help", "keymap", "markdown", "picker", "queuelist", "status", "../model", "cli"} {
		for _, file := range sources(t, filepath.Join("..", part)) {
			fset := gotoken.NewFileSet()
			parsed, err := parser.ParseFile(fset, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && (lit.Kind == gotoken.STRING || lit.Kind == gotoken.CHAR) && !strings.Contains(lit.Value, `\`) {
					if text, err := strconv.Unquote(lit.Value); err == nil {
						look(fset.Position(lit.Pos()).String(), text)
					}
				}
				return true
			})
		}
	}
	if seen < 40 {
		t.Errorf("only %d were found: the test looks in the wrong place", seen)
	}
}

func sources(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatal(dir, err)
	}
	return files
}

func TestNeedsASCII(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"TERM": "linux", "LANG": "de_DE.UTF-8"}, true},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "C.utf8"}, false},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, true},
		{map[string]string{"LANG": "en_US.ISO-8859-1", "LC_CTYPE": "en_US.UTF-8"}, false},
	} {
		if got := NeedsASCII(func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%v gives %t", c.env, got)
		}
	}
}
