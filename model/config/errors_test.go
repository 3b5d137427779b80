package config

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// Every mistake of a file, with the place and the words it is reported with.
func TestMistakesOfTheFile(t *testing.T) {
	server := "[agents.a]\nprotocol = \"openai-chat\"\nbase_url = \"https://h/v1\"\n"
	url := func(u string) string { return "[agents.a]\nprotocol = \"openai-chat\"\nbase_url = \"" + u + "\"\n" }
	const durationForm = `must be a duration with its unit in quotes, like "250ms", "4s" or "1m30s"`
	for _, c := range []struct{ file, want string }{
		// unknown names
		{"retyr = 1", `config.toml:1:1: unknown key "retyr" (did you mean "retry"?)`},
		{"\n  [retyr]\nattempts = 1", `config.toml:2:4: unknown key "retyr" (did you mean "retry"?)`},
		{"[retry]\n\tatempts = 5", `config.toml:2:2: unknown key "atempts" (did you mean "attempts"?)`},
		{"retry.x = 5", `config.toml:1:7: unknown key "x"`},
		{"retry = { attempts = 1, caps = \"1s\" }", `config.toml:1:25: unknown key "caps" (did you mean "cap"?)`},
		{"\"retry.attempts\" = 3", `config.toml:1:1: unknown key "retry.attempts"`},
		{"\"\\u001b[2J\" = 3", `config.toml:1:1: unknown key "\x1b[2J"`},
		{server + "modle = \"x\"", `config.toml:4:1: unknown key "modle" (did you mean "model"?)`},
		{"[keys]\nretyr = \"x\"", `config.toml:2:1: unknown action "retyr" in [keys] (did you mean "retry"?)`},
		{"\"é\" = 1\nö = 2", `config.toml:2:1: not valid TOML: `},
		{server + "api_key = \"x\"", `config.toml:4:1: keys are not written into this file`},

		// syntax
		{"a = ", `config.toml:1:`},
		{"agent = \"sandbox\"\nagent = \"sandbox\"", `config.toml:2:1: not valid TOML: `},

		// wrong types
		{"agent = 1", `config.toml:1:9: agent must be a string in quotes`},
		{"agent = \" \"", `config.toml:1:9: agent must not be empty`},
		{"agent = [\"a\", \"b\"]", `config.toml:1:10: agent must be a string in quotes`},
		{"agent = []", `config.toml:1:1: agent must be a string in quotes`},
		{"retry = 5", `config.toml:1:9: retry must be a table`},
		{"[[retry]]\nattempts = 1", `config.toml:1:3: retry must be a table`},
		{"agents = 1", `config.toml:1:10: agents must be a table`},
		{"agents.a = 1", `config.toml:1:12: agents.a must be a table`},
		{"keys = \"x\"", `config.toml:1:8: keys must be a table`},
		{"[agent]\nx = 1", `config.toml:1:2: agent must be a string in quotes`},
		{"[retry]\nattempts = \"5\"", `config.toml:2:12: retry.attempts must be a whole number`},
		{"[retry]\nattempts = 5.0", `config.toml:2:12: retry.attempts must be a whole number`},
		{"[retry]\nattempts = 1979-05-27", `config.toml:2:12: retry.attempts must be a whole number`},
		{"[retry]\nbase = 250", `config.toml:2:8: retry.base ` + durationForm},
		{"[retry]\nbase = \"250\"", `config.toml:2:8: retry.base ` + durationForm},
		{"[retry]\nbase = \"99999999999h\"", `config.toml:2:8: retry.base ` + durationForm},
		{server + "lenient_end = \"yes\"", `config.toml:4:15: agents.a.lenient_end must be true or false`},
		{server + "temperature = \"hot\"", `config.toml:4:15: agents.a.temperature must be a number`},
		{server + "headers = \"x\"", `config.toml:4:11: agents.a.headers must be a table, like { "X-Team" = "blue" }`},
		{server + "api_key_command = \"pass show x\"", `config.toml:4:19: agents.a.api_key_command must be a program and its arguments, like ["pass", "show", "work"]`},
		{server + "api_key_command = [\"pass\", 1]", `config.toml:4:20: agents.a.api_key_command must be a program and its arguments, like ["pass", "show", "work"]`},
		{"[keys]\nretry = [\"ctrl+y\", \"a b\"]", `config.toml:2:10: keys.retry must be a key or an array of keys, like ["ctrl+y"]`},
		{"[keys]\nretry = 1", `config.toml:2:9: keys.retry must be a key or an array of keys, like ["ctrl+y"]`},

		// out of range
		{"[retry]\nattempts = 0", `config.toml:2:12: retry.attempts must be at least 1, not 0`},
		{"[retry]\nattempts = -3", `config.toml:2:12: retry.attempts must be at least 1, not -3`},
		{"[retry]\nattempts = 101", `config.toml:2:12: retry.attempts must be at most 100, not 101`},
		{"[retry]\nattempts = 9223372036854775807", `config.toml:2:12: retry.attempts must be at most 100, not 9223372036854775807`},
		{"[retry]\nbase = \"-1s\"", `config.toml:2:8: retry.base must not be negative, is -1s`},
		{"[retry]\nbase = \"61m\"", `config.toml:2:8: retry.base must be at most 1h, not 1h1m`},
		{"[retry]\ncap = \"100ms\"", `config.toml:2:7: retry.cap (100ms) is below retry.base (250ms)`},
		{"[retry]\nbase = \"10s\"", `config.toml:2:8: retry.base (10s) is above retry.cap (4s)`},
		{"[retry]\nmax_wait = \"25h\"", `config.toml:2:12: retry.max_wait must be at most 24h, not 25h`},
		{"[timeouts]\nidle = \"-1ms\"", `config.toml:2:8: timeouts.idle must not be negative, is -1ms`},
		{server + "temperature = 2.1", `config.toml:4:15: agents.a.temperature must be between 0 and 2`},
		{server + "temperature = nan", `config.toml:4:15: agents.a.temperature must be between 0 and 2`},
		{server + "temperature = -inf", `config.toml:4:15: agents.a.temperature must be between 0 and 2`},
		{server + "max_tokens = 0", `config.toml:4:14: agents.a.max_tokens must be at least 1, not 0`},
		{server + "api_key_command = []", `config.toml:4:1: agents.a.api_key_command must be a program and its arguments, like ["pass", "show", "work"]`},

		{"[sessions]\nkeep = \"0d\"", `config.toml:2:8: sessions.keep must be at least "1d"; "off" keeps all sessions`},
		{"[sessions]\nkeep = \"90\"", `config.toml:2:8: sessions.keep must be whole days in quotes, like "90d", or "off"`},
		{"[sessions]\nkeep = 90", `config.toml:2:8: sessions.keep must be whole days in quotes, like "90d", or "off"`},
		{"[sessions]\nkeep = \"-1d\"", `config.toml:2:8: sessions.keep must be whole days in quotes, like "90d", or "off"`},
		{"[sessions]\nkeep = \"99999999999999999999999d\"", `config.toml:2:8: sessions.keep must be at most "36500d", not "99999999999999999999999d"`},

		// choices
		{"[queue]\nafter_stop = \"drian\"", `config.toml:2:14: queue.after_stop must be one of hold, drain, not "drian" (did you mean "drain"?)`},
		{"[ui]\nbackground = \"blue\"", `config.toml:2:14: ui.background must be one of auto, dark, light, not "blue"`},
		{"[ui]\ntheme = \"neon\"", `config.toml:2:9: ui.theme must be one of ansi16, mono, not "neon"`},

		// agents
		{"[agents.\"a b\"]\nprotocol = \"sandbox\"", `config.toml:1:9: agents."a b" is no name for an agent`},
		{"[agents.\"\"]\nprotocol = \"sandbox\"", `config.toml:1:9: agents."" is no name for an agent`},
		{"[agents.a]\nmodel = \"m\"", `config.toml:1:9: agents.a needs a protocol`},
		{"[agents.a]\nprotocol = \"openai\"", `config.toml:2:12: agents.a.protocol must be one of sandbox, openai-chat, acp, not "openai"`},
		{"[agents.sandbox]\nprotocol = \"acp\"", `config.toml:2:12: agents.sandbox.protocol must stay sandbox: the name is that of the built-in agent`},
		{"[agents.a]\nprotocol = \"openai-chat\"", `config.toml:1:9: agents.a needs a base_url with protocol openai-chat`},
		{"[agents.a]\nprotocol = \"acp\"", `config.toml:1:9: agents.a needs a command with protocol acp`},
		{server + "command = [\"x\"]", `config.toml:4:12: agents.a.command does nothing with protocol openai-chat`},
		{"[agents.a]\nprotocol = \"sandbox\"\nbase_url = \"https://h\"", `config.toml:3:12: agents.a.base_url does nothing with protocol sandbox`},
		{"[agents.a]\nprotocol = \"sandbox\"\napi_key_env = \"A\"", `config.toml:3:15: agents.a.api_key_env does nothing with protocol sandbox`},
		{server + "api_key_env = \"A\"\napi_key_file = \"f\"", `config.toml:5:16: agents.a.api_key_file and api_key_env both name a key`},
		{server + "api_key_env = \"sk-abc\"", `config.toml:4:15: agents.a.api_key_env must be the name of an environment variable (A-Z, 0-9, _), not the key itself`},
		{server + "api_key_env = \"gsk_abc\"", `config.toml:4:15: agents.a.api_key_env must be the name of an environment variable (A-Z, 0-9, _), not the key itself`},
		{server + "model = \"a\\u0007\"", `config.toml:4:9: agents.a.model must be one line without control characters`},
		{server + "headers = { \"a b\" = \"c\" }", `config.toml:4:21: header "a b" is no header name`},
		{server + "headers = { Host = \"c\" }", `config.toml:4:20: header "Host" cannot be set: it belongs to the transport`},
		{server + "headers = { X = 1 }", `config.toml:4:17: header "X" must be a string without control characters`},
		{server + "headers = { X = \"é\", Y = 1 }", `config.toml:4:26: header "Y" must be a string without control characters`},
		{server + "headers = { X = \"a\\r\\nb\" }", `config.toml:4:17: header "X" must be a string without control characters`},

		// addresses
		{url("ftp://h/v1"), `config.toml:3:12: agents.a.base_url must begin with https:// or http://`},
		{url("h/v1"), `config.toml:3:12: agents.a.base_url must begin with https:// or http://`},
		{url("https:///v1"), `config.toml:3:12: agents.a.base_url must name a host, in ASCII, with a port from 1 to 65535 if any`},
		{url("https://h:0/"), `config.toml:3:12: agents.a.base_url must name a host, in ASCII, with a port from 1 to 65535 if any`},
		{url("https://h:65536/"), `config.toml:3:12: agents.a.base_url must name a host, in ASCII, with a port from 1 to 65535 if any`},
		{url("https://аpi.example/"), `config.toml:3:12: agents.a.base_url must name a host, in ASCII, with a port from 1 to 65535 if any`},
		{url("https://u:pw@h/v1"), `config.toml:3:12: agents.a.base_url must not carry a user name or password`},
		{url("https://h/v1?key=x"), `config.toml:3:12: agents.a.base_url must end with its path, without ? or #`},
		{url("https://h/v1#"), `config.toml:3:12: agents.a.base_url must end with its path, without ? or #`},
		{url("https://h/%zz"), `config.toml:3:12: agents.a.base_url is not an address`},
		{url("http://h/v1"), `config.toml:3:12: agents.a.base_url is plain http to another machine (h): everything, the key included, would be readable on the way`},
		{url("http://localhost.evil/v1"), `config.toml:3:12: agents.a.base_url is plain http to another machine (localhost.evil): everything, the key included, would be readable on the way`},
	} {
		_, err := setup{file: c.file}.load()
		if err == nil {
			t.Errorf("accepted: %q", c.file)
			continue
		}
		// The two cases of foreign syntax errors leave the decoder its own words.
		foreign := strings.HasSuffix(c.want, "TOML: ") || strings.HasSuffix(c.want, ":1:")
		if err.Error() != c.want && !(foreign && strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%q\n got %v\nwant %s", c.file, err, c.want)
		}
		var e *Error
		if !errors.As(err, &e) || e.Line == 0 || e.Column == 0 || !strings.HasSuffix(e.File, "config.toml") {
			t.Errorf("%q: no place in %#v", c.file, e)
		}
	}
}

