//go:build unix

package cli_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"baton/ui/keymap"
	"baton/ui/picture"
	"baton/ui/tour"
)

// still is how long a screen that is not the wanted one has to stay as it is to be taken for all that comes. Only a
// picture that is not kept as it is drawn takes this long.
const still = 10 * time.Second

// The pictures of the documentation are what the program draws; with -update they are drawn anew.
func TestPictures(t *testing.T) {
	t.Parallel()
	all := scripts(t, "pictures")
	drawn := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		drawn[name+".svg"] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tour.Play(t, all[name], tour.Options{
				Label:   labels(keymap.Default()),
				Picture: func(name string, frame func() picture.Frame) { keepPicture(t, name, frame) },
			})
		})
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob("../../docs/images/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range kept {
		if !drawn[filepath.Base(file)] {
			t.Errorf("no script draws %s", file)
		}
		if shown := "docs/images/" + filepath.Base(file) + `" width="`; !bytes.Contains(readme, []byte(shown)) {
			t.Errorf("README.md does not show %s", file)
		}
	}
}

// keepPicture compares what is drawn, once nothing more comes, with the file that is kept.
func keepPicture(t *testing.T, name string, frame func() picture.Frame) {
	t.Helper()
	file := filepath.Join("../../docs/images", name+".svg")
	update := flag.Lookup("update").Value.String() == "true" // the flag of the package's other tests
	want, err := os.ReadFile(file)
	if err != nil && !update {
		t.Fatalf("no picture to compare with (run with -update): %v", err)
	}
	var last []byte
	for since := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		svg := picture.Draw(frame())
		switch {
		case bytes.Equal(svg, want) && !update:
			return
		case !bytes.Equal(svg, last):
			last, since = svg, time.Now()
		case time.Since(since) < still:
		case update:
			if err := os.WriteFile(file, svg, 0o644); err != nil {
				t.Fatal(err)
			}
			return
		default:
			t.Fatalf("%s is not what the program draws; look at it after: go test ./ui/cli -run Pictures -update", file)
		}
	}
}
