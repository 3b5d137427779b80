package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
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
	prompt, err := lastPrompt(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		refuse(w, http.StatusBadRequest, "the request cannot be read: "+err.Error(), "bad_request")
		return
	}
	id := fmt.Sprintf("sandbox-%d", s.count.Add(1))
	w.Header().Set("X-Request-Id", id)
	fault := s.next()
	if answerWithout(w, fault) {
		return
	}
	out := &stream{w: w, ctx: r.Context(), id: id}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out.flush()
	out.play(reply(prompt, s.options.Tables, s.options.Pace), fault)
}

// lastPrompt returns the text of the last message a user sent.
func lastPrompt(body io.Reader) (string, error) {
	var request struct {
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if err := json.NewDecoder(body).Decode(&request); err != nil {
		return "", err
	}
	for i := len(request.Messages) - 1; i >= 0; i-- {
		if m := request.Messages[i]; m.Role == "user" {
			return textOf(m.Content), nil
		}
	}
	return "", fmt.Errorf("no message of a user")
}

// textOf reads a content that is a text or a list of parts; of an attachment it says
// only what kind it is.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct{ Type, Text string }
	_ = json.Unmarshal(content, &parts) // anything else reads as no text
	var lines []string
	for _, p := range parts {
		if p.Type == "text" {
			lines = append(lines, p.Text)
		} else {
			lines = append(lines, "(attached: "+p.Type+")")
		}
	}
	return strings.Join(lines, "\n")
}

func refuse(w http.ResponseWriter, status int, message, code string) {
	body, err := json.Marshal(map[string]any{"error": map[string]string{"message": message, "type": "sandbox", "code": code}})
	if err != nil {
		body = nil // texts always encode
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
