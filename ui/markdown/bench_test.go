package markdown

import (
	"strings"
	"testing"
	"time"
)

const benchCode = "// Next returns the row that starts when the turn has succeeded.\nfunc (q *Queue) Next(now time.Time) (Row, bool) {\n\tfor _, r := range q.rows {\n\t\tif !r.Held && r.Due.Before(now) {\n\t\t\treturn r, true // \"first\" of them\n\t\t}\n\t}\n\treturn Row{}, false\n}\n\n"

var benchTexts = map[string]string{
	"prose":      "A paragraph of **some** words, `code`, a [link](https://a.example/b) and enough of them that lines are wrapped at eighty cells.\n\n",
	"list":       "- item one\n- item two with *emphasis* on it\n  1. deeper\n  2. and deeper\n\nbetween\n\n",
	"table":      "| name | value | what it does |\n|---|---:|---|\n| `a` | 1 | some words |\n| `b` | 22 | some more words |\n\n",
	"code":       "```go\n" + benchCode + "```\n\n",
	"plain code": "```\n" + benchCode + "```\n\n",
}

// The first layout of each kind of text, per KB of it, as a multiple of the time
// that cleaning and cutting the same text takes, which is linear by its nature.
func BenchmarkFirstLayout(b *testing.B) {
	th := styles(b)
	for name, text := range benchTexts {
		text = repeat(text, 64<<10)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			best, cut := time.Hour, time.Hour
			for b.Loop() {
				began := time.Now()
				Render(text, 80, th)
				best = min(best, time.Since(began))
				began = time.Now()
				s := New(th)
				s.Append(text)
				s.End()
				cut = min(cut, time.Since(began))
			}
			b.ReportMetric(float64(best)/float64(cut), "layout/cut")
			b.ReportMetric(float64(best.Microseconds())/64, "µs/KB")
		})
	}
}

// Colouring source, as a multiple of laying the same block out without.
func BenchmarkColour(b *testing.B) {
	th := styles(b)
	code := repeat(benchCode, 14<<10)[:14<<10]
	lang := languageNamed("go")
	colour, plain, both := time.Hour, time.Hour, time.Hour
	took := func(best *time.Duration, f func()) {
		began := time.Now()
		f()
		*best = min(*best, time.Since(began))
	}
	for b.Loop() {
		took(&plain, func() { codeRows(nil, code, sourceState{}, 80, &th) })
		took(&colour, func() { coloured(lang, code, sourceState{}, &th) })
		took(&both, func() { codeRows(lang, code, sourceState{}, 80, &th) })
	}
	b.ReportMetric(float64(colour)/float64(plain), "colour/plain")
	b.ReportMetric(float64(both)/float64(plain), "both/plain")
	b.ReportMetric(float64(both.Microseconds()), "µs/block")
}

// A frame of an answer whose last block is open and about as large as it can be.
func BenchmarkOpenBlock(b *testing.B) {
	th := styles(b)
	for name, text := range map[string]string{
		"code":      "```go\n" + repeat(benchCode, 15<<10),
		"paragraph": strings.Repeat("words that are *not* many ", 600),
		"small":     "words ",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				s := New(th)
				s.Append(text)
				s.Lines(s.Len()-1, 80)
				b.StartTimer()
				s.Append("x ")
				s.Lines(s.Len()-1, 80)
			}
		})
	}
}
