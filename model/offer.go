package model

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/agentclient"
	"baton/model/command"
	"baton/ui/picker"
	"baton/ui/sanitize"
	"baton/ui/theme"
)

const (
	// modelsWait is how long a server has to name its models.
	modelsWait = 3 * time.Second
	// modelsFresh is how long its list is good for.
	modelsFresh = 5 * time.Minute
	// modelsRest is how long it is left alone after it named none.
	modelsRest = 30 * time.Second
	// maxModelNames is how many names of a list are offered.
	maxModelNames = 2000
	// maxModelName is the longest name that is offered, in bytes.
	maxModelName = 256
	// maxCompleted is the longest text that is completed, in bytes: a command, a space
	// and a name.
	maxCompleted = 64 + maxModelName
)

// offer is what the completion chooses from.
type offer uint8

const (
	noOffer offer = iota
	commandNames
	agentNames
	modelNames
	themeNames
	commandWords
	sessionTitles
	mentionedFiles
)

// leads stand before the name that is completed.
var leads = map[offer]string{commandNames: "", agentNames: "/agent ", modelNames: "/model ", themeNames: "/theme ", sessionTitles: "/resume "}

// offered is what the completion's entries were made of.
type offered struct {
	offer    offer
	name     string // of the command whose words they are, or of the session that is not offered
	agent    agentclient.Info
	protocol string    // of the agent that the commands are for
	list     time.Time // tells the lists of one agent's models apart
}

// server is what a list of models belongs to: one agent, whichever of them it uses.
type server struct{ agent, origin string }

func serverOf(i agentclient.Info) server { return server{i.Agent, i.Origin} }

// models is what a server said of its models.
type models struct {
	names  []string
	until  time.Time // it is not asked again before
	asking bool
}

// offering tells what the composer's text can be completed from, and the part of it that
// narrows the choice down.
func (m *Model) offering() (o offer, typed string) {
	if m.screen.focus != onComposer || m.screen.help || m.screen.choice != nil || m.write.noPopup {
		return noOffer, ""
	}
	if typed, ok := m.offeringFiles(); ok {
		return mentionedFiles, typed
	}
	if m.write.Bytes() > maxCompleted {
		return noOffer, ""
	}
	text := m.write.Value()
	if name, arg, ok := strings.Cut(text, " "); ok {
		return m.offeringArgument(name, arg)
	}
	if !strings.HasPrefix(text, "/") || strings.ContainsAny(text[1:], "\n/") {
		return noOffer, ""
	}
	return commandNames, text
}

// protocol is that of the agent in use.
func (m *Model) protocol() string { return m.eng.Agent().Info().Protocol }

// offeringArgument is offering behind the name of a command. Titles have several words.
func (m *Model) offeringArgument(name, arg string) (o offer, typed string) {
	several := strings.ContainsAny(arg, " \n")
	for o, b := range leads {
		if b == name+" " && (!several || o == sessionTitles) {
			return o, arg
		}
	}
	if c := named(name); len(c.Words) > 0 && c.Fits(m.protocol()) == nil && !several {
		return commandWords, arg
	}
	return noOffer, ""
}

// completing reports whether the completion is open.
func (m *Model) completing() bool {
	o, typed := m.offering()
	if o == noOffer {
		return false
	}
	of := offered{offer: o}
	switch o {
	case themeNames:
	case commandNames:
		of.protocol = m.protocol()
	case commandWords:
		of.name, _, _ = strings.Cut(m.write.Value(), " ")
	case sessionTitles:
		of.name, of.list = m.here(), m.write.known.at
	case mentionedFiles:
		of.list = m.write.tree.at
	default:
		of.agent = m.eng.Agent().Info()
		of.list = m.write.models[serverOf(of.agent)].until
	}
	if of != m.write.popOf {
		m.pop.SetItems(m.items(of))
		m.write.popOf = of
	}
	if typed != m.write.popText { // narrowing down selects the first entry
		m.pop.Filter(typed)
		m.write.popText = typed
	}
	return m.pop.Len() > 0
}

// names lists what an argument is completed from.
func (m *Model) names(of offered) []string {
	switch of.offer {
	case agentNames:
		return m.deps.Agents
	case themeNames:
		return theme.Names()
	case mentionedFiles:
		return m.write.tree.names
	}
	return m.write.models[serverOf(of.agent)].names
}

// named is the command of that name, as it is typed.
func named(name string) command.Command {
	for _, c := range command.All() {
		if "/"+c.Name == name {
			return c
		}
	}
	return command.Command{}
}

