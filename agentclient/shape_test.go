package agentclient

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

func sources(t *testing.T) []*ast.File {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
	}
	return files
}

// C1: the baton is passed in one line of code, so that no other path can.
func TestPromoteIsMadeInOnePlace(t *testing.T) {
	made := 0
	for _, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok {
				if name, ok := lit.Type.(*ast.Ident); ok && name.Name == "Promote" {
					made++
				}
			}
			return true
		})
	}
	if made != 1 {
		t.Errorf("Promote is made in %d places", made)
	}
}

func TestImportsNothingAbove(t *testing.T) {
	for _, file := range sources(t) {
		for _, spec := range file.Imports {
			for _, above := range []string{"baton/model", "baton/ui", "baton/queue", "github.com/charmbracelet/bubbletea"} {
				if strings.HasPrefix(strings.Trim(spec.Path.Value, `"`), above) {
					t.Errorf("%s imports %s: a turn knows no queue, session or screen", file.Name.Name, spec.Path.Value)
				}
			}
		}
	}
}
