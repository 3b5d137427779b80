package term

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const bubbleTea = "github.com/charmbracelet/bubbletea"

// forbidden are the parts of Bubble Tea that hang, crash or do nothing without its own input and renderer, with what to use.
var forbidden = map[string]string{
	"Suspend": "term.Suspend", "SuspendMsg": "term.Suspend", "ResumeMsg": "term.ResumeMsg",
	"Interrupt": "term.SignalMsg", "InterruptMsg": "term.SignalMsg",
	"Exec": "term.Exec", "ExecProcess": "term.Exec",
	"SetWindowTitle": "term.Windowed", "ClearScreen": "term.Repaint",
	"WindowSize": "the WindowSizeMsg that comes by itself",
	"Println":    "the transcript", "Printf": "the transcript",
	"EnterAltScreen": "nothing: the screen is always ours", "ExitAltScreen": "nothing: the screen is always ours",
	"EnableMouseCellMotion": "term.Windowed", "EnableMouseAllMotion": "term.Windowed", "DisableMouse": "term.Windowed",
	"HideCursor": "Model.Cursor", "ShowCursor": "Model.Cursor",
	"EnableBracketedPaste": "nothing: it is on", "DisableBracketedPaste": "nothing: it is on",
	"EnableReportFocus": "nothing: it is on", "DisableReportFocus": "nothing: it is on",
	"ClearScrollArea": "nothing", "SyncScrollArea": "nothing", "ScrollUp": "nothing", "ScrollDown": "nothing",
}

// violations names the forbidden calls in one file.
func violations(fset *token.FileSet, file *ast.File) []string {
	name := ""
	for _, spec := range file.Imports {
		if path, _ := strconv.Unquote(spec.Path.Value); path == bubbleTea {
			name = "tea"
			if spec.Name != nil {
				name = spec.Name.Name
			}
		}
	}
	var found []string
	if name == "." {
		found = append(found, fset.Position(file.Package).String()+": Bubble Tea imported with a dot hides what is used of it")
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && name != "" && x.Name == name && forbidden[sel.Sel.Name] != "" {
			found = append(found, fset.Position(sel.Pos()).String()+": tea."+sel.Sel.Name+" does not work here; use "+forbidden[sel.Sel.Name])
		}
		return true
	})
	return found
}

func TestBubbleTeasTerminalCommandsAreNotUsed(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || name == ".git" || path == filepath.Join(root, "ui", "term") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		files++
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		for _, v := range violations(fset, file) {
			t.Error(v)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(files, "files")
}

func TestViolationsAreFound(t *testing.T) {
	for src, want := range map[string]int{
		`import tea "github.com/charmbracelet/bubbletea"; var x = tea.Suspend; var y = tea.Quit`:                1,
		`import bt "github.com/charmbracelet/bubbletea"; func f() { bt.Println(); _ = bt.ExecProcess }`:         2,
		`import . "github.com/charmbracelet/bubbletea"; var x = Suspend`:                                        1,
		`import tea "other"; var x = tea.Suspend`:                                                               0,
		`import "github.com/charmbracelet/bubbletea"; func f() { tea.WithAltScreen(); tea.SetWindowTitle("") }`: 1,
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "x.go", "package p; "+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := violations(fset, file); len(got) != want {
			t.Errorf("%s: %q", src, got)
		}
	}
}

// With one import more the guard would be initialised too late to keep Bubble Tea from asking the terminal.
func TestGuardImportsLipglossAlone(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{join .Imports \"\\n\"}}", "./guard").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(out)); got != "github.com/charmbracelet/lipgloss" {
		t.Errorf("ui/term/guard imports %q", got)
	}
	if path := "baton/ui/term/guard"; path > bubbleTea {
		t.Error(path, "sorts behind", bubbleTea)
	}
}
