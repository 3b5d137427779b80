package cli

import (
	"bufio"
	"bytes"
	_ "embed" // completion.ps1
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// powershell is a script of its own: Cobra's runs the line with Invoke-Expression, and
// there is too little left of it to stand in for one line.
//
//go:embed completion.ps1
var powershell string

// A shell that is asked to complete a line must run nothing that stands in it. Cobra's
// scripts hand the line to eval, which carries out its command substitutions and empties
// the files it redirects to, before enter is pressed. These stand in their place; each
// takes off quotes and expands ~/ alone.
const (
	bashEval = `out=$(eval "${requestComp}" 2>/dev/null)`
	bashAsk  = `out=$(__baton_ask 2>/dev/null)`

	zshEval = `out=$(eval ${requestComp} 2>/dev/null)`
	zshAsk  = `local -a asked
    asked=("${(@Q)${(@z)requestComp}}")
    asked=("${(@)asked/#\~\//${HOME}/}")
    out=$("${(@)asked}" 2>/dev/null)`

	fishEval = `set -l results (eval $requestComp 2> /dev/null)`
	fishAsk  = `set args (string replace -r -- '^~/' "$HOME/" $args)
    set -lx BATON_ACTIVE_HELP 0
    set -l results ($args[1] __complete $args[2..-1] (commandline -ct) 2> /dev/null)`
)

// bashTail stands behind bash's script: how the program is asked, and what shells without
// the bash-completion package lack. Behind a redirection a file is wanted, which bash
// offers where the program says nothing.
const bashTail = `
__baton_ask()
{
    local word program=${words[0]} args=()
    [[ ${prev-} == *[\<\>] ]] && return
    [[ ${program} == '~/'* ]] && program=${HOME}/${program#*/}
    type -P -- "${program}" >/dev/null || program=baton
    for word in "${words[@]:1}"; do
        [[ ${word} == '~/'* ]] && word=${HOME}/${word#*/}
        word=${word//\"/}
        word=${word//\'/}
        args+=("${word//\\/}")
    done
    "${program}" __complete "${args[@]}"
}

__baton_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    cword=$COMP_CWORD words=("${COMP_WORDS[@]}")
    cur=${words[cword]} prev=${words[cword-1]}
}

if ! declare -F __ltrim_colon_completions >/dev/null 2>&1; then
    __ltrim_colon_completions() { :; }
fi
`

// completionScript writes the script of a shell.
func completionScript(root *cobra.Command, shell string, w *bufio.Writer) error {
	switch shell {
	case "bash":
		if err := without(bashEval, bashAsk, w, func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) }); err != nil {
			return err
		}
		_, err := w.WriteString(bashTail)
		return err
	case "zsh":
		return without(zshEval, zshAsk, w, func(b *bytes.Buffer) error { return root.GenZshCompletion(b) })
	case "fish":
		return without(fishEval, fishAsk, w, func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) })
	}
	_, err := w.WriteString(powershell)
	return err
}

// without writes what gen makes with one line replaced by others.
func without(line, instead string, w *bufio.Writer, gen func(*bytes.Buffer) error) error {
	var b bytes.Buffer
	if err := gen(&b); err != nil {
		return err
	}
	if strings.Count(b.String(), line) != 1 {
		return fmt.Errorf("the script has no line %q", line)
	}
	_, err := w.WriteString(strings.Replace(b.String(), line, instead, 1))
	return err
}
