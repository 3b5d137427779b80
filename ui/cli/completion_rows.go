package cli

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"baton/model/outside"
	"baton/model/session"
	"baton/ui/sanitize"
)

// rowsWithin bounds the time until a shell is told of the rows: a chat that is suspended answers nobody. A machine that is
// busy may take some of it.
const rowsWithin = 500 * time.Millisecond

// offerRows offers the rows of the queue that is meant by their ids, which stay with them:
// as the list shows them behind a dot, else whole, since fish takes what begins with a dot
// for a hidden file. Rows that are named already are left out.
func (a *app) offerRows(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	which, _ := cmd.Flags().GetString("session")
	ctx, cancel := context.WithTimeout(cmd.Context(), rowsWithin)
	defer cancel()
	found := make(chan []outside.Row, 1)
	go func() {
		defer func() { _ = recover() }() // nothing is offered then; a report would be written over somebody's command line
		found <- a.rows(ctx, which)
	}()
	var rows []outside.Row
	select {
	case rows = <-found:
	case <-ctx.Done():
	}
	words := map[string]string{}
	var order []string
	for i, short := range shortIDs(rows) {
		id := rows[i].ID
		if given := slices.ContainsFunc(args, func(arg string) bool { return arg == id || arg == short }); !given {
			if strings.HasPrefix(begun, ".") {
				id = short
			}
			text := session.Draft{Text: rows[i].Text, Command: rows[i].Command}.Typed()
			words[id], order = sanitize.Truncate(sanitize.Line(strings.TrimSpace(text)), rowCells), append(order, id)
		}
	}
	return offered(begun, words, order)
}

// rows are those of the queue that baton queue would mean; none where it would refuse.
func (a *app) rows(ctx context.Context, which string) (rows []outside.Row) {
	conf := a.settings()
	if conf.StateDir == "" || !outside.Supported {
		return nil
	}
	quiet := *a
	quiet.Stderr = io.Discard
	q := &queueing{app: &quiet, session: which}
	where, err := q.target(ctx, &setup{conf: conf})
	if err != nil {
		return nil
	}
	err = where.ask(ctx, outside.Request{Do: outside.List}, func(r outside.Reply) {
		if r.Queue != nil {
			rows = r.Queue.Rows
		}
	})
	if err != nil {
		return nil
	}
	return rows
}
