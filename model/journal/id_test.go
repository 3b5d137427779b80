package journal

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"
)

func TestNewID(t *testing.T) {
	east := time.FixedZone("east", 9*3600)
	got := must(NewID(time.Date(2026, 12, 1, 0, 42, 10, 0, east), bytes.NewReader([]byte{0, 31, 32, 255})))
	if got != "20261130-154210-0z0z" {
		t.Fatal(got)
	}
	if _, err := NewID(time.Now(), bytes.NewReader([]byte{1, 2, 3})); err != io.ErrUnexpectedEOF && !strings.Contains(err.Error(), "unexpected EOF") {
		t.Fatal(err)
	}
	early := must(NewID(time.Unix(1_000_000_000, 0), strings.NewReader("\xff\xff\xff\xff")))
	late := must(NewID(time.Unix(1_000_000_001, 0), strings.NewReader("\x00\x00\x00\x00")))
	if early >= late {
		t.Fatal(early, late)
	}
}

// TestValidID (J5): nothing that could be a path, an option, a device or another spelling of the same name.
func TestValidID(t *testing.T) {
	t.Run("J5", func(t *testing.T) {
		for _, id := range []string{"a", "7", "20261130-154210-4fzq", "a-b", "com", "com10", strings.Repeat("x", 64)} {
			if err := ValidID(id); err != nil {
				t.Errorf("%q: %v", id, err)
			}
		}
		dir := t.TempDir()
		for _, id := range []string{"", ".", "..", "../../x", "/etc/passwd", `c:\x`, `a\b`, "a/b", "a\x00b", "\x00", "-rf", "a-", "a.b", "a b",
			"A", "é", "a\n", "a\u202e", "\xff", strings.Repeat("x", 65), strings.Repeat("x", 300), "nul", "con", "com1", "lpt9"} {
			wantErr(t, ValidID(id), ErrBadID)
			_, err := Create(dir, id, Header{})
			wantErr(t, err, ErrBadID)
			_, _, err = Open(dir, id)
			wantErr(t, err, ErrBadID)
			_, err = Read(dir, id)
			wantErr(t, err, ErrBadID)
			_, _, err = OpenTail(dir, id, markKind)
			wantErr(t, err, ErrBadID)
			_, err = OpenReader(dir, id)
			wantErr(t, err, ErrBadID)
			wantErr(t, Build(dir, id, Header{}, fillABC), ErrBadID)
			_, _, err = Holder(dir, id)
			wantErr(t, err, ErrBadID)
		}
		_, err := Read(dir, "absent")
		wantErr(t, err, fs.ErrNotExist)
		_, _, err = Open(dir, "absent")
		wantErr(t, err, fs.ErrNotExist)
		_, err = OpenReader(dir, "absent")
		wantErr(t, err, fs.ErrNotExist)
		if pid, held, err := Holder(dir, "absent"); pid != 0 || held || err != nil {
			t.Errorf("nobody's session is held: %d %v %v", pid, held, err)
		}
		if left := must(os.ReadDir(dir)); len(left) != 0 {
			t.Errorf("left %v", left)
		}
	})
}
