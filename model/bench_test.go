package model

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/ui/chat"
)

const spoken = "A paragraph of **some** words, `code` and more.\n\n- item one\n- item two\n\n```go\nx := 1 // one\n```\n\n"

// transcripts are a megabyte each, but for the empty one.
var transcripts = map[string]func(c *chat.Model){
	"empty": func(*chat.Model) {},
	"messages": func(c *chat.Model) {
		text := strings.Repeat(spoken, 20)
		for i := range (1 << 20) / len(text) {
			c.Append(chat.Block{ID: fmt.Sprint(i), Version: 1, Kind: chat.Kind(i % 2), Text: text})
		}
	},
	"message": func(c *chat.Model) {
		c.Append(chat.Block{ID: "long", Version: 1, Kind: chat.Agent, Text: strings.Repeat(spoken, (1<<20)/len(spoken))})
	},
	"live": func(c *chat.Model) { c.Stream("live", chat.Agent, strings.Repeat(spoken, (1<<20)/len(spoken))) },
}

// A key's way to a frame, and a piece of an answer's, with a megabyte of transcript, as a
// multiple of the time without; in turns, the best of each.
func BenchmarkFrame(b *testing.B) {
	for what, act := range map[string]func(m *Model, n int){
		"key": func(m *Model, n int) { m.Update(keyOf([]string{"x", "backspace"}[n%2])) },
		"scroll": func(m *Model, n int) {
			m.Update(tea.MouseMsg{Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
		},
		"stream": func(m *Model, _ int) {
			m.chat.Stream("live", chat.Agent, "word ")
			m.Update(nil)
		},
	} {
		for name, fill := range transcripts {
			if name == "empty" {
				continue
			}
			b.Run(what+"/"+name, func(b *testing.B) {
				few, many := filled(b, transcripts["empty"]), filled(b, fill)
				var best [2]time.Duration
				var bytes [2]uint64
				n := 0
				for b.Loop() {
					for i, m := range []*Model{few, many} {
						var before, after runtime.MemStats
						runtime.ReadMemStats(&before)
						began := time.Now()
						act(m, n)
						m.View()
						took := time.Since(began)
						runtime.ReadMemStats(&after)
						if best[i] == 0 || took < best[i] {
							best[i] = took
						}
						bytes[i] += after.TotalAlloc - before.TotalAlloc
					}
					n++
				}
				b.ReportMetric(float64(best[1])/float64(best[0]), "much/little")
				b.ReportMetric(float64(bytes[1])/float64(n), "B/frame")
				b.ReportMetric(float64(best[1].Microseconds()), "µs/frame")
			})
		}
	}
}

// filled is a program with a transcript, drawn once.
func filled(b testing.TB, fill func(c *chat.Model)) *Model {
	p := open(b, hangs)
	b.Cleanup(func() {
		close(p.done)
		_ = p.m.eng.Close()
	})
	fill(p.m.chat)
	p.m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	p.m.View()
	return p.m
}
