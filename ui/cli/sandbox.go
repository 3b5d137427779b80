package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"baton/agentclient/sandbox"
	"baton/ui/keymap"
)

func (a *app) sandboxCommand() *cobra.Command {
	var o sandbox.Options
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Serve the sandbox to other programs, faults included",
		Long: "sandbox serves the scripted agent as a chat-completions server, prints its base URL and runs until it is interrupted.\n" +
			"It needs no key and reads no configuration. A prompt whose first line is `fault: 500,cut@20` fails by itself.",
		Example: "  baton sandbox --addr 127.0.0.1:8080 --fault 500,429:7,cut@20",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := ownSandbox(cmd); err != nil {
				return err
			}
			if err := a.readFaults(); err != nil {
				return err
			}
			o.Faults, o.Tables = a.flags.Fault, tables(keymap.Default())
			return a.serve(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.Addr, "addr", "127.0.0.1:0", "listen at this `address`; port 0 is any free one")
	cmd.Flags().BoolVar(&o.Remote, "allow-remote", false, "allow an address that other machines can reach, and any Host header")
	return cmd
}

// serve runs the server until a signal comes. The signals are awaited before the URL is
// printed, so that whoever has read it can end the server properly.
func (a *app) serve(ctx context.Context, o sandbox.Options) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	server, err := sandbox.Start(o)
	if err != nil {
		return unserved(err)
	}
	fmt.Fprintln(a.Stdout, server.URL())
	select {
	case s := <-signals:
		a.code = 128 + int(s.(syscall.Signal))
	case <-ctx.Done():
	}
	return server.Close()
}

// unserved sorts out why the server did not start: an address that cannot be one, or one
// that is not to be had.
func unserved(err error) error {
	var op *net.OpError
	var addr *net.AddrError
	var name *net.DNSError
	switch {
	case errors.Is(err, sandbox.ErrNotLoopback):
		return usage("add --allow-remote if other machines may reach it", "%w", err)
	case errors.As(err, &op) && !errors.As(err, &addr) && !errors.As(err, &name):
		return failure("--addr 127.0.0.1:0 takes any free port", "%w", err)
	}
	return usage("--addr is HOST:PORT", "%w", err)
}
