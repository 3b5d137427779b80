package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// source is one Go file of the module, whatever system it is built for.
type source struct {
	file string // slash path from the module's root
	pkg  string // its package's folder, "." for main
	test bool
	tree *ast.File
	fset *token.FileSet
}

// tree parses the module once. It needs no build, no network and no go command, so that
// a rule is checked even where another package does not compile.
var tree = sync.OnceValues(func() ([]source, error) {
	var all []source
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		all = append(all, source{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), f, fset})
		return nil
	})
	return all, err
})

func sources(t *testing.T) []source {
	t.Helper()
	all, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (s source) imports() []string {
	var paths []string
	for _, i := range s.tree.Imports {
		p, _ := strconv.Unquote(i.Path.Value) // the parser took it for a string
		paths = append(paths, p)
	}
	return paths
}

// line is where n stands, for people and editors.
func (s source) line(n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.file, s.fset.Position(n.Pos()).Line)
}

// room says which rooms of the module one room may import. The first that matches a
// folder counts; patterns are those of path.Match.
type room struct {
	folder string
	may    []string
	why    string
}

var components = []string{"ui/theme", "ui/keymap", "ui/sanitize", "ui/markdown"}

var rooms = []room{
	{".", []string{"ui/cli", "ui/term/guard"}, "main only puts the program together"},

	{"queue", nil, "the queue is pure: it knows nothing of those who use it"},
	{"retrypolicy", nil, "the policy is pure: it judges failures, whoever made them"},

	{"agentclient", []string{"retrypolicy"}, "the agent client knows no queue, session or screen, and no single protocol"},
	{"agentclient/wire", []string{"agentclient", "retrypolicy"}, "wire is what protocols share; it knows none of them"},
	{"agentclient/wire/wiretest", nil, "a server that misbehaves must not share code with the client it tests"},
	{"agentclient/leaktest", nil, "it looks at goroutines, not at who started them"},
	{"agentclient/sandbox", []string{"agentclient", "agentclient/openaichat"}, "the sandbox is reached through the very client that reaches real servers"},
	{"agentclient/protocoltest", []string{"agentclient", "agentclient/wire", "agentclient/wire/wiretest", "retrypolicy"}, "the contract of protocols knows no single one"},
	{"agentclient/all", []string{"agentclient", "agentclient/*"}, "the list of protocols is all it holds"},
	{"agentclient/*", []string{"agentclient", "agentclient/wire", "retrypolicy"}, "a protocol knows its wire, nothing of other protocols, queue or screen"},

	{"model/session", []string{"queue", "retrypolicy"}, "the rules are pure: whoever drives them, they decide the same"},
	{"model/owner", nil, "whose a file is has nothing to do with what it is for"},
	{"model/journal", []string{"model/owner"}, "the journal keeps lines; what they mean is the session's business"},
	{"model/config", []string{"model/owner", "retrypolicy", "agentclient/wire"}, "settings know defaults and secrets, and nobody who uses them"},
	{"model/engine", []string{"model/session", "model/journal", "agentclient", "queue", "retrypolicy"}, "the engine is shared by the screen and the headless run"},
	{"model/command", []string{"model/engine", "agentclient"}, "a command asks its host; it reaches into no screen"},
	{"model/catalog", []string{"model/session", "model/journal", "queue", "ui/markdown/gfm", "ui/sanitize"}, "the catalog looks at what sessions left; it drives none, and what it says is printable"},
	{"model/logbook", []string{"ui/sanitize"}, "it keeps lines; what happened is for others to say, and what it writes is printable"},
	{"model/keepsake", nil, "it keeps files; what they mean, and what becomes of them, is for others to say"},
	{"model/outside", []string{"model/owner", "model/session", "model/engine", "model/command", "queue", "ui/sanitize"}, "who calls from outside asks what a person may ask; the desk feeds the session's inputs, and knows neither screen nor agents"},
	{"model", []string{"model/*", "ui/*", "agentclient", "queue"}, "the program knows agents by their interface, not by protocol"},

	{"ui/cli", []string{"*", "*/*", "*/*/*"}, "the command line puts everything together"},
	{"ui/term/guard", nil, "whatever the guard imports initialises before it, and then it is too late"},
	{"ui/term", []string{"ui/term/guard"}, "the terminal layer carries any program"},
	{"ui/termtest", nil, "who looks at the program from outside must not know its inside"},
	{"ui/picture", []string{"ui/termtest"}, "it draws what stood on a terminal, whoever wrote it there"},
	{"ui/tour", []string{"ui/termtest", "ui/picture"}, "who plays scripts judges from outside, as the terminal does"},
	{"ui/frametest", nil, "it looks at lines, not at who drew them"},
	{"ui/sanitize", nil, "everything that draws stands on it"},
	{"ui/markdown", []string{"ui/theme", "ui/sanitize", "ui/markdown/gfm"}, "a component draws what it is given, and asks the grammar what it says"},
	{"ui/markdown/gfm", nil, "a grammar reads text; who draws the tree is no concern of it"},
	{"ui/markdown/gfmtest", nil, "what a parser is held against shares no code with it"},
	{"ui/theme", nil, "everything that draws stands on it"},
	{"ui/keymap", nil, "everything that hints at keys stands on it"},
	{"ui/plain", []string{"model/engine", "model/session", "model/command", "model/catalog", "model/outside", "queue", "ui/sanitize"}, "lines are another shell around the engine, beside the screen's: it drives the session itself, and knows no agent by protocol and no component"},
	{"ui/*", components, "a component draws what it is given; it meets others only in theme, keymap, sanitize and markdown"},
}

