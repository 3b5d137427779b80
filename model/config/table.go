package config

import (
	"time"

	"baton/retrypolicy"
)

// Bounds of numeric keys.
const (
	MaxAttempts  = 100
	MaxMaxTokens = 10_000_000
	// MaxWindow is the largest context window that can be configured, in tokens.
	MaxWindow   = 1_000_000_000
	maxBackoff  = time.Hour
	day         = 24 * time.Hour
	maxKeepDays = 36_500
)

// plainKey is named by a flag and by a variable of its own too.
const plainKey = "ui.plain"

// keys are the keys outside [agents] and [keys], in the order the documentation has
// them. Each can also be set by a variable; see variableOf.
var keys = []key[Config]{
	line("agent", func(c *Config) *string { return &c.choice }, "the agent to start with: a name from `[agents]`, or `sandbox`").eg(`"work"`).forProjects(),
	line("state_dir", func(c *Config) *string { return &c.StateDir }, "where sessions are kept, in its folder `sessions`; without it `$XDG_STATE_HOME/baton`, else `~/.local/state/baton`").eg(`"~/chats"`),

	yes("debug", func(c *Config) *bool { return &c.Debug }, "write more into the log, as `--debug` does: each attempt, each phase"),

	integer("retry.attempts", 1, MaxAttempts, func(c *Config) *int { return &c.Retry.Attempts }, "requests per step, the first one included; 1 never retries").forProjects(),
	duration("retry.base", maxBackoff, func(c *Config) *time.Duration { return &c.Retry.Base }, "wait before the first retry, doubled for each further one; four times as long where the server is rate-limited or overloaded and names no time").forProjects(),
	duration("retry.cap", day, func(c *Config) *time.Duration { return &c.Retry.Cap }, "longest wait by doubling, not below `retry.base`; seven and a half times as long where the server is rate-limited or overloaded").forProjects(),
	duration("retry.max_wait", day, func(c *Config) *time.Duration { return &c.Retry.MaxWait }, "a server that asks for a longer wait ends the turn at once").forProjects(),

	duration("timeouts.connect", day, func(c *Config) *time.Duration { return &c.Timeouts.Connect }, "for a connection to come about; 0s is no limit").forProjects(),
	duration("timeouts.first_byte", day, func(c *Config) *time.Duration { return &c.Timeouts.FirstByte }, "from the request to the first byte of the answer; 0s is no limit").forProjects(),
	duration("timeouts.idle", day, func(c *Config) *time.Duration { return &c.Timeouts.Idle }, "silence between bytes of an answer, keep-alive comments counting as bytes; 0s is no limit").forProjects(),
	duration("timeouts.turn", day, func(c *Config) *time.Duration { return &c.Timeouts.Turn }, "a whole turn with its waits; 0s is no limit").forProjects(),

	choice("queue.after_stop", []string{Hold, Drain}, func(c *Config) *string { return &c.Queue.AfterStop }, "what waiting rows do after you stop a turn: wait for you, or go on").forProjects(),

	days("sessions.keep", maxKeepDays, func(c *Config) *time.Duration { return &c.Sessions.Keep }, "how long a session is kept behind its last use; older ones go when a chat opens, unless they are in use, damaged, or have rows that wait"),

	line("ui.theme", func(c *Config) *string { return &c.UI.Theme }, "the colours; `/theme` lists them").forProjects(),
	choice("ui.background", []string{"auto", "dark", "light"}, func(c *Config) *string { return &c.UI.Background }, "what the terminal's background is; `auto` reads `$COLORFGBG`, else takes dark").forProjects(),
	choice("ui.notify", []string{"auto", "bell", "osc9", "osc777", "off"}, func(c *Config) *string { return &c.UI.Notify }, "how you are told, while you look at another window, that the last turn has ended or asks something: `bell`, a desktop notification (`osc9`, `osc777`), or not at all; `auto` goes by `$TERM` and `$TERM_PROGRAM` and is the bell where in doubt").forProjects(),
	choice("ui.ascii", []string{"auto", "on", "off"}, func(c *Config) *string { return &c.UI.ASCII }, "draw marks and lines with ASCII alone; `auto` does so on the Linux console and in a locale that is not UTF-8").forProjects(),
	choice("ui.motion", []string{"full", "reduced"}, func(c *Config) *string { return &c.UI.Motion }, "`reduced`: nothing turns, and times are counted in seconds").forProjects(),
	yes(plainKey, func(c *Config) *bool { return &c.UI.Plain }, "lines of words in place of a screen, for screen readers and terminals without cursor movement, as `--plain` does").forProjects(),
}

