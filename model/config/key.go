package config

import (
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// key is one configurable key of a T: its name for people, how a value is checked and
// stored, and what the documentation says of it.
type key[T any] struct {
	name    string // dotted, as in the file; within an agent's table without its prefix
	kind    string // for people
	allowed string // range or choices, for people; "" for any
	doc     string
	example string // how the documentation shows a value when there is no default
	project bool   // a project's file may set it; what is not marked so it may not
	schema  schema // of its values

	set  func(t *T, v any) string // stores v or says what is wrong with it: "must be …"
	get  func(t *T) string        // as it stands in a file; "" when unset
	text func(s string) any       // a variable's text as the value set expects; nil leaves it a string
}

func (k key[T]) parse(s string) any {
	if k.text == nil {
		return s
	}
	return k.text(s)
}

func (k key[T]) eg(example string) key[T] { k.example = example; return k }

// forProjects lets a project's file set the key: nothing that says where requests, keys
// or files go, what is run, or what is deleted.
func (k key[T]) forProjects() key[T] { k.project = true; return k }

func integer[T any](name string, lo, hi int, at func(*T) *int, doc string) key[T] {
	span := strconv.Itoa(lo) + " to " + strconv.Itoa(hi)
	return key[T]{
		name: name, kind: "integer", allowed: span, doc: doc, schema: schema{"type": "integer", "minimum": lo, "maximum": hi},
		set: func(t *T, v any) string {
			n, ok := v.(int64)
			switch {
			case !ok:
				return "must be a whole number"
			case n < int64(lo):
				return "must be at least " + strconv.Itoa(lo) + ", not " + strconv.FormatInt(n, 10)
			case n > int64(hi):
				return "must be at most " + strconv.Itoa(hi) + ", not " + strconv.FormatInt(n, 10)
			}
			*at(t) = int(n)
			return ""
		},
		get: func(t *T) string {
			if n := *at(t); n != 0 {
				return strconv.Itoa(n)
			}
			return ""
		},
		text: func(s string) any {
			if n, err := strconv.ParseInt(s, 10, 64); err == nil {
				return n
			}
			return s
		},
	}
}

// duration takes 0 to hi.
func duration[T any](name string, hi time.Duration, at func(*T) *time.Duration, doc string) key[T] {
	return key[T]{
		name: name, kind: "duration", allowed: `"0s" to "` + short(hi) + `"`, doc: doc, schema: matching(`^(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`),
		set: func(t *T, v any) string {
			s, ok := v.(string)
			d, err := time.ParseDuration(s)
			switch {
			case !ok || err != nil:
				return `must be a duration with its unit in quotes, like "250ms", "4s" or "1m30s"`
			case d < 0:
				return "must not be negative, is " + short(d)
			case d > hi:
				return "must be at most " + short(hi) + ", not " + short(d)
			}
			*at(t) = d
			return ""
		},
		get: func(t *T) string { return strconv.Quote(short(*at(t))) },
	}
}

// off is what a span of days is that does not end.
const off = "off"

// days takes 1 to hi whole days, "90d", or off, which is 0.
func days[T any](name string, hi int, at func(*T) *time.Duration, doc string) key[T] {
	span := `"1d" to "` + strconv.Itoa(hi) + `d", or "` + off + `"`
	return key[T]{
		name: name, kind: "days", allowed: span, doc: doc, schema: matching(`^(0*[1-9][0-9]*d|off)$`),
		set: func(t *T, v any) string {
			s, ok := v.(string)
			if ok && s == off {
				*at(t) = 0
				return ""
			}
			number, unit := strings.CutSuffix(s, "d")
			n, err := strconv.ParseUint(number, 10, 64)
			switch {
			case !ok || !unit || errors.Is(err, strconv.ErrSyntax):
				return `must be whole days in quotes, like "90d", or "` + off + `"`
			case n == 0:
				return `must be at least "1d"; "` + off + `" keeps all sessions`
			case err != nil || n > uint64(hi):
				return "must be at most \"" + strconv.Itoa(hi) + "d\", not " + quote(s)
			}
			*at(t) = time.Duration(n) * day
			return ""
		},
		get: func(t *T) string {
			if d := *at(t); d > 0 {
				return strconv.Quote(strconv.Itoa(int(d/day)) + "d")
			}
			return strconv.Quote(off)
		},
	}
}

func choice[T any](name string, of []string, at func(*T) *string, doc string) key[T] {
	return key[T]{
		name: name, kind: "one of " + list(of), doc: doc, schema: oneOf(of),
		set: func(t *T, v any) string {
			s, ok := v.(string)
			if !ok {
				return "must be one of " + list(of)
			}
			for _, o := range of {
				if s == o {
					*at(t) = s
					return ""
				}
			}
			return "must be one of " + list(of) + ", not " + quote(s) + meant(s, of)
		},
		get: func(t *T) string { return strconv.Quote(*at(t)) },
	}
}

// line is a string of one line without control characters.
func line[T any](name string, at func(*T) *string, doc string) key[T] {
	k := text(name, at, doc)
	k.schema = matching(`\S`)
	set := k.set
	k.set = func(t *T, v any) string {
		s, ok := v.(string)
		switch {
		case ok && strings.TrimSpace(s) == "":
			return "must not be empty"
		case ok && hasControl(s):
			return "must be one line without control characters"
		}
		return set(t, v)
	}
	return k
}

// text is any string.
func text[T any](name string, at func(*T) *string, doc string) key[T] {
	return key[T]{
		name: name, kind: "string", doc: doc, schema: schema{"type": "string"},
		set: func(t *T, v any) string {
			s, ok := v.(string)
			if !ok {
				return "must be a string in quotes"
			}
			*at(t) = s
			return ""
		},
		get: func(t *T) string {
			if s := *at(t); s != "" {
				return strconv.Quote(s)
			}
			return ""
		},
	}
}

// variable is the name of an environment variable. Lower case is refused: the one
// mistake people make here is to put the key itself.
func variable[T any](name string, at func(*T) *string, doc string) key[T] {
	k := text(name, at, doc)
	k.schema = matching(`^[A-Z_][A-Z0-9_]*$`)
	set := k.set
	k.set = func(t *T, v any) string {
		if s, ok := v.(string); ok && !isVariable(s) {
			return "must be the name of an environment variable (A-Z, 0-9, _), not the key itself"
		}
		return set(t, v)
	}
	return k
}

func yes[T any](name string, at func(*T) *bool, doc string) key[T] {
	return key[T]{
		name: name, kind: "boolean", doc: doc, example: "false", schema: schema{"type": "boolean"},
		set: func(t *T, v any) string {
			b, ok := v.(bool)
			if !ok {
				return "must be true or false"
			}
			*at(t) = b
			return ""
		},
		get: func(t *T) string {
			if *at(t) {
				return "true"
			}
			return ""
		},
		text: func(s string) any {
			if b, err := strconv.ParseBool(s); err == nil {
				return b
			}
			return s
		},
	}
}

// number takes a decimal from 0 to hi; unset is nil, since 0 means something.
func number[T any](name string, hi float64, at func(*T) **float64, doc string) key[T] {
	top := strconv.FormatFloat(hi, 'g', -1, 64)
	return key[T]{
		name: name, kind: "number", allowed: "0 to " + top, doc: doc, schema: schema{"type": "number", "minimum": 0, "maximum": hi},
		set: func(t *T, v any) string {
			var f float64
			switch n := v.(type) {
			case float64:
				f = n
			case int64:
				f = float64(n)
			default:
				return "must be a number"
			}
			if !(f >= 0 && f <= hi) {
				return "must be between 0 and " + top
			}
			*at(t) = &f
			return ""
		},
		get: func(t *T) string {
			if f := *at(t); f != nil {
				return strconv.FormatFloat(*f, 'g', -1, 64)
			}
			return ""
		},
	}
}

// argv is a program with its arguments, never given to a shell.
func argv[T any](name string, at func(*T) *[]string, doc string) key[T] {
	const wrong = `must be a program and its arguments, like ["pass", "show", "work"]`
	return key[T]{
		name: name, kind: "array of strings", doc: doc, schema: schema{"type": "array", "items": schema{"type": "string"}, "minItems": 1},
		set: func(t *T, v any) string {
			words, ok := stringsOf(v)
			if !ok || len(words) == 0 || strings.TrimSpace(words[0]) == "" || strings.Contains(strings.Join(words, ""), "\x00") {
				return wrong
			}
			*at(t) = words
			return ""
		},
		get: func(t *T) string { return quoteAll(*at(t)) },
	}
}

func stringsOf(v any) ([]string, bool) {
	items, ok := v.([]any)
	if !ok {
		return nil, false
	}
	out := make([]string, len(items))
	for i, item := range items {
		if out[i], ok = item.(string); !ok {
			return nil, false
		}
	}
	return out, true
}

func quoteAll(words []string) string {
	if words == nil {
		return ""
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return "[" + list(quoted) + "]"
}

func hasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

func isVariable(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// short is d without units that are zero: 1m, not 1m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