// forTests are folders that only tests may import, and each other.
var forTests = []string{"ui/frametest", "ui/markdown/gfmtest", "ui/termtest", "ui/picture", "ui/tour", "agentclient/wire/wiretest", "agentclient/protocoltest", "agentclient/leaktest"}

// ban keeps packages from outside the module out of rooms.
type ban struct {
	folders, but []string // patterns; but wins
	imports      []string
	why          string
}

var (
	pure       = []string{"queue", "retrypolicy", "model/session"}
	everywhere = []string{".", "*", "*/*", "*/*/*"}
	framework  = []string{"github.com/charmbracelet/bubbletea", "github.com/charmbracelet/bubbles/*", "github.com/charmbracelet/lipgloss"}
)

var bans = []ban{
	{pure, nil, append([]string{"os", "os/*", "net/http", "math/rand", "math/rand/*", "log", "log/*"}, framework...),
		"the rules are pure: no clock, files, network, chance or screen"},
	{everywhere, []string{"model", "ui/*", "ui/*/*"}, framework, "only the program and what it draws know Bubble Tea"},
	{[]string{"ui/plain"}, nil, framework, "lines are said and read without a framework"},
	{everywhere, []string{"agentclient", "agentclient/*", "agentclient/*/*", "model/engine", "ui/termtest"}, []string{"net/http", "net/http/*"},
		"the agent client is the only part that talks to agents (the engine asks http for a file's type)"},
	{everywhere, []string{"ui/markdown/gfmtest"}, []string{"github.com/yuin/goldmark/extension"},
		"that package compiles patterns before main, which every start would pay for: ui/markdown/gfm reads what is needed of it"},
	{[]string{"ui/*"}, []string{"ui/cli", "ui/term", "ui/termtest", "ui/tour", "ui/frametest"}, []string{"net", "os", "os/*"},
		"a component draws what it is given and opens nothing"},
}

// breach says why a file of the folder may not import a path, or "".
func breach(folder string, test bool, imp string) string {
	if rel, ours := strings.CutPrefix(imp, "baton/"); ours {
		return breachInside(folder, test, rel)
	}
	for _, b := range bans {
		if !test && matches(b.folders, folder) && !matches(b.but, folder) && matches(b.imports, imp) {
			return b.why
		}
	}
	return ""
}

func breachInside(folder string, test bool, rel string) string {
	switch {
	case test:
		return "" // what a test needs to build its world is its own affair
	case slices.Contains(forTests, rel) && !slices.Contains(forTests, folder):
		return "that package is for tests alone"
	}
	i := slices.IndexFunc(rooms, func(r room) bool { return matches([]string{r.folder}, folder) })
	switch {
	case i < 0:
		return "this folder has no line in the table of rooms (rules_test.go): say what it may import, and why"
	case !matches(rooms[i].may, rel):
		return rooms[i].why
	}
	return ""
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		if err != nil {
			panic(err) // a pattern above is wrong
		}
		return ok
	})
}

// TestImports: who may import whom, on every system the program is built for.
func TestImports(t *testing.T) {
	for _, s := range sources(t) {
		for _, imp := range s.imports() {
			if why := breach(s.pkg, s.test, imp); why != "" {
				t.Errorf("%s imports %s, but %s", s.file, imp, why)
			}
		}
	}
}

