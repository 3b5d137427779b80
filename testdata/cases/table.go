package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ids are the numbers of all cases. Those between them were never given, or belong to
// what this program does not have.
const ids = `
	1 2 3 4 6 7 9 10 11 13 15 16 17 18 20 21 22 23 25 26 28 29 30 32 34 35 37 38 39
	40 41 43 45 47 48 49 50 51 52 53 55 56 57 59 60 62 63 65 66 67 68 70 71 73 76 77 78
	80 81 83 87 88 89 91 93 94 97 98 99 101 102 103 105 106 108
	H1 H2 H3 H4 H5 H6 H7 H8 H9 W1 W2 W3 W4 W5 W6 K1 K2 K3 K4 K5 K6 J1 J2 J3 J4 J5 J6 J7`

// entry is one row of the table.
type entry struct {
	id    string
	tests []test
	later bool // stands in the part "Not yet", with a reason
}

type test struct {
	pkg, name string
}

// everyProtocol stands in a package's path for each of the protocols: the folders of
// agentclient that run the contract.
const everyProtocol = "PROTOCOL"

func protocols(root string) (names []string) {
	contracts, _ := filepath.Glob(filepath.Join(root, "agentclient", "*", "contract_test.go")) // the pattern is a good one
	for _, file := range contracts {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	return names
}

var (
	row   = regexp.MustCompile(`^\| *([HWKJ]?\d+) *\|([^|]*)\|(?:(.*)\|)? *$`)
	named = regexp.MustCompile("`([^`\\s]+) ([^`\\s]+)`")
)

// parse reads the table's rows and what is wrong with them.
func parse(text string) (cases []entry, problems []string) {
	later := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "## ") {
			later = line == "## Not yet"
		}
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		e := entry{id: m[1], later: later}
		for _, t := range named.FindAllStringSubmatch(m[3], -1) {
			e.tests = append(e.tests, test{t[1], t[2]})
			if !holds(t[2], e.id) {
				problems = append(problems, fmt.Sprintf("case %s: no subtest's name of %s holds the number", e.id, t[2]))
			}
		}
		switch {
		case strings.TrimSpace(m[2]) == "":
			problems = append(problems, fmt.Sprintf("case %s says nothing", e.id))
		case !later && len(e.tests) == 0:
			problems = append(problems, fmt.Sprintf("case %s names no test", e.id))
		}
		cases = append(cases, e)
	}
	return cases, problems
}

var words = regexp.MustCompile(`[A-Za-z]*\d+`)

// holds says whether the number stands in the part of a test's name behind the function:
// "40", "case_40", "case-040" and "cases_39_40" hold 40, "H1_title" holds H1.
func holds(name, id string) bool {
	_, sub, _ := strings.Cut(name, "/")
	for _, w := range words.FindAllString(sub, -1) {
		w = strings.TrimPrefix(w, "case")
		if w == id || strings.TrimLeft(w, "0") == id {
			return true
		}
	}
	return false
}

// complete reports numbers that are missing, unknown or there twice. A case may stand in
// both parts of the table: some of it is tried, some of it not yet.
func complete(cases []entry) (problems []string) {
	all := strings.Fields(ids)
	for _, c := range cases {
		if !slices.Contains(all, c.id) {
			problems = append(problems, fmt.Sprintf("case %s is not known", c.id))
		}
	}
	for _, id := range all {
		rows := map[bool]int{}
		for _, c := range cases {
			if c.id == id {
				rows[c.later]++
			}
		}
		if rows[false]+rows[true] == 0 || rows[false] > 1 || rows[true] > 1 {
			problems = append(problems, fmt.Sprintf("case %s has %d rows, and %d in the part Not yet", id, rows[false], rows[true]))
		}
	}
	return problems
}
