package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"baton/model/config"
	"baton/model/logbook"
)

// World is what the program is given from outside.
type World struct {
	Args           []string
	Env            func(string) string
	Home           string // "" when there is none
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Version        string
	Commit, Date   string // "" when only the go command knows
}

// app is one invocation.
type app struct {
	World
	flags     config.Flags
	faultFile string // --fault-file
	cont      bool   // --continue
	ask       bool   // --version
	code      int    // set by commands that end with a code and no message

	state   string        // the state directory, once it is known
	log     *logbook.Book // nil until the configuration is read
	begun   bool          // a chat or a run began
	secrets func(string) string
}

func init() { cobra.MousetrapHelpText = "" } // the chat may be opened by a double click, too

// Main runs one invocation and returns the exit code.
func Main(ctx context.Context, w World) (code int) {
	a := &app{World: w}
	defer func() { a.endLog(code) }()
	defer func() {
		if v := recover(); v != nil {
			code = a.crashed(v, debug.Stack())
		}
	}()
	root := a.root()
	if len(w.Args) > 0 { // the chat alone needs no other command
		a.addCommands(root)
	}
	root.SetArgs(w.Args)
	root.SetIn(w.Stdin)
	root.SetOut(w.Stdout)
	root.SetErr(w.Stderr)
	if cmd, err := root.ExecuteContextC(ctx); err != nil {
		return report(a.several(misuse(cmd, w.Args, err)), w.Stderr)
	}
	return a.code
}

// root is the command for the chat, with the flags of all others.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "baton",
		Short: "Chat with a language-model agent; queue follow-ups while it works",
		Long: "baton opens a chat in the terminal. While the agent works, enter queues your next prompts.\n" +
			"A failed turn is retried inside the same turn; the next row starts only when the turn has succeeded.\n\n" +
			"Without configuration it talks to an embedded sandbox: no key, no network.",
		Example: "  baton                                   chat with the embedded sandbox\n" +
			"  baton demo                              watch a retry, with follow-ups waiting behind it\n" +
			"  baton --fault 500,500                   see a retry\n" +
			"  baton --base-url http://localhost:11434/v1 --model qwen3\n" +
			"  baton --continue                        take up the last session\n" +
			"  baton run -p 'say hello'                one prompt, without a screen",
		Args:              cobra.NoArgs,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return blankFlag(cmd) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.ask {
				return a.output(func(w *bufio.Writer) error { _, err := fmt.Fprintln(w, a.build().String()); return err })
			}
			return a.chat(cmd.Context(), "")
		},
	}
	root.SetHelpCommand(helpCommand())
	root.SetHelpFunc(a.help(root.HelpFunc()))
	root.CompletionOptions.DisableDefaultCmd = true
	f := root.PersistentFlags()
	f.StringVar(&a.flags.Agent, "agent", "", "talk to this `agent` of the configuration, or sandbox")
	f.StringVar(&a.flags.BaseURL, "base-url", "", "talk to the OpenAI-compatible server at this `address`")
	f.StringVar(&a.flags.Model, "model", "", "use this `model`")
	f.StringVar(&a.flags.APIKeyEnv, "api-key-env", "", "take the key from this environment `variable`")
	f.BoolVar(&a.flags.AllowPlainHTTP, "allow-plain-http", false, "allow http to a host other than this machine")
	f.StringVar(&a.flags.Fault, "fault", "", "make the sandbox's next requests fail by a `list` such as 500,429:7,cut@20,empty,hang")
	f.StringVar(&a.faultFile, "fault-file", "", "… as this `file` says: an item or a comma list a line, # begins a comment")
	f.BoolVar(&a.flags.Plain, "plain", false, "lines of words in place of a screen, for screen readers; for the chat, resume and demo")
	f.BoolVar(&a.flags.Debug, "debug", false, "write more into the log")
	f.StringVar(&a.flags.ConfigFile, "config", "", "read this configuration `file`")
	// Not Cobra's own flag of that name: its words come from a template, which adds a fifth to the program's size.
	root.Flags().BoolVarP(&a.ask, "version", "v", false, "print the version")
	root.Flags().BoolVar(&a.cont, "continue", false, "take up the last session; nothing is sent by itself")
	return root
}

func (a *app) addCommands(root *cobra.Command) {
	root.AddCommand(a.completionCommand(), a.configCommand(), a.demoCommand(), a.doctorCommand(), a.manCommand(), a.queueCommand(), a.resumeCommand(), a.runCommand(), a.sandboxCommand(), a.sessionsCommand(), a.versionCommand())
	if len(a.Args) > 0 && strings.HasPrefix(a.Args[0], cobra.ShellCompRequestCmd) { // else nobody asks
		a.complete(root)
		if asked, _, err := root.Find(a.Args[1:]); err == nil {
			hideMeaningless(asked)
		}
	}
}

// tree is root with all commands.
func (a *app) tree() *cobra.Command {
	root := a.root()
	a.addCommands(root)
	return root
}
