package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"baton/model/engine"
	"baton/model/session"
	"baton/queue"
	"baton/retrypolicy"
	"baton/ui/sanitize"
)

// maxPrompts is one that runs and a full queue behind it.
const maxPrompts = queue.MaxRows + 1

func (a *app) runCommand() *cobra.Command {
	var prompts []string
	var output string
	cmd := &cobra.Command{
		Use:   "run [-p TEXT ...] [FILE | -]",
		Short: "Send prompts one by one without a screen; answers on standard output",
		Long: "run sends each prompt as its own turn, in order, each with the earlier ones in its context. Answers go to standard output,\n" +
			"everything else to standard error. It stops at the first failed turn; the rest stays queued for baton --continue.\n\n" +
			"Exit codes: 0 all answered, 1 a turn failed, 2 wrong use, 75 retries exhausted, 77 key refused, 78 configuration, 130 interrupted.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output != "text" && output != "jsonl" {
				return usage("", "--output is text or jsonl, not %q", output)
			}
			ps, err := a.prompts(prompts, args)
			if err != nil {
				return err
			}
			return a.headless(cmd.Context(), ps, output == "jsonl")
		},
	}
	cmd.Flags().StringArrayVarP(&prompts, "prompt", "p", nil, "a prompt; may be given several times")
	cmd.Flags().StringVar(&output, "output", "text", "text, or jsonl: one event a line")
	return cmd
}

// prompts collects what is to be sent, and refuses what cannot be before anything is.
func (a *app) prompts(given, args []string) ([]string, error) {
	ps := append([]string(nil), given...)
	if len(args) == 1 {
		text, err := a.readPrompt(args[0])
		if err != nil {
			return nil, err
		}
		ps = append(ps, text)
	}
	switch {
	case len(ps) == 0:
		return nil, usage("give -p TEXT, a file, or - for standard input", "there is no prompt")
	case len(ps) > maxPrompts:
		return nil, usage("send the rest in another run", "%d prompts are too many: one runs and %d wait", len(ps), queue.MaxRows)
	}
	most := session.MaxPrompt // the first is sent at once, the others wait in the queue
	for i, p := range ps {
		ps[i] = queue.Normalize(p)
		if err := queue.Within(most, ps[i], 0); err != nil {
			return nil, usage("", "prompt %d: %w", i+1, err)
		}
		most = queue.MaxBytes
	}
	return ps, nil
}

func (a *app) readPrompt(name string) (string, error) {
	in := a.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", usage("", "%w", err)
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, 2*session.MaxPrompt)) // twice: CRLF becomes LF
	if err != nil {
		return "", usage("", "read the prompt: %w", err)
	}
	return string(b), nil
}

// headless drives the engine without a screen.
func (a *app) headless(ctx context.Context, prompts []string, jsonl bool) error {
	s, err := a.load()
	if err != nil {
		return err
	}
	s.agents = newAgents(s.conf, tables(s.keys))
	defer s.agents.close()
	agent, err := s.agents.first(ctx)
	if err != nil {
		return configured(err)
	}
	e, err := a.openSession(s.engineOptions(a.Version, agent), "", false)
	if err != nil {
		return err
	}
	r := &runner{app: a, eng: e, jsonl: jsonl, results: make(chan engine.Result)}
	if s.agents.said != "" {
		r.tell(s.agents.said)
	}
	a.code = r.run(ctx, prompts)
	if err := e.Close(); err != nil {
		r.tell("the session could not be saved whole: " + err.Error())
	}
	n := 0
	for _, row := range e.State().Queue.Rows() {
		if row.Generated == 0 { // the row that a give-up makes is not a prompt of theirs
			n++
		}
	}
	switch {
	case n > 0 && e.Saved():
		r.tell(fmt.Sprintf("%d prompt(s) stay queued in session %s; baton resume %s", n, e.Session(), e.Session()))
	case n > 0:
		r.tell(fmt.Sprintf("%d prompt(s) were not sent, and are not saved: %v", n, e.Trouble()))
	}
	return nil
}

