package sandbox

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseFaults(t *testing.T) {
	for _, c := range []struct {
		list string
		want []Fault
	}{
		{"", nil},
		{" , ", nil},
		{"500", []Fault{{Kind: "status", Status: 500}}},
		{"429:7, cut@20", []Fault{{Kind: "status", Status: 429, Arg: "7"}, {Kind: "cut", After: 20}}},
		{"429:0.5", []Fault{{Kind: "status", Status: 429, Arg: "0.5"}}},
		{"429:quota", []Fault{{Kind: "status", Status: 429, Arg: "quota"}}},
		{"503:noretry", []Fault{{Kind: "status", Status: 503, Arg: "noretry"}}},
		{"500*3", []Fault{{Kind: "status", Status: 500}, {Kind: "status", Status: 500}, {Kind: "status", Status: 500}}},
		{"cut,reset,length", []Fault{{Kind: "cut", After: 20}, {Kind: "reset"}, {Kind: "length", After: endOfAnswer}}},
		{"cut@0*2", []Fault{{Kind: "cut"}, {Kind: "cut"}}},
		{"ok,empty,blank,hang,html,garbage,tool", []Fault{{Kind: "ok"}, {Kind: "empty"}, {Kind: "blank"}, {Kind: "hang"}, {Kind: "html"}, {Kind: "garbage"}, {Kind: "tool"}}},
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
	for _, kind := range plain {
		if !strings.Contains(table.String(), "`"+kind+"`") {
			t.Errorf("%s is not listed", kind)
		}
	}
	for kind := range withTokens {
		if !strings.Contains(table.String(), "`"+kind+"@") {
			t.Errorf("%s is not listed", kind)
		}
	}
}