// agentKeys are the keys of one [agents.NAME] table, headers aside.
var agentKeys = []key[AgentConfig]{
	line("protocol", func(a *AgentConfig) *string { return &a.Protocol }, "what the agent speaks; required").eg(`"openai-chat"`),
	line("base_url", func(a *AgentConfig) *string { return &a.BaseURL }, "http or https address up to the version, without user name, `?` or `#`; required for agents on a server").eg(`"https://api.example.com/v1"`),
	line("model", func(a *AgentConfig) *string { return &a.Model }, "without it the first model the server lists").eg(`"large-1"`).forProjects(),
	text("system", func(a *AgentConfig) *string { return &a.System }, "system prompt").eg(`"Answer briefly."`).forProjects(),
	integer("max_tokens", 1, MaxMaxTokens, func(a *AgentConfig) *int { return &a.MaxTokens }, "longest answer in tokens; without it the server decides, with protocol anthropic it is 8192").eg("4096").forProjects(),
	integer("context_window", 1, MaxWindow, func(a *AgentConfig) *int { return &a.ContextWindow }, "tokens that the model takes, to show how full it is; without it as the server's list of models tells, where that is read: those of vLLM, llama.cpp, OpenRouter, Together, Groq, Mistral, Gemini, Anthropic, and of LM Studio below /api/v0").eg("32768"),
	number("temperature", 2, func(a *AgentConfig) **float64 { return &a.Temperature }, "without it the server decides").eg("0.7").forProjects(),
	variable("api_key_env", func(a *AgentConfig) *string { return &a.APIKeyEnv }, "variable that holds the key").eg(`"WORK_API_KEY"`),
	argv("api_key_command", func(a *AgentConfig) *[]string { return &a.APIKeyCommand }, "program that prints the key; run without a shell, for at most 10 s").eg(`["pass", "show", "work"]`),
	line("api_key_file", func(a *AgentConfig) *string { return &a.APIKeyFile }, "file that holds the key and that only you can read (mode 0600)").eg(`"~/.config/baton/work.key"`),
	line("ca_file", func(a *AgentConfig) *string { return &a.CAFile }, "PEM file with root certificates trusted beside the system's").eg(`"~/ca.pem"`),
	yes("usage", func(a *AgentConfig) *bool { return &a.Usage }, "ask for token counts even where the server is not known to give them"),
	yes("lenient_end", func(a *AgentConfig) *bool { return &a.LenientEnd }, "take a clean end of the stream for the end of the answer, for servers that send no end marker; a cut is then not noticed"),
	yes("allow_plain_http", func(a *AgentConfig) *bool { return &a.AllowPlainHTTP }, "allow http to another machine: everything, the key included, is readable on the way"),
	argv("command", func(a *AgentConfig) *[]string { return &a.Command }, "the agent's program, for agents that run as one").eg(`["gemini", "--acp"]`),
}

const headersDoc = "extra request headers, a table of strings; `config show` hides the values"

// defaults is the configuration without any layer.
func defaults() Config {
	return Config{
		Retry: Retry{
			Attempts: retrypolicy.TurnAttempts, Base: retrypolicy.DefaultBase,
			Cap: retrypolicy.DefaultCap, MaxWait: retrypolicy.DefaultMaxWait,
		},
		Timeouts: Timeouts{Connect: 15 * time.Second, FirstByte: 300 * time.Second, Idle: 180 * time.Second},
		Queue:    Queue{AfterStop: Hold},
		UI:       UI{Theme: "ansi16", Background: "auto", Notify: "auto", ASCII: "auto", Motion: "full"},
		Agents:   map[string]AgentConfig{SandboxAgent: {Name: SandboxAgent, Protocol: SandboxAgent}},
		Keys:     map[string][]string{},
		Sources:  map[string]Origin{},
		choice:   SandboxAgent,
	}
}
