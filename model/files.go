package model

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/command"
	"baton/queue"
	"baton/ui/composer"
	"baton/ui/keymap"
	"baton/ui/sanitize"
)

const (
	// maxMention is how far an @ may stand before the caret, in characters.
	maxMention = 200
	// maxWalked is how many entries of folders are looked at for files to offer.
	maxWalked = 20_000
	// walkWait is how long that may take.
	walkWait = 2 * time.Second
	// walkFresh is how long a list of files is good for.
	walkFresh = 10 * time.Second
)

// tree is the list of files that an @ offers.
type tree struct {
	names   []string // relative to the working directory, with slashes
	at      time.Time
	walking bool
}

// spot is where something stands in the composer's text.
type spot struct{ row, col int }

// mention is an @ at the start of a word before the caret, and what stands behind it.
type mention struct {
	at    spot
	chars int // how many characters it has, the @ among them
	typed string
}

// mention returns the one that the caret stands in or behind. A command has none.
func (m *Model) mention() (found mention, ok bool) {
	w := &m.write
	before := w.Before(maxMention + 1)
	i := strings.LastIndexByte(before, '@')
	if i < 0 || strings.ContainsAny(before[i:], " \t") || w.Bytes() <= maxCompleted && m.typesCommand() {
		return mention{}, false
	}
	if i > 0 && !strings.HasSuffix(before[:i], " ") && !strings.HasSuffix(before[:i], "\t") {
		return mention{}, false
	}
	row, col := w.Caret()
	for n := 1; n <= maxMention; n++ {
		if text := w.Before(n); len(text) == len(before)-i {
			return mention{spot{row, col - n}, n, text[1:]}, true
		}
	}
	return mention{}, false
}

func (m *Model) typesCommand() bool {
	_, _, kind, _ := command.Parse(m.write.Value())
	return kind != command.Text
}

// offeringFiles tells what the files that are offered are narrowed down by.
func (m *Model) offeringFiles() (typed string, ok bool) {
	found, ok := m.mention()
	if !ok {
		m.write.shunned = nil
		return "", false
	}
	if at := m.write.shunned; at != nil && *at == found.at {
		return "", false
	}
	return found.typed, true
}

// mentioning reports whether files are offered.
func (m *Model) mentioning() bool { return m.completing() && m.write.popOf.offer == mentionedFiles }

// closePopup closes the completion. An @ that nothing is wanted for stays text.
func (m *Model) closePopup() {
	if found, ok := m.mention(); ok && m.write.popOf.offer == mentionedFiles {
		m.write.shunned = &found.at
		return
	}
	m.write.noPopup = true
}

// filesFound brings the list of files.
type filesFound struct {
	names []string
	cut   bool
	err   error
}

// askFiles looks for files when one is being mentioned, unless that was done a moment ago.
func (m *Model) askFiles() tea.Cmd {
	t := &m.write.tree
	if t.walking || m.deps.Dir == "" || !t.at.IsZero() && m.deps.Now().Sub(t.at) < walkFresh {
		return nil
	}
	if o, typed := m.offering(); o != mentionedFiles || typed != "" && !t.at.IsZero() {
		return nil
	}
	t.walking = true
	dir := m.deps.Dir
	return func() tea.Msg { return walk(dir, time.Now().Add(walkWait)) }
}

func (m *Model) tellFiles(msg filesFound) {
	m.write.tree = tree{names: msg.names, at: m.deps.Now()}
	switch {
	case m.currentWord() != "": // a question on the screen stays there
	case msg.err != nil:
		m.say("no list of files: " + msg.err.Error())
	case msg.cut:
		m.say(fmt.Sprintf("there are too many files here to list all; %d are offered", len(msg.names)))
	}
}

// walk lists the files below a directory, those of outer folders first, until maxWalked
// entries were seen or the time is over. Hidden folders are left out, links are not
// followed, and names that would not be shown as they are are not offered.
func walk(dir string, until time.Time) filesFound {
	var out filesFound
	seen := 0
	for todo := []string{"."}; len(todo) > 0; todo = todo[1:] {
		if seen >= maxWalked || time.Now().After(until) {
			out.cut = true
			break
		}
		entries, err := folder(filepath.Join(dir, filepath.FromSlash(todo[0])), maxWalked-seen)
		if todo[0] == "." && err != nil {
			out.err = err
		}
		for _, e := range entries {
			name := path.Join(todo[0], e.Name())
			switch {
			case e.IsDir() && !strings.HasPrefix(e.Name(), "."):
				todo = append(todo, name)
			case e.Type().IsRegular() && name == sanitize.Line(name) && name == strings.TrimSpace(name):
				out.names = append(out.names, name)
			}
		}
		seen += len(entries)
	}
	return out
}

