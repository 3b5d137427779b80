package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"baton/agentclient/sandbox"
)

// readFaults adds the items of --fault-file to those of --fault and refuses what is no
// fault, before anything is opened.
func (a *app) readFaults() error {
	if a.faultFile != "" {
		f, err := os.Open(a.faultFile)
		if err != nil {
			return usage("", "--fault-file: %w", err)
		}
		defer f.Close()
		list, err := sandbox.ReadFaults(a.faultFile, f)
		if err != nil {
			return usage("docs/sandbox.md lists the faults", "%w", err)
		}
		a.flags.Fault = strings.Trim(a.flags.Fault+","+list, ",")
		a.faultFile = "" // read once
	}
	if _, err := sandbox.ParseFaults(a.flags.Fault); err != nil {
		return usage("", "--fault: %w", err)
	}
	return nil
}

// ownSandbox refuses flags about agents where there is no choice of one.
func ownSandbox(cmd *cobra.Command) error {
	for _, name := range []string{"agent", "base-url", "model", "api-key-env"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() != sandbox.Protocol {
			return usage("leave out --"+name, "baton %s has an agent of its own, the sandbox", cmd.Name())
		}
	}
	return nil
}
