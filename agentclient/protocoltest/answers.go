package protocoltest

import (
	"net"
	"slices"
	"strings"
	"testing"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

func success(t *testing.T, p Protocol) {
	parts := []string{p.Stream.Alive, p.Stream.Text("Hel"), p.Stream.Alive, p.Stream.Text("lo")}
	thought := ""
	if p.Stream.Reasoning != nil {
		thought = "hmm"
		parts = slices.Insert(parts, 1, p.Stream.Reasoning("h"), p.Stream.Reasoning("mm"))
	}
	h, finish, err := p.stream(t, p.whole(Done, parts...))
	if err != nil || h.text != "Hello" || h.reasoning != thought {
		t.Fatalf("got text %q, reasoning %q, %v", h.text, h.reasoning, err)
	}
	want := agentclient.Finish{Reason: p.Stream.Reasons[Done], Usage: used, RequestID: requestID}
	if finish != want {
		t.Errorf("finish %+v, want %+v", finish, want)
	}
	if len(h.phases) != 2 || h.phases[0] != agentclient.Waiting || h.phases[1] != agentclient.Streaming {
		t.Errorf("phases %q, want waiting and streaming", h.phases)
	}
	if h.alive == 0 && p.Stream.Alive != "" {
		t.Error("87: a keep-alive is no sign of life")
	}
	if len(h.tools) != 0 {
		t.Errorf("tools %+v", h.tools)
	}
}

// splits writes one answer in pieces of many sizes and with every line end.
func splits(t *testing.T, p Protocol) {
	text := "a 世界 👩‍👩‍👧 é \"q\" \\ end"
	half := len(text) / 2 // inside a character
	body := p.whole(Done, p.Stream.Alive, p.Stream.Text(strings.ToValidUTF8(text[:half], "")), p.Stream.Text(strings.ToValidUTF8(text[half:], "")))
	want := strings.ToValidUTF8(text[:half], "") + strings.ToValidUTF8(text[half:], "")
	bodies := map[string]string{"LF": body, "CRLF": strings.ReplaceAll(body, "\n", "\r\n")}
	if !p.Stream.Lines {
		bodies["CR"] = strings.ReplaceAll(body, "\n", "\r")
		bodies["BOM"] = "\xEF\xBB\xBF" + body
		bodies["no_space"] = strings.ReplaceAll(body, "data: ", "data:")
		bodies["fields"] = "retry: 10\nid: 7\n" + body
	}
	for name, body := range bodies {
		t.Run("83_"+name, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 7, 100, len(body)} {
				h, _, err := p.send(t, Settings{}, func(c *net.TCPConn) {
					wiretest.Write(c, p.head())
					for piece := range slices.Chunk([]byte(body), size) {
						wiretest.Write(c, string(piece))
					}
				})
				if err != nil || h.text != want {
					t.Errorf("in pieces of %d: got %q, %v; want %q", size, h.text, err, want)
				}
			}
		})
	}
}

// cuts ends the body before the answer's end. Whatever is missing, it is no success.
func cuts(t *testing.T, p Protocol) {
	begin, end := p.Stream.Begin(used), p.Stream.End(Done, used)
	bodies := map[string]string{
		"76_after_text":    begin + p.Stream.Text("Hel"),
		"76_in_an_event":   begin + p.Stream.Text("Hel") + p.Stream.Text("lo")[:10],
		"76_in_the_end":    begin + p.Stream.Text("Hello") + end[:10],
		"77_after_a_tool":  begin + p.Stream.Tool("c1", "ls"),
		"76_in_first_text": begin + p.Stream.Text("Hel")[:10],
	}
	if begin != "" {
		bodies["76_after_its_beginning"] = begin
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			_, _, err := p.stream(t, body)
			if f := failed(t, err, retrypolicy.Truncated); f.RequestID != requestID {
				t.Errorf("request id %q", f.RequestID)
			}
		})
	}
	t.Run("91_in_a_chunk", func(t *testing.T) {
		_, _, err := p.send(t, Settings{}, func(c *net.TCPConn) {
			wiretest.Write(c, p.headWith("Transfer-Encoding: chunked\r\n")+"fff\r\n"+begin+p.Stream.Text("Hel"))
		})
		failed(t, err, retrypolicy.Network)
	})
}

// errorEvents reports errors inside a 200, before and after text.
func errorEvents(t *testing.T, p Protocol) {
	for _, kind := range []retrypolicy.Kind{retrypolicy.Overloaded, retrypolicy.RateLimited, retrypolicy.Server} {
		for name, before := range map[string]string{"first": "", "after_text": p.Stream.Begin(used) + p.Stream.Text("Hel")} {
			t.Run("73_"+string(kind)+"_"+name, func(t *testing.T) {
				_, _, err := p.stream(t, before+p.Stream.Error(kind, "no luck today")+p.Stream.End(Done, used))
				if f := failed(t, err, kind); !strings.Contains(f.Message, "no luck today") || f.RequestID != requestID {
					t.Errorf("message %q, request id %q", f.Message, f.RequestID)
				}
			})
		}
	}
}