// runner is one headless run.
type runner struct {
	*app
	eng     *engine.Engine
	jsonl   bool
	results chan engine.Result
	exit    bool
	code    int

	unwritten error // why the answers cannot be written
}

func (r *runner) run(ctx context.Context, prompts []string) int {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(signals)
	for _, p := range prompts {
		r.after(r.eng.Step(session.Submit{Draft: session.Draft{Text: p}}))
	}
	ended := ctx.Done()
	for r.eng.State().Busy() && !r.exit {
		select {
		case res := <-r.results:
			r.after(r.eng.Take(res))
		case s := <-signals:
			r.code = 128 + int(s.(syscall.Signal))
			r.after(r.eng.Step(session.Quit{}))
		case <-ended:
			ended = nil // once
			r.code = ExitFailed
			r.after(r.eng.Step(session.Quit{}))
		}
	}
	if r.unwritten != nil {
		r.tell("an answer could not be written: " + r.unwritten.Error() + "; the session has it: baton sessions show " + r.eng.Session())
		return ExitFailed
	}
	return r.code
}

// after reports an outcome and starts its jobs.
func (r *runner) after(out engine.Outcome) {
	for _, ev := range out.Events {
		r.report(ev)
	}
	if out.Said != "" {
		r.tell(out.Said)
	}
	if r.unwritten != nil && !r.eng.State().Quitting { // before what was promoted meanwhile is sent
		out = out.Join(r.eng.Step(session.Quit{}))
	}
	for _, job := range out.Jobs {
		go func() { r.results <- job() }() // the program ends with what is left
	}
	r.exit = r.exit || out.Exit
}

func (r *runner) report(ev session.Event) {
	if r.jsonl {
		r.line(ev)
	}
	switch ev := ev.(type) {
	case session.TurnSucceeded:
		if !r.jsonl {
			r.answer(ev.Answer)
		}
		if ev.Cut {
			r.tell("the answer reached the output limit and was cut off")
		}
	case session.TurnFailed:
		r.code = codeOf(ev)
		text := "turn failed: " + ev.Cause.Line()
		if ev.Cause.NextStep != "" {
			text += " · " + ev.Cause.NextStep
		}
		r.tell(text)
	case session.RetryPlanned:
		r.tell(fmt.Sprintf("retrying %d/%d in %s: %s", ev.N+1, ev.Max, ev.Delay.Round(1e7), ev.Attempt.Cause.Line()))
	case session.Refused:
		r.tell(ev.Text)
	}
}

// answer writes what the agent said: printable where a person reads it, as it is where
// a program does.
func (r *runner) answer(text string) {
	if isTerminal(r.Stdout) {
		text = sanitize.Text(text)
	}
	r.write(text + "\n")
}

// write puts a piece of the answers out. If nobody takes it the run ends: what comes
// later would be lost too.
func (r *runner) write(text string) {
	if r.unwritten != nil {
		return
	}
	if _, err := io.WriteString(r.Stdout, text); err != nil {
		r.unwritten = err
	}
}

func (r *runner) tell(text string) { fmt.Fprintln(r.Stderr, "baton: "+sanitize.Line(text)) }

// line writes an event that is recorded as one line of JSON. Control characters that
// JSON would let through are escaped, since the line may end up on a terminal.
func (r *runner) line(ev session.Event) {
	kind, data, durable, err := session.Encode(ev)
	if err != nil || !durable {
		return
	}
	b, err := json.Marshal(struct {
		Event string          `json:"event"`
		Data  json.RawMessage `json:"data"`
	}{kind, data})
	if err != nil {
		r.tell(err.Error())
		return
	}
	r.write(escaped(b) + "\n")
}

// escaped writes DEL and the C1 controls as JSON escapes. In JSON they can stand within
// strings only.
func escaped(line []byte) string {
	var b strings.Builder
	for _, c := range string(line) {
		if c >= 0x7f && c < 0xa0 {
			fmt.Fprintf(&b, "\\u%04x", c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func codeOf(ev session.TurnFailed) int {
	switch {
	case ev.Cause.Kind == retrypolicy.Auth:
		return ExitAuth
	case ev.Exhausted:
		return ExitExhausted
	}
	return ExitFailed
}
