package cli

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// misuse says what is wrong with a call that cobra refused, and what was probably meant.
// What the program itself refused comes back as it is.
func misuse(cmd *cobra.Command, args []string, err error) error {
	var unknown *pflag.NotExistError
	var lacks *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	see := "see " + cmd.CommandPath() + " --help"
	switch {
	case own(err):
		return err
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usage(see, "unknown flag: -%s", unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		if near := nearestFlag(cmd, unknown.GetSpecifiedName()); near != "" {
			see = "did you mean --" + near + "?"
		}
		return usage(see, "unknown flag: --%s", unknown.GetSpecifiedName())
	case errors.As(err, &lacks):
		return usage(see, "%s wants a value", flagName(lacks.GetFlag()))
	case errors.As(err, &invalid):
		return usage(see, "%s cannot be %q", flagName(invalid.GetFlag()), invalid.GetValue())
	case strings.HasPrefix(err.Error(), "unknown command "):
		return unknownWord(cmd, cmd.Flags().Args(), args)
	case strings.Contains(err.Error(), " arg(s), "):
		return miscounted(cmd, err.Error())
	}
	return usage(see, "%w", err)
}

// blankFlag refuses a choice that was given and is empty, as "$SESSION" is in a script
// that never set it: what is taken without the flag may be another server, another key,
// or a session that somebody else goes on with.
func blankFlag(cmd *cobra.Command) error {
	for _, name := range []string{"agent", "base-url", "model", "api-key-env", "fault-file", "config", "session"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return usage("give it a value, or leave it out", "%s is empty", flagName(f))
		}
	}
	return nil
}

// own reports whether an error has its exit code and words already.
func own(err error) bool {
	var ex *exitError
	return errors.As(err, &ex) || configError(err)
}

func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand + ", --" + f.Name
	}
	return "--" + f.Name
}

// unknownWord is about a word where a command, or nothing, should stand.
func unknownWord(cmd *cobra.Command, rest, args []string) error {
	word := ""
	switch {
	case len(rest) > 0:
		word = rest[0]
	case len(args) > 0:
		word = args[0]
	}
	if !cmd.HasAvailableSubCommands() {
		return usage("see "+cmd.CommandPath()+" --help", "%s takes no argument such as %q", cmd.CommandPath(), word)
	}
	next := "see " + cmd.CommandPath() + " --help"
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := nearest(word, names); near != "" {
		next = "did you mean " + cmd.CommandPath() + " " + near + "?"
	}
	return usage(next, "unknown command %q for %q", word, cmd.CommandPath())
}

// miscounted is about a command that has too few or too many arguments. The last two
// numbers of what cobra says are how many there may be, and how many there are.
func miscounted(cmd *cobra.Command, says string) error {
	_, wants, _ := strings.Cut(cmd.Use, " ")
	next := "it is used so: baton " + strings.TrimPrefix(cmd.CommandPath()+" "+wants, "baton ")
	var limit, got int
	for _, word := range strings.FieldsFunc(says, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.Atoi(word)
		if err == nil {
			limit, got = got, n
		}
	}
	switch {
	case got > limit:
		return usage(next, "%d arguments are too many for %s", got, cmd.CommandPath())
	case strings.HasPrefix(wants, "ID"):
		next = "baton sessions list names those there are"
	}
	return usage(next, "%s wants %s", cmd.CommandPath(), strings.TrimSuffix(wants, "..."))
}

// nearestFlag is the flag of a command that was probably meant, "" if there is none.
func nearestFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return nearest(name, names)
}

// nearest is the name that is at most two typing errors away, one in a short word, or
// whose first half or more it is; "" if there is none.
func nearest(word string, names []string) string {
	best, least := "", 3
	if len(word) < 4 {
		least = 2
	}
	for _, name := range names {
		d := distance(word, name)
		if len(word) > 2 && 2*len(word) >= len(name) && strings.HasPrefix(name, word) {
			d = 0
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// distance counts the typing errors between two words: letters put in, left out, changed
// or swapped with their neighbour.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// helpCommand is help about commands; what it does not know is a wrong use like any other.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Say how a command is used",
		Example: "  baton help sessions export",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []cobra.Completion
			for _, c := range about.Commands() {
				if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), begun) {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about := cmd.Root()
			for _, name := range args {
				i := slices.IndexFunc(about.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
				if i < 0 {
					return unknownWord(about, []string{name}, nil)
				}
				about = about.Commands()[i]
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