// bareErrors stand in an event stream as JSON without a field. Behind a finish reason
// they take the answer back.
func bareErrors(t *testing.T, p Protocol) {
	if p.Stream.Lines {
		return // there an error has no other form
	}
	body, _, _ := p.Errors.Body(503, "no luck today")
	text := p.Stream.Begin(used) + p.Stream.Text("Hel")
	for name, stream := range map[string]string{
		"after_text":  text + body + "\n",
		"no_line_end": text + body,
		"indented":    text + strings.ReplaceAll(body, "{", "{\n  ") + "\n\n",
	} {
		t.Run("73_"+name, func(t *testing.T) {
			_, _, err := p.stream(t, stream)
			if f := failed(t, err, retrypolicy.Overloaded); f.Message != "no luck today" {
				t.Errorf("message %q", f.Message)
			}
		})
	}
}

// empty ends well and shows nothing; that is never a success.
func empty(t *testing.T, p Protocol) {
	for name, body := range map[string]string{
		"80_nothing":     p.whole(Done),
		"80_empty_text":  p.whole(Done, p.Stream.Text("")),
		"80_white_space": p.whole(Done, p.Stream.Text(" \n\t\u00a0\u200b")),
		"80_keep_alives": p.whole(Done, p.Stream.Alive),
		"80_zero_bytes":  "",
		"80_line_ends":   "\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := p.stream(t, body)
			failed(t, err, retrypolicy.Empty)
		})
	}
	t.Run("80_reasoning_only", func(t *testing.T) {
		if p.Stream.Reasoning == nil {
			return // there is no such answer
		}
		h, _, err := p.stream(t, p.whole(Done, p.Stream.Reasoning("hmm")))
		failed(t, err, retrypolicy.Empty)
		if h.reasoning != "hmm" {
			t.Errorf("reasoning %q", h.reasoning)
		}
	})
	t.Run("W1_204", func(t *testing.T) {
		_, _, err := p.send(t, Settings{}, func(c *net.TCPConn) { wiretest.Write(c, "HTTP/1.1 204 No Content\r\n\r\n") })
		failed(t, err, retrypolicy.Empty)
	})
}

// endings are the finish reasons other than an ordinary one.
func endings(t *testing.T, p Protocol) {
	t.Run("78_length_with_text", func(t *testing.T) {
		h, finish, err := p.stream(t, p.whole(Length, p.Stream.Text("Hello")))
		if err != nil || h.text != "Hello" || !finish.Cut || finish.Reason != p.Stream.Reasons[Length] || finish.Usage != used {
			t.Errorf("got %q, %+v, %v", h.text, finish, err)
		}
	})
	t.Run("78_length_without_text", func(t *testing.T) {
		_, _, err := p.stream(t, p.whole(Length))
		failed(t, err, retrypolicy.Length)
	})
	t.Run("78_length_in_the_reasoning", func(t *testing.T) {
		if p.Stream.Reasoning == nil {
			return // there is no such answer
		}
		_, _, err := p.stream(t, p.whole(Length, p.Stream.Reasoning("hmm")))
		failed(t, err, retrypolicy.Length)
	})
	for name, parts := range map[string][]string{"68_refused": nil, "68_refused_after_text": {p.Stream.Text("Hel")}} {
		t.Run(name, func(t *testing.T) {
			_, _, err := p.stream(t, p.whole(Refused, parts...))
			failed(t, err, retrypolicy.Refused)
		})
	}
}

// tools are told as parts, and fail since none is configured.
func tools(t *testing.T, p Protocol) {
	for name, parts := range map[string][]string{"alone": nil, "after_text": {p.Stream.Text("Hel")}} {
		t.Run("C11_"+name, func(t *testing.T) {
			h, _, err := p.stream(t, p.whole(Asked, append(parts, p.Stream.Tool("c1", "ls"))...))
			if f := failed(t, err, retrypolicy.Invalid); f.Condition != retrypolicy.CondToolAsked {
				t.Errorf("condition %q", f.Condition)
			}
			if len(h.tools) == 0 || h.tools[0].Name != "ls" || h.tools[0].ID == "" || h.tools[0].Status == "" {
				t.Errorf("tools %+v", h.tools)
			}
			if len(h.phases) == 0 || h.phases[len(h.phases)-1] != agentclient.Tool {
				t.Errorf("phases %q, want the last to be tool", h.phases)
			}
		})
	}
}
