package cli

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"baton/model"
	"baton/model/journal"
	"baton/model/outside"
	"baton/queue"
)

// queueing is one run of baton queue.
type queueing struct {
	*app
	session string
	json    bool
}

func (a *app) queueCommand() *cobra.Command {
	q := &queueing{app: a}
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Reach the queue of a running chat, or of a session that nobody has open, from outside",
		Long: "queue adds to, lists and changes the rows of a running chat. Without --session it is the one chat that runs; if none does, the\n" +
			"session that was used last is changed where it lies, and nothing is sent.\n\n" +
			"A ROW is its number, or its id as baton queue list shows it: .5 for short. A number is counted when the command arrives; ids stay.",
		Example: "  baton queue add and then the tests            as enter in the chat: sent when idle, else queued\n" +
			"  git diff | baton queue add - --hold           parked: the queue is paused with it\n" +
			"  baton queue add --wait next step && make      until its turn has succeeded\n" +
			"  baton queue list\n" +
			"  baton queue edit .5 other words\n" +
			"  baton queue move 3 1",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usage("baton queue list, add, edit, rm, move, play, pause, or resume", "queue does nothing by itself")
		},
	}
	cmd.PersistentFlags().StringVar(&q.session, "session", "", "the `session` that is meant: its id, the beginning of it, or words that it has")
	cmd.PersistentFlags().BoolVar(&q.json, "json", false, "print lines of JSON")
	cmd.AddCommand(q.addCommand(), q.listCommand(), q.editCommand(), q.removeCommand(), q.moveCommand(), q.playCommand(), q.pauseCommand(), q.resumeCommand())
	return cmd
}

func (q *queueing) addCommand() *cobra.Command {
	req := outside.Request{Do: outside.Add}
	var files []string
	cmd := &cobra.Command{
		Use: "add TEXT... | -",
		Example: "  baton queue add and then the tests\n" +
			"  git diff | baton queue add - --hold",
		Short: "Add a prompt or a queued command, as enter in the chat would",
		Long: "add does what enter in the chat does with the text: while the agent works it is queued, else it is sent at once, ahead of rows that\n" +
			"are held. With - the text comes from standard input. A text that begins like a command is one: those that wait their turn are\n" +
			"queued, those that run at once are refused; a second slash sends it as text.\n\n" +
			"Exit codes: 0 taken, with --wait: succeeded; 1 refused, failed, stopped or removed; 2 wrong use; 75 retries exhausted; 77 key refused.",
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if req.Text, err = q.text(args); err != nil {
				return err
			}
			for _, f := range files {
				whole, err := model.Attachable(f)
				if err != nil {
					return usage("", "%w", err)
				}
				req.Files = append(req.Files, whole)
			}
			if err := outside.Check(req); err != nil {
				return usage("", "%w", err)
			}
			return q.ask(cmd.Context(), req)
		},
	}
	cmd.Flags().BoolVar(&req.Hold, "hold", false, "park it: the queue is paused together with the row")
	cmd.Flags().BoolVar(&req.Wait, "wait", false, "report what becomes of it, and end when its turn has")
	cmd.Flags().StringArrayVar(&files, "attach", nil, "send this `file` along; may be given several times")
	return cmd
}

func (q *queueing) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Example: "  baton queue list --json", Short: "List the rows, with their numbers and ids", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return q.ask(cmd.Context(), outside.Request{Do: outside.List})
		},
	}
}

func (q *queueing) editCommand() *cobra.Command {
	return &cobra.Command{
		Use: "edit ROW TEXT... | ROW -", Example: "  baton queue edit .5 other words", Short: "Give a row another text; its files stay", Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := q.text(args[1:])
			if err == nil && queue.Blank(text) {
				err = usage("baton queue rm removes a row", "the text is blank")
			} else if err == nil {
				err = tooLong(text)
			}
			if err != nil {
				return err
			}
			return q.ask(cmd.Context(), outside.Request{Do: outside.Edit, Rows: args[:1], Text: text})
		},
	}
}

