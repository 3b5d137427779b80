package session

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// samples has an event of every kind with every field set.
func samples() (evs []Event) {
	for _, k := range Kinds() {
		p := reflect.New(k.typ)
		fill(p.Elem(), k.Name, 0)
		evs = append(evs, p.Elem().Interface().(Event))
	}
	return evs
}

// fill sets every field below v to something that is not its zero value.
func fill(v reflect.Value, name string, n int) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(epoch.Add(time.Duration(len(name)) * time.Minute)))
		return
	case time.Duration:
		v.SetInt(int64(len(name)) * int64(time.Millisecond))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Field(i).Name, n+i+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name, n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), fmt.Sprint(name, i), n+i)
		}
	case reflect.String:
		v.SetString(strings.ToUpper(name))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(n + len(name)))
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("no sample for a field of kind " + v.Kind().String())
	}
}

const kindSamples = "testdata/kinds.jsonl"

// TestKindsAreStable compares every kind, as it stands in a log, with what was once
// written: the names of kinds and fields are a promise to every log there is.
func TestKindsAreStable(t *testing.T) {
	var got bytes.Buffer
	for _, e := range samples() {
		kind, data, ok, err := Encode(e)
		if !ok || err != nil {
			t.Fatal(kind, ok, err)
		}
		fmt.Fprintf(&got, "%s %s\n", kind, data)
	}
	if *update {
		if err := os.WriteFile(kindSamples, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(kindSamples)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); d != "" {
		t.Error(d)
	}
}

// TestEveryKindComesBack encodes and decodes each kind, full and empty, and finds a
// written sample for it.
func TestEveryKindComesBack(t *testing.T) {
	raw, err := os.ReadFile(kindSamples)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]string{}
	for l := range strings.Lines(string(raw)) {
		kind, data, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		written[kind] = data
	}
	if len(written) != len(Kinds()) {
		t.Errorf("%d samples for %d kinds", len(written), len(Kinds()))
	}
	for _, full := range samples() {
		empty := reflect.New(reflect.TypeOf(full)).Elem().Interface().(Event)
		for _, e := range []Event{full, empty} {
			kind, data, _, err := Encode(e)
			if err != nil {
				t.Fatal(err)
			}
			back, known, err := Decode(kind, data)
			if !known || err != nil {
				t.Fatal(kind, known, err)
			}
			if d := cmp.Diff(e, back); d != "" {
				t.Errorf("%s\n%s", kind, d)
			}
		}
		kind, _, _, _ := Encode(full)
		back, _, err := Decode(kind, []byte(written[kind]))
		if err != nil {
			t.Errorf("%s has no readable sample: %v", kind, err)
		} else if d := cmp.Diff(full, back); d != "" {
			t.Errorf("%s, as once written: %s", kind, d)
		}
	}
}

func TestUnknownKindsAndDamage(t *testing.T) {
	if e, known, err := Decode("from.the.future", []byte(`{"x":1}`)); e != nil || known || err != nil {
		t.Error("an unknown kind is to be skipped:", e, known, err)
	}
	if e, known, err := Decode("turn.started", []byte(`{"turn":"x"}`)); e != nil || !known || err == nil {
		t.Error("a damaged event is an error:", e, known, err)
	}
	if e, known, err := Decode("turn.started", []byte(`{"turn":1,"later":true}`)); !cmp.Equal(e, Event(TurnStarted{Turn: 1})) || !known || err != nil {
		t.Error("an unknown field is to be skipped:", e, known, err)
	}
	if _, _, ok, err := Encode(Streamed{}); ok || err != nil {
		t.Error("streamed text is not recorded as such", ok, err)
	}
}

const journalDocument = "../../docs/journal.md"

// TestDocumentedEvents keeps the table of event kinds equal to the code.
func TestDocumentedEvents(t *testing.T) {
	const begin, end = "<!-- events:begin -->\n", "<!-- events:end -->"
	raw, err := os.ReadFile(journalDocument)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(raw), begin)
	old, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no part for the events", journalDocument)
	}
	table := eventsTable()
	switch {
	case old == table:
	case *update:
		if err := os.WriteFile(journalDocument, []byte(head+begin+table+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the events of %s are stale: run go test ./model/session -run Documented -update", journalDocument)
	}
}

func eventsTable() string {
	var b strings.Builder
	b.WriteString("\n| kind | the fact | data |\n|---|---|---|\n")
	for _, k := range Kinds() {
		fields := ""
		if len(k.Fields()) > 0 {
			fields = "`" + strings.Join(k.Fields(), "` `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Name, k.Says, fields)
	}
	b.WriteString("\nTimes are RFC 3339, spans of time are nanoseconds, sizes are bytes. A field that is empty or 0 may be absent.\n")
	return b.String() + "\n"
}
