package term

import "testing"

func TestNotification(t *testing.T) {
	const text = "4;1;50\x1b\\\u009d\u202e done\a"
	for way, want := range map[Way]string{
		Quiet: "", Bell: "\a", OSC9: "\x1b]9; 4;1;50\\ done\a", OSC777: "\x1b]777;notify;baton;4,1,50\\ done\a",
	} {
		if got := string(Notify(way, text)().(writeMsg)); got != want {
			t.Errorf("way %d gives %q, want %q", way, got, want)
		}
	}
	if got := notification(OSC9, "\x1b"); got != "\a" {
		t.Errorf("nothing to say gives %q", got)
	}
}

func TestWayOf(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want Way
	}{
		{"off", nil, Quiet},
		{"bell", map[string]string{"TERM_PROGRAM": "WezTerm"}, Bell},
		{"osc9", nil, OSC9},
		{"osc777", map[string]string{"TMUX": "x"}, OSC777},
		{"auto", nil, Bell},
		{"auto", map[string]string{"TERM": "xterm-256color"}, Bell},
		{"auto", map[string]string{"TERM": "xterm-kitty"}, OSC9},
		{"auto", map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, OSC9},
		{"auto", map[string]string{"TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"}, Bell},
		{"auto", map[string]string{"TERM": "xterm-kitty", "TMUX": "/tmp/x"}, Bell},
		{"auto", map[string]string{"TERM": "foot"}, OSC777},
	} {
		if got := WayOf(c.name, func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%s with %v gives %d, want %d", c.name, c.env, got, c.want)
		}
	}
}
