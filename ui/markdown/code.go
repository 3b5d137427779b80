package markdown

import "strings"

// CodeBlocks lists the fenced blocks of code in a text, in order, without their fences
// and indentation. One that is never closed reaches to the end, as CommonMark has it.
func CodeBlocks(text string) (blocks []string) {
	var code []string
	var mark, indent string
	open := false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		body := strings.TrimLeft(line, " \t")
		switch {
		case open && closesCode(body, mark):
			blocks, open = append(blocks, strings.Join(code, "\n")), false
		case open:
			code = append(code, unindent(line, indent))
		default:
			if mark = codeFence(body); mark != "" {
				indent, code, open = line[:len(line)-len(body)], nil, true
			}
		}
	}
	if open {
		blocks = append(blocks, strings.Join(code, "\n"))
	}
	return blocks
}

// codeFence is the run of at least three marks that a line begins a block of code with.
func codeFence(body string) string {
	for _, c := range "`~" {
		rest := strings.TrimLeft(body, string(c))
		run := body[:len(body)-len(rest)]
		if len(run) >= 3 && (c == '~' || !strings.Contains(rest, "`")) {
			return run
		}
	}
	return ""
}

func closesCode(body, mark string) bool {
	rest := strings.TrimLeft(body, mark[:1])
	return len(body)-len(rest) >= len(mark) && strings.TrimSpace(rest) == ""
}

// unindent takes off as much of the fence's indentation as the line has.
func unindent(line, indent string) string {
	for len(indent) > 0 && line != "" && line[0] == indent[0] {
		line, indent = line[1:], indent[1:]
	}
	return line
}
