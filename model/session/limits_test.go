package session

import (
	"strings"
	"testing"

	"baton/queue"
)

func refusal(s State, in Input) Refusal {
	evs, _ := Decide(s, in)
	for _, e := range evs {
		if r, ok := e.(Refused); ok {
			return r.Why
		}
	}
	return ""
}

func TestLimitOfRows(t *testing.T) {
	s := with(New(Settings{}), Opened{Session: "s"}, Submit{Draft{Text: "P"}})
	for n := range queue.MaxRows {
		if why := refusal(s, Submit{Draft{Text: "x"}}); why != "" {
			t.Fatalf("row %d was refused: %s", n+1, why)
		}
		s = fold(s, Submit{Draft{Text: "x"}})
	}
	if s.Queue.Len() != queue.MaxRows {
		t.Fatal(s.Queue.Len())
	}
	for name, in := range map[string]Input{
		"text": Submit{Draft{Text: "x"}}, "blank": Submit{Draft{Text: " "}}, "long": Submit{Draft{Text: strings.Repeat("x", queue.MaxBytes+1)}},
		"command": Submit{Draft{Text: "/x", Command: true}}, "file": Submit{withFile("x")},
	} {
		if why := refusal(s, in); why != RefusedFull {
			t.Errorf("%s at a full queue: %q", name, why)
		}
		if got := fold(s, in); key(got) != key(s) {
			t.Errorf("%s changed a full queue", name)
		}
	}
	correction := fold(s, Stop{1})
	if why := refusal(correction, Submit{Draft{Text: "x"}}); why != RefusedFull {
		t.Errorf("a correction at a full queue: %q", why)
	}
}

// TestLimitOfContinue: it needs a row in the queue and room for itself.
func TestLimitOfContinue(t *testing.T) {
	for rows, want := range map[int]int{0: 0, 1: 2, queue.MaxRows - 1: queue.MaxRows, queue.MaxRows: queue.MaxRows} {
		s := with(New(Settings{}), Opened{Session: "s"}, Submit{Draft{Text: "P"}})
		for range rows {
			s = fold(s, Submit{Draft{Text: "x"}})
		}
		s = fold(s, GaveUp{Turn: 1})
		if s.Queue.Len() != want {
			t.Errorf("%d rows became %d, want %d", rows, s.Queue.Len(), want)
		}
		if head, ok := s.Queue.Head(); ok && (head.Generated == 1) != (want > rows) {
			t.Errorf("with %d rows the head is %q", rows, head.Text)
		}
	}
}

func TestLimitOfBytes(t *testing.T) {
	idle := with(New(Settings{}), Opened{Session: "s"})
	busy := with(idle, Submit{Draft{Text: "P"}}, Submit{Draft{Text: "A"}})
	editing := with(busy, BeginEdit{"s.2"})
	for bytes, want := range map[int]Refusal{queue.MaxBytes - 1: "", queue.MaxBytes: "", queue.MaxBytes + 1: RefusedLong} {
		d := Draft{Text: strings.Repeat("ü", bytes/2) + strings.Repeat("x", bytes%2)}
		for name, c := range map[string]struct {
			s  State
			in Input
		}{
			"busy": {busy, Submit{d}}, "file": {idle, Submit{Draft{Text: d.Text, Attachments: withFile("").Attachments}}},
			"save": {editing, EndEdit{Row: "s.2", Save: true, Draft: d}},
		} {
			if got := refusal(c.s, c.in); got != want {
				t.Errorf("%s with %d bytes: %q, want %q", name, bytes, got, want)
			}
		}
		if got := fold(editing, EndEdit{Row: "s.2", Save: true, Draft: d}); (got.Editing != "") != (want != "") {
			t.Errorf("%d bytes: a refused save leaves the editor open, another closes it", bytes)
		}
	}
}

// TestLimitOfPrompt: what is sent at once is no row and may be longer.
func TestLimitOfPrompt(t *testing.T) {
	idle := with(New(Settings{}), Opened{Session: "s"})
	text := strings.Repeat("x", MaxPrompt+1)
	for bytes, want := range map[int]Refusal{queue.MaxBytes + 1: "", MaxPrompt - 1: "", MaxPrompt: "", MaxPrompt + 1: RefusedLong} {
		if got := refusal(idle, Submit{Draft{Text: text[:bytes]}}); got != want {
			t.Errorf("%d bytes: %q, want %q", bytes, got, want)
		}
	}
}

// TestLineEndsCount: the limit is on what is kept, after CRLF became LF.
func TestLineEndsCount(t *testing.T) {
	s := with(New(Settings{}), Opened{Session: "s"})
	if why := refusal(s, Submit{Draft{Text: strings.Repeat("\r\n", queue.MaxBytes)}}); why != RefusedBlank {
		t.Error(why)
	}
	if why := refusal(s, Submit{Draft{Text: "x" + strings.Repeat("\r\n", queue.MaxBytes-1)}}); why != "" {
		t.Error(why)
	}
}