// folder lists at most n entries of a folder by name. One that cannot be read has none.
func folder(path string, n int) ([]fs.DirEntry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(n)
	if len(entries) == 0 {
		return nil, nil // at its end, or of no use
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}

// completeFile attaches the file that is selected and leaves its name as text.
func (m *Model) completeFile(name string) {
	found, ok := m.mention()
	if !ok {
		return
	}
	abs, err := m.attachable(filepath.Join(m.deps.Dir, filepath.FromSlash(name)))
	if err != nil {
		m.say(err.Error())
		m.write.tree.at = time.Time{} // the list is out of date
		return
	}
	before := m.write.files
	m.attach(abs)
	m.write.ReplaceBefore(found.chars, name+" ")
	m.write.handed = handed{version: m.write.Version(), now: m.write.files, before: before}
	m.say(fmt.Sprintf("attached %s; it goes with the next prompt", filepath.Base(abs)))
}

// attach adds files to the next prompt, each once.
func (m *Model) attach(paths ...string) {
	for _, p := range paths {
		m.attachTo(&m.write.files, []queue.Attachment{{Path: p}})
	}
}

// attachTo adds files to those that go with a text, each once.
func (m *Model) attachTo(files *[]queue.Attachment, more []queue.Attachment) {
	for _, a := range more {
		if !slices.ContainsFunc(*files, func(f queue.Attachment) bool { return f.Path == a.Path }) {
			*files = append(slices.Clip(*files), a)
		}
	}
}

// filesOf are the files that go with what stands in an editor.
func (m *Model) filesOf(ed *composer.Editor) *[]queue.Attachment {
	if ed == &m.row.Editor {
		return &m.row.files
	}
	return &m.write.files
}

// dropFiles takes files away from a text once more.
func (m *Model) dropFiles(ed *composer.Editor, gone []queue.Attachment) {
	files := m.filesOf(ed)
	*files = slices.DeleteFunc(slices.Clone(*files), func(f queue.Attachment) bool {
		return slices.ContainsFunc(gone, func(g queue.Attachment) bool { return g.Path == f.Path })
	})
}

// handed is what gave files without saying so: an @, or paths that were dropped into the
// window. It can be taken back as long as nothing else was done.
type handed struct {
	version     uint64 // of the text behind it; 0 if there is none
	now, before []queue.Attachment
	dropped     string // the paths as they came; "" for an @
}

// handBack takes back what was handed over last. Dropped paths become the text that they
// were; only those end with asText.
func (m *Model) handBack(onlyDropped bool) bool {
	h := m.write.handed
	if h.version == 0 || h.version != m.write.Version() || !slices.Equal(h.now, m.write.files) || onlyDropped && h.dropped == "" {
		return false
	}
	m.write.handed, m.write.files = handed{}, h.before
	if h.dropped == "" {
		return m.write.Undo()
	}
	m.write.Paste(h.dropped)
	return true
}

// drop attaches what was pasted if that is nothing but paths of files, as windows hand them
// over that files are dragged into.
func (m *Model) drop(pasted string) bool {
	paths := droppedPaths(pasted)
	if len(paths) == 0 || m.write.Bytes() > 0 && m.write.Bytes() <= maxCompleted && m.typesCommand() {
		return false
	}
	before := m.write.files
	var names []string
	for i, p := range paths {
		abs, err := m.attachable(p)
		if err != nil || !plainFile(abs) { // a device is no file to send
			return false
		}
		paths[i], names = abs, append(names, filepath.Base(abs))
	}
	m.attach(paths...)
	m.write.handed = handed{version: m.write.Version(), now: m.write.files, before: before, dropped: pasted}
	m.say(strings.Join(append([]string{"attached " + strings.Join(names, ", ")}, m.hints(hint{keymap.Undo, "makes it text"})...), " · "))
	return true
}
