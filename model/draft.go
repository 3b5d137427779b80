package model

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/keepsake"
	"baton/model/session"
	"baton/queue"
	"baton/ui/composer"
	"baton/ui/keymap"
)

// A draft is written down behind the person's back, so it is always a little older than
// the composer, and the program may end right behind an Enter: then its text is in the
// journal, and still on the desk. A text must not be in two places (C3), and comparing
// texts does not tell: the draft may be an earlier state of what was sent, or what was sent
// may be written again. So a draft carries where its session stood: the next number that
// it would give. What a person enters takes the whole text out of the composer and gets
// such a number. If the session holds a person's row or turn of that number or a later
// one, the draft was written before that was entered, and so is a state of it, or of what
// was discarded before it: it is dropped. Turns get new numbers by being promoted, too;
// therefore a draft also carries which rows waited. Retries, generated rows and commands
// that were not typed are not the composer's.
//
// The order does the rest. The journal has the text before the composer is emptied, and
// the composer is empty before the draft goes. Where the session moves on under a draft, by
// what came from outside or from the transcript, or by the edit of a row, the draft is
// written again at once.

// draftPause is how long a change of the composer waits for others before it is written
// down. With the writing itself it is to stay below half a second.
const draftPause = 300 * time.Millisecond

// keeping is what is kept beside the sessions.
type keeping struct {
	place keepsake.Place
	desk  *keepsake.Desk // nil if nothing is kept
	at    whereabouts    // the session whose drafts were looked for
	saved stamp          // what is on the desk, or on its way there
	count uint64         // how many were given to it
	timed bool           // a look is on its way
	due   bool           // … and has come
	busy  bool           // a draft is being written
	told  bool           // that it cannot be was said
	back  back           // what was brought back last

	prompts []string // sent, and not written down yet
	adding  bool     // some of them are on their way
}

// back is a draft that came on the screen by itself: which text, and when.
type back struct {
	version uint64
	at      time.Time
}

// notMeant reports whether a key cannot be meant for what stands in the composer: it came
// there by itself a moment ago, and nothing was changed in it. An Enter that started the
// program, or chose the session, may be held, or pressed twice for good measure.
func (m *Model) notMeant() bool {
	b := m.write.keep.back
	return b.version != 0 && b.version == m.write.Version() && m.pressed().Sub(b.at) < firstRepeat
}

// whereabouts is a session and whether it is only shown.
type whereabouts struct {
	session string
	shown   bool
}

// stamp tells one draft from another without looking at its text.
type stamp struct {
	empty   bool // and then nothing else counts
	version uint64
	files   []queue.Attachment
	at      whereabouts
	next    int
	rows    []queue.Row
}

func (s stamp) same(t stamp) bool {
	if s.empty || t.empty {
		return s.empty == t.empty
	}
	return s.version == t.version && s.at == t.at && slices.Equal(s.files, t.files) && !s.outdated(t)
}

// outdated reports whether the session stands elsewhere than when a draft was written down:
// what it got since might be taken for what the draft became.
func (s stamp) outdated(now stamp) bool {
	if s.empty {
		return false
	}
	// Texts that did not change are the same bytes and cost nothing to compare.
	alike := func(a, b queue.Row) bool { return a.ID == b.ID && a.Text == b.Text }
	return s.next != now.next || !slices.EqualFunc(s.rows, now.rows, alike)
}

type (
	// draftDue says that a change has waited long enough.
	draftDue struct{}
	// draftKept says how the writing of a draft ended.
	draftKept struct{ err error }
)

func (m *Model) whereabouts() whereabouts {
	return whereabouts{m.eng.Session(), m.eng.ReadOnly() != ""}
}

func (m *Model) stamp() stamp {
	if m.write.Empty() && len(m.write.files) == 0 {
		return stamp{empty: true}
	}
	s := m.eng.State()
	return stamp{version: m.write.Version(), files: m.write.files, at: m.whereabouts(), next: s.Next, rows: s.Queue.Rows()}
}

// beginKeeping looks for a draft that waits for this session, or, in a new one, for a
// draft whose session never had a file.
func (m *Model) beginKeeping() {
	k := &m.write.keep
	k.place, k.saved = keepsake.At(m.deps.State), stamp{empty: true}
	if k.place.None() {
		return
	}
	k.desk, k.at = k.place.Desk(), m.whereabouts()
	m.findDraft(!m.eng.Kept())
}

// keepDraft sees to it that what stands in the composer is written down soon.
func (m *Model) keepDraft() tea.Cmd {
	k := &m.write.keep
	if k.desk == nil {
		return nil
	}
	if at := m.whereabouts(); at != k.at {
		k.at = at
		m.findDraft(false)
		m.tellEdit()
		if !m.stamp().same(k.saved) {
			m.toldDraft(draftKept{m.handDraft()()})
		}
	}
	now := m.stamp()
	switch {
	case k.busy:
		return nil
	case now.same(k.saved):
		k.due = false
		return nil
	case now.empty || k.due || k.saved.outdated(now):
		write := m.handDraft()
		k.busy, k.due = true, false
		return func() tea.Msg { return draftKept{write()} }
	case k.timed:
		return nil
	}
	k.timed = true
	return tea.Tick(draftPause, func(time.Time) tea.Msg { return draftDue{} })
}

