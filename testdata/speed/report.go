//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
)

// report collects figures in the order in which their names first came.
type report struct {
	names  []string
	figure map[string]*figure
	errors []string
	before string // the load when it began
}

// figure is all that was measured of one thing.
type figure struct {
	unit   string
	values []float64
}

func newReport() *report { return &report{figure: map[string]*figure{}, before: load()} }

func (r *report) add(name, unit string, v float64) {
	f := r.figure[name]
	if f == nil {
		f = &figure{unit: unit}
		r.names, r.figure[name] = append(r.names, name), f
	}
	f.values = append(f.values, v)
}

// ratio adds one thing divided by another, by their best and by their medians.
func (r *report) ratio(name, over, under string) {
	a, b := r.figure[over].sorted(), r.figure[under].sorted()
	r.add(name, "x", a[0]/b[0])
	r.add(name, "x", at(a, 50)/at(b, 50))
}

func (r *report) failed(name string, err error) {
	r.errors = append(r.errors, fmt.Sprintf("%s: %v", name, err))
}

func (f *figure) sorted() []float64 {
	s := slices.Clone(f.values)
	slices.Sort(s)
	return s
}

// at is the p-th percentile of sorted values: the smallest that p of a hundred do not exceed.
func at(sorted []float64, p int) float64 {
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

// print writes the table, and returns an error if something is missing from it.
func (r *report) print(w io.Writer) error {
	fmt.Fprintf(w, "%s/%s, %d CPUs, load %s before and %s after\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), r.before, load())
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "measured\tn\tbest\tmedian\tp99\tworst\t\t")
	for _, name := range r.names {
		f := r.figure[name]
		s := f.sorted()
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t\n", name, len(s), number(s[0]), number(at(s, 50)), number(at(s, 99)), number(s[len(s)-1]), f.unit)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(r.errors) > 0 {
		return fmt.Errorf("not measured: %s", strings.Join(r.errors, "; "))
	}
	return nil
}

// number has three digits, which is more than a shared machine can tell.
func number(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// load is the machine's load average over 1, 5 and 15 minutes, "unknown" if it does not tell.
func load() string {
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		if f := strings.Fields(string(b)); len(f) >= 3 {
			return strings.Join(f[:3], " ")
		}
	}
	if out, err := exec.Command("sysctl", "-n", "vm.loadavg").Output(); err == nil {
		return strings.Trim(strings.TrimSpace(string(out)), "{ }")
	}
	return "unknown"
}
