package gemini

import (
	"encoding/json"

	"baton/agentclient"
	"baton/agentclient/wire"
)

// chunk is one event of a stream, or a whole answer.
type chunk struct {
	Candidates []candidate     `json:"candidates"`
	Feedback   *feedback       `json:"promptFeedback"`
	Usage      *usage          `json:"usageMetadata"`
	ResponseID string          `json:"responseId"`
	Error      json.RawMessage `json:"error"`
}

type candidate struct {
	Index   int    `json:"index"`
	Content reply  `json:"content"`
	Finish  string `json:"finishReason"`
	Message string `json:"finishMessage"` // the server's words about the finish reason
}

type reply struct {
	Parts []piece `json:"parts"`
}

// piece is a part of an answer.
type piece struct {
	Text    string        `json:"text"`
	Thought bool          `json:"thought"` // text is a summary of thinking
	Call    *functionCall `json:"functionCall"`
	Code    *struct{}     `json:"executableCode"` // run by the server itself
}

type functionCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// feedback says why there is no answer to a prompt.
type feedback struct {
	Reason  string `json:"blockReason"`
	Message string `json:"blockReasonMessage"`
}

type usage struct {
	Prompt     float64 `json:"promptTokenCount"` // what a cache gave is part of it
	ToolPrompt float64 `json:"toolUsePromptTokenCount"`
	Candidates float64 `json:"candidatesTokenCount"`
	Thoughts   float64 `json:"thoughtsTokenCount"`
}

// counts adds up what is paid for as input and as output.
func (u *usage) counts() agentclient.Usage {
	return wire.Tokens(u.Prompt+u.ToolPrompt, u.Candidates+u.Thoughts)
}
