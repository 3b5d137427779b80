package gfm

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// mostTildes is how many may stand together: three and more are text (GFM 6.5).
const mostTildes = 2

// tildes finds runs of tildes; goldmark pairs them as it pairs the delimiters of emphasis.
type tildes struct{}

func (tildes) Trigger() []byte { return []byte{'~'} }

// Parse takes a whole run or none of it: what follows a tilde is the rest of a run that was too long, which must not be measured
// again at each of its tildes, or of one that began escaped.
func (t tildes) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	if before == '~' {
		return nil
	}
	line, segment := block.PeekLine()
	run := parser.ScanDelimiter(line, before, 1, t)
	if run == nil || run.OriginalLength > mostTildes {
		return nil
	}
	run.Segment = segment.WithStop(segment.Start + run.OriginalLength)
	block.Advance(run.OriginalLength)
	pc.PushDelimiter(run)
	return run
}

func (tildes) IsDelimiter(b byte) bool { return b == '~' }

func (tildes) CanOpenCloser(opener, closer *parser.Delimiter) bool { return opener.Char == closer.Char }

func (tildes) OnMatch(int) ast.Node { return east.NewStrikethrough() }
