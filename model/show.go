package model

import (
	"strconv"
	"strings"
	"time"

	"baton/model/session"
	"baton/ui/chat"
	"baton/ui/status"
)

// shown is how far the session is in the transcript.
type shown struct {
	blocks []chat.Block
	starts map[session.TurnID]int // where each turn's blocks begin
	items  int
	home   bool // the beginning is wanted, and older items are on their way
}

// show brings one event onto the screen.
func (m *Model) show(ev session.Event) {
	switch ev := ev.(type) {
	case session.SessionOpened:
		m.closeRow()
		m.chat.Reset(nil) // another session's blocks may have the same names
		m.showSession()
	case session.HistoryRead:
		m.showOlder()
	case session.TurnStarted, session.Noted, session.ToolSeen:
		m.showItems()
	case session.AgentSwitched:
		m.help = newHelp(m.deps) // another one may have other commands
	case session.AttemptBegan:
		m.dropLive(ev.Turn)
	case session.RetryBegan:
		m.dropLive(ev.Turn)
	case session.Streamed:
		m.showStreamed(ev)
	case session.TurnSucceeded, session.TurnFailed, session.TurnStopped:
		m.showSettled()
	case session.CommandEnded, session.PrepareEnded:
		m.showUnsent(ev)
	case session.EditorOpened:
		m.showEditor(ev)
	case session.EditorClosed:
		m.row.id = ""
		m.row.Reset("")
		if m.screen.focus == onQueue {
			m.screen.focus = m.row.from
		}
	case session.UndoUsed:
		if ev.Composer != nil {
			m.giveBack(session.Draft{Text: ev.Composer.Typed(), Attachments: ev.Composer.Attachments})
		}
	}
}

// showEditor opens a row in its place. Where the focus was is where a save returns to.
func (m *Model) showEditor(ev session.EditorOpened) {
	r, ok := m.eng.State().Queue.Get(ev.Row)
	if !ok {
		return
	}
	m.row.from = m.screen.focus
	m.row.open(r, ev.Draft)
	m.refresh() // the row may have come with this very step
	m.list.Select(string(ev.Row))
	m.screen.focus = onQueue
}

func rowID(t session.TurnID, k session.RowKind) string { return strconv.Itoa(int(t)) + "-" + string(k) }

func (m *Model) dropLive(t session.TurnID) {
	m.chat.DropLive(rowID(t, session.AgentRow))
	m.chat.DropLive(rowID(t, session.ReasoningRow))
}

// showAll shows the whole session anew.
func (m *Model) showAll() {
	m.shown = shown{starts: map[session.TurnID]int{}, items: m.eng.State().Items.Start()}
	m.addItems()
	m.chat.Reset(m.shown.blocks)
}

// showSession shows a session from the beginning, with what has come of a turn that runs:
// in a session that another process has.
func (m *Model) showSession() {
	m.showAll()
	if l, ok := m.eng.State().Running(); ok {
		m.showStreamed(session.Streamed{Turn: l.Turn, Text: m.eng.State().LiveText(), Reasoning: m.eng.State().LiveReasoning()})
	}
}

func (m *Model) showStreamed(ev session.Streamed) {
	if ev.Reasoning != "" {
		m.chat.Stream(rowID(ev.Turn, session.ReasoningRow), chat.Reasoning, ev.Reasoning)
	}
	if ev.Text != "" {
		m.chat.Stream(rowID(ev.Turn, session.AgentRow), chat.Agent, ev.Text)
	}
}

// addItems turns the items that are not shown yet into blocks.
func (m *Model) addItems() (from int) {
	from = len(m.shown.blocks)
	items := m.eng.State().Items
	for n := m.shown.items; n < items.Len(); n++ {
		if t := items.At(n).Turn; t != nil {
			m.shown.starts[t.ID] = len(m.shown.blocks)
		}
		m.shown.blocks = append(m.shown.blocks, blocksOf(items.At(n), n)...)
	}
	m.shown.items = items.Len()
	return from
}

