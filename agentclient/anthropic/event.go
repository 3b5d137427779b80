package anthropic

import (
	"encoding/json"

	"baton/agentclient"
	"baton/agentclient/wire"
)

// event is one event of a stream. A whole answer has the fields of a reply at its top
// instead.
type event struct {
	Type    string          `json:"type"`
	Index   int             `json:"index"`
	Message json.RawMessage `json:"message"`       // of message_start a reply, of some errors a text
	Block   *part           `json:"content_block"` // of content_block_start
	Delta   *part           `json:"delta"`         // of content_block_delta, or of message_delta
	Usage   *usage          `json:"usage"`         // of message_delta
	Error   json.RawMessage `json:"error"`
}

// reply is a message of the model: empty at the start of a stream, or a whole answer.
type reply struct {
	Content     []part       `json:"content"`
	StopReason  string       `json:"stop_reason"`
	StopDetails *stopDetails `json:"stop_details"`
	Usage       *usage       `json:"usage"`
}

// part is a content block, a delta of one, or the delta of the message itself.
type part struct {
	Type        string       `json:"type"`
	Text        string       `json:"text"`
	Thinking    string       `json:"thinking"`
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	StopReason  string       `json:"stop_reason"`
	StopDetails *stopDetails `json:"stop_details"`
}

type stopDetails struct {
	Explanation string `json:"explanation"`
}

// usage are counts of tokens. Those of a later event replace earlier ones; what an event
// does not name stays.
type usage struct {
	Input      *float64 `json:"input_tokens"`
	CacheWrite *float64 `json:"cache_creation_input_tokens"`
	CacheRead  *float64 `json:"cache_read_input_tokens"`
	Output     *float64 `json:"output_tokens"`
}

func (u *usage) update(later *usage) {
	if later == nil {
		return
	}
	for _, count := range []struct{ to, from **float64 }{
		{&u.Input, &later.Input}, {&u.CacheWrite, &later.CacheWrite}, {&u.CacheRead, &later.CacheRead}, {&u.Output, &later.Output},
	} {
		if *count.from != nil {
			*count.to = *count.from
		}
	}
}

// counts adds up what went in: the server counts apart what its cache took or gave.
func (u *usage) counts() agentclient.Usage {
	value := func(n *float64) float64 {
		if n == nil {
			return 0
		}
		return *n
	}
	return wire.Tokens(value(u.Input)+value(u.CacheWrite)+value(u.CacheRead), value(u.Output))
}