// wordsOf are the words that may follow a command.
func wordsOf(name string) []command.Word { return named(name).Words }

// examplesOf reports whether others may as well.
func examplesOf(name string) bool { return named(name).Examples }

// items lists the entries of the completion.
func (m *Model) items(of offered) []picker.Item {
	var items []picker.Item
	if of.offer == commandNames {
		for _, c := range command.For(of.protocol) {
			items = append(items, picker.Item{Name: "/" + c.Name, Args: c.Args, Hint: c.Help})
		}
		return items
	}
	switch of.offer {
	case sessionTitles:
		return m.titles(of.name)
	case commandWords:
		for _, w := range wordsOf(of.name) {
			items = append(items, picker.Item{Name: w.Name, Hint: w.Help})
		}
		return items
	}
	current := of.agent.Agent
	switch of.offer {
	case modelNames:
		current = of.agent.Model
	case themeNames:
		current, _, _ = strings.Cut(m.deps.Theme.ID, "/")
	}
	for _, name := range m.names(of) {
		it := picker.Item{Name: name}
		if name == current {
			it.Hint = "in use"
		}
		items = append(items, it)
	}
	return items
}

// complete puts the selected entry into the composer.
func (m *Model) complete() {
	it, ok := m.pop.Selected()
	switch {
	case ok && m.write.popOf.offer == mentionedFiles:
		m.completeFile(it.Name)
	case ok:
		lead, name := leads[m.write.popOf.offer], it.Name
		switch m.write.popOf.offer {
		case commandWords:
			lead = m.write.popOf.name + " "
		case sessionTitles:
			name = it.Hint
		}
		m.write.SetValue(lead + name + " ")
		m.write.DocEnd()
	}
}

// unfinished reports whether Enter takes the selected entry of the completion before anything
// is sent: it was gone to, or what stands there is none of the arguments that there are yet.
// Behind a command that takes any argument, or none, it runs as it stands.
func (m *Model) unfinished() bool {
	if !m.completing() {
		return false
	}
	it, _ := m.pop.Selected()
	of, typed := m.write.popOf, m.write.popText
	switch {
	case it.Name == typed:
		return false
	case m.pop.Moved():
		return true
	case of.offer == commandNames, of.offer == sessionTitles: // words are an argument
		return false
	case of.offer == commandWords:
		return typed != "" && strings.HasPrefix(it.Name, typed) && !examplesOf(of.name)
	}
	return !slices.Contains(m.names(of), typed)
}

// modelsTold is what a server said of its models.
type modelsTold struct {
	by    server
	names []string
	err   error
}

// askModels asks the current agent's server for its models when one of them is being
// typed, unless it told a while ago or could not.
func (m *Model) askModels() tea.Cmd {
	if o, _ := m.offering(); o != modelNames || m.deps.Models == nil {
		return nil
	}
	agent, list := m.eng.Agent(), m.deps.Models
	by := serverOf(agent.Info())
	known := m.write.models[by]
	if known.asking || m.deps.Now().Before(known.until) {
		return nil
	}
	known.asking = true
	m.write.models[by] = known
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), modelsWait)
		defer cancel()
		names, err := list(ctx, agent)
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("no answer within %v", modelsWait)
		}
		return modelsTold{by, typable(names), err}
	}
}

// tellModels keeps what a server said. That of an agent that is not in use any more says
// nothing: it is asked again should it come back.
func (m *Model) tellModels(told modelsTold) {
	known := m.write.models[told.by]
	known.asking = false
	switch {
	case told.by != serverOf(m.eng.Agent().Info()):
	case told.err != nil:
		known.until = m.deps.Now().Add(modelsRest)
		if m.currentWord() == "" { // a question on the screen stays there
			m.say("no list of models: " + told.err.Error())
		}
	default:
		known.names, known.until = told.names, m.deps.Now().Add(modelsFresh)
		if len(told.names) == 0 && m.currentWord() == "" {
			m.say("the server lists no models to choose from; any name can be typed")
		}
	}
	m.write.models[told.by] = known
}

// typable leaves out what cannot be the argument of a command, what would be shown
// otherwise than it is sent, and what nobody reads.
func typable(names []string) []string {
	var kept []string
	for _, name := range names {
		if name != "" && len(name) <= maxModelName && name == strings.TrimSpace(name) && name == sanitize.Line(name) {
			kept = append(kept, name)
		}
		if len(kept) == maxModelNames {
			break
		}
	}
	return kept
}

// newPicker makes a completion that has nothing to offer yet.
func newPicker(th theme.Theme) picker.Model { return picker.New(th, nil) }
