package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"baton/model/engine"
	"baton/model/journal"
)

// runFlags are what a headless run is given.
type runFlags struct {
	prompts []string // -p
	attach  []string // --attach
	split   string   // --split
	output  string   // --output
	session string   // --session
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [-p TEXT ...] [FILE | -]",
		Short: "Send prompts one by one without a screen; answers on standard output",
		Long: "run sends each prompt as its own turn, in order, each with the earlier ones in its context. Answers go to standard output,\n" +
			"everything else to standard error. It stops at the first turn that fails: that prompt and the ones behind it stay in the session,\n" +
			"and run --continue goes on with them.\n\n" +
			"A FILE, or standard input as -, holds prompts with a line --- between them, else with blank lines between them, or JSON Lines such as\n" +
			"{\"prompt\": \"what is this?\", \"attachments\": [\"picture.png\"]}. Without -, piped text is added to the first -p.\n\n" +
			"Exit codes: 0 all answered, 1 a turn failed or prompts stay, 2 wrong use, 75 retries exhausted, 77 key refused, 78 configuration,\n" +
			"129, 130, 131, 143 ended by a signal, 141 nobody read the answers.",
		Example: "  baton run -p 'first prompt' -p 'second prompt'\n" +
			"  git diff | baton run -p 'Review this change:'\n" +
			"  baton run prompts.txt\n" +
			"  baton run --continue                    the failed prompt again, then those behind it",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("-p TEXT gives a prompt itself", "there can be one file of prompts, not %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.runPrompts(cmd.Context(), f, args) },
	}
	fs := cmd.Flags()
	fs.StringArrayVarP(&f.prompts, "prompt", "p", nil, "send this `text`; may be given several times")
	fs.StringArrayVar(&f.attach, "attach", nil, "send the file at this `path` along with the first prompt; may be given several times")
	fs.StringVar(&f.split, "split", splitAuto, "`how` FILE or - is split into prompts: "+splitNames())
	fs.StringVar(&f.output, "output", "text", "answers as text, or events as jsonl, one a line: this `format`")
	fs.BoolVar(&a.cont, "continue", false, "go on with the session used last: its failed prompt again, then what waits, then the given prompts")
	fs.StringVar(&f.session, "session", "", "with --continue: go on with the session of this `id`")
	return cmd
}

// check refuses flags that mean nothing.
func (f runFlags) check(goesOn bool) error {
	switch {
	case f.output != "text" && f.output != "jsonl":
		return usage("", "--output is text or jsonl, not %q", f.output)
	case !slices.Contains(splits, f.split):
		return usage("", "--split is %s, not %q", splitNames(), f.split)
	case f.session != "" && !goesOn:
		return usage("baton run --continue --session "+f.session, "--session goes with --continue")
	}
	return nil
}

// runPrompts refuses what cannot be sent before anything is, then sends the rest.
func (a *app) runPrompts(ctx context.Context, f runFlags, args []string) error {
	if err := f.check(a.cont); err != nil {
		return err
	}
	watch := watchEnds()
	defer watch.stop()
	drafts, err := a.drafts(f, args)
	if err != nil {
		return err
	}
	s, err := a.load()
	if err != nil {
		return err
	}
	e, said, err := a.runSession(ctx, s, f.session)
	if err != nil {
		return err
	}
	defer s.agents.close()
	if err := takes(e, drafts); err != nil {
		_ = e.Close() // nothing was done
		return err
	}
	r := &runner{app: a, eng: e, state: s.private(), jsonl: f.output == "jsonl", watch: watch, reader: readerOf(a.Stdout), results: make(chan engine.Result)}
	defer r.reader.stop()
	for _, text := range append(said, s.notice) {
		if text != "" {
			r.tell(text)
		}
	}
	p, err := planOf(e.State(), drafts, a.cont, e.Damage() != "")
	if err != nil {
		_ = e.Close() // nothing was done
		return err
	}
	a.code = r.run(ctx, p, drafts)
	if err := e.Close(); err != nil {
		r.tell("the session could not be saved whole: " + err.Error())
	} else if why := e.Trouble(); why != nil {
		r.tell("the session could not be saved: " + why.Error() + " · baton doctor looks at its folder")
	}
	r.farewell()
	return nil
}

// runSession opens the agent and the session: a new one, or the one to go on with. said
// is what the person may not expect. On success the agents are to be closed.
func (a *app) runSession(ctx context.Context, s *setup, id string) (e *engine.Engine, said []string, err error) {
	id, former, err := a.takeUp(s, id)
	var ex *exitError
	if errors.As(err, &ex) {
		return nil, nil, failure("baton run -p TEXT begins one", "%w", ex.err)
	}
	s.agents = newAgents(s.conf, tables(s.keys))
	a.logAgents(s)
	agent, other, err := s.agents.returnTo(ctx, former, s.agentNamed(a.flags))
	if err != nil {
		s.agents.close()
		return nil, nil, configured(err)
	}
	e, err = a.openSession(s.engineOptions(a.Version, agent), id, false)
	switch {
	case err == nil:
	case errors.Is(err, journal.ErrLocked):
		err = failure("nothing was sent; try again when it has ended", "%w", err)
	case errors.As(err, &ex):
		err = &exitError{ex.code, ex.err, "baton sessions list shows which there are"}
	}
	if err != nil {
		s.agents.close()
		return nil, nil, err
	}
	if other != "" {
		e.Note(other)
	}
	for _, text := range []string{s.agents.said, other, e.Damage()} {
		if text != "" {
			said = append(said, text)
		}
	}
	return e, said, nil
}

// broken reports whether an error says that nobody reads any more.
func broken(err error) bool { return errors.Is(err, syscall.EPIPE) }

// counted is a number of prompts, with the verb that fits it.
func counted(n int, one, more string) string {
	if n == 1 {
		return "1 prompt " + one
	}
	return fmt.Sprintf("%d prompts %s", n, more)
}