func TestAddressesThatAreFine(t *testing.T) {
	for _, u := range []string{
		"https://h", "https://h:8443/a/b", "http://localhost:1/v1", "http://x.localhost/", "http://127.1.2.3/v1",
		"http://[::1]:8080/v1", "http://[::ffff:127.0.0.1]/v1",
	} {
		if _, msg, _ := cleanURL(u, false); msg != "" {
			t.Errorf("%s %s", u, msg)
		}
	}
	if clean, msg, _ := cleanURL("http://192.168.1.5:11434/v1/", true); msg != "" || clean != "http://192.168.1.5:11434/v1" {
		t.Errorf("allowed plain http: %q %s", clean, msg)
	}
}

func TestAttemptsAtTheirLimits(t *testing.T) {
	t.Run("case_50", func(t *testing.T) {
		for text, ok := range map[string]bool{"0": false, "1": true, "2": true, "12": true, "99": true, "100": true, "101": false} {
			if _, err := (setup{file: "retry.attempts = " + text}).load(); (err == nil) != ok {
				t.Errorf("attempts %s: %v", text, err)
			}
		}
	})
}

func TestAllMistakesAreReportedInOrder(t *testing.T) {
	_, err := setup{file: "zz = 1\nyy = 2\n[retry]\nattempts = 0\nbase = \"-1s\"\n"}.load()
	var all Problems
	if !errors.As(err, &all) || len(all) != 4 {
		t.Fatalf("got %v", err)
	}
	for i, e := range all {
		if want := []int{1, 2, 4, 5}[i]; e.Line != want {
			t.Errorf("problem %d in line %d, want %d", i, e.Line, want)
		}
	}
	if want := `config.toml:1:1: unknown key "zz" (and 3 more)`; err.Error() != want {
		t.Errorf("got %s, want %s", err, want)
	}
	_, err = setup{file: manyUnknown(200)}.load()
	if errors.As(err, &all); len(all) != MaxProblems {
		t.Errorf("%d problems", len(all))
	}
}