func tooLong(text string) error {
	if err := queue.Check(queue.Normalize(text), 1); err != nil {
		return usage("", "%w", err)
	}
	return nil
}

func (q *queueing) removeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rm ROW...", Example: "  baton queue rm .5 .6", Short: "Remove rows, all or none; the chat can undo it", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return q.ask(cmd.Context(), outside.Request{Do: outside.Remove, Rows: args})
		},
	}
}

func (q *queueing) moveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "move ROW PLACE", Example: "  baton queue move .5 1", Short: "Move a row to another place, counted from 1", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := strconv.Atoi(args[1])
			if err != nil || to < 1 {
				return usage("", "%q is not the number of a place", args[1])
			}
			return q.ask(cmd.Context(), outside.Request{Do: outside.Move, Rows: args[:1], To: to})
		},
	}
}

func (q *queueing) playCommand() *cobra.Command {
	return &cobra.Command{
		Use: "play", Example: "  baton queue play", Short: "Start the first row of a queue that waits", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return q.ask(cmd.Context(), outside.Request{Do: outside.Play})
		},
	}
}

func (q *queueing) pauseCommand() *cobra.Command {
	off := false
	cmd := &cobra.Command{
		Use: "pause", Example: "  baton queue pause", Short: "Hold the queue until it is resumed", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if off {
				return q.ask(cmd.Context(), outside.Request{Do: outside.Resume})
			}
			return q.ask(cmd.Context(), outside.Request{Do: outside.Pause})
		},
	}
	cmd.Flags().BoolVar(&off, "off", false, "as resume does")
	return cmd
}

func (q *queueing) resumeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "resume", Example: "  baton queue resume", Short: "End a pause; what was due because of it alone starts", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return q.ask(cmd.Context(), outside.Request{Do: outside.Resume})
		},
	}
}

// text is what the arguments say, or standard input without the end of its last line.
func (q *queueing) text(args []string) (string, error) {
	if len(args) == 0 {
		return "", usage("give the text, or - for standard input", "there is no text")
	}
	if len(args) == 1 && args[0] == "-" {
		text, err := q.readPrompts("-")
		return strings.TrimSuffix(queue.Normalize(text), "\n"), err
	}
	text := strings.Join(args, " ")
	if notText([]byte(text)) >= 0 {
		return "", usage("", "the text is not UTF-8 text")
	}
	return text, nil
}

// lockedFor is how long a session that is locked, and whose holder cannot be reached, is asked
// again, and lockedPause how long it is left alone between two times.
const lockedFor, lockedPause = 2 * time.Second, 10 * time.Millisecond

// ask finds out which session is meant, asks there, and prints what comes.
func (q *queueing) ask(ctx context.Context, req outside.Request) error {
	if !outside.Supported {
		return failure("/queue in the chat does the same", "the queue cannot be reached from outside on this system")
	}
	s, err := q.load()
	if err != nil {
		return err
	}
	out := receipts{queueing: q}
	where, err := q.again(ctx, s, req, out.reply)
	switch {
	case out.err != nil || err == nil:
		return out.err
	case own(err): // with its next step
		return err
	case out.begun && errors.Is(err, outside.ErrUnknown):
		return failure("baton queue list --session "+where.session+" shows whether the row still waits, baton sessions show "+where.session+" what became of it",
			"the chat went away before it told how it ends")
	}
	return failure("", "%w", err)
}

// again asks where the session that is meant can be asked, once more while it is locked: who
// changes the queue of one that nobody has open holds its lock for a moment, and a chat that
// starts has it before it can be reached.
func (q *queueing) again(ctx context.Context, s *setup, req outside.Request, each func(outside.Reply)) (queueTarget, error) {
	for end := time.Now().Add(lockedFor); ; {
		where, err := q.target(ctx, s)
		if err == nil {
			err = where.ask(ctx, req, each)
		}
		if !errors.Is(err, journal.ErrLocked) || time.Now().After(end) {
			return where, err
		}
		select {
		case <-time.After(lockedPause):
		case <-ctx.Done():
			return where, err
		}
	}
}
