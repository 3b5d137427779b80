package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baton/model/catalog"
	"baton/ui/sanitize"
	"baton/ui/term"
)

func (a *app) resumeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "resume [ID | WORDS]", Short: "Take up a session: the named one, the one with these words, or one from a list",
		Example: "  baton resume                            choose from a list; typing narrows it down\n" +
			"  baton resume retry loop                 the session with both words, or a list of several\n" +
			"  baton --continue                        the last one",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.load()
			if err != nil {
				return err
			}
			id, err := a.whichSession(cmd.Context(), s, args)
			if id == "" || err != nil {
				return err
			}
			a.cont = true
			return a.chat(cmd.Context(), id)
		},
	}
}

// whichSession names the session that is meant; "" if the person chose none.
func (a *app) whichSession(ctx context.Context, s *setup, args []string) (string, error) {
	if len(args) == 1 && (strings.ContainsAny(args[0], `/\`) || strings.TrimSpace(args[0]) == "") {
		return "", usage("baton resume lists those there are", "%q is not the name of a session", args[0])
	}
	words := strings.Join(args, " ")
	found, err := catalog.Meant(ctx, s.sessions(), words, "")
	if err != nil {
		return "", failure("baton starts a new session", "cannot look for sessions: %w", err)
	}
	switch {
	case len(found) == 0 && words == "":
		return "", failure("baton starts one", "there is no session to take up yet")
	case len(found) == 0:
		return "", failure("baton resume lists those there are", "there is no session %q, and none has these words", words)
	case len(found) == 1:
		return found[0].ID, nil
	}
	if s.conf.UI.Plain || !isTerminal(a.Stdin) || !isTerminal(a.Stdout) {
		a.candidates(found)
		return "", usage("name one of them", "%d sessions can be meant, and without a terminal there is no list to choose from", len(found))
	}
	return a.pick(ctx, s, words)
}

// shownCandidates is how many sessions are named where there is no list to choose from.
const shownCandidates = 20

func (a *app) candidates(found []catalog.Match) {
	for i, f := range found {
		if i == shownCandidates {
			fmt.Fprintf(a.Stderr, "… and %d more\n", len(found)-i)
			return
		}
		fmt.Fprintf(a.Stderr, "%s  %s  %s\n", f.ID, minute(f.Modified), sanitize.Truncate(f.Title, titleCells))
	}
}

// pick lets the person choose a session on a screen of its own; "" if they chose none.
func (a *app) pick(ctx context.Context, s *setup, words string) (string, error) {
	p, err := newSessionPicker(ctx, s, words)
	if err != nil {
		return "", failure("", "%w", err)
	}
	defer func() { p.stop() }()
	o := a.crashOptions()
	o.Title, o.Glyphs = "baton", a.glyphs(s.conf)
	_, code, err := term.Run(p, o)
	a.code = code
	switch {
	case errors.Is(err, term.ErrNotTerminal):
		return "", errNoTerminal
	case err != nil && !errors.Is(err, term.ErrReported):
		return "", failure("", "%w", err)
	case code != 0: // a signal, or a panic that was told
		return "", nil
	}
	return p.chosen, nil
}
