package retrypolicy

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the generated parts of docs/agent-stream.md")

const document = "../docs/agent-stream.md"

// TestDocumentedTables keeps the generated parts of the document equal to the code.
func TestDocumentedTables(t *testing.T) {
	raw, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for name, body := range map[string]string{
		"waits": waitsTable(), "classes": classesTable(), "codes": codesTable(),
	} {
		begin, end := "<!-- "+name+":begin -->\n", "<!-- "+name+":end -->"
		head, rest, ok := strings.Cut(text, begin)
		old, tail, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s has no part %q", document, name)
		}
		if old != body && !*update {
			t.Errorf("part %q of %s is stale: run go test ./retrypolicy -run Documented -update", name, document)
		}
		text = head + begin + body + end + tail
	}
	if *update {
		if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func waitsTable() string {
	p := DefaultPolicy()
	var b strings.Builder
	b.WriteString("| setting | default |\n|---|---|\n")
	fmt.Fprintf(&b, "| requests per step | %d |\n", p.Attempts)
	fmt.Fprintf(&b, "| backoff | %v, doubled up to %v |\n", p.Base, p.Cap)
	fmt.Fprintf(&b, "| backoff of rate-limited and overloaded answers that name no time | %v, doubled up to %v |\n", p.LimitedBase, p.LimitedCap)
	fmt.Fprintf(&b, "| jitter | a factor from %.1f to %.1f |\n", jitterLow, jitterLow+jitterSpan)
	fmt.Fprintf(&b, "| longest wait a server may ask for | %v |\n", p.MaxWait)
	fmt.Fprintf(&b, "| where numbers saturate | %d years |\n", Forever/(365*24*time.Hour))
	return b.String()
}

func classesTable() string {
	var b strings.Builder
	b.WriteString("| class | what happened | kind | retried |\n|---|---|---|---|\n")
	for _, c := range Classes() {
		retried := "no"
		if c.Retry {
			retried = "yes"
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", c.ID, c.Input, c.Kind, retried)
	}
	return b.String()
}

func codesTable() string {
	var b strings.Builder
	b.WriteString("| counts as | code or type |\n|---|---|\n")
	for _, s := range StandIns() {
		fmt.Fprintf(&b, "| %d | `%s` |\n", s.Status, strings.Join(s.Names, "`, `"))
	}
	return b.String()
}
