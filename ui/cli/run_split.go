package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The ways in which a file is split into prompts.
const (
	splitAuto  = "auto"  // jsonl if it begins so or is called so, else rule if it has one, else blank
	splitNone  = "none"  // one prompt
	splitBlank = "blank" // at blank lines
	splitRule  = "rule"  // at lines that are ---
	splitJSONL = "jsonl" // a JSON object a line
)

var splits = []string{splitAuto, splitNone, splitBlank, splitRule, splitJSONL}

func splitNames() string {
	return strings.Join(splits[:len(splits)-1], ", ") + " or " + splits[len(splits)-1]
}

// prompt is one as it was read, before it is checked.
type prompt struct {
	text  string
	files []string
	from  string // where it stands, for complaints
}

// splitPrompts reads the prompts of a text that came from a file of that name. Lines
// within a fenced block of code (CommonMark 0.31 §4.5) never separate.
func splitPrompts(name, text, how string) ([]prompt, error) {
	if how == splitAuto {
		how = splitOf(name, text)
	}
	switch how {
	case splitJSONL:
		return jsonPrompts(name, text)
	case splitNone:
		return texts(name, []string{text}), nil
	}
	separates := blankLine
	if how == splitRule {
		separates = ruleLine
	}
	var parts []string
	begin := 0
	unfenced(text, func(line string, at int) bool {
		if separates(line) {
			parts = append(parts, text[begin:at])
			begin = at + len(line)
		}
		return true
	})
	return texts(name, append(parts, text[begin:])), nil
}

// splitOf chooses for auto.
func splitOf(name, text string) string {
	lower := strings.ToLower(name)
	first, _, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
	var object struct{ Prompt *json.RawMessage }
	if strings.HasSuffix(lower, ".jsonl") || strings.HasSuffix(lower, ".ndjson") ||
		strings.HasPrefix(first, "{") && json.Unmarshal([]byte(first), &object) == nil && object.Prompt != nil {
		return splitJSONL
	}
	how := splitBlank
	unfenced(text, func(line string, _ int) bool {
		if ruleLine(line) {
			how = splitRule
		}
		return how == splitBlank
	})
	return how
}

// unfenced calls see with each line that is not within a fenced block, and where it
// begins, until see returns false.
func unfenced(text string, see func(line string, at int) bool) {
	fence, at := "", 0
	for line := range strings.Lines(text) {
		mark, info := fenceOf(line)
		switch {
		case fence == "" && mark == "":
			if !see(line, at) {
				return
			}
		case fence == "":
			fence = mark
		case mark != "" && mark[0] == fence[0] && len(mark) >= len(fence) && info == "":
			fence = ""
		}
		at += len(line)
	}
}

// fenceOf returns the backticks or tildes that a line begins or ends a fenced block
// with, "" if it does not, and what stands behind them.
func fenceOf(line string) (mark, info string) {
	bare := strings.TrimLeft(line, " ")
	if len(line)-len(bare) > 3 || bare == "" || bare[0] != '`' && bare[0] != '~' {
		return "", ""
	}
	info = strings.TrimLeft(bare, bare[:1])
	mark = bare[:len(bare)-len(info)]
	info = strings.TrimSpace(info)
	if len(mark) < 3 || mark[0] == '`' && strings.Contains(info, "`") {
		return "", ""
	}
	return mark, info
}

func blankLine(line string) bool { return strings.TrimSpace(line) == "" }
func ruleLine(line string) bool  { return strings.TrimRight(line, " \t\r\n") == "---" }

// texts are the parts that hold something, without the blank lines around them.
func texts(name string, parts []string) []prompt {
	var as []prompt
	for _, part := range parts {
		for first, rest, more := strings.Cut(part, "\n"); more && blankLine(first); first, rest, more = strings.Cut(part, "\n") {
			part = rest
		}
		part = strings.TrimRight(part, " \t\r\n")
		if part != "" {
			as = append(as, prompt{text: part, from: fmt.Sprintf("prompt %d of %s", len(as)+1, name)})
		}
	}
	return as
}

// jsonPrompts reads one object a line, strictly: a misspelt key would lose a file.
func jsonPrompts(name, text string) ([]prompt, error) {
	var as []prompt
	n := 0
	for line := range strings.Lines(text) {
		n++
		if blankLine(line) {
			continue
		}
		q, err := jsonPrompt(line)
		if err != nil {
			return nil, usage(`a line reads {"prompt": "...", "attachments": ["file", ...]}`, "line %d of %s: %s", n, name, jsonTrouble(err))
		}
		q.from = fmt.Sprintf("line %d of %s", n, name)
		as = append(as, q)
	}
	return as, nil
}

// jsonPrompt reads one object.
func jsonPrompt(line string) (prompt, error) {
	var object struct {
		Prompt      *string  `json:"prompt"`
		Attachments []string `json:"attachments"`
	}
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&object); err != nil {
		return prompt{}, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return prompt{}, errors.New("there is more behind the object")
	}
	if object.Prompt == nil {
		return prompt{}, errors.New(`"prompt" is missing`)
	}
	return prompt{text: *object.Prompt, files: object.Attachments}, keysOnce(line)
}

// keysOnce refuses an object, which was read before, where a key comes twice: one of the
// two prompts would be lost.
func keysOnce(line string) error {
	d := json.NewDecoder(strings.NewReader(line))
	_, err := d.Token()
	read := map[string]bool{}
	for err == nil && d.More() {
		var key json.Token
		if key, err = d.Token(); err != nil {
			break
		}
		name := strings.ToLower(fmt.Sprint(key)) // as a key is matched
		if read[name] {
			return fmt.Errorf("%q comes twice", name)
		}
		read[name] = true
		var value json.RawMessage
		err = d.Decode(&value)
	}
	return err
}

// jsonTrouble says in a person's words what is wrong with a line.
func jsonTrouble(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return "it is no JSON object"
	case errors.As(err, &kind):
		return fmt.Sprintf("%q cannot be a %s", kind.Field, kind.Value)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the JSON object has no end"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
