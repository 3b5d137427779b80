package cli

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"baton/agentclient/sandbox"
	"baton/model"
	"baton/model/engine"
	"baton/ui/keymap"
	"baton/ui/term"
)

// demoFaults are what the first prompt of the demonstration meets unless --fault or
// --fault-file say otherwise.
const demoFaults = "500,429:3,cut@20"

// demoPrompts are typed at the start: one that runs, and follow-ups that wait behind it.
var demoPrompts = []string{"Say hello, please.", "And then: what is the queue?", "Last: which keys are there?"}

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Watch a failing turn being retried while follow-ups wait; nothing is saved",
		Long: "demo opens the chat on a sandbox of its own, types a prompt and two follow-ups, and lets the first one fail a few times:\n" +
			demoFaults + ", or what --fault and --fault-file say.",
		Example: "  baton demo\n  baton demo --fault '500*5'              the turn fails, and the queue is held",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := ownSandbox(cmd); err != nil {
				return err
			}
			if a.flags.Fault == "" && a.faultFile == "" {
				a.flags.Fault = demoFaults
			}
			a.flags.Agent = sandbox.Protocol
			return a.demo(cmd.Context())
		},
	}
}

// demo opens the screen on a session that is kept in memory.
func (a *app) demo(ctx context.Context) error {
	s, err := a.load()
	if err != nil {
		return err
	}
	s.keys, s.clash = keymap.Default(), nil // the scene is played with these
	a.log = nil                             // nothing of it is kept
	agent, _, err := a.meet(ctx, s, "")
	if err != nil {
		return err
	}
	defer s.agents.close()
	o := s.engineOptions(a.Version, agent)
	o.Dir, s.passing = "", true
	e, err := engine.New(o)
	if err != nil {
		return failure("", "%w", err)
	}
	if s.conf.UI.Plain {
		return a.plain(s, e, demoPrompts)
	}
	for _, note := range demoNotes(s.keys, a.flags.Fault) {
		e.Note(note)
	}
	return a.screen(s, e, func(m *model.Model) term.Model { return typist{m} })
}

// demoNotes say what is going on and what to try.
func demoNotes(k keymap.Map, faults string) []string {
	return []string{
		"This is a demonstration; nothing of it is saved. Three prompts were typed for you. The first one meets the faults " + faults +
			": it is retried inside its turn, while the others wait in the queue. Only its success lets them go on.",
		fmt.Sprintf("Try: %s retries at once · %s stops · %s goes to the queue, where %s edits, %s removes and %s undoes · "+
			"/fault 500*5 and a prompt: the turn fails and the queue is held until %s on the empty line · %s all keys · %s quits",
			k.Hint(keymap.Retry), k.Hint(keymap.Stop), k.Hint(keymap.FocusNext), k.Hint(keymap.QueueEdit), k.Hint(keymap.QueueRemove), k.Hint(keymap.QueueUndo),
			k.Hint(keymap.Send), k.Hint(keymap.Help), k.Hint(keymap.Quit)),
	}
}

// typist types the prompts of the demonstration as a person would, then leaves the
// program alone with them.
type typist struct{ *model.Model }

// Update passes the first message, the window's size, on and types, all in one go: the first prompt may fail at once, and
// the follow-ups are to wait behind it.
func (t typist) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := t.Model.Update(msg)
	cmds := []tea.Cmd{cmd}
	press := func(k tea.KeyMsg) {
		m, cmd = m.Update(k)
		cmds = append(cmds, cmd)
	}
	for _, prompt := range demoPrompts {
		press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(prompt), Paste: true})
		press(tea.KeyMsg{Type: tea.KeyEnter})
	}
	return m, tea.Batch(cmds...)
}
