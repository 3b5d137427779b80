package protocoltest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// Replay runs one attempt against each answer in folder/*.txt and compares what comes of
// it. A file holds lines that begin with # and say what it is, lines "key: value" of the
// outcome as outcome writes them, a line "---", and an HTTP answer, whose head may have
// LF line ends.
func Replay(t *testing.T, p Protocol, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no answers in %s (%v)", folder, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, answer, found := strings.Cut(string(raw), "\n---\n")
			fields, body, headed := strings.Cut(answer, "\n\n")
			if !found || !headed {
				t.Fatal("the file has no line --- or no head of an answer")
			}
			var want []string
			for line := range strings.Lines(head) {
				if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
					want = append(want, line)
				}
			}
			h, finish, err := p.send(t, Settings{}, func(c *net.TCPConn) {
				wiretest.Write(c, strings.ReplaceAll(fields, "\n", "\r\n")+"\r\nConnection: close\r\n\r\n"+body)
			})
			if got := outcome(h, finish, err); got != strings.Join(want, "\n") {
				t.Errorf("got\n%s\n\nwant\n%s", got, strings.Join(want, "\n"))
			}
		})
	}
}

// outcome is what one attempt came to, a fact a line; what there is not has no line.
func outcome(h heard, finish agentclient.Finish, err error) string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, value)
		}
	}
	line("text", quotedIf(h.text))
	line("reasoning", quotedIf(h.reasoning))
	for _, tool := range h.tools {
		line("tool", tool.ID+" "+tool.Name+" "+tool.Status)
	}
	line("reason", finish.Reason)
	if finish.Cut {
		line("cut", "yes")
	}
	if finish.Usage != (agentclient.Usage{}) {
		line("usage", fmt.Sprintf("%d in, %d out", finish.Usage.Input, finish.Usage.Output))
	}
	line("request", finish.RequestID)
	if err != nil {
		verdict := retrypolicy.Classify(err, time.Minute)
		line("kind", string(verdict.Kind))
		if f, ok := err.(*retrypolicy.Failure); ok {
			line("said", strings.Join(strings.Fields(fmt.Sprintf("%s %s %s", number(f.Status), f.Code, f.Type)), " "))
			line("quota", f.QuotaID)
			if f.Hint.Wait > 0 {
				line("wait", f.Hint.Wait.String())
			}
			line("request", f.RequestID)
			line("message", f.Message)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func quotedIf(s string) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf("%q", s)
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
