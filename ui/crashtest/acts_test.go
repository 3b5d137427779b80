//go:build unix

package crashtest

import (
	"fmt"
	"slices"
	"strings"
)

// step does one thing that is possible where the session stands.
func (l *life) step() {
	l.toComposer()
	l.settle()
	if text := l.composer(); text != "" {
		l.fail("the composer holds %q", text)
	}
	var able []func()
	add := func(name string, weight int, ok bool, act func()) {
		if !ok {
			return
		}
		if slices.ContainsFunc(leadsTo[name], func(kind string) bool { return strings.Contains(l.plan.point, kind) }) {
			weight *= 20
		}
		able = append(able, slices.Repeat([]func(){act}, weight)...)
	}
	entries, u := l.entries(), l.world.undo
	idle, rows, fresh := l.idle(), len(entries), !slices.Contains(entries, newCommand)
	_, waits := l.c.server.waitsFor(l.name)
	add("submit", 4, idle, l.submit)
	add("submit", 9, !idle && rows < 11, l.submit)
	add("release", 6, waits, l.release)
	add("stop", 2, !idle, l.stop)
	add("edit", 3, len(l.world.rows) > 0, func() { l.edit(l.anyRow()) })
	add("remove", 3, len(l.world.rows) > 0, func() { l.remove(l.anyRow()) })
	add("clear", 1, rows > 1 && fresh, l.clear)
	add("undo", 6, u != nil && rows+len(u.rows) < 14, l.undo)
	add("move", 2, rows > 1, l.move)
	add("pause", 1, rows > 0, l.pause)
	add("play", 4, idle && rows > 0, l.play)
	add("send now", 2, len(l.world.rows) > 0, func() { l.sendNow(l.anyRow()) })
	add("retry", 2, l.Has("ctrl+y retries"), l.retry)
	add("new without rows", 1, fresh && rows == 0, l.newSession)
	add("new", 2, fresh && rows > 0, l.newSession)
	able[l.c.rand.IntN(len(able))]()
}

// leadsTo names what an act makes, so that a life whose end is planned there comes to it.
var leadsTo = map[string][]string{
	"submit": {"row.queued", "turn.started"}, "release": {"row.promoted", "turn.succeeded", "baton.passed", "Ready", "Promote"},
	"stop": {"stop.requested", "turn.stopped", "StoppedByClient"}, "edit": {"row.edited", "editor", "edit.kept", "undo.kept"},
	"remove": {"row.removed", "undo.kept"}, "clear": {"row.removed"}, "undo": {"undo.used"}, "move": {"row.moved"},
	"pause": {"gate.changed"}, "play": {"row.promoted"}, "send now": {"row.marked", "row.moved"}, "retry": {"retry"},
	"new": {"carr", "command", "CommandDone", "create:"},
}

func (l *life) anyRow() string { return l.world.rows[l.c.rand.IntN(len(l.world.rows))] }

// toComposer brings the focus back.
func (l *life) toComposer() {
	back := map[focus]string{onQueue: "shift+tab", onTranscript: "tab"}
	for was := l.focus(); back[was] != ""; was = l.focus() {
		l.act("leave the "+string(was), back[was], func() bool { return l.focus() != was })
	}
}

// toRow brings the focus to a row of the queue.
func (l *life) toRow(entry string) {
	l.act("go to the queue", "tab", func() bool { return l.focus() == onQueue })
	for {
		target := slices.Index(l.entries(), entry)
		at := slices.IndexFunc(l.queue(), func(r row) bool { return r.picked })
		if target < 0 || at < 0 {
			l.fail("no row %s", brief([]string{entry}))
		}
		if target == at {
			return
		}
		key := "down"
		if target < at {
			key = "up"
		}
		l.last = "" // moving is what a held key does too
		l.press(key)
		l.Until("the selection elsewhere", func() bool {
			return slices.IndexFunc(l.queue(), func(r row) bool { return r.picked }) != at
		})
	}
}

// enter types a text and sends it.
func (l *life) enter(text string) {
	lines := strings.Count(text, "\n")
	switch {
	case lines > 0 || len(text) > 500:
		l.Paste(text)
	default:
		l.Type(text)
	}
	l.pressed()
	word, _, _ := strings.Cut(text, "\n")
	l.Until("the text in the composer", func() bool {
		got := l.composer()
		return got == text || strings.HasPrefix(got, "[pasted ") || lines > 0 && strings.HasPrefix(got, word) && strings.HasSuffix(got, text[strings.LastIndex(text, "\n")+1:])
	})
}

func (l *life) submit() {
	text := l.text()
	l.enter(text)
	l.send(text)
}

// send sends what stands in the composer.
func (l *life) send(text string) {
	after := l.world.asQueued(text)
	if l.idle() {
		after = l.world.asSent(text)
	}
	l.act("submit "+brief([]string{text}), "enter", func() bool { return l.composer() == "" }, after)
}

func (l *life) release() {
	how := "ok"
	if l.c.rand.IntN(5) == 0 {
		how = "cut"
	}
	l.note("release " + how)
	l.c.server.release(l.name, how)
	l.pressed() // so that the program may end on the way
	l.settle()
}

func (l *life) stop() { l.act("stop", "esc", l.idle) }

func (l *life) edit(old string) {
	l.toRow(old)
	l.act("open "+brief([]string{old}), "enter", func() bool { return l.focus() == onEditor })
	l.change(old, old, false)
}

