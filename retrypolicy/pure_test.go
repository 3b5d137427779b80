package retrypolicy

import (
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestImportsStayPure(t *testing.T) {
	why := map[string]string{
		"os": "facts are handed in", "net/http": "headers are handed in", "math/rand": "chance is handed in",
		"math/rand/v2": "chance is handed in", "github.com/": "the rules depend on no library", "baton/": "the rules stand at the bottom",
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			for banned, reason := range why {
				if path == banned || strings.HasSuffix(banned, "/") && strings.HasPrefix(path, banned) {
					t.Errorf("%s imports %s: %s", e.Name(), path, reason)
				}
			}
		}
	}
}
