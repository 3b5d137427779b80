//go:build linux || darwin

package engine

import (
	"os"
	"strings"
	"testing"
	"time"

	"baton/model/session"
)

// Rows that are in the log stay with it while it takes no more lines: in a new session, whose small file still finds room,
// they would stand in both after a crash.
func TestNewWhileTheLogTakesNothing(t *testing.T) {
	for name, said := range map[string]string{
		"lines wait already":          strings.Repeat("long ", 1000),
		"the first that does not fit": "",
	} {
		t.Run(name, func(t *testing.T) {
			if !alone(t) {
				return
			}
			bubble(t, func(t *testing.T) {
				dir := t.TempDir()
				d := openWithNew(t, dir, after(time.Second, status(401)), says("x"))
				old := d.Session()
				d.say("one")
				d.say("a")
				d.run(2 * time.Second)
				d.in(session.SetPaused{On: true})
				info, err := os.Stat(dir + "/" + old + ".jsonl")
				if err != nil {
					t.Fatal(err)
				}
				room := full(t, info.Size())
				if said != "" {
					d.say(said)
					d.soon()
				}
				d.say("/new")
				d.soon()
				went, rows := d.Session(), d.rows()
				killed := t.TempDir()
				room()
				if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
				d.want("session", old, went)
				d.want("rows", "Continue the current turn,a", rows)
				files, err := os.ReadDir(killed)
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				for _, f := range files {
					if id, ok := strings.CutSuffix(f.Name(), ".jsonl"); ok {
						back, _ := Replay(session.New(session.Settings{}), logged(t, killed, id))
						n += places(back)["a"]
					}
				}
				if n != 1 {
					t.Errorf("the row is in %d places", n)
				}
				d.run(LogRetryEvery + time.Second)
				d.say("/new")
				d.soon()
				if d.Session() == old {
					t.Error("no new session when there is room")
				}
				d.want("rows", "Continue the current turn,a", d.rows())
				d.end()
			})
		})
	}
}