func TestAMistakeIsReportedOnce(t *testing.T) {
	_, err := setup{file: "[agents.a]\nprotocol = 1\nbase_url = 2\n"}.load()
	var all Problems
	if !errors.As(err, &all) || len(all) != 2 {
		t.Errorf("two mistakes read as %q", all)
	}
}

func manyUnknown(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("k" + strings.Repeat("x", i) + " = 1\n")
	}
	return b.String()
}

func TestVeryDeepKeysAreCheap(t *testing.T) {
	deep := strings.Repeat("a.", MaxFileBytes/4) + "a"
	for _, file := range []string{deep + " = 1", "[" + deep + "]\n" + strings.Repeat("b = 1\n", MaxFileBytes/14)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m := readMarks([]byte(file))
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; len(m.at) > deepest || spent > 256<<20 {
			t.Errorf("%d marks for %d MiB", len(m.at), spent>>20)
		}
	}
	if _, err := (setup{file: deep + " = 1"}).load(); err == nil || err.Error() != `config.toml:1:1: unknown key "a"` {
		t.Errorf("got %v", err)
	}
}

func TestErrorsStayOnOneLineAndPrintable(t *testing.T) {
	s := setup{file: "x = 1", flags: Flags{ConfigFile: "/tmp/a\x1b[2J\nb.toml"}}
	_, err := s.load()
	if err == nil || hasControl(err.Error()) {
		t.Errorf("%q", err)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		d    int
	}{{"", "", 0}, {"a", "", 1}, {"retyr", "retry", 1}, {"cap", "caps", 1}, {"base", "bare", 1}, {"kitten", "sitting", 3}} {
		if d := distance(c.a, c.b); d != c.d || distance(c.b, c.a) != c.d {
			t.Errorf("%s %s: %d, want %d", c.a, c.b, d, c.d)
		}
	}
}
