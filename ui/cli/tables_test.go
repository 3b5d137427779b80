package cli

import (
	"strings"
	"testing"

	"baton/agentclient/sandbox"
	"baton/model/command"
	"baton/retrypolicy"
	"baton/ui/keymap"
)

// TestSandboxAnswersFromTheTables: what the sandbox says of baton is what baton is.
func TestSandboxAnswersFromTheTables(t *testing.T) {
	keys := keymap.Default()
	say := tables(keys)
	want := map[string][]string{"queue": {"16 rows", "262144 bytes", keys.Hint(keymap.QueueSendNow)}, "retry": {"5 requests", "250ms", "4s", "1m0s"}}
	for _, r := range keys.Table() {
		want["keys"] = append(want["keys"], "| "+string(r.Scope)+" | `"+keymap.Label(r.Keys[0]), r.Help)
	}
	for _, c := range command.All() {
		want["help"] = append(want["help"], "/"+c.Name, c.Help)
	}
	for _, f := range sandbox.Faults() {
		want["help"] = append(want["help"], f.Form)
	}
	for _, c := range retrypolicy.Classes() {
		want["retry"] = append(want["retry"], "| "+c.Input+" | "+string(c.Kind)+" |")
	}
	for topic, parts := range want {
		for _, part := range parts {
			if !strings.Contains(say(topic), part) {
				t.Errorf("%s does not mention %q", topic, part)
			}
		}
	}
	if say("weather") != "" {
		t.Error("an unknown topic has no table")
	}
}

// TestSandboxFollowsChangedKeys: a person who changed keys is told theirs.
func TestSandboxFollowsChangedKeys(t *testing.T) {
	keys, _, err := keymap.Default().Override(map[string][]string{"queue_pause": {"z"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := tables(keys)("queue"); !strings.Contains(got, "`z` pauses") {
		t.Error(got)
	}
}
