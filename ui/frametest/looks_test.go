package frametest

import (
	"strings"
	"testing"
)

func TestCellStyles(t *testing.T) {
	for line, want := range map[string]string{
		"":                                  "",
		"ab":                                "|",
		"\x1b[1;31mx\x1b[0my":               "1 bold|",
		"\x1b[38;5;246m世\x1b[0m":            "246|246",
		"\x1b[48;5;51;38;5;16mx":            "16 on 51",
		"\x1b[97;104mx\x1b[39my":            "15 on 12|on 12",
		"\x1b[4m\x1b[1mx\x1b[22my\x1b[24mz": "bold underline|underline|",
		"\x1b[7;9mx\x1b[27;29my":            "reverse strike|",
	} {
		if got := strings.Join(cellStyles(line), "|"); got != want {
			t.Errorf("%q looks like %q, want %q", line, got, want)
		}
	}
}
