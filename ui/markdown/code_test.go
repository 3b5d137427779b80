package markdown

import (
	"slices"
	"testing"
)

func TestCodeBlocks(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                       nil,
		"no code `here`":                         nil,
		"a\n```go\nx := 1\n```\nb":               {"x := 1"},
		"```\none\n```\n~~~\ntwo\n\n2\n~~~\n":    {"one", "two\n\n2"},
		"````\n```\ninner\n```\n````":            {"```\ninner\n```"},
		"- item\n\n  ```sh\n  ls\n    -l\n  ```": {"ls\n  -l"},
		"```\nnever closed":                      {"never closed"},
		"```\r\ncrlf\r\n```\r\n":                 {"crlf"},
		"``` a`b\ntext":                          nil,
		"```\n```":                               {""},
		"~~~\n```\n~~~":                          {"```"},
	} {
		if got := CodeBlocks(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
