package session

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"baton/queue"
	"baton/retrypolicy"
)

// What a script can say. N is a row's place on the screen from 1, or its id. Turn
// and attempt are those on the screen unless "turn N" or "attempt N" follows.
//
//	settings [drain] [rows N]            first line only
//	open [agent NAME] | crash | quit     a crash loses what was not recorded
//	submit "text" [@file …] | cmd "/new" | fill N
//	begin-edit N | keep-edit "text" | end-edit save ["text"] [@file …] | end-edit discard ["text"]
//	park "text" [paused] | rewrite N "text" | remove-rows N …      from elsewhere than the screen
//	remove N ["draft"] | move N to M [closed] | clear ["draft"] | undo | pause | unpause
//	play | send-now N [confirmed] | stop | stop-timeout | retry | retry-now [confirmed]
//	agent NAME | note "text" | command-done ["why not"] [carry SESSION] [leave] | carried
//	adopt ["/command"] "text" … [open] [paused]     first input of a session that takes rows over
//	prepared [@file …] | unprepared "why not"
//	attempt | phase NAME | delta ["text"] [why "reasoning"] | tool ID NAME [status]
//	retry-scheduled WAIT STATUS [asked WAIT] | retry-started [waited WAIT]
//	ready [cut] | promote | stopped | gave-up KIND-or-STATUS ["message"] [status N] [code C] [until 14:05]
//	exhaust STATUS                       all five attempts fail
//	after DURATION | rows | context      time passes; what the transcript, a request hold
//
// "text"*N repeats a text. Several inputs on one line stand between semicolons.
func (r *script) input(verb string, ws *words) Input {
	switch verb {
	case "open":
		agent, _ := ws.opt("agent")
		return Opened{Session: "s", Agent: agent}
	case "crash":
		return crash{}
	case "quit":
		return Quit{}
	case "submit":
		return Submit{Draft{Text: ws.text(), Attachments: ws.files()}}
	case "cmd":
		return Submit{Draft{Text: ws.text(), Command: true}}
	case "play":
		return Play{}
	case "pause", "unpause":
		return SetPaused{verb == "pause"}
	case "agent":
		return AgentChanged{ws.next()}
	case "note":
		return Note{ws.text()}
	case "adopt":
		return adopt(ws)
	}
	if in := r.rowInput(verb, ws); in != nil {
		return in
	}
	if in := r.workInput(verb, ws); in != nil {
		return in
	}
	return r.news(verb, ws)
}

func adopt(ws *words) Input {
	in := Adopt{Session: "s", Open: ws.flag("open"), Paused: ws.flag("paused")}
	for text, ok := ws.someText(); ok; text, ok = ws.someText() {
		id := queue.ID(fmt.Sprintf("old.%d", len(in.Rows)+2))
		in.Rows = append(in.Rows, queue.Row{ID: id, Text: text, Command: strings.HasPrefix(text, "/")})
	}
	return in
}

func (r *script) rowInput(verb string, ws *words) Input {
	s := r.n.s
	switch verb {
	case "begin-edit":
		return BeginEdit{r.row(ws)}
	case "end-edit":
		id := s.Editing
		if is, ok := ws.opt("row"); ok {
			id = queue.ID(is)
		}
		row, _ := s.Queue.Get(id)
		in := EndEdit{Row: id, Save: ws.next() == "save", Draft: draftOf(row)}
		if text, ok := ws.someText(); ok {
			in.Draft.Text = text
		}
		if files := ws.files(); files != nil || ws.flag("no-files") {
			in.Draft.Attachments = files
		}
		return in
	case "keep-edit":
		row, _ := s.Queue.Get(s.Editing)
		in := KeepEdit{Row: s.Editing, Draft: draftOf(row)}
		in.Draft.Text = ws.text()
		return in
	case "remove":
		return RemoveRow{r.row(ws), ws.draft()}
	case "move":
		in := MoveRow{Row: r.row(ws)}
		to, _ := ws.opt("to")
		in.To = r.number(to) - 1
		in.Closed = ws.flag("closed")
		return in
	case "add":
		return Add{Draft{Text: ws.text(), Attachments: ws.files()}}
	case "park":
		return Park{Draft{Text: ws.text(), Attachments: ws.files()}, ws.flag("paused")}
	case "rewrite":
		return Rewrite{Row: r.row(ws), Text: ws.text()}
	case "remove-rows":
		in := RemoveRows{}
		for len(ws.rest()) > 0 {
			in.Rows = append(in.Rows, r.row(ws))
		}
		return in
	case "clear":
		return ClearRows{ws.draft()}
	case "undo":
		return UndoLast{}
	}
	return nil
}

