package sandbox

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseFaults(t *testing.T) {
	status := func(code int, arg string) Fault { return Fault{Kind: "status", Status: code, Arg: arg} }
	for _, c := range []struct {
		list string
		want []Fault
	}{
		{"", nil},
		{" , ", nil},
		{"500", []Fault{status(500, "")}},
		{"429:7, cut@20", []Fault{status(429, "7"), {Kind: "cut", After: 20}}},
		{"429:0.5", []Fault{status(429, "0.5")}},
		{"429:-5", []Fault{status(429, "-5")}},
		{"429:quota", []Fault{status(429, "quota")}},
		{"429:quota:7:ms=-1", []Fault{status(429, "quota:7:ms=-1")}},
		{"503:noretry", []Fault{status(503, "noretry")}},
		{"500*3", []Fault{status(500, ""), status(500, ""), status(500, "")}},
		{"cut,reset,length", []Fault{{Kind: "cut", After: 20}, {Kind: "reset"}, {Kind: "length", After: endOfAnswer}}},
		{"cut@0*2", []Fault{{Kind: "cut"}, {Kind: "cut"}}},
		{"error,error:429,error:429@3", []Fault{{Kind: "error", After: 20}, {Kind: "error", Status: 429, After: 20}, {Kind: "error", Status: 429, After: 3}}},
		{"json,json:503", []Fault{{Kind: "json", After: endOfAnswer}, {Kind: "json", Status: 503, After: endOfAnswer}}},
		{"late,late:0.5*2", []Fault{
			{Kind: "late", After: endOfAnswer, Wait: 2 * time.Second},
			{Kind: "late", After: endOfAnswer, Wait: time.Second / 2}, {Kind: "late", After: endOfAnswer, Wait: time.Second / 2}}},
		{"late:600,cut@1000000", []Fault{{Kind: "late", After: endOfAnswer, Wait: 10 * time.Minute}, {Kind: "cut", After: 1000000}}},
		{"ok,empty,hang,garbage,tool", []Fault{fine, {Kind: "empty"}, {Kind: "hang"}, {Kind: "garbage", After: 3}, {Kind: "tool"}}},
	} {
		t.Run(c.list, func(t *testing.T) {
			got, err := ParseFaults(c.list)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseFaultsRefuses(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"500,boom", `unknown fault "boom"; there are ok, 500, 429:7`},
		{"ok@3", `unknown fault "ok@3"`},
		{"@3", `unknown fault "@3"`},
		{"cut@x", "tokens behind @"},
		{"cut@-1", "tokens behind @"},
		{"cut@1000001", "tokens behind @"},
		{"cut:7", `unknown fault "cut:7"`},
		{"late:601", "seconds behind the colon"},
		{"late:-1", "seconds behind the colon"},
		{"late:nan", "seconds behind the colon"},
		{"late:", "seconds behind the colon"},
		{"error:399", "code behind the colon"},
		{"error:600", "code behind the colon"},
		{"json:quota", "code behind the colon"},
		{"429:ms=soon", "behind the colon"},
		{"429:ms", "behind the colon"},
		{"429:quota=7", "behind the colon"},
		{"429:7:", "behind the colon"},
		{"429:", "behind the colon"},
		{"429:inf", "behind the colon"},
		{"200", "201 to 599"},
		{"600", "201 to 599"},
		{"50", "201 to 599"},
		{"0500", "201 to 599"},
		{"429:soon", "behind the colon"},
		{"500*0", "behind *"},
		{"500*1001", "behind *"},
		{"500*", "behind *"},
		{"500*600,500*600", "too many faults"},
	} {
		t.Run(c.list, func(t *testing.T) {
			_, err := ParseFaults(c.list)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %q", err, c.want)
			}
		})
	}
	if got, err := ParseFaults("500*1000"); err != nil || len(got) != MaxArmed {
		t.Errorf("at the limit: %d faults, %v", len(got), err)
	}
}

// Every listed form is accepted, and the document shows the same list.
func TestFaultsAreKnownAndDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/sandbox.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, k := range Faults() {
		if _, err := ParseFaults(k.Form); err != nil {
			t.Errorf("listed form: %v", err)
		}
		table.WriteString("| `" + k.Form + "` | " + k.Does + " |\n")
	}
	if !strings.Contains(string(doc), table.String()) {
		t.Errorf("docs/sandbox.md lacks this table:\n%s", table.String())
	}
	for _, detail := range detailForms() {
		word, _, measured := strings.Cut(detail, "=N")
		if want := ":" + word + "`"; !measured && !strings.Contains(table.String(), want) || measured && !strings.Contains(table.String(), ":"+word+"=") {
			t.Errorf("%s is not listed", detail)
		}
	}
}

func TestReadFaults(t *testing.T) {
	list, err := ReadFaults("f", strings.NewReader("# a scene\n500, 429:3 # limited\r\n\n  cut@20 ,\nok*2"))
	if err != nil || list != "500, 429:3,cut@20 ,,ok*2" {
		t.Errorf("list %q, %v", list, err)
	}
	if faults, err := ParseFaults(list); err != nil || len(faults) != 5 {
		t.Errorf("%d faults, %v", len(faults), err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"unknown":  {"500\n\n503,boom # x\n", `dir/f:3: unknown fault "boom"`},
		"many":     {"500*600\n500*400\nok", "dir/f:3: too many faults"},
		"too_long": {strings.Repeat("#", MaxFaultFile+1), "dir/f: a file of faults has at most 64 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadFaults("dir/f", strings.NewReader(c.text))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line that begins %q", err, c.want)
			}
		})
	}
	for _, n := range []int{MaxFaultFile - 1, MaxFaultFile} {
		if _, err := ReadFaults("f", strings.NewReader(strings.Repeat("#", n))); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := ReadFaults("f", iotest.ErrReader(errors.New("disk on fire"))); err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("error %v", err)
	}
}
