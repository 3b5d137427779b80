//go:build unix

package tour

import (
	"regexp"

	"baton/ui/picture"
)

// replacement is what a picture shows in the place of what differs from run to run.
type replacement struct {
	pattern *regexp.Regexp
	text    string
}

func (p *player) steady(args []string) {
	p.t.Helper()
	pattern, err := regexp.Compile(args[0])
	if err != nil {
		p.t.Fatal(err)
	}
	p.steadying = append(p.steadying, replacement{pattern, args[1]})
}

func (p *player) picture(args []string) {
	p.t.Helper()
	if p.options.Picture == nil {
		p.t.Fatalf("pictures are not wanted here")
	}
	p.options.Picture(args[0], func() picture.Frame {
		f := picture.Frame{Title: p.Title(), Cells: p.Cells()}
		f.X, f.Y, f.Caret = p.Cursor()
		for _, r := range p.steadying {
			f.Replace(r.pattern, r.text)
		}
		return f
	})
}
