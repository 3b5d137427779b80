package logbook

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"

	"baton/ui/sanitize"
)

// handler hands records over. Attributes and groups stay in the order they were given.
type handler struct {
	book   *Book
	attrs  []slog.Attr
	prefix string
}

// Enabled implements slog.Handler.
func (h handler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.book.level }

// Handle implements slog.Handler. It never fails and waits for nothing.
func (h handler) Handle(_ context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, r.Message, 0)
	out.AddAttrs(h.attrs...)
	r.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(h.fixed(a))
		return true
	})
	h.book.take(out)
	return nil
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	all := h.attrs[:len(h.attrs):len(h.attrs)]
	for _, a := range attrs {
		all = append(all, h.fixed(a))
	}
	h.attrs = all
	return h
}

// WithGroup implements slog.Handler: the name stands before the keys.
func (h handler) WithGroup(name string) slog.Handler {
	if name != "" {
		h.prefix += name + "."
	}
	return h
}

// fixed is an attribute with a plain value, which no later change can reach.
func (h handler) fixed(a slog.Attr) slog.Attr {
	return slog.Attr{Key: h.prefix + a.Key, Value: plain(a.Value)}
}

func plain(v slog.Value) slog.Value {
	v = v.Resolve()
	switch v.Kind() {
	case slog.KindAny, slog.KindGroup:
		return slog.StringValue(fmt.Sprint(v.Any())) // an error whose method panics is printed as such
	case slog.KindDuration:
		return slog.StringValue(v.Duration().String())
	}
	return v
}

// lines is records as JSON, one a line. What a panic cuts off is let go: the log fails nothing.
func lines(records []slog.Record, clean func(string) string) []byte {
	var b bytes.Buffer
	defer func() { _ = recover() }()
	h := slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindString {
			a.Value = slog.StringValue(short(a.Value.String(), clean))
		}
		return a
	}})
	for _, r := range records {
		_ = h.Handle(context.Background(), r) // a buffer takes everything
	}
	return b.Bytes()
}

// short is a text without secrets, printable, and of bounded length.
func short(s string, clean func(string) string) string {
	if len(s) > maxLooked {
		return fmt.Sprintf("(%d bytes, left out)", len(s)) // cut here, half a secret might stay unknown
	}
	s = sanitize.Line(clean(s))
	if len(s) <= maxValue {
		return s
	}
	return strings.ToValidUTF8(s[:maxValue-len("…")], "") + "…"
}
