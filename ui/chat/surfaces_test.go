package chat

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/ui/frametest"
	"baton/ui/theme"
)

// surfaces are transcripts that show everything an answer can hold. Each fits a screen
// of 120 by 40; on smaller ones the end is in view, and its beginning after a Home.
var surfaces = map[string][]Block{
	"text": {
		{ID: "u", Kind: User, Text: "Explain how a turn is retried.\nBriefly, please."},
		{ID: "a", Kind: Agent, Text: "# Retries\n\nA turn is **one piece of work, however often it is *tried*, and its text wraps** where it must, styles and all. " +
			"See [the page on retries](https://baton.example/docs/retries?from=chat#waits) or https://baton.example.\n\n" +
			"## Steps\n\n1. The request fails\n   - with `503`, or\n   - with ~~nothing~~ silence\n     1. after the first byte\n     2. before it\n2. The wait begins\n\n" +
			"- [x] counted\n- [ ] shown\n\n> A hint of the server is a minimum.\n> > Never a maximum.\n\n---\n\nLast[^1] words: 世界, 👨‍👩‍👧‍👦 and e\u0301."},
	},
	"tables": {
		{ID: "u", Kind: User, Text: "As a table?"},
		{ID: "a", Kind: Agent, Text: "| Kind | Retried | Why |\n|:--|:-:|---|\n| `network` | yes | the way there may be free again<br>in a moment |\n| `auth` | no | a key does not get better by waiting, see [keys](https://baton.example/keys) |\n\n" +
			"| # | attempt | status | code | asked | waited | bytes | request |\n|--:|---|---|---|---|---|--:|---|\n| 1 | first | 503 | overloaded | 7s | 7.1s | 120 | req-a1b2c3d4 |\n| 2 | second | 200 | | | | 4096 | req-e5f6 |\n"},
	},
	"code": {
		{ID: "u", Kind: User, Text: "Show me the code."},
		{ID: "t", Kind: Tool, Title: "read_file queue.go", Text: "package queue", Foldable: true},
		{ID: "a", Kind: Agent, Text: "```go\n// Next is the row that starts.\nfunc (q *Queue) Next() (Row, bool) {\n\tif len(q.rows) == 0 {\n\t\treturn Row{}, false // \"nothing\" waits, and nothing will be waiting until the person types another prompt\n\t}\n\treturn q.rows[0], true\n}\n```\n\n" +
			"```diff\n@@ -1 +1 @@\n-old\n+new\n```\n\n- in an item\n\n  ```json\n  {\"rows\": [1, null]}\n  ```\n\n```\nno language\n```"},
		{ID: "y", Kind: Retry, Title: "Retried model request (1/4)", Details: []string{"attempt 1 · 503"}, Foldable: true},
	},
	"session": session,
}

var sizes = [][2]int{{120, 40}, {80, 24}, {40, 12}}

// Everything an answer can hold, in every size and theme.
func TestSurfaces(t *testing.T) {
	for name, blocks := range surfaces {
		m := newModel(t)
		m.Reset(blocks)
		for _, size := range sizes {
			width, height := size[0], size[1]
			m.End()
			lookAt(t, m, fmt.Sprintf("%s-%dx%d", name, width, height), width, height)
			if height < 40 {
				m.Home()
				lookAt(t, m, fmt.Sprintf("%s-home-%dx%d", name, width, height), width, height)
			}
		}
	}
}

func lookAt(t *testing.T, m *Model, name string, width, height int) {
	t.Helper()
	m.View(width, height) // movements go by the size that was drawn last
	var looks []frametest.Look
	for _, w := range []struct {
		name, theme string
		dark        bool
	}{{"ansi16", "ansi16", true}, {"dark", "dark", true}, {"light", "light", false}, {"high-contrast", "high-contrast", true}, {"on light", "high-contrast", false}, {"mono", "mono", true}} {
		th, err := theme.Named(w.theme, w.dark)
		if err != nil {
			t.Fatal(err)
		}
		m.SetTheme(th)
		lines := m.View(width, height)
		checkFrame(t, lines, width, height)
		looks = append(looks, frametest.Look{Name: w.name, Lines: lines})
	}
	frametest.Looks(t, "chat/"+name, looks, nil)
}

// At each moment an answer that arrives looks as if it ended there. Characters come
// whole here: half a one is not shown until it is known what it is.
func TestStreamedSurfaces(t *testing.T) {
	for name, blocks := range surfaces {
		for _, b := range blocks {
			if b.Kind != Agent || b.Foldable || b.Interrupted {
				continue
			}
			live := newModel(t)
			text := []rune(b.Text)
			for i := 0; i < len(text); i += 5 {
				upTo := min(i+5, len(text))
				live.Stream("live", Agent, string(text[i:upTo]))
				whole := newModel(t)
				whole.Append(Block{ID: "x", Kind: Agent, Text: string(text[:upTo])})
				got := live.View(70, 40)
				if diff := cmp.Diff(whole.View(70, 40), got); diff != "" {
					t.Fatalf("%s, %q (-whole +streamed):\n%s", name, string(text[:upTo]), diff)
				}
				checkFrame(t, got, 70, 40)
			}
		}
	}
}