// TestImportRulesBite shows that the table refuses what it is there to refuse.
func TestImportRulesBite(t *testing.T) {
	for _, c := range []struct {
		folder, imp string
		ok          bool
	}{
		{"queue", "os", false},
		{"retrypolicy", "math/rand/v2", false},
		{"model/session", "github.com/charmbracelet/lipgloss", false},
		{"model/session", "baton/model/engine", false},
		{"model/engine", "github.com/charmbracelet/bubbletea", false},
		{"model/engine", "baton/ui/term", false},
		{"agentclient", "baton/model/session", false},
		{"agentclient", "baton/agentclient/wire", false},
		{"agentclient/anthropic", "baton/agentclient/openaichat", false},
		{"agentclient/anthropic", "baton/agentclient/wire", true},
		{"agentclient/sandbox", "baton/agentclient/openaichat", true},
		{"ui/chat", "baton/ui/queuelist", false},
		{"ui/chat", "baton/agentclient", false},
		{"ui/chat", "baton/model/journal", false},
		{"ui/chat", "net/http", false},
		{"ui/chat", "baton/ui/markdown", true},
		{"ui/plain", "baton/model/engine", true},
		{"ui/plain", "baton/agentclient", false},
		{"ui/plain", "baton/ui/theme", false},
		{"ui/plain", "github.com/charmbracelet/bubbletea", false},
		{"ui/plain", "os", false},
		{"ui/cli", "baton/ui/termtest", false},
		{"ui/term/guard", "baton/ui/theme", false},
		{"model", "baton/ui/chat", true},
		{"model", "baton/agentclient/sandbox", false},
		{".", "baton/model", false},
		{"toys", "baton/queue", false},
	} {
		if got := breach(c.folder, false, c.imp) == ""; got != c.ok {
			t.Errorf("%s importing %s: allowed is %v, want %v", c.folder, c.imp, got, c.ok)
		}
	}
}

// TestRoomsExist keeps the table free of rooms that are gone.
func TestRoomsExist(t *testing.T) {
	have := folders(t)
	for _, r := range rooms {
		if !slices.ContainsFunc(have, func(f string) bool { return matches([]string{r.folder}, f) }) {
			t.Errorf("the table of rooms has a line for %s, and there is no such folder", r.folder)
		}
	}
	for _, f := range forTests {
		if !slices.Contains(have, f) {
			t.Errorf("%s is listed as being for tests, and there is no such folder", f)
		}
	}
}

func folders(t *testing.T) []string {
	var have []string
	for _, s := range sources(t) {
		if !s.test {
			have = append(have, s.pkg)
		}
	}
	slices.Sort(have)
	return slices.Compact(have)
}

// TestPureRoomsHaveNoClock: they take time as a value and never look or wait.
func TestPureRoomsHaveNoClock(t *testing.T) {
	looks := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
	for _, s := range sources(t) {
		if s.test || !matches(pure, s.pkg) {
			continue
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(looks, sel.Sel.Name) {
				t.Errorf("%s uses time.%s, but a rule that looks at the clock cannot be replayed: take the time as a value", s.line(n), sel.Sel.Name)
			}
			return true
		})
	}
}

// TestNames: a package is named after what it is for.
func TestNames(t *testing.T) {
	for _, s := range sources(t) {
		switch name := strings.TrimSuffix(s.tree.Name.Name, "_test"); name {
		case "common", "util", "utils", "helper", "helpers", "shared", "misc":
			t.Errorf("%s: a package named %s says nothing of what it is for, and so collects everything", s.file, name)
		}
	}
}

var mustNot = regexp.MustCompile(`\bmust\b[^.;]*\b(not|never|no|nothing)\b`)

// TestPackageDocs: every package says what it is for and what it must not do. A
// command's own comment speaks to those who run it, so main is left out.
func TestPackageDocs(t *testing.T) {
	docs := map[string]string{}
	for _, s := range sources(t) {
		if !s.test && s.tree.Name.Name != "main" {
			docs[s.pkg] += s.tree.Doc.Text()
		}
	}
	for pkg, doc := range docs {
		switch text := strings.Join(strings.Fields(doc), " "); {
		case text == "":
			t.Errorf("package %s has no comment", pkg)
		case !mustNot.MatchString(text):
			t.Errorf("package %s does not say what it must not do", pkg)
		}
	}
}

// TestGuardComesFirst: Go initialises packages in the order of their paths once what
// they import is ready, and Bubble Tea's init asks the terminal a question that costs up
// to five seconds. The guard has to have answered it by then.
func TestGuardComesFirst(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(mod), "\n")
	if strings.TrimSpace(line) != "module baton" {
		t.Errorf("go.mod begins %q: the module's path must be baton, which sorts before Bubble Tea's", line)
	}
	for _, s := range sources(t) {
		if s.file != "main.go" {
			continue
		}
		first := s.tree.Imports[0]
		if first.Path.Value != `"baton/ui/term/guard"` || first.Name == nil || first.Name.Name != "_" {
			t.Errorf(`%s: main's first import is %s; it must be _ "baton/ui/term/guard"`, s.line(first), first.Path.Value)
		}
		return
	}
	t.Error("there is no main.go")
}
