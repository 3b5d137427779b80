//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"baton/agentclient"
	"baton/agentclient/openaichat"
	"baton/retrypolicy"
	"baton/ui/termtest"
)

// The server prints its base URL and nothing else, answers the real client, and ends
// with the code of the signal.
func TestSandboxServes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		signal syscall.Signal
		code   int
		args   []string
	}{
		"INT":    {syscall.SIGINT, 130, nil},
		"TERM":   {syscall.SIGTERM, 143, []string{"--addr", "localhost:0"}},
		"remote": {syscall.SIGTERM, 143, []string{"--addr", "0.0.0.0:0", "--allow-remote"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(termtest.Build(t), append([]string{"sandbox", "--fault", "503,hang"}, c.args...)...)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH")} // it needs no home
			var errs bytes.Buffer
			cmd.Stderr = &errs
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Process.Kill() }()
			out := bufio.NewReader(stdout)
			line, err := out.ReadString('\n')
			if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") || !strings.HasSuffix(line, "/v1\n") {
				t.Fatalf("printed %q, %v; %s", line, err, errs.String())
			}
			talk(t, strings.TrimSpace(line))
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(out)
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != c.code || len(rest) > 0 || errs.Len() > 0 {
				t.Errorf("exit code %d, %q, %q; want %d and silence", code, rest, errs.String(), c.code)
			}
		})
	}
}

// talk meets the first fault, and leaves a request hanging in the second.
func talk(t *testing.T, url string) {
	agent, err := openaichat.New(openaichat.Config{Name: "x", BaseURL: url, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	request := agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "hello"}}}
	var f *retrypolicy.Failure
	if _, err := agent.Send(t.Context(), request, func(agentclient.Piece) {}); !errors.As(err, &f) || f.Status != 503 {
		t.Errorf("error %v", err)
	}
	waits := make(chan struct{}, 8)
	go func() {
		_, _ = agent.Send(t.Context(), request, func(agentclient.Piece) { waits <- struct{}{} })
	}()
	<-waits
}