func (r *script) workInput(verb string, ws *words) Input {
	s := r.n.s
	work := s.Work()
	last, _ := s.LastTurn()
	switch verb {
	case "send-now":
		return SendNow{Row: r.row(ws), Turn: r.turn(ws, work), Confirmed: ws.flag("confirmed")}
	case "stop":
		return Stop{r.turn(ws, work)}
	case "stop-timeout":
		return StopTimedOut{r.turn(ws, work)}
	case "retry":
		return Retry{Turn: r.turn(ws, last.ID), Confirmed: ws.flag("confirmed")}
	case "retry-now":
		return RetryNow{Turn: r.turn(ws, work), Attempt: r.attempt(ws), At: r.now, Confirmed: ws.flag("confirmed")}
	case "promote":
		return Promote{r.turn(ws, last.ID)}
	case "prepared":
		in := Prepared{Turn: r.turn(ws, work), Attachments: ws.files()}
		for i := range in.Attachments {
			in.Attachments[i].Size, in.Attachments[i].SHA256 = 3, "abc"
		}
		return in
	case "unprepared":
		return Unprepared{Turn: r.turn(ws, work), Why: ws.text()}
	case "command-done":
		in := CommandDone{ID: r.turn(ws, work)}
		in.Carry, _ = ws.opt("carry")
		in.Leave = ws.flag("leave")
		in.Why, _ = ws.someText()
		return in
	case "carried":
		return Carried{}
	}
	return nil
}

var phases = map[string]Phase{"connecting": Connecting{}, "waiting": Waiting{}, "streaming": Streaming{}, "approval": Approval{}}

// news is what an agent client reports.
func (r *script) news(verb string, ws *words) Input {
	turn, n := r.turn(ws, r.n.s.Work()), r.attempt(ws)
	switch verb {
	case "attempt":
		return AttemptStarted{turn, 1}
	case "phase":
		return PhaseChanged{turn, n, phases[ws.next()]}
	case "delta":
		in := Delta{Turn: turn, N: n, At: r.now}
		in.Reasoning, _ = ws.opt("why")
		in.Text, _ = ws.someText()
		return in
	case "tool":
		return ToolActivity{turn, n, ToolPart{ID: ws.next(), Name: ws.next(), Status: ws.next()}}
	case "retry-scheduled":
		return r.scheduled(turn, n, ws)
	case "retry-started":
		waited, _ := ws.opt("waited")
		in := RetryStarted{Turn: turn, N: n + 1, Waited: r.duration(waited)}
		if last := len(r.attempts) - 1; last >= 0 {
			r.attempts[last].Waited = in.Waited
		}
		return in
	case "ready":
		r.receipt(turn, Attempt{N: n, Took: time.Second})
		return Ready{Turn: turn, N: n, Cut: ws.flag("cut"), Attempts: r.attempts}
	case "gave-up":
		return r.gaveUp(turn, n, ws)
	case "stopped":
		return StoppedByClient{Turn: turn, Attempts: r.attempts}
	}
	r.wrong("no such input: %s", verb)
	return nil
}

func (r *script) scheduled(turn TurnID, n int, ws *words) Input {
	a := Attempt{N: n, Delay: r.duration(ws.next())}
	a.Cause = r.cause(ws.next())
	if asked, ok := ws.opt("asked"); ok {
		d := r.duration(asked)
		a.Hint = retrypolicy.Hint{Wait: d, Until: r.now.Add(d), Source: "Retry-After"}
	}
	r.receipt(turn, a)
	return RetryScheduled{Turn: turn, N: n, Max: 5, Delay: a.Delay, Due: r.now.Add(a.Delay), Hint: a.Hint, Attempt: a}
}

// receipt keeps what a client would know of the running attempt, not of stale news.
func (r *script) receipt(turn TurnID, a Attempt) {
	if l, ok := r.n.s.Running(); ok && l.Turn == turn && l.Attempt == a.N {
		r.attempts = append(r.attempts, a)
	}
}

func (r *script) gaveUp(turn TurnID, n int, ws *words) Input {
	in := GaveUp{Turn: turn, N: n, Max: 5, Exhausted: n == 5, Cause: r.cause(ws.next())}
	in.Cause.Code, _ = ws.opt("code")
	if status, ok := ws.opt("status"); ok {
		in.Cause.Status = r.number(status)
	}
	if until, ok := ws.opt("until"); ok {
		at, err := time.Parse("15:04", until)
		if err != nil {
			r.wrong("%v", err)
		}
		in.Until = time.Date(epoch.Year(), epoch.Month(), epoch.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)
	}
	in.Cause.Message, _ = ws.someText()
	r.receipt(turn, Attempt{N: n, Cause: in.Cause})
	in.Attempts = r.attempts
	return in
}

