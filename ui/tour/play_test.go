//go:build unix

package tour

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// failing collects what would fail a test, and ends the script as that does.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	panic(f)
}

// What goes wrong while a script is played is told with its place, the step and the screen.
func TestWhatIsWrongIsShown(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct{ source, want string }{
		"too early":        {"size 80 24\nsee hello\n", `^x\.tour:2: see hello\nthe program was not started yet$`},
		"an unknown key":   {"start\npress f99\n", `^x\.tour:2: press f99\nno key is called "f99"$`},
		"an unknown gate":  {"start\nrelease one\n", `^x\.tour:2: release one\nthere is no gate called one$`},
		"no number":        {"size a 24\nstart\n", `^x\.tour:1: size a 24\n"a" is no number$`},
		"holds before":     {"start\nstate Ready\ntry global redraw ctrl+l\nstate Ready\n", `^x\.tour:3: try global redraw ctrl\+l\nall that is looked at behind the key holds before it\n(?s:.*)○ Ready`},
		"what never comes": {"start\ntype a\nnever \"┃ a\"\n", `^x\.tour:3: never "┃ a"\n"┃ a" is on the screen\n(?s:.*)cursor 3,22`},
		"it has ended":     {"start\npress ctrl+d\nends 0\nsee zzz\n", `^x\.tour:4: see zzz\nthe program ended \(exit status 0\) without such a screen`},
		"another end":      {"start\npress ctrl+d\nends 3\n", `^x\.tour:3: ends 3\nthe exit code is 0`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Parse("x.tour", f.source)
			if err != nil {
				t.Fatal(err)
			}
			failed := &failing{TB: t}
			func() {
				defer func() {
					if r := recover(); r != nil && r != any(failed) {
						panic(r)
					}
				}()
				Play(failed, s, Options{})
			}()
			if !regexp.MustCompile(f.want).MatchString(failed.said) {
				t.Errorf("it says %q, want %s", failed.said, f.want)
			}
		})
	}
}

// A step that looks is true of the screen that it describes, and of no other.
func TestSteps(t *testing.T) {
	t.Parallel()
	source := `size 60 20
answer "the answer"
start
say hello
see "the answer"
state Ready
type "a|b"
` + strings.Join(looks(), "\n")
	s, err := Parse("x.tour", source)
	if err != nil {
		t.Fatal(err)
	}
	Play(t, s, Options{Label: func(a string) string { return map[string]string{"send": "enter"}[a] }})
}

func looks() []string {
	return []string{`gone "another answer"`, `times 1 "┃ hello"`, `row 1 "baton · "`, `row -1 "Ready"`, `at -1 3 "Ready"`, `at 19 3 "a"`, `below "────" "┃ a"`,
		`caret 19 6`, `never "{send}"`, `asked 1`, `asked 1 hello`, `quiet 1`, `title "baton: ready"`, `mouse off`, `screen alternate`, `queue`, `words`}
}
