package wire

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// answered returns an open answer and what a relay of it hands on.
func answered(t *testing.T) (*Relay, *[]agentclient.Piece) {
	t.Helper()
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Write(c, wiretest.Head+"data: a\n\n") })
	answer, err := client(t, Options{BaseURL: server.URL()}).Do(t.Context(), post, func(agentclient.Piece) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(answer.Close)
	var pieces []agentclient.Piece
	return answer.Relay(func(p agentclient.Piece) { pieces = append(pieces, p) }), &pieces
}

func TestRelayTellsAPhaseOnce(t *testing.T) {
	r, pieces := answered(t)
	for _, text := range []string{"a", "", "b"} {
		if err := r.Say(text, ""); err != nil {
			t.Fatal(err)
		}
	}
	r.Tool(agentclient.ToolPart{ID: "1"})
	r.Alive()
	r.Tool(agentclient.ToolPart{ID: "1", Status: "completed"})
	if err := r.Say("", "c"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range *pieces {
		switch {
		case p.Phase != "":
			got = append(got, "phase "+string(p.Phase))
		case p.Tool != nil:
			got = append(got, "tool "+p.Tool.ID+p.Tool.Status)
		case p.Alive:
			got = append(got, "alive")
		default:
			got = append(got, "text "+p.Text+p.Reasoning)
		}
	}
	want := []string{"phase streaming", "text a", "text b", "phase tool", "tool 1", "alive", "tool 1completed", "phase streaming", "text c"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !r.Tooled() {
		t.Error("the tool was not noticed")
	}
}

func TestRelayKnowsWhatIsVisible(t *testing.T) {
	for text, want := range map[string]bool{"a": true, "世": true, " \n\t\u00a0": false, "\u200b\u2060\ufeff": false, "\x00\x1b": false} {
		r, _ := answered(t)
		_ = r.Say(text, "thought")
		if r.Visible() != want {
			t.Errorf("%q: visible %v, want %v", text, r.Visible(), want)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name      string
		text      string
		end       End
		condition retrypolicy.Condition // none: it succeeds
	}{
		{"text", "a", End{Reason: "stop"}, ""},
		{"80_nothing", " ", End{Reason: "stop"}, retrypolicy.CondEmpty},
		{"78_cut", "a", End{Reason: "length", Cut: true}, ""},
		{"78_cut_without_text", "", End{Reason: "length", Cut: true}, retrypolicy.CondLength},
		{"68_filtered", "a", End{Filtered: true}, retrypolicy.CondRefused},
		{"68_filtered_without_text", "", End{Filtered: true}, retrypolicy.CondRefused},
		{"68_refused", "", End{Refusal: "no"}, retrypolicy.CondRefused},
		{"refusal_behind_text", "a", End{Refusal: "no"}, ""},
		{"asked", "", End{Asked: true}, retrypolicy.CondToolAsked},
		{"78_cut_while_asking", "a", End{Reason: "length", Cut: true, Asked: true}, ""},
		{"asked_behind_text", "a", End{Asked: true}, retrypolicy.CondToolAsked},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _ := answered(t)
			if err := r.Say(c.text, ""); err != nil {
				t.Fatal(err)
			}
			c.end.Usage = agentclient.Usage{Input: 3, Output: 4}
			finish, err := r.Finish(c.end)
			var f *retrypolicy.Failure
			switch {
			case c.condition != "":
				if !errors.As(err, &f) || f.Condition != c.condition || f.RequestID != "req-1" || finish != (agentclient.Finish{}) {
					t.Errorf("got %+v, %v, want condition %q", finish, err, c.condition)
				}
			case err != nil || finish != (agentclient.Finish{Reason: c.end.Reason, Cut: c.end.Cut, Usage: c.end.Usage, RequestID: "req-1"}):
				t.Errorf("got %+v, %v", finish, err)
			}
		})
	}
}

func TestAnswerLimit(t *testing.T) {
	r, pieces := answered(t)
	if err := r.Count(MaxAnswer - 2); err != nil {
		t.Fatal(err)
	}
	if err := r.Say("a", "b"); err != nil {
		t.Errorf("W2_limit: %v", err)
	}
	heard := len(*pieces)
	var f *retrypolicy.Failure
	if err := r.Say("c", ""); !errors.As(err, &f) || f.Condition != retrypolicy.CondMalformed || !f.NoRetry || !strings.Contains(f.Message, "64 MB") {
		t.Errorf("W2_limit+1: %v", err)
	}
	if len(*pieces) != heard {
		t.Error("what is over the limit was handed on")
	}
}

func TestEnclose(t *testing.T) {
	for _, c := range []struct {
		name string
		a    agentclient.Attachment
		want Enclosure
		err  string
	}{
		{"image", agentclient.Attachment{Name: "a b.png", Media: "Image/PNG; x=y", Data: []byte{1, 2}}, Enclosure{Form: Image, Name: "a b.png", Media: "image/png", Base64: "AQI="}, ""},
		{"drawing_is_text", agentclient.Attachment{Name: "a.svg", Media: "image/svg+xml", Data: []byte("<svg/>")}, Enclosure{Form: Text, Name: "a.svg", Media: "image/svg+xml", Text: "File a.svg:\n<svg/>"}, ""},
		{"pdf", agentclient.Attachment{Name: "d.pdf", Media: "application/pdf", Data: []byte("%PDF")}, Enclosure{Form: PDF, Name: "d.pdf", Media: "application/pdf", Base64: "JVBERg=="}, ""},
		{"text", agentclient.Attachment{Name: "n.md", Data: []byte("hi 世")}, Enclosure{Form: Text, Name: "n.md", Text: "File n.md:\nhi 世"}, ""},
		{"archive", agentclient.Attachment{Name: "x.zip", Media: "application/zip", Data: []byte("PK\x00")}, Enclosure{}, "x.zip cannot be sent: application/zip is neither text, image nor PDF"},
		{"no_utf8", agentclient.Attachment{Name: "x", Data: []byte{0xff}}, Enclosure{}, "x cannot be sent: its type is neither"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Enclose(c.a)
			switch {
			case c.err != "":
				if err == nil || !strings.HasPrefix(err.Error(), c.err) {
					t.Errorf("error %v, want %q", err, c.err)
				}
			case err != nil || got != c.want:
				t.Errorf("got %+v, %v", got, err)
			}
			// A protocol tells beforehand what its requests would refuse.
			pdf := map[bool]string{true: "d.pdf cannot be sent: application/pdf is neither text nor image", false: fmt.Sprint(err)}[c.want.Form == PDF]
			if all, some := fmt.Sprint(AllForms{}.Takes(c.a)), fmt.Sprint(NoPDF{}.Takes(c.a)); all != fmt.Sprint(err) || some != pdf {
				t.Errorf("told beforehand: %s, without PDF %s", all, some)
			}
		})
	}
	if url := (Enclosure{Media: "image/png", Base64: "AQI="}).DataURL(); url != "data:image/png;base64,AQI=" {
		t.Errorf("data URL %q", url)
	}
}