// cause reads a kind or a status of the usual kind.
func (r *script) cause(word string) Cause {
	status, err := strconv.Atoi(word)
	if err != nil {
		return Cause{Kind: retrypolicy.Kind(word)}
	}
	kinds := map[int]retrypolicy.Kind{
		401: retrypolicy.Auth, 429: retrypolicy.RateLimited, 402: retrypolicy.Quota, 499: retrypolicy.Cancelled,
		500: retrypolicy.Server, 503: retrypolicy.Overloaded,
	}
	if kinds[status] == "" {
		r.wrong("no kind for status %d", status)
	}
	return Cause{Kind: kinds[status], Status: status}
}

func (r *script) row(ws *words) queue.ID {
	w := ws.next()
	n, err := strconv.Atoi(w)
	if err != nil {
		return queue.ID(w)
	}
	if n < 1 || n > r.n.s.Queue.Len() {
		r.wrong("there is no row %d", n)
	}
	return r.n.s.Queue.At(n - 1).ID
}

func (r *script) turn(ws *words, shown TurnID) TurnID {
	if n, ok := ws.opt("turn"); ok {
		return TurnID(r.number(n))
	}
	return shown
}

func (r *script) attempt(ws *words) int {
	if n, ok := ws.opt("attempt"); ok {
		return r.number(n)
	}
	l, _ := r.n.s.Running()
	return l.Attempt
}

func (r *script) number(w string) int {
	n, err := strconv.Atoi(w)
	if err != nil {
		r.wrong("%v", err)
	}
	return n
}

func (r *script) duration(w string) time.Duration {
	if w == "" {
		return 0
	}
	d, err := time.ParseDuration(w)
	if err != nil {
		r.wrong("%v", err)
	}
	return d
}

// words are what is left of one input. Quoted ones keep their first quote.
type words struct{ ws []string }

// split cuts a line into inputs and words.
func (r *script) split(l string) []*words {
	all := []*words{{}}
	for l = strings.TrimSpace(l); l != ""; l = strings.TrimLeft(l, " ") {
		cur := all[len(all)-1]
		if l[0] == ';' {
			all, l = append(all, &words{}), l[1:]
			continue
		}
		at := 0
		if l[0] == '@' {
			at = 1
		}
		if q, err := strconv.QuotedPrefix(l[at:]); err == nil {
			text, _ := strconv.Unquote(q)
			l = l[at+len(q):]
			if strings.HasPrefix(l, "*") {
				n, rest, _ := strings.Cut(l[1:], " ")
				text, l = strings.Repeat(text, r.number(n)), rest
			}
			cur.ws = append(cur.ws, []string{`"`, "@"}[at]+text)
			continue
		}
		end := strings.IndexAny(l, " ;")
		if end < 0 {
			end = len(l)
		}
		cur.ws, l = append(cur.ws, l[:end]), l[end:]
	}
	return all
}

func (w *words) take(i int) string {
	s := w.ws[i]
	w.ws = append(w.ws[:i:i], w.ws[i+1:]...)
	return s
}

// next takes the next word that is neither a text nor a file, "" if there is none.
func (w *words) next() string {
	for i, s := range w.ws {
		if s[0] != '"' && s[0] != '@' {
			return w.take(i)
		}
	}
	return ""
}

// someText takes the next text.
func (w *words) someText() (string, bool) {
	for i, s := range w.ws {
		if s[0] == '"' {
			return w.take(i)[1:], true
		}
	}
	return "", false
}

func (w *words) text() string {
	s, _ := w.someText()
	return s
}

func (w *words) draft() *Draft {
	if s, ok := w.someText(); ok {
		return &Draft{Text: s, Attachments: w.files()}
	}
	return nil
}

// files takes all files.
func (w *words) files() (all []queue.Attachment) {
	for i := 0; i < len(w.ws); {
		if w.ws[i][0] == '@' {
			all = append(all, queue.Attachment{Path: w.take(i)[1:]})
			continue
		}
		i++
	}
	return all
}

// opt takes a name and the word or text behind it.
func (w *words) opt(name string) (string, bool) {
	for i, s := range w.ws {
		if s == name && i+1 < len(w.ws) {
			w.take(i)
			return strings.TrimPrefix(w.take(i), `"`), true
		}
	}
	return "", false
}

func (w *words) flag(name string) bool {
	for i, s := range w.ws {
		if s == name {
			w.take(i)
			return true
		}
	}
	return false
}

func (w *words) rest() []string { return w.ws }
