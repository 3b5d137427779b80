package protocoltest

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

var update = flag.Bool("update", false, "write what was heard of the recorded answers")

// The lines that part a recording: what it is, the body of the answer, what is heard.
const (
	answerMark = "-- answer --\n"
	heardMark  = "-- heard --\n"
)

// Recorded plays the answers in testdata/http/NAME to an agent, as a server sends them,
// and compares what is heard with the recording. Each file holds an explanation, the body
// behind a line "-- answer --" and, behind "-- heard --", one line for each piece and for
// how the attempt ended. An answer that begins with "HTTP/" has a head of its own, whose
// lines may end in LF.
func Recorded(t *testing.T, p Protocol) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "http", p.Name, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings of %s: %v", p.Name, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { recorded(t, p, file) })
	}
}

func recorded(t *testing.T, p Protocol, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	about, rest, _ := strings.Cut(string(text), answerMark)
	answer, want, found := strings.Cut(rest, heardMark)
	if strings.TrimSpace(about) == "" || answer == "" || !found {
		t.Fatalf("%s needs an explanation, an answer and what is heard", file)
	}
	var got strings.Builder
	head, body := p.head(), answer
	if own, rest, found := strings.Cut(body, "\n\n"); found && strings.HasPrefix(own, "HTTP/") {
		head, body = strings.ReplaceAll(own, "\n", "\r\n")+"\r\nConnection: close\r\n\r\n", rest
	}
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Write(c, head+body) })
	finish, err := p.open(t, server, Settings{}).Send(t.Context(), hello, func(piece agentclient.Piece) { write(&got, piece) })
	writeEnd(&got, finish, err)
	if *update {
		if err := os.WriteFile(file, []byte(about+answerMark+answer+heardMark+got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func write(b *strings.Builder, p agentclient.Piece) {
	if p.Phase != "" {
		fmt.Fprintf(b, "phase %s\n", p.Phase)
	}
	if p.Reasoning != "" {
		fmt.Fprintf(b, "thought %q\n", p.Reasoning)
	}
	if p.Text != "" {
		fmt.Fprintf(b, "text %q\n", p.Text)
	}
	if p.Tool != nil {
		fmt.Fprintf(b, "tool %s %s %s\n", p.Tool.ID, p.Tool.Name, p.Tool.Status)
	}
	if p.Alive {
		b.WriteString("alive\n")
	}
}

func writeEnd(b *strings.Builder, f agentclient.Finish, err error) {
	if err == nil {
		cut := ""
		if f.Cut {
			cut = ", cut"
		}
		fmt.Fprintf(b, "finished: %s%s, %d tokens in, %d out\n", f.Reason, cut, f.Usage.Input, f.Usage.Output)
		return
	}
	again := "not repeated"
	verdict := retrypolicy.Classify(err, time.Minute)
	if verdict.Retry {
		again = "repeated"
	}
	fmt.Fprintf(b, "failed: %s, %s: %v\n", verdict.Kind, again, err)
	var failure *retrypolicy.Failure
	if errors.As(err, &failure) {
		writeFacts(b, failure)
	}
}

// writeFacts writes what the server told apart from its words.
func writeFacts(b *strings.Builder, f *retrypolicy.Failure) {
	for _, fact := range []struct{ name, value string }{
		{"code", f.Code}, {"type", f.Type}, {"quota", f.QuotaID}, {"wait", f.Hint.Wait.String()},
	} {
		if fact.value != "" && fact.value != "0s" {
			fmt.Fprintf(b, "%s: %s\n", fact.name, fact.value)
		}
	}
}
