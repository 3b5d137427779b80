package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"baton/agentclient"
	"baton/retrypolicy"
)

// Encode returns v as JSON whose texts are not escaped for HTML; equal values give equal
// bytes.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Unbuilt is the failure of a request that could not be built.
func Unbuilt(err error) *retrypolicy.Failure {
	return &retrypolicy.Failure{Condition: retrypolicy.CondRefusedLocal, Message: err.Error(), Err: err}
}

// Present reports whether a field holds anything: not null, false, "" or {}.
func Present(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", "false", `""`, "{}":
		return false
	}
	return true
}

// Tokens makes counts out of numbers as servers send them: whole or not, within range
// or not.
func Tokens(input, output float64) agentclient.Usage {
	count := func(n float64) int64 { return int64(min(max(n, 0), 1<<53)) }
	return agentclient.Usage{Input: count(input), Output: count(output)}
}
