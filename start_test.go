package main

import (
	"go/ast"
	"slices"
	"testing"
)

// atStart is what must not be called for a variable of a package, since every start would
// pay for it, also `baton version`.
var atStart = map[string][]string{
	"regexp":   {"Compile", "MustCompile", "CompilePOSIX", "MustCompilePOSIX"},
	"template": {"New", "Must"},
	"lexers":   {"Get", "Names"},
	"crc32":    {"MakeTable"},
}

// TestStartIsLazy: patterns and tables are made at their first use, by sync.OnceValue.
func TestStartIsLazy(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || slices.Contains(forTests, s.pkg) {
			continue
		}
		for _, d := range s.tree.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				eager(t, s, g)
			}
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				eager(t, s, f.Body)
			}
		}
	}
}

func eager(t *testing.T, s source, at ast.Node) {
	ast.Inspect(at, func(n ast.Node) bool {
		if _, later := n.(*ast.FuncLit); later {
			return false
		}
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(atStart[x.Name], sel.Sel.Name) {
				t.Errorf("%s calls %s.%s before main: make it at its first use with sync.OnceValue", s.line(n), x.Name, sel.Sel.Name)
			}
		}
		return true
	})
}

// TestNoTemplates: with a template in it a program keeps every method of every type, since
// the template might call it. That was a fifth of the size, and of the memory at rest.
func TestNoTemplates(t *testing.T) {
	brings := []string{"SetVersionTemplate", "SetUsageTemplate", "SetHelpTemplate", "AddTemplateFunc", "AddTemplateFuncs"}
	for _, s := range sources(t) {
		if s.test || slices.Contains(forTests, s.pkg) {
			continue
		}
		if slices.Contains(s.imports(), "text/template") || slices.Contains(s.imports(), "html/template") {
			t.Errorf("%s imports a template engine", s.file)
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(brings, sel.Sel.Name) {
				t.Errorf("%s uses Cobra's %s, which brings its template engine in: use a function", s.line(n), sel.Sel.Name)
			}
			return true
		})
	}
}
