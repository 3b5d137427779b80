package cli

import (
	"context"
	"os/exec"
)

// agentPrograms are agents that run as programs of their own.
var agentPrograms = []string{"gemini", "opencode", "codex", "codex-acp", "goose", "claude-code-acp"}

// clipboardPrograms are what copying and /paste use.
var clipboardPrograms = []string{"wl-copy", "wl-paste", "xclip", "xsel", "pbcopy", "pngpaste", "clip.exe"}

// programs looks for others' programs. None is run.
func (d *doctor) programs(context.Context) {
	switch argv := d.editor(); {
	case len(argv) == 0:
		d.say(fine, "export VISUAL=vi, or another", "no editor is set for ctrl+g")
	case !onPath(argv[0]):
		d.warn("correct $VISUAL or $EDITOR", "the editor %s is not to be found", argv[0])
	default:
		d.fine("ctrl+g opens %s", argv[0])
	}
	if tools := present(clipboardPrograms); len(tools) > 0 {
		d.fine("for the clipboard: %s", inWords(tools))
	} else {
		d.say(fine, "wl-clipboard, xclip or pngpaste bring images from it", "no program for the clipboard; copying goes through the terminal (OSC 52)")
	}
	d.fine("agents on the PATH: %s", inWords(present(agentPrograms)))
}

func present(names []string) (found []string) {
	for _, name := range names {
		if onPath(name) {
			found = append(found, name)
		}
	}
	return found
}

func onPath(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}