// showItems appends what is new, and what the newest turn has gained.
func (m *Model) showItems() {
	from := m.addItems()
	for _, b := range m.shown.blocks[from:] {
		m.chat.Append(b)
	}
	items := m.eng.State().Items
	for n, it := range items.Back() { // notes may stand behind the turn that runs
		t := it.Turn
		if t == nil {
			continue
		}
		blocks := blocksOf(it, n)
		if n == items.Len()-1 {
			m.shown.blocks = append(m.shown.blocks[:m.shown.starts[t.ID]], blocks...)
		}
		for _, b := range blocks {
			m.chat.Append(b)
		}
		return
	}
}

// showSettled replaces the newest turn's blocks by its settled ones. What was streamed
// keeps its layout.
func (m *Model) showSettled() {
	for n, it := range m.eng.State().Items.Back() {
		t := it.Turn
		if t == nil || t.Outcome == session.Unsettled {
			continue
		}
		from := m.shown.starts[t.ID]
		settled := blocksOf(it, n)
		if n != m.shown.items-1 { // a later item is shown already: rare, so do it all
			m.showAll()
			return
		}
		m.shown.blocks = append(m.shown.blocks[:from], settled...)
		live := map[string]bool{rowID(t.ID, session.AgentRow): true, rowID(t.ID, session.ReasoningRow): true}
		for _, b := range settled {
			if live[b.ID] {
				m.chat.CloseLive(b.ID, b)
				delete(live, b.ID)
			}
		}
		for id := range live {
			m.chat.DropLive(id)
		}
		m.chat.Reset(m.shown.blocks)
		return
	}
}

// showUnsent says why something did not come to be sent or run.
func (m *Model) showUnsent(ev session.Event) {
	switch ev := ev.(type) {
	case session.CommandEnded:
		m.showCommand(ev)
	case session.PrepareEnded:
		m.sayHeldBack(ev)
	}
}

// showCommand says how a command ended, unless its row says it.
func (m *Model) showCommand(ev session.CommandEnded) {
	m.ended(ev)
	if !ev.Done && ev.Why != "" && ev.Why != "interrupted" {
		m.say("the command did not run: " + ev.Why)
	}
}

// blocksOf is the transcript of one item.
func blocksOf(it session.Item, n int) []chat.Block {
	var bs []chat.Block
	for _, r := range it.Rows(n) {
		b := chat.Block{ID: r.ID, Kind: kinds[r.Kind], Text: r.Text, Failed: r.Failed, Interrupted: r.Interrupted}
		if it.Turn == nil || it.Turn.Outcome != session.Unsettled || r.Kind == session.UserRow {
			b.Version = 1 // it will not change any more and keeps its layout
		}
		switch r.Kind {
		case session.RetryRow:
			b.Title, b.Text, b.Details, b.Foldable = r.Text, "", r.Details, true
		case session.ToolRow:
			b.Title, b.Text, b.Foldable = r.Text, strings.Join(r.Details, "\n"), true
		case session.ErrorRow:
			b.Title, b.Text = r.Text, strings.Join(r.Details, " · ")
		case session.ReasoningRow:
			b.Foldable = true
		case session.UserRow:
			b.Details = r.Details
		case session.AgentRow:
			b.Foldable = r.Failed
		case session.NoticeRow:
			if first, rest, more := strings.Cut(r.Text, "\n"); more {
				b.Title, b.Text, b.Details = first, "", strings.Split(rest, "\n")
			}
		}
		bs = append(bs, b)
	}
	if it.Turn != nil {
		footed(bs, *it.Turn)
	}
	return bs
}

// footed puts below the answer of a settled turn, or its failure, what it took.
func footed(bs []chat.Block, t session.Turn) {
	var took []string
	if d := t.Took(); d >= time.Second {
		took = append(took, "took "+status.Elapsed(d))
	}
	if t.Tokens > 0 {
		took = append(took, status.Tokens(int(t.Tokens)))
	}
	if t.Outcome == session.Unsettled {
		return
	}
	for i := len(bs) - 1; i >= 0; i-- {
		if k := bs[i].Kind; k == chat.Agent || k == chat.Error {
			bs[i].Foot = strings.Join(took, " · ")
			return
		}
	}
}

var kinds = map[session.RowKind]chat.Kind{
	session.UserRow: chat.User, session.AgentRow: chat.Agent, session.ReasoningRow: chat.Reasoning, session.ToolRow: chat.Tool,
	session.RetryRow: chat.Retry, session.ErrorRow: chat.Error, session.NoticeRow: chat.Notice,
}
