package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"baton/agentclient"
	"baton/agentclient/all"
	"baton/agentclient/wire"
	"baton/model/config"
	"baton/retrypolicy"
)

const (
	// reachWait is how long the server has to answer.
	reachWait = 5 * time.Second
	// skewAllowed is how far two clocks may be apart before it is said: waits that a
	// server asks for until a time of the day would be wrong by as much.
	skewAllowed = time.Minute
)

// agent looks at the chosen agent: its key, its server, its clock.
func (d *doctor) agent(ctx context.Context) {
	a := d.conf.Agent
	if a.Name == "" {
		d.warn("mend the configuration first", "it is not known which agent is meant")
		return
	}
	model := a.Model
	if model == "" {
		model = "the first model of its list"
	}
	switch {
	case a.Protocol == config.SandboxAgent:
		d.fine("%s: it is part of this program and needs neither key nor network", a.Name)
	case len(a.Command) > 0:
		d.fine("%s speaks %s as a program", a.Name, a.Protocol)
		d.executable(a.Command[0])
	default:
		d.fine("%s speaks %s to %s, %s", a.Name, a.Protocol, a.BaseURL, model)
		d.certificates(a)
		key, name, ok := d.key(ctx, a)
		d.proxy()
		if ok && !d.offline {
			d.reach(ctx, a, key, name)
		} else if d.offline {
			d.fine("the server was left alone (--offline)")
		}
	}
	if n := len(d.conf.Agents) - 1; n > 0 {
		d.say(fine, "baton doctor --agent NAME looks at another", "configured besides: %s", inWords(slices.DeleteFunc(d.agents.names(), func(s string) bool { return s == a.Name })))
	}
	for _, w := range config.Offers(d.Env) {
		d.fine("%s is set (%d characters); it goes by itself to %s alone", w.Env, len(strings.TrimSpace(d.Env(w.Env))), w.Origin())
	}
}

func (d *doctor) executable(name string) {
	if path, err := exec.LookPath(name); err != nil {
		d.bad("install it, or write its whole path into the configuration", "its program %s is not to be found", name)
	} else {
		d.fine("its program is %s", path)
	}
}

func (d *doctor) certificates(a config.AgentConfig) {
	if a.CAFile == "" {
		return
	}
	if _, err := os.Stat(a.CAFile); err != nil {
		d.bad("check agents."+a.Name+".ca_file", "the ca_file cannot be read: %s", reason(err))
	}
}

// key finds the agent's key and says where it came from and how long it is. ok is false
// if it cannot be had.
func (d *doctor) key(ctx context.Context, a config.AgentConfig) (key config.Secret, name string, ok bool) {
	if d.offline && len(a.APIKeyCommand) > 0 {
		d.fine("the key comes from api_key_command, which was not run (--offline)")
		return key, "", false
	}
	access := config.SystemKeys()
	access.Env = d.Env
	key, name, err := a.Key(ctx, access)
	d.agents.keep(key.Reveal())
	var wrong *config.Error
	switch {
	case errors.As(err, &wrong):
		d.bad(orWords(wrong.Next, "check the agent's settings"), "%s", wrong.Error())
		return key, name, false
	case err != nil:
		d.bad("try again", "the key cannot be had: %s", err.Error())
		return key, name, false
	case key.Empty():
		d.say(fine, "api_key_env, api_key_command or api_key_file name one", "no key is named, and requests carry none")
	default:
		d.fine("there is a key of %d characters, from %s", len(key.Reveal()), name)
	}
	return key, name, true
}

func (d *doctor) proxy() {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		if d.Env(name) != "" {
			d.fine("requests may go through the proxy of $%s", name)
			return
		}
	}
}

