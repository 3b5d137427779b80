package model

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/agentclient"
	"baton/model/engine"
	"baton/model/outside"
	"baton/model/session"
	"baton/ui/chat"
	"baton/ui/help"
	"baton/ui/keymap"
	"baton/ui/picker"
	"baton/ui/queuelist"
	"baton/ui/term"
	"baton/ui/theme"
)

// Deps is what the program is made of. All fields are needed unless said otherwise.
type Deps struct {
	Engine  *engine.Engine
	Keys    keymap.Map
	Theme   theme.Theme
	Restyle func(name string) (theme.Theme, error) // for /theme
	Welcome string                                 // markdown of the first screen
	Offer   string                                 // a line to begin with, "" for none
	Faults  func(list string) error                // arms the sandbox
	// Open is done as soon as the screen is open, and Later a moment after that, each in a
	// goroutine of its own. What they return is said. nil does nothing.
	Open, Later func() string
	// Free gives memory back that is not needed any more. It is called in goroutines of its
	// own. nil leaves that to the runtime.
	Free func()
	// Sessions is the directory of the sessions that are kept, "" if none are.
	Sessions string
	// State is the directory of what is kept beside them: drafts, and prompts that were
	// sent. "" keeps none.
	State string
	// Dir is the working directory, whose files an @ offers; "" offers none.
	Dir    string
	Agents []string // the names that /agent knows, for its completion
	// Models lists the models of an agent's server for the completion of /model; its
	// errors are shown. nil offers none.
	Models func(ctx context.Context, a agentclient.Agent) ([]string, error)
	// Window is the size of the context window, in tokens, of an agent's model; 0 if it is not known. It is asked with
	// every frame and must send nothing. nil knows none.
	Window func(i agentclient.Info) int
	// Clipboard reads the clipboard's image in PNG form. nil reads none.
	Clipboard func(ctx context.Context) ([]byte, error)
	Editor    func() []string // argv of the person's editor
	// Calm lets nothing turn and counts in seconds.
	Calm bool
	// Notify tells a person who looks at another window. nil tells nothing.
	Notify func(text string) tea.Cmd
	// Calls are what other processes ask of the queue, and Desk is where they are taken. Both
	// are nil where none can come.
	Calls <-chan *outside.Call
	Desk  *outside.Desk
	Env   func(string) string
	Now   func() time.Time
}

// Model is the program. Its parts are facts that do not depend on each other.
type Model struct {
	deps   Deps
	eng    *engine.Engine
	write  writing         // the composer and what rides with it
	row    rowEditor       // the row that is open, if one is
	list   queuelist.Model // the queue
	chat   *chat.Model     // the transcript
	shown  shown           // how far the transcript is shown
	help   help.Model
	pop    picker.Model
	screen screen // size, focus, what lies on top
	word   word   // the passing word, and what it waits for
	pace   pace   // what the time between keys tells
}

// screen is the state of the window alone.
type screen struct {
	w, h    int
	focus   focus
	help    bool
	choice  *choice   // nil if none is open
	finding *finding  // the text of a search while it is typed, else nil
	codeOf  string    // the message whose code was copied last
	codeAt  int       // which of its blocks comes next
	tickAt  time.Time // when the next tick is due, zero for none
	x, y    int       // where the last View put the caret
	caret   bool
	window  window
	frame   string // what the last View drew
	drawn   bool   // nothing has changed since
}

// focus says where keys go.
type focus uint8

const (
	onComposer focus = iota
	onQueue
	onTranscript
)

// New makes the program around an engine that is already open.
func New(d Deps) *Model {
	m := &Model{deps: d, eng: d.Engine, list: queuelist.New(d.Theme), chat: chat.New(d.Theme), help: newHelp(d)}
	m.write = newWriting(d.Theme)
	m.row = newRowEditor(d.Theme)
	m.pop = newPicker(d.Theme)
	for _, it := range m.eng.State().Items.All() {
		if it.Turn != nil && !it.Turn.Retry() {
			m.write.history.Add(session.Draft{Text: it.Turn.Text, Command: it.Turn.Compact}.Typed())
		}
	}
	m.chat.SetWelcome(d.Welcome)
	m.pace.begin(d.Now())
	m.say(d.Offer)
	m.beginKeeping()
	m.tellEdit()
	m.showSession()
	m.refresh()
	return m
}

// Init sends nothing. A session that another process has is followed from here on.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.after(m.eng.Begin()), m.readPrompts(), m.restLater(), m.listen()}
	if open := m.deps.Open; open != nil {
		cmds = append(cmds, func() tea.Msg { return remark{open()} })
	}
	if later := m.deps.Later; later != nil {
		cmds = append(cmds, tea.Tick(laterBy, func(time.Time) tea.Msg { return remark{later()} }))
	}
	return tea.Batch(cmds...)
}

// laterBy leaves the start of the program alone.
const laterBy = 300 * time.Millisecond

// remark is a word that something in the background has to say.
type remark struct{ text string }

// Arrived implements term.Timed.
func (m *Model) Arrived(at time.Time) { m.pace.arrived = at }

// Update turns a message into an input or a movement.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	m.pace.acting, m.screen.drawn = false, false
	m.screen.window.looked(msg)
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.screen.w, m.screen.h = msg.Width, msg.Height
	case tea.KeyMsg:
		cmd = tea.Batch(m.key(msg), m.askModels(), m.askSessions())
	case tea.MouseMsg:
		m.wheel(msg)
	case jobDone:
		cmd = m.after(m.eng.Take(msg.result))
	case term.SignalMsg:
		cmd = tea.Batch(m.quit(), tea.Tick(hurry, func(time.Time) tea.Msg { return quitNow{} }))
	case quitNow:
		cmd = m.quit()
	case restDue:
		cmd = m.rest()
	case called:
		cmd = m.called(msg)
	case agreed:
		cmd = m.agreed(msg)
	case term.ResumeMsg:
		if !msg.Stopped {
			m.say("there is no shell to suspend to")
		}
	case tick:
		if msg.due.Equal(m.screen.tickAt) {
			m.screen.tickAt = time.Time{}
		}
	default:
		cmd = m.told(msg)
	}
	m.pace.arrived = time.Time{}
	m.refresh()
	return m, tea.Batch(cmd, m.readOlder(), m.clockwork(), m.tell(), m.keep())
}

// told takes in what something that was started apart has come to.
func (m *Model) told(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case edited:
		m.editorDone(msg)
	case modelsTold:
		m.tellModels(msg)
	case sessionsListed:
		m.listed(msg)
	case sessionsFound:
		m.found(msg)
	case sessionsMeant:
		cmd = m.meant(msg)
	case sessionsNamed:
		m.tellSessions(msg)
	case copied:
		m.toldCopy(msg)
	case remark:
		m.sayToo(msg.text)
	case exported:
		m.toldExport(msg)
	case filesFound:
		m.tellFiles(msg)
	case pictureRead:
		m.tellPicture(msg)
	default:
		m.toldKept(msg)
	}
	return cmd
}

// hurry is how long a signal leaves a running turn to stop.
const hurry = time.Second

type quitNow struct{}

// quit ends the program. What stands in the row editor can be undone later.
func (m *Model) quit() tea.Cmd { return m.step(session.Quit{Draft: m.openDraft()}) }
