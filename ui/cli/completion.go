package cli

import (
	"bufio"
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baton/agentclient/sandbox"
	"baton/model/catalog"
	"baton/model/config"
	"baton/ui/sanitize"
)

// offeredSessions is how many sessions a shell is told of, the last ones first.
const offeredSessions = 50

// offeredWithin bounds the time until a shell is answered; what was found by then is offered.
const offeredWithin = 500 * time.Millisecond

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the script that completes baton's commands in bash, zsh, fish or powershell",
		Long: "completion prints a script for a shell. With it, tab completes commands and flags, sessions by their id with their titles,\n" +
			"rows of the queue by theirs with their texts, and the agents and models of the configuration. It asks no server and no terminal.",
		Example: "  source <(baton completion bash)                                      in ~/.bashrc\n" +
			"  baton completion zsh > \"${fpath[1]}/_baton\"\n" +
			"  baton completion fish > ~/.config/fish/completions/baton.fish\n" +
			"  baton completion powershell | Out-String | Invoke-Expression         in $PROFILE",
		Args: cobra.ExactArgs(1), ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(shells, args[0]) {
				return usage("there are "+strings.Join(shells, ", "), "no script for the shell %q", args[0])
			}
			return a.output(func(w *bufio.Writer) error { return completionScript(cmd.Root(), args[0], w) })
		},
	}
}

// completer offers what may stand at a place of the command line.
type completer = cobra.CompletionFunc

// complete says what may follow where. What is not named here is completed with nothing,
// rather than with the files of the working directory.
func (a *app) complete(root *cobra.Command) {
	flags := map[string]completer{
		"agent": a.offerAgents, "model": a.offerModels, "session": a.offerSessions,
		"api-key-env": a.offerKeys, "format": offer("md", "html", "jsonl"),
		"config": filesEnding("toml"), "fault-file": anyFile, "attach": anyFile,
	}
	places := map[string]completer{
		"baton resume": first(a.offerSessions), "baton sessions show": first(a.offerSessions),
		"baton sessions export": first(a.offerSessions), "baton sessions rm": a.offerSessions,
		"baton run":        first(anyFile),
		"baton queue edit": first(a.offerRows), "baton queue rm": a.offerRows, "baton queue move": first(a.offerRows),
	}
	only := map[string]completer{"baton run --output": offer("text", "jsonl"), "baton run --split": offer(splits...), "baton sessions export --output": anyFile}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.ValidArgsFunction == nil && c.ValidArgs == nil {
			c.ValidArgsFunction = places[c.CommandPath()]
			if c.ValidArgsFunction == nil {
				c.ValidArgsFunction = cobra.NoFileCompletions
			}
		}
		its := func(f *pflag.Flag) {
			register(c, f, cmp.Or(named(only[c.CommandPath()+" --"+f.Name]), named(flags[f.Name])))
		}
		c.LocalNonPersistentFlags().VisitAll(its)
		c.PersistentFlags().VisitAll(its)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// named lets cmp.Or choose among functions, which cannot be compared.
func named(c completer) *completer {
	if c == nil {
		return nil
	}
	return &c
}

func register(c *cobra.Command, f *pflag.Flag, how *completer) {
	_, f.Usage = pflag.UnquoteUsage(f) // a shell shows the marks around the name of the value
	if _, has := c.GetFlagCompletionFunc(f.Name); has || f.NoOptDefVal != "" {
		return // it has its own, or takes no value
	}
	if how == nil {
		none := completer(cobra.NoFileCompletions)
		how = &none
	}
	if err := c.RegisterFlagCompletionFunc(f.Name, *how); err != nil {
		panic(err) // it was looked up above
	}
}

func anyFile(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func filesEnding(ext string) completer {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return []cobra.Completion{ext}, cobra.ShellCompDirectiveFilterFileExt
	}
}

func offer(words ...string) completer {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// first completes the first argument alone.
func first(c completer) completer {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return c(cmd, args, begun)
	}
}

// offered is what a shell is told: what it would type, with a word about it. Outside text
// is printable, and what would have to be changed for that is not offered.
func offered(begun string, words map[string]string, order []string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, w := range order {
		if w != "" && strings.HasPrefix(w, begun) && sanitize.Line(w) == w && !strings.ContainsAny(w, " \t") {
			list = append(list, cobra.CompletionWithDesc(w, sanitize.Line(words[w])))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// settings is the configuration, or none if there is a mistake in it, which a shell is not told of.
func (a *app) settings() config.Config {
	conf, err := config.Load(a.Env, a.Home, config.Flags{ConfigFile: a.flags.ConfigFile}, config.ReadFile, known())
	if err != nil {
		return config.Config{}
	}
	return conf
}

func (a *app) offerAgents(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	conf := a.settings()
	words := map[string]string{config.SandboxAgent: "the built-in one: no key, no network"}
	for name, g := range conf.Agents {
		words[name] = cmp.Or(words[name], strings.TrimSpace(g.Protocol+" "+g.Model))
	}
	return offered(begun, words, newAgents(conf, nil).names())
}

func (a *app) offerModels(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	words, only := map[string]string{}, a.flags.Agent
	if only == "" {
		words[sandbox.Model] = config.SandboxAgent
	}
	for name, g := range a.settings().Agents {
		if only == "" || only == name {
			words[g.Model] = name
		}
	}
	var order []string
	for w := range words {
		order = append(order, w)
	}
	slices.Sort(order)
	return offered(begun, words, order)
}

// offerKeys names the variables with well-known keys that are set; their values stay where they are.
func (a *app) offerKeys(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	words := map[string]string{}
	var order []string
	for _, w := range config.Offers(a.Env) {
		words[w.Env], order = w.Origin(), append(order, w.Env)
	}
	return offered(begun, words, order)
}

func (a *app) offerSessions(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	conf := a.settings()
	if conf.StateDir == "" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), offeredWithin)
	defer cancel()
	words := map[string]string{}
	var order []string
	for _, i := range catalog.Latest(ctx, (&setup{conf: conf}).sessions(), begun, offeredSessions) {
		if !slices.Contains(args, i.ID) {
			words[i.ID], order = sanitize.Truncate(i.Title, titleCells), append(order, i.ID)
		}
	}
	return offered(begun, words, order)
}
