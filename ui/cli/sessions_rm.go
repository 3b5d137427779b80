package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baton/model/catalog"
	"baton/model/journal"
	"baton/ui/sanitize"
)

func (a *app) sessionsRemoveCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "rm ID...",
		Short:   "Remove sessions for good, after asking",
		Example: "  baton sessions rm 20261130-154210-4fzq --yes",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := a.sessionsDir()
			if err != nil {
				return err
			}
			return a.removeSessions(dir, args, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// removeSessions removes all or, if one of them cannot go, none.
func (a *app) removeSessions(dir string, ids []string, yes bool) error {
	var all []catalog.Description
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		d, err := catalog.Describe(dir, id)
		if err != nil {
			return unreadable(id, err)
		}
		if d.Holder != 0 {
			return inUse(id, d.Holder)
		}
		all = append(all, d)
	}
	if !yes {
		if !isTerminal(a.Stdin) {
			return usage("--yes removes without asking", "without a terminal nobody can be asked")
		}
		if err := a.output(func(w *bufio.Writer) error { describeRemoval(w, all); return nil }); err != nil {
			return err
		}
		if !a.agreed(question(len(all))) {
			fmt.Fprintln(a.Stdout, "nothing was removed")
			return nil
		}
	}
	var failed error
	told := a.output(func(w *bufio.Writer) error {
		for _, d := range all {
			if err := catalog.Remove(dir, d.ID); err != nil {
				failed = notRemoved(d.ID, err)
				break
			}
			fmt.Fprintf(w, "removed %s · %s\n", d.ID, lossOf(d))
		}
		return nil
	})
	return errors.Join(told, failed)
}

func question(n int) string {
	if n == 1 {
		return "Remove it for good?"
	}
	return fmt.Sprintf("Remove these %d for good?", n)
}

// loss says in a few words what goes with a session.
func loss(d catalog.Description) string {
	turns := fmt.Sprintf("%d turns", d.Turns)
	if d.Turns == 1 {
		turns = "1 turn"
	}
	parts := []string{turns, size(d.Bytes)}
	if d.Waiting == 1 {
		parts = append(parts, "1 row that waits")
	} else if d.Waiting > 1 {
		parts = append(parts, fmt.Sprintf("%d rows that wait", d.Waiting))
	}
	if d.Trouble != "" {
		parts = append(parts, d.Trouble)
	}
	return strings.Join(parts, " · ")
}

// lossOf is what goes with a session, behind its title.
func lossOf(d catalog.Description) string {
	if d.Title == "" {
		return loss(d)
	}
	return sanitize.TruncateWords(d.Title, titleCells) + " · " + loss(d)
}

// describeRemoval names what would go, each row that waits included: nobody has sent those yet. Its lines fit 80 cells.
func describeRemoval(w *bufio.Writer, all []catalog.Description) {
	for _, d := range all {
		fmt.Fprintf(w, "%s  %s · %s\n", d.ID, minute(d.Modified), loss(d))
		if d.Title != "" {
			fmt.Fprintf(w, "    %s\n", sanitize.TruncateWords(d.Title, titleCells))
		}
		for _, row := range d.Rows {
			fmt.Fprintf(w, "    waits: %s\n", sanitize.TruncateWords(row, titleCells))
		}
	}
}

// agreed asks a person and takes nothing but yes for an answer.
func (a *app) agreed(question string) bool {
	fmt.Fprint(a.Stderr, question+" [y/N] ")
	line, _ := bufio.NewReader(a.Stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

func inUse(id string, pid int) error {
	by := ""
	if pid > 0 {
		by = fmt.Sprintf(" by process %d", pid)
	}
	return failure("leave it there first", "session %s is in use%s; nothing was removed", id, by)
}

func notRemoved(id string, err error) error {
	var locked *journal.LockedError
	switch {
	case errors.As(err, &locked):
		return failure("leave it there first", "session %s is in use by process %d", id, locked.PID)
	case errors.Is(err, fs.ErrNotExist):
		return failure("baton sessions list names those there are", "there is no session %q any more", id)
	}
	return failure("", "%w", err)
}
