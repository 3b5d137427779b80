package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// The sizes that keep a file readable in one sitting. Tests and generated tables are
// left out: they are read by row.
const (
	maxFileLines  = 400
	maxFuncLines  = 60
	maxComplexity = 15
	maxRootFields = 12
	maxUpdate     = 40
)

// TestFileSizes: a file that is longer wants to be two.
func TestFileSizes(t *testing.T) {
	for _, s := range sources(t) {
		if n := s.fset.File(s.tree.FileStart).LineCount() - 1; !s.test && n > maxFileLines {
			t.Errorf("%s has %d lines, at most %d", s.file, n, maxFileLines)
		}
	}
}

// TestFunctionSizes: length and paths through each function.
func TestFunctionSizes(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, d := range s.tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			most := maxFuncLines
			if f.Recv != nil && f.Name.Name == "Update" {
				most = maxUpdate // an Update only hands on; rules live elsewhere
			}
			if n := s.lines(f); n > most {
				t.Errorf("%s: %s has %d lines, at most %d", s.line(f), f.Name.Name, n, most)
			}
			if n := complexity(f); n > maxComplexity {
				t.Errorf("%s: %s has a cyclomatic complexity of %d, at most %d", s.line(f), f.Name.Name, n, maxComplexity)
			}
		}
	}
}

func (s source) lines(f *ast.FuncDecl) int {
	return s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
}

// complexity is McCabe's number of a function, its literals included: one, and one more
// for each branch, loop, case, and each further operand of && and ||.
func complexity(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// TestComplexity shows that the counter counts.
func TestComplexity(t *testing.T) {
	for _, c := range []struct {
		body string
		want int
	}{
		{``, 1},
		{`if a { b() } else { c() }`, 2},
		{`if a && b || c { d() }`, 4},
		{`for range x { for { } }`, 3},
		{`switch a { case 1: case 2, 3: default: }`, 3},
		{`select { case <-a: default: }`, 2},
		{`f := func() { if a { } }; f()`, 2},
	} {
		tree, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc x() { "+c.body+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if n := complexity(tree.Decls[0].(*ast.FuncDecl)); n != c.want {
			t.Errorf("complexity of %q is %d, want %d", c.body, n, c.want)
		}
	}
}

// TestRootModel: the program's model holds a few facts that do not depend on each other.
func TestRootModel(t *testing.T) {
	found := false
	for _, s := range sources(t) {
		if s.pkg != "model" || s.test {
			continue
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "Model" {
				return true
			}
			st, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			found = true
			if got := st.Fields.NumFields(); got > maxRootFields {
				t.Errorf("%s: the root model has %d fields, at most %d: which of them belong together?", s.line(spec), got, maxRootFields)
			}
			return true
		})
	}
	if !found {
		t.Error("model has no struct named Model")
	}
}

// TestNothingLeftUndone: what is not there yet is not hinted at in comments.
func TestNothingLeftUndone(t *testing.T) {
	marks := []string{"TO" + "DO", "FIX" + "ME"}
	for _, s := range sources(t) {
		for _, group := range s.tree.Comments {
			for _, m := range marks {
				if strings.Contains(group.Text(), m) {
					t.Errorf("%s: a comment says %s", s.line(group), m)
				}
			}
		}
	}
}
