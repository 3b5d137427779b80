package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/model/engine"
)

// How a text is split into prompts, by each way and by the one that is chosen for it.
func TestSplitPrompts(t *testing.T) {
	for name, c := range map[string]struct {
		file, how, text string
		want            []string
	}{
		"blank lines":              {"f", splitAuto, "one\n\ntwo\nlines\n \t\n\n\nthree", []string{"one", "two\nlines", "three"}},
		"CRLF":                     {"f", splitAuto, "one\r\n\r\ntwo\r\n", []string{"one", "two"}},
		"rules":                    {"f", splitAuto, "one\n\nstill\n---\ntwo\n---  \r\n---\nthree\n", []string{"one\n\nstill", "two", "three"}},
		"no rule":                  {"f", splitAuto, "one\n ---\n----\n\ntwo", []string{"one\n ---\n----", "two"}},
		"one line":                 {"f", splitAuto, "one\n", []string{"one"}},
		"nothing":                  {"f", splitAuto, " \n\n\t\n---\n", nil},
		"indented":                 {"f", splitAuto, "\n\n  one\n", []string{"  one"}},
		"a fence":                  {"f", splitAuto, "see\n```go\na\n\n---\n\nb\n```\n\ntwo", []string{"see\n```go\na\n\n---\n\nb\n```", "two"}},
		"a longer fence":           {"f", splitAuto, "~~~~\na\n\n~~~\n\n```\n\n~~~~\n\ntwo", []string{"~~~~\na\n\n~~~\n\n```\n\n~~~~", "two"}},
		"a fence ends bare":        {"f", splitAuto, "```\na\n\n``` b\n\n```\n\ntwo", []string{"```\na\n\n``` b\n\n```", "two"}},
		"no fence":                 {"f", splitAuto, "```a```\n\n    ```\n\ntwo", []string{"```a```", "    ```", "two"}},
		"an open fence":            {"f", splitAuto, "one\n\n```\na\n\nb", []string{"one", "```\na\n\nb"}},
		"none":                     {"f", splitNone, "\none\n\n---\ntwo\n\n", []string{"one\n\n---\ntwo"}},
		"blank in spite of a rule": {"f", splitBlank, "one\n---\ntwo\n\nthree", []string{"one\n---\ntwo", "three"}},
		"rule without one":         {"f", splitRule, "one\n\ntwo", []string{"one\n\ntwo"}},
		"jsonl by its look":        {"f", splitAuto, "\n{\"prompt\": \"a\\n\\nb\"}\n\n{\"prompt\":\"two\"}\n", []string{"a\n\nb", "two"}},
		"jsonl by its name":        {"f.JSONL", splitAuto, `{"prompt":"one"}`, []string{"one"}},
		"other JSON":               {"f", splitAuto, "{\"level\":\"info\"}\n\n{\n}", []string{`{"level":"info"}`, "{\n}"}},
	} {
		t.Run(name, func(t *testing.T) {
			as, err := splitPrompts(c.file, c.text, c.how)
			var got []string
			for _, a := range as {
				got = append(got, a.text)
			}
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

// A line of JSON Lines that is not as it must be is refused with its number: a
// misspelt key would lose a file.
func TestJSONLines(t *testing.T) {
	as, err := splitPrompts("f", `{"prompt":"","attachments":["a","b c"]}`+"\n", splitJSONL)
	if err != nil || len(as) != 1 || cmp.Diff([]string{"a", "b c"}, as[0].files) != "" {
		t.Error(as, err)
	}
	for line, says := range map[string]string{
		`{"prompt":"x","attachment":["a"]}`:    `line 2 of f: unknown field "attachment"`,
		`{"prompt":"x"}]`:                      `line 2 of f: there is more behind the object`,
		`{"prompt":"x","Prompt":"y"}`:          `line 2 of f: "prompt" comes twice`,
		`{"prompt":"x","attachments":"a"}`:     `line 2 of f: "attachments" cannot be a string`,
		`{"prompt":1}`:                         `line 2 of f: "prompt" cannot be a number`,
		`{"attachments":["a"]}`:                `line 2 of f: "prompt" is missing`,
		`{"prompt":null}`:                      `line 2 of f: "prompt" is missing`,
		`"text"`:                               "line 2 of f: it is no JSON object",
		`plain text`:                           "line 2 of f: invalid character 'p'",
		`{"prompt":"x"} {"prompt":"y"}`:        "line 2 of f: there is more behind the object",
		`{"prompt":"x"`:                        "line 2 of f: the JSON object has no end",
		strings.Repeat(`{"prompt":`, 1_000_00): "line 2 of f: ",
	} {
		_, err := splitPrompts("f", `{"prompt":"first"}`+"\n"+line+"\n", splitAuto)
		var ex *exitError
		if !errors.As(err, &ex) || ex.code != ExitUsage || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%.40s: %.200v", line, err)
		}
	}
}

// endless is text without an end.
type endless struct{}

var manyX = bytes.Repeat([]byte("x"), 1<<20)

func (endless) Read(p []byte) (int, error) { return copy(p, manyX), nil }

func TestRunInputLimit(t *testing.T) {
	for by, refused := range map[int64]bool{-1: false, 0: false, 1: true} {
		text, err := readText("f", io.LimitReader(endless{}, maxInput+by))
		if refused != (err != nil) || !refused && int64(len(text)) != maxInput+by {
			t.Errorf("%+d: %v", by, err)
		}
	}
}

// What cannot be read as text is one clear line.
func TestReadText(t *testing.T) {
	for text, says := range map[string]string{
		"\ufeffplain":     "",
		"\ufffd is valid": "",
		"":                "",
		"a\xff":           "f is not UTF-8 text: see byte 2",
		"\ufffda\xe4":     "f is not UTF-8 text: see byte 5",
		"\x00":            "f is not UTF-8 text: see byte 1",
		"PNG\r\n\x1a\x00": "f is not UTF-8 text: see byte 7",
		"\xff\xfeh\x00":   "f is not UTF-8 text: see byte 1",
	} {
		got, err := readText("f", bytes.NewReader([]byte(text)))
		switch {
		case says == "" && (err != nil || got != strings.TrimPrefix(text, "\ufeff")):
			t.Errorf("%q: %q, %v", text, got, err)
		case says != "" && (err == nil || err.Error() != says):
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What cannot be attached is refused before anything is sent.
func TestAttachable(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, says := range map[string]string{
		write("a b'c", 1):                            "",
		write("largest", engine.MaxAttachment):       "",
		write("larger", engine.MaxAttachment+1):      "bytes are too many",
		filepath.Join(dir, "none"):                   "there is no file",
		dir:                                          "it is not a regular file",
		filepath.Join(dir, "largest", "\x00", "odd"): "",
	} {
		got, err := attachable(path)
		if strings.Contains(path, "\x00") {
			if err == nil {
				t.Errorf("%q is taken", path)
			}
			continue
		}
		if says == "" && (err != nil || got != path) || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}