// change writes before what stands in the editor of a row, and saves or discards it. undone says that an undo put it
// there.
func (l *life) change(row, old string, undone bool) {
	word := fmt.Sprintf("e%d", len(l.c.texts)+1)
	text := word + " " + old
	l.press("ctrl+home")
	l.note("write " + word)
	if l.c.rand.IntN(2) == 0 {
		text = word + "\n" + old
		l.Type(word)
		l.pressed()
		// Once the line is ended its word may stand above what the editor shows.
		l.Until("the word", func() bool { return l.Has("┃ " + word) })
		l.c.texts = append(l.c.texts, text)
		l.world.open = &writing{old, text}
		l.press("ctrl+j")
		l.Until("the line's end", func() bool { return !l.Has("┃ " + word + old[:1]) })
	} else {
		l.c.texts = append(l.c.texts, text)
		l.world.open = &writing{old, text}
		l.Type(word + " ")
		l.pressed()
		l.Until("the edit", func() bool { return l.Has("┃ " + word + " ") })
	}
	if l.c.rand.IntN(3) == 0 { // long enough for it to be written down, which is said nowhere
		l.Until("the edit on disk", func() bool { return slices.Equal(readActual(l.c.t, l.c.sessions()).undo, []string{text}) })
		l.pressed()
	}
	closed := func() bool { return l.focus() != onEditor }
	if l.c.rand.IntN(3) == 0 {
		l.act("discard "+word, "esc", closed, l.world.asDiscarded(row, text))
		return
	}
	after := l.world.asEdited(row, text)
	if undone {
		after.undo = nil
	}
	l.act("save "+word, "enter", closed, after)
}

func (l *life) remove(text string) {
	l.toRow(text)
	queue := l.entries()
	l.act("remove "+brief([]string{text}), "d", func() bool { return !slices.Contains(l.entries(), text) }, l.world.asRemoved(queue, text))
}

func (l *life) clear() {
	queue := l.entries()
	l.toRow(queue[0])
	l.act("clear", "c", func() bool { return len(l.queue()) == 0 }, l.world.asRemoved(queue, queue...))
}

func (l *life) undo() {
	u := *l.world.undo
	acked := func() bool { return l.focus() == onEditor }
	after := l.world // a draft in the editor is what can be undone after a crash
	switch {
	case u.draft == "":
		after = l.world.asUndone(l.entries())
		acked = func() bool { return slices.Equal(texts(l.entries()), after.rows) && l.composer() == "" }
	case !slices.Contains(l.world.rows, u.of): // the draft goes to the composer
		after = l.world.clone()
		after.undo = nil
		acked = func() bool { return l.composer() != "" && !strings.HasPrefix(l.composer(), "/") }
	}
	key := "u"
	if entries := l.entries(); len(entries) > 0 && l.c.rand.IntN(2) == 0 {
		l.toRow(entries[0])
	} else {
		l.enter("/queue undo")
		key = "enter"
	}
	l.act("undo", key, acked, after)
	switch {
	case u.draft == "":
	case l.focus() == onEditor:
		l.change(u.of, u.draft, true)
	default:
		l.send(u.draft)
	}
}

func (l *life) move() {
	queue := l.entries()
	from := l.c.rand.IntN(len(queue))
	to, key := from+1, "J"
	if from > 0 && (from == len(queue)-1 || l.c.rand.IntN(2) == 0) {
		to, key = from-1, "K"
	}
	l.toRow(queue[from])
	queue[from], queue[to] = queue[to], queue[from]
	l.act("move "+brief(queue[to:to+1])+" "+key, key, func() bool { return slices.Equal(l.entries(), queue) }, l.world.asOrdered(queue))
}

func (l *life) pause() {
	was := l.paused()
	l.toRow(l.entries()[0])
	l.act(fmt.Sprintf("pause %t", !was), "p", func() bool { return l.paused() != was })
}

func (l *life) play() {
	head := l.entries()[0]
	after := l.world.clone()
	if !strings.HasPrefix(head, other) {
		after = after.asSent(head)
	}
	after.held = false
	l.c.server.gate()
	l.toRow(head)
	l.act("play "+brief([]string{head}), "space", func() bool { return !slices.Contains(l.entries(), head) }, after)
}

func (l *life) sendNow(text string) {
	first, after := l.world.clone(), l.world.asSent(text)
	i := slices.Index(first.rows, text)
	first.rows = slices.Insert(slices.Delete(first.rows, i, i+1), 0, text)
	first.held, after.held = false, false
	l.c.server.gate()
	l.toRow(text)
	l.act("send now "+brief([]string{text}), "s", func() bool { return !slices.Contains(l.entries(), text) }, first, after)
}

func (l *life) retry() {
	l.c.server.gate()
	l.act("retry", "ctrl+y", func() bool {
		_, waits := l.c.server.waitsFor(l.name)
		return waits && l.busy() && !strings.Contains(l.status(), "retrying")
	})
}

// newSession goes on in another session, at once or when its turn comes.
func (l *life) newSession() {
	after := l.world
	if l.idle() {
		after = after.inNewSession(true)
	}
	l.enter("/new")
	l.act("/new", "enter", func() bool { return l.composer() == "" }, after)
	l.asksNew = slices.Contains(l.entries(), newCommand)
}

// quit ends the life well.
func (l *life) quit() {
	l.toComposer()
	l.settle()
	l.note("quit")
	l.quits = true
	l.press("ctrl+d")
	if code := l.Wait(); code != 0 {
		panic(stuck{fmt.Sprintf("quitting ended with code %d", code)})
	}
}
