package retrypolicy

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// bodyDepth is how many objects and lists deep a body is searched.
const bodyDepth = 8

// visit calls see with every object of a JSON error body that may speak for the error:
// the body itself and what hangs under error, errors, details or RetryInfo. Prose and
// echoes of the request are not searched.
func visit(body []byte, see func(map[string]any)) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber() // a number is read wide, and only when it is wanted
	var root any
	if decoder.Decode(&root) == nil {
		descend(root, bodyDepth, see)
	}
}

func descend(v any, depth int, see func(map[string]any)) {
	if depth == 0 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			descend(item, depth-1, see)
		}
	case map[string]any:
		see(v)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch plain(key) {
			case "error", "errors", "details", "retryinfo", "violations":
				descend(v[key], depth-1, see)
			}
		}
	}
}

// plain makes snake_case and camelCase spellings of a key equal.
func plain(key string) string { return strings.ToLower(strings.ReplaceAll(key, "_", "")) }

func readBody(body []byte, clock time.Time, best *longest) {
	visit(body, func(object map[string]any) {
		for _, key := range slices.Sorted(maps.Keys(object)) {
			value := object[key]
			switch plain(key) {
			case "retrydelay":
				best.offer(protoSpan(value), "retryDelay")
			case "resetsat":
				best.offer(spanOrTime(text(value), clock), "resets_at")
			case "resetsinseconds":
				best.offer(span(text(value)), "resets_in_seconds")
			}
		}
	})
}

// protoSpan reads a protobuf Duration in any of its JSON dresses: "37s", 37, or
// {"seconds": 37, "nanos": 5}.
func protoSpan(v any) time.Duration {
	parts, ok := v.(map[string]any)
	if !ok {
		return span(text(v))
	}
	seconds, _ := number(text(parts["seconds"]))
	nanos, _ := number(text(parts["nanos"]))
	return saturated(seconds + nanos*1e-9)
}

// text returns a JSON string or number as it was written.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// QuotaIDs returns the ids of the quotas that an error body names as used up (Google's
// error.details[].violations[].quotaId), joined by commas, or "".
func QuotaIDs(body []byte) string {
	var ids []string
	visit(body, func(object map[string]any) {
		for _, key := range slices.Sorted(maps.Keys(object)) {
			if id := text(object[key]); id != "" && plain(key) == "quotaid" {
				ids = append(ids, id)
			}
		}
	})
	return strings.Join(ids, ",")
}
