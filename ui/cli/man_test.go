package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestManualHasTheCommitsDate: the page says when the program was made, not when the page
// was, so that packages come out the same.
func TestManualHasTheCommitsDate(t *testing.T) {
	for date, want := range map[string]string{
		"2026-11-30T23:30:00+01:00": `.TH BATON 1 "2026\-11\-30" "baton 1.2.3"`, "2026-12-01T00:30:00+01:00": `.TH BATON 1 "2026\-11\-30" "baton 1.2.3"`,
		"yesterday": `.TH BATON 1 "" "baton 1.2.3"`,
	} {
		var out, errs bytes.Buffer
		code := Main(t.Context(), World{Args: []string{"man"}, Env: func(string) string { return "" }, Stdin: strings.NewReader(""),
			Stdout: &out, Stderr: &errs, Version: "1.2.3", Commit: "0", Date: date})
		if first, _, _ := strings.Cut(out.String(), "\n"); code != 0 || first != want {
			t.Errorf("%s: exit code %d, %s%s, want %s", date, code, first, errs.String(), want)
		}
	}
}
