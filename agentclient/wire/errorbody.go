package wire

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"sync"
)

// said is what an error's body tells, raw.
type said struct{ message, kind, code string }

// readError finds message, type and code in an error's body: {"error":{…}},
// {"error":"text"}, {"message":…}, {"detail":…}, one of these in an array, a page of
// HTML (its title), or plain text. It returns zero values for what is not there.
func readError(body []byte) said {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return said{}
	}
	if body[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(body, &list) == nil && len(list) > 0 {
			return readError(list[0])
		}
	}
	if body[0] == '{' {
		var fields map[string]json.RawMessage
		if json.Unmarshal(body, &fields) == nil {
			return readFields(fields)
		}
	}
	if body[0] == '<' {
		return said{message: titleOf(body)}
	}
	return said{message: string(body)}
}

func readFields(fields map[string]json.RawMessage) said {
	outer := said{
		message: text(fields, "message", "detail", "error_description", "title"),
		kind:    text(fields, "type"),
		code:    text(fields, "code", "status"),
	}
	if inner, ok := object(fields["error"]); ok {
		s := said{
			message: text(inner, "message", "detail", "error"),
			kind:    text(inner, "type", "status"),
			code:    text(inner, "code"),
		}
		if reason := reasonIn(inner["details"]); reason != "" && strings.Trim(s.code, "0123456789") == "" {
			s.code = reason // says more than the status once more
		}
		if s.message == "" {
			s.message = outer.message
		}
		return s
	}
	if message := text(fields, "error"); message != "" {
		if outer.message != "" {
			return said{outer.message, outer.kind, message} // {"error":"code","message":"words"}
		}
		outer.message = message
	}
	return outer
}

// reasonIn returns the reason that a list of details gives (google.rpc.ErrorInfo).
func reasonIn(raw json.RawMessage) string {
	var details []struct {
		Reason string `json:"reason"`
	}
	if json.Unmarshal(raw, &details) == nil {
		for _, d := range details {
			if d.Reason != "" {
				return d.Reason
			}
		}
	}
	return ""
}

func object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	var fields map[string]json.RawMessage
	ok := json.Unmarshal(raw, &fields) == nil && fields != nil
	return fields, ok
}

// text returns the first of the named fields that is a text, a number, or structured
// (then as compact JSON).
func text(fields map[string]json.RawMessage, names ...string) string {
	for _, name := range names {
		raw := bytes.TrimSpace(fields[name])
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		var s string
		if json.Unmarshal(raw, &s) == nil {
			if s != "" {
				return s
			}
			continue
		}
		if name != "error" || raw[0] != '{' {
			return string(raw)
		}
	}
	return ""
}

var (
	title = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?is)<(title|h1)\b[^>]*>(.*?)</`) })
	tag   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[^>]*>`) })
)

// titleOf reduces a page of HTML to its title, or else its first heading.
func titleOf(page []byte) string {
	m := title().FindSubmatch(page)
	if m == nil {
		return ""
	}
	return strings.TrimSpace(html.UnescapeString(tag().ReplaceAllString(string(m[2]), "")))
}
