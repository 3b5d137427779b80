package catalog

import (
	"bufio"
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"baton/ui/sanitize"

	"pgregory.net/rapid"
)

// fragments are what markdown and HTML are made of, to be put together in every order.
var fragments = []string{
	"#", "##", "# x", "## You", "=", "---", "===", "***", "```", "~~~", "`", "``", "<", ">", "</", "<b>", "</b>", "<!--", "-->", "<?", "<![CDATA[", "<!X",
	"<script>", "</script>", "<pre>", "<div>", "</details>", "<a href='", "'", "\"", "[", "]", "](", ")", "[a]:", " http://x", "javascript:x", "&", "&#60;", "&lt;",
	"&#27;", "\\", "*", "_", "~", "|", "|---|", "- ", "1. ", "    ", "  ", " ", "\t", "\n", "\n\n", "> ", "text", "end of the answer", "\u202e", "\x1b[2J", "\r", "é", "{#id}", "[ ]", "![",
}

func drawn(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 24).Draw(t, label), "")
}

// However markup is put together, a text ends where it ends and is nobody else's part.
func TestNothingCanBeFaked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompt, answer, note := drawn(t, "prompt"), drawn(t, "answer"), drawn(t, "note")
		doc := "# " + inline(note) + "x\n\n## You\n\n" + quoted(prompt) + "\nAttached: " + code(note) + "\n\n## Agent\n\n" + answered(answer) +
			"\n*" + inline(note) + "*\n\n- x " + inline(note) + "\n\n" + fenced(sanitize.Text(answer)) + "\n## Last\n"
		headings, markup := headingsOf(doc)
		if len(headings) != 4 || !slices.Equal(headings[1:], []string{"You", "Agent", "Last"}) || len(markup) != 0 {
			t.Fatalf("headings %q, markup %q of\n%s", headings, markup, doc)
		}
		if controls.MatchString(doc) {
			t.Fatalf("C14: %q", doc)
		}
	})
}

// However tags are put together, a page has none but those of markdown, closed, and links to the web alone.
func TestNoTagGetsThrough(t *testing.T) {
	link := regexp.MustCompile(`^(https?://|mailto:)`)
	rapid.Check(t, func(t *rapid.T) {
		answer := drawn(t, "answer")
		var b bytes.Buffer
		w := bufio.NewWriter(&b)
		if err := rendered(w, sanitize.Text(answer)); err != nil {
			t.Fatal(err)
		}
		_ = w.Flush()
		page := b.String()
		var open []string
		for _, tag := range tags.FindAllString(page, -1) {
			if !ourTags.MatchString(tag) {
				t.Fatalf("the tag %q of %q", tag, answer)
			}
			name := strings.FieldsFunc(tag, func(r rune) bool { return strings.ContainsRune("</> ", r) })[0]
			switch {
			case slices.Contains([]string{"br", "hr", "input"}, name):
			case !strings.HasPrefix(tag, "</"):
				open = append(open, name)
			case len(open) == 0 || open[len(open)-1] != name:
				t.Fatalf("%s closes %q in %q of %q", tag, open, page, answer)
			default:
				open = open[:len(open)-1]
			}
		}
		if len(open) != 0 || controls.MatchString(page) {
			t.Fatalf("open %q in %q of %q", open, page, answer)
		}
		for _, to := range hrefs.FindAllStringSubmatch(page, -1) {
			if !link.MatchString(to[1]) {
				t.Fatalf("a link to %q", to[1])
			}
		}
	})
}
