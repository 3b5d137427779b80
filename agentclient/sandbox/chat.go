package sandbox

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Model is the name of the scripted model.
const Model = "scripted-1"

// maxRequest bounds a request's body, in bytes: a conversation with its attachments.
const maxRequest = 256 << 20

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"`+Model+`","object":"model"}]}`)
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	q, err := readRequest(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		refuse(w, http.StatusBadRequest, "the request cannot be read: "+err.Error(), "bad_request")
		return
	}
	id := fmt.Sprintf("sandbox-%d", s.count.Add(1))
	w.Header().Set("X-Request-Id", id)
	fault, prompt, err := s.faultOf(q)
	if err != nil {
		refuse(w, http.StatusBadRequest, "the first line of the prompt: "+err.Error(), "bad_fault")
		return
	}
	if answerWithout(r.Context(), w, fault) {
		return
	}
	out := &stream{w: w, ctx: r.Context(), id: id, fault: fault}
	out.play(reply(prompt, q.before, s.options.Tables, s.options.Pace))
}

// asked is what a request says.
type asked struct {
	files []string // a word on each attachment of the last message
	text  string   // its text
	sum   [sha256.Size]byte

	before []string // the texts of the messages that a user sent before, the oldest first
}

// readRequest returns the last message a user sent, and the sum of the whole body.
func readRequest(body io.Reader) (asked, error) {
	var request struct {
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	sum := sha256.New()
	whole := io.TeeReader(body, sum)
	if err := json.NewDecoder(whole).Decode(&request); err != nil {
		return asked{}, err
	}
	if _, err := io.Copy(io.Discard, whole); err != nil { // what the decoder left
		return asked{}, err
	}
	q := asked{sum: [sha256.Size]byte(sum.Sum(nil))}
	found := false
	for _, m := range request.Messages {
		if m.Role != "user" {
			continue
		}
		if found {
			q.before = append(q.before, q.text)
		}
		q.files, q.text = textOf(m.Content)
		found = true
	}
	if !found {
		return asked{}, errors.New("no message of a user")
	}
	return q, nil
}

// textOf reads a content that is a text, or a list of parts whose last is the text; of
// what else there is it says only the kind.
func textOf(content json.RawMessage) (files []string, text string) {
	if json.Unmarshal(content, &text) == nil {
		return nil, text
	}
	var parts []struct{ Type, Text string }
	_ = json.Unmarshal(content, &parts) // anything else reads as no text
	for i, p := range parts {
		switch {
		case p.Type != "text":
			files = append(files, "(attached: "+p.Type+")")
		case i == len(parts)-1:
			text = p.Text
		default:
			files = append(files, p.Text)
		}
	}
	return files, text
}
