// Package config reads what a person configured (defaults, their file, a project's file
// that they trust, the environment, flags, each overriding the one before) into one
// Config that never changes afterwards. It must not talk to a network, apply a project's
// file that was not trusted, start a program other than a person's own api_key_command,
// or print.
package config

import (
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// Config is the whole configuration of one run. Load builds it; nobody changes it
// afterwards, its maps included.
type Config struct {
	Agent    AgentConfig            // the agent chosen at start
	Agents   map[string]AgentConfig // every agent one can switch to, the chosen one included
	Retry    Retry
	Timeouts Timeouts
	Queue    Queue
	Sessions Sessions
	UI       UI
	Keys     map[string][]string // action → keys, only the actions the person changed
	Fault    string              // --fault as given, for the sandbox; "" means none
	StateDir string              // absolute directory of sessions
	Debug    bool                // write more into the log
	File     string              // the user file that was looked for; "" when there is no home
	Project  string              // the project's file that was read; "" without one
	Sources  map[string]Origin   // dotted key → who set it; a key that is absent has its default

	choice string // the agent's name as the layers say it, before it is looked up
}

// Retry bounds the repetition of a turn.
type Retry struct {
	Attempts int           // requests per step, 1 to 100
	Base     time.Duration // wait before the first retry, 0 to 1 h
	Cap      time.Duration // longest computed wait, Base to 24 h
	MaxWait  time.Duration // longest wait a server may ask for before the turn gives up, 0 to 24 h
}

// Timeouts bound the silences of one attempt and the length of a turn. Zero switches
// a limit off; all are 0 to 24 h.
type Timeouts struct {
	Connect, FirstByte, Idle, Turn time.Duration
}

// Values of Queue.AfterStop.
const (
	Hold  = "hold"  // rows wait for the person after a stop
	Drain = "drain" // rows go on after a person's stop
)

// Queue configures what happens to waiting rows.
type Queue struct {
	AfterStop string // Hold or Drain
}

// Sessions configures what becomes of old ones.
type Sessions struct {
	Keep time.Duration // since the last write, whole days; 0 keeps all
}

// UI configures the screen.
type UI struct {
	Theme      string
	Background string // auto, dark or light
	Notify     string // auto, bell, osc9, osc777 or off
	ASCII      string // auto, on or off
	Motion     string // full or reduced
	Plain      bool   // lines in place of a screen
}

// Names that are there without any configuration.
const (
	SandboxAgent  = "sandbox"     // the agent that needs no configuration
	AdHocProtocol = "openai-chat" // what an agent made from a base URL alone speaks
)

// AgentConfig is everything known about one agent.
type AgentConfig struct {
	Name     string
	Protocol string
	BaseURL  string // scheme://host[:port][/path], no final slash; "" for agents without an address
	Model    string // "" means the first model the server lists
	System   string // system prompt; "" means none

	MaxTokens int // 1 to 10,000,000; 0 leaves the limit to the server

	ContextWindow int // 1 to 1,000,000,000 tokens that the model takes; 0 means not known

	Temperature *float64 // 0 to 2; nil leaves it to the server

	Headers        map[string]Secret // extra request headers; values are secrets, since keys travel in them
	CAFile         string            // absolute path of further root certificates (PEM)
	Usage          bool              // ask for token counts even where the server is not known to give them
	LenientEnd     bool              // accept a stream that ends without an end marker
	AllowPlainHTTP bool              // allow http to a host other than this machine

	// At most one of the three is set; none means a well-known variable may serve
	// (see Key).
	APIKeyEnv     string
	APIKeyCommand []string
	APIKeyFile    string // absolute

	Command []string // argv of an agent that runs as a program
}

// Origin returns scheme://host[:port] of the agent's address, in lower case and
// without a default port, or "in process" when it has none.
func (a AgentConfig) Origin() string {
	u, err := url.Parse(a.BaseURL)
	if err != nil || u.Host == "" {
		return "in process"
	}
	return origin(u)
}

// hasKeySource reports whether the person named a key for this agent.
func (a AgentConfig) hasKeySource() bool {
	return a.APIKeyEnv != "" || len(a.APIKeyCommand) > 0 || a.APIKeyFile != ""
}

// Layer is one of the places a setting can come from, weakest first.
type Layer int

// The layers.
const (
	LayerDefault Layer = iota
	LayerFile
	LayerProject
	LayerEnv
	LayerFlag
)

// String names the layer for people.
func (l Layer) String() string {
	return [...]string{"default", "user", "project", "environment", "flag"}[l]
}

// Origin says who set a key.
type Origin struct {
	Layer        Layer
	Name         string // file path, "$BATON_MODEL" or "--model"; "" for a default
	Line, Column int    // in the file, from 1; 0 elsewhere
}

// String names the origin for people: "default", "$BATON_MODEL", "--model",
// "config.toml:3:1".
func (o Origin) String() string {
	switch o.Layer {
	case LayerDefault:
		return "default"
	case LayerFile, LayerProject:
		return place(o.Name, o.Line, o.Column)
	}
	return o.Name
}

// Long names layer and place: "default", "user /home/ada/.config/baton/config.toml:3:1",
// "environment $BATON_MODEL".
func (o Origin) Long() string {
	switch o.Layer {
	case LayerDefault:
		return "default"
	case LayerFile, LayerProject:
		return fmt.Sprintf("%s %s:%d:%d", o.Layer, printable(o.Name), o.Line, o.Column)
	}
	return o.Layer.String() + " " + o.Name
}

// Flags is what the command line said. A zero field was not given.
type Flags struct {
	Agent          string // --agent
	BaseURL        string // --base-url
	Model          string // --model
	APIKeyEnv      string // --api-key-env
	AllowPlainHTTP bool   // --allow-plain-http
	Fault          string // --fault, handed on unread
	Plain          bool   // --plain
	Debug          bool   // --debug
	ConfigFile     string // --config
}

// Address says how an agent of some protocol is reached.
type Address int

// The addresses.
const (
	InProcess Address = iota // neither base_url nor command, no key
	ByURL                    // base_url, over http or https
	ByCommand                // command, a child process
)

// Protocol is a protocol that agents may name.
type Protocol struct {
	Name    string
	Address Address
}

// Known lists the names that other parts of the program define and a configuration
// may use. Empty Themes or Actions are not checked, nor keys where Bound is nil.
type Known struct {
	Protocols []Protocol
	Themes    []string
	Actions   []string // the actions of [keys]
	// Bound is everything for which these keys cannot be those of one of the actions.
	Bound func(action string, keys []string) []error
}

func (k Known) protocol(name string) (Protocol, bool) {
	for _, p := range k.Protocols {
		if p.Name == name {
			return p, true
		}
	}
	return Protocol{}, false
}

func (k Known) protocolNames() []string {
	names := make([]string, len(k.Protocols))
	for i, p := range k.Protocols {
		names[i] = p.Name
	}
	return names
}

// place is file:line:column with the file's last element, quoted when it would not
// print; without a line it is the file alone.
func place(file string, line, column int) string {
	name := printable(baseName(file))
	if line == 0 {
		return name
	}
	return name + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(column)
}