// handDraft copies what stands in the composer; what it returns writes it down, on any
// goroutine.
func (m *Model) handDraft() func() error {
	k := &m.write.keep
	s, text, desk := m.stamp(), m.write.Save(), k.desk
	k.saved = s
	k.count++
	n, now := k.count, m.deps.Now()
	return func() error {
		d := keepsake.Draft{Session: s.at.session, Next: s.next, Time: now}
		if s.at.shown { // nothing can be sent from here
			d.Next = 0
		}
		for _, p := range text.Pieces() {
			d.Pieces = append(d.Pieces, keepsake.Piece(p))
		}
		for _, f := range s.files {
			d.Files = append(d.Files, f.Path)
		}
		for _, r := range s.rows {
			d.Rows = append(d.Rows, sum(r.Text))
		}
		return desk.Save(n, d)
	}
}

func sum(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // it never fails
	return h.Sum64()
}

func (m *Model) toldDraft(msg draftKept) {
	k := &m.write.keep
	k.busy = false
	switch {
	case msg.err == nil:
		k.told = false
	case !k.told:
		k.told = true
		m.say("what you type here would not survive a crash: " + msg.err.Error())
	}
}

// findDraft brings back a draft that waits for the session on the screen; in a fresh one,
// what has no session. The composer must not be overwritten: where it holds something, a
// draft waits on, and nothing that is sent from here can be taken for it.
func (m *Model) findDraft(fresh bool) {
	k := &m.write.keep
	taken := !m.stamp().empty
	if k.at.shown && !taken {
		return // whoever has the session may be looking for its drafts right now, and must not find them taken
	}
	aside := false
	k.count++
	d, more, ok := k.desk.Find(k.count, m.deps.Now(), func(d *keepsake.Draft) keepsake.Fate {
		here := d.Session == k.at.session
		switch {
		case here && sent(m.eng.State(), *d):
			return keepsake.Dropped
		case here && taken:
			aside = true
			d.Next = 0
			return keepsake.Changed
		case taken || !here && (!fresh || m.hasFile(d.Session)):
			return keepsake.Stays
		}
		return keepsake.Brought
	})
	if aside {
		m.say("another draft of this session is kept; it comes back when you take the session up with an empty composer")
	}
	if !ok {
		return
	}
	m.bringBack(d)
	k.back = back{m.write.Version(), m.deps.Now()}
	if err := m.handDraft()(); err != nil { // before it can be sent from here
		m.toldDraft(draftKept{err})
	}
	text := "what you had not sent is back, from " + when(d.Time, m.deps.Now())
	if more > 0 {
		text += fmt.Sprintf(" · %d more wait", more)
	}
	m.say(strings.Join(append([]string{text}, m.hints(hint{keymap.Interrupt, "clears it"})...), " · "))
}

func (m *Model) bringBack(d keepsake.Draft) {
	var pieces []composer.Piece
	for _, p := range d.Pieces {
		pieces = append(pieces, composer.Piece(p))
	}
	m.write.Fill(pieces)
	m.write.files = nil
	for _, path := range d.Files {
		m.write.files = append(m.write.files, queue.Attachment{Path: path})
	}
}

// hasFile reports whether a session can be taken up.
func (m *Model) hasFile(id string) bool {
	_, err := os.Lstat(filepath.Join(m.deps.Sessions, id+".jsonl"))
	return m.deps.Sessions != "" && err == nil
}

// sent reports whether the session holds what a draft of it has become.
func sent(s session.State, d keepsake.Draft) bool {
	if d.Next == 0 {
		return false
	}
	typed := strings.HasPrefix(d.Text(), "/")
	entered := func(r queue.Row) bool {
		n, ok := strings.CutPrefix(string(r.ID), s.Session+".")
		at, err := strconv.Atoi(n)
		return ok && err == nil && at >= d.Next && r.Generated == 0 && (!r.Command || typed)
	}
	if slices.ContainsFunc(s.Queue.Rows(), entered) {
		return true
	}
	if s.Undo != nil && slices.ContainsFunc(s.Undo.Rows, func(p session.Placed) bool { return entered(p.Row) }) {
		return true
	}
	return startedSince(s, d)
}

// startedSince reports whether a turn began behind a draft that was none of the rows that
// waited beside it.
func startedSince(s session.State, d keepsake.Draft) bool {
	for _, it := range s.Items.Back() {
		t := it.Turn
		switch {
		case t == nil || t.Retry() || t.Text == session.ContinueText:
		case int(t.ID) < d.Next:
			return false
		case !slices.Contains(d.Rows, sum(t.Text)):
			return true
		}
	}
	return false
}

// Leave writes down what is left to write when the loop has ended. unsent says that there
// is a draft to come back to.
func (m *Model) Leave() (unsent bool, err error) {
	k := &m.write.keep
	if k.desk == nil {
		return false, nil
	}
	err = m.handDraft()()
	if herr := k.place.AddPrompts(k.prompts); err == nil {
		err = herr
	}
	_ = k.desk.Close()
	return !k.saved.empty, err
}

// keep starts what is to be done for the files beside the sessions.
func (m *Model) keep() tea.Cmd {
	return tea.Batch(m.keepDraft(), m.keepEdit(), m.keepPrompts(), m.askFiles())
}
