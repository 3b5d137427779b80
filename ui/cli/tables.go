package cli

import (
	"fmt"
	"strings"
	"time"

	"baton/agentclient/sandbox"
	"baton/model/command"
	"baton/model/config"
	"baton/queue"
	"baton/retrypolicy"
	"baton/ui/keymap"
)

// tables answers the sandbox's topics from the program's own tables, so that what the
// sandbox says about baton cannot be out of date.
func tables(keys keymap.Map) func(topic string) string {
	return func(topic string) string {
		switch topic {
		case "keys":
			return "# Keys\n\n" + keyTable(keys)
		case "queue":
			return queueText(keys)
		case "retry":
			return retryText(keys)
		case "help":
			return "# Commands\n\n" + commandTable() + "\nAsk me about **keys**, the **queue** or **retry**. Faults I can play: `" + faultForms() + "`.\n"
		}
		return ""
	}
}

func keyTable(keys keymap.Map) string {
	var b strings.Builder
	b.WriteString("| where | key | does |\n|---|---|---|\n")
	for _, r := range keys.Table() {
		var ks []string
		for _, k := range r.Keys {
			ks = append(ks, "`"+keymap.Label(k)+"`")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.Scope, strings.Join(ks, ", "), r.Help)
	}
	return b.String()
}

func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | does |\n|---|---|\n")
	for _, c := range command.All() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.TrimSpace("/"+c.Name+" "+c.Args), c.Help)
	}
	return b.String()
}

func faultForms() string {
	var fs []string
	for _, f := range sandbox.Faults() {
		fs = append(fs, f.Form)
	}
	return strings.Join(fs, ", ")
}

func queueText(keys keymap.Map) string {
	return fmt.Sprintf("# The queue\n\nWhile I work, `%s` puts your next prompt into the queue: up to %d rows of %d bytes. "+
		"Rows run one at a time, in order, each only when the turn before has **succeeded**. An error never drains the queue: it is held until you say so.\n\n"+
		"`%s` goes to the queue; there `%s` edits a row, `%s` removes it, `%s` undoes that, `%s`/`%s` move it, `%s` sends it now, `%s` pauses, `%s` clears.\n",
		keys.Hint(keymap.Send), queue.MaxRows, queue.MaxBytes, keys.Hint(keymap.FocusNext), keys.Hint(keymap.QueueEdit), keys.Hint(keymap.QueueRemove),
		keys.Hint(keymap.QueueUndo), keys.Hint(keymap.QueueMoveUp), keys.Hint(keymap.QueueMoveDown), keys.Hint(keymap.QueueSendNow),
		keys.Hint(keymap.QueuePause), keys.Hint(keymap.QueueClear))
}

func retryText(keys keymap.Map) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Retry\n\nA failed request is repeated inside the same turn: at most %d requests, waiting %s, then twice as long each time up to %s, with jitter. "+
		"What a server asks with `Retry-After` is a minimum; over %s baton gives up and says until when. `%s` retries at once, `%s` stops.\n\n| what happened | kind | repeated |\n|---|---|---|\n",
		retrypolicy.TurnAttempts, retrypolicy.DefaultBase, retrypolicy.DefaultCap, retrypolicy.DefaultMaxWait.Round(time.Second), keys.Hint(keymap.Retry), keys.Hint(keymap.Stop))
	for _, c := range retrypolicy.Classes() {
		again := "no"
		if c.Retry {
			again = "yes"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Input, c.Kind, again)
	}
	return b.String()
}

// welcome is the first screen: what to try.
func welcome(s *setup, offers []config.WellKnown) string {
	k := s.keys
	var b strings.Builder
	b.WriteString("# baton\n\n")
	keys := fmt.Sprintf("%s shows every key, %s quits.\n", k.Hint(keymap.Help), k.Hint(keymap.Quit))
	if s.conf.Agent.Protocol == config.SandboxAgent {
		fmt.Fprintf(&b, "You are talking to the **sandbox**: a scripted agent inside this program. No key, no network. %s\n"+
			"1. Type `hello` and press %s. While the answer comes, type a second and a third prompt: they wait in the queue.\n"+
			"2. `/fault 500,500` and another prompt: watch two retries inside one turn.\n"+
			"3. `/fault 500*5`, a prompt, and a follow-up while it works: the turn fails, the queue is held. %s on the empty line lets it go on.\n"+
			"4. Ask about **keys**, **queue**, **retry** or **help**.\n", keys, k.Hint(keymap.Send), k.Hint(keymap.Send))
	} else {
		fmt.Fprintf(&b, "You are talking to **%s**. While it works, %s puts your next prompt into the queue; %s stops a turn.\n\n%s", s.conf.Agent.Name, k.Hint(keymap.Send), k.Hint(keymap.Stop), keys)
	}
	if s.agents != nil && s.agents.said != "" {
		b.WriteString("\n" + s.agents.said + ".\n")
	}
	if s.conf.Agent.Protocol == config.SandboxAgent && len(offers) > 0 {
		b.WriteString("\n" + offers[0].Offer() + "\n")
	}
	return b.String()
}
