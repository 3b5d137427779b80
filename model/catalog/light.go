package catalog

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/parser"
)

// What a text may hold to be parsed in one go: goldmark takes quadratic time on some inputs.
const (
	parsedBytes      = 64 << 10
	parsedDelimiters = 4000 // of emphasis, and as many of brackets, backticks and bars
	parsedDepth      = 64   // of quotes and lists
)

// tooHeavy reports whether a text stands as it is because parsing it could take too long. It takes linear time.
func tooHeavy(text string) bool {
	if len(text) > parsedBytes {
		return true
	}
	var emphasis, brackets int
	for i := range len(text) {
		switch text[i] {
		case '*', '_', '~':
			emphasis++
		case '[', ']', '`', '<', '|':
			brackets++
		}
	}
	return emphasis > parsedDelimiters || brackets > parsedDelimiters || deep(text)
}

// deep bounds how far quotes and lists can nest: by their marks on one line, or by how far a line is indented.
func deep(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		marks := 0
		body := strings.TrimLeftFunc(line, func(r rune) bool {
			if r == '>' || r == '-' || r == '+' || r == '*' || r == '.' || r == ')' {
				marks++
			}
			return strings.ContainsRune(" \t>-+*.)0123456789", r)
		})
		if marks > parsedDepth && body != "" || len(line)-len(strings.TrimLeft(line, " \t")) > 2*parsedDepth {
			return true
		}
	}
	return false
}

// commonMark reads a text as those do who render the exported markdown, HTML and definitions of links included.
var commonMark = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...), parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
})

// pieces cuts a long text at empty lines outside of fences into parts that are light enough, as far as it has such lines.
func pieces(text string) []string {
	if !tooHeavy(text) {
		return []string{text}
	}
	var all []string
	var piece strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		body := strings.TrimSpace(line)
		switch {
		case fence == "" && (strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~")):
			fence = body[:len(body)-len(strings.TrimLeft(body, body[:1]))]
		case fence != "" && strings.HasPrefix(body, fence) && strings.Trim(body, fence[:1]) == "":
			fence = ""
		}
		piece.WriteString(line)
		if body == "" && fence == "" && piece.Len() > parsedBytes/16 {
			all = append(all, piece.String())
			piece.Reset()
		}
	}
	return append(all, piece.String())
}