// reach asks the server for its models, as the chat would for a completion. No prompt is
// sent, no redirect followed.
func (d *doctor) reach(ctx context.Context, conf config.AgentConfig, key config.Secret, keyName string) {
	c := d.agents.connection(conf, key, keyName)
	c.Timeouts = agentclient.Timeouts{Connect: d.wait, FirstByte: d.wait, Idle: d.wait}
	a, closer, err := all.Open(c)
	if err != nil {
		d.bad("check the agent's settings", "%s", err.Error())
		return
	}
	if closer != nil {
		defer closer.Close()
	}
	lister, ok := a.(agentclient.Lister)
	if !ok {
		d.fine("%s has no list of models to ask for", conf.Protocol)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, d.wait)
	defer cancel()
	var v wire.Visit
	names, err := lister.Models(wire.Visiting(ctx, &v))
	d.answered(conf, key, &v, names, err)
	d.clock(&v)
}

// answered says what came of it.
func (d *doctor) answered(conf config.AgentConfig, key config.Secret, v *wire.Visit, names []string, err error) {
	times := took(v)
	if err == nil {
		d.listed(conf.Model, names, times)
		return
	}
	cause := agentclient.CauseOf(err, retrypolicy.Classify(err, retrypolicy.DefaultMaxWait), time.Now())
	next := cause.NextStep
	switch {
	case errors.Is(err, context.DeadlineExceeded) && v.Status == 0:
		d.bad("check base_url and the network", "the server did not answer within %s (%s)", d.wait, times)
	case cause.Kind == retrypolicy.Auth && key.Empty():
		d.bad("name a key: api_key_env, api_key_command or api_key_file", "the server wants a key (%d, %s)", v.Status, times)
	case cause.Kind == retrypolicy.Auth:
		d.bad(orWords(next, "check the key"), "the server answers and refuses the key: %s (%s)", cause.Message, times)
	case v.Status == 404 || v.Status == 405 || v.Status == 501:
		d.warn("check that base_url ends where the API begins, mostly in /v1", "the server answers, but has no list of models there (%d, %s)", v.Status, times)
	case v.Status >= 429:
		d.warn(orWords(next, "try again later"), "the server answers: %s (%s)", cause.Message, times)
	case v.Status != 0:
		d.bad(orWords(next, "check base_url"), "the server answers, but not as an agent: %s (%s)", cause.Message, times)
	default:
		d.bad(orWords(next, "check base_url and the network"), "the server cannot be reached: %s (%s)", cause.Message, times)
	}
}

// listed says how many models there are. A name may go on with a colon and a tag.
func (d *doctor) listed(model string, names []string, times string) {
	d.fine("the server answers and lists %s (%s)", howMany(len(names), "model"), times)
	known := func(n string) bool { return n == model || strings.HasPrefix(n, model+":") }
	if model != "" && len(names) > 0 && !slices.ContainsFunc(names, known) {
		d.say(fine, "many servers know more names than they list; a turn will tell", "the model %s is not among them", model)
	}
}

func orWords(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// took lists how long each step of a visit took, as far as it came.
func took(v *wire.Visit) string {
	var parts []string
	for _, p := range []struct {
		name string
		took time.Duration
	}{{"name", v.Lookup}, {"connection", v.Connect}, {"TLS", v.TLS}, {"first byte", v.FirstByte}} {
		if p.took > 0 {
			parts = append(parts, p.name+" "+p.took.Round(100*time.Microsecond).String())
		}
	}
	if len(parts) == 0 {
		return "no connection"
	}
	return strings.Join(parts, ", ")
}

// clock compares the server's clock with ours.
func (d *doctor) clock(v *wire.Visit) {
	if v.Date.IsZero() {
		return
	}
	skew := v.Came.Sub(v.Date).Round(time.Second)
	switch {
	case skew > skewAllowed:
		d.warn("set the clock of this machine", "this machine's clock is %s ahead of the server's", skew)
	case skew < -skewAllowed:
		d.warn("set the clock of this machine", "this machine's clock is %s behind the server's", -skew)
	default:
		d.fine("the clocks agree")
	}
}
