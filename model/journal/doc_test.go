package journal

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestDocumented: the numbers in docs/journal.md are the ones in force, and a line is what its grammar says.
func TestDocumented(t *testing.T) {
	doc := string(must(os.ReadFile("../../docs/journal.md")))
	for _, want := range []string{
		fmt.Sprintf("(%d MiB)", MaxLine>>20),
		fmt.Sprintf("at most %d ms later", FsyncDelay.Milliseconds()),
		fmt.Sprintf("this one reads %d`", Format),
		(&NewerError{Found: 3}).Error(),
		ErrEmpty.Error(), ErrHeader.Error(), ErrOwner.Error(), ErrReplaced.Error(),
		fmt.Sprintf("from\n%d KiB to %d MiB", block>>10, largeBlock>>20),
		"`ID" + buildSuffix + "`",
		"<!-- events:begin -->", "<!-- events:end -->",
	} {
		if !strings.Contains(doc, want) {
			t.Errorf("docs/journal.md lacks %q", want)
		}
	}
	at := time.Date(2026, 11, 30, 15, 42, 10, 5e8, time.UTC)
	header := string(must(encodeHeader(Header{Format: 1, Session: "s", Created: at, App: "1.0", From: "r"})))
	if want := `{"format":1,"session":"s","created":"2026-11-30T15:42:10.5Z","app":"1.0","from":"r","crc32c":"488fa212"}` + "\n"; header != want {
		t.Errorf("header %s", header)
	}
	batch := string(must(encodeBatch(Batch{Seq: 7, Time: at, Entries: append(say("hi"), Entry{Kind: "bare"})}, MaxLine)))
	if want := `{"seq":7,"time":"2026-11-30T15:42:10.5Z","entries":[{"kind":"said","data":"hi"},{"kind":"bare"}],"crc32c":"a1948c39"}` + "\n"; batch != want {
		t.Errorf("batch %s", batch)
	}
}
