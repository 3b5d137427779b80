package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Event is a fact. Events marked durable are recorded; the others only move the
// display of what runs right now and are gone with the process.
type Event interface {
	apply(s *State)
}

// Kind describes one durable event.
type Kind struct {
	Name string // stable: it stands in every journal
	Says string // what the fact is, for docs/journal.md
	typ  reflect.Type
}

var (
	kinds  = map[string]Kind{}
	byType = map[reflect.Type]Kind{}
)

// durable registers an event type under its stable name. Each event's file calls
// it once, so that adding an event touches one file.
func durable[E Event](name, says string) struct{} {
	k := Kind{Name: name, Says: says, typ: reflect.TypeFor[E]()}
	if _, taken := kinds[name]; taken {
		panic("session: event kind " + name + " registered twice")
	}
	kinds[name], byType[k.typ] = k, k
	return struct{}{}
}

// Kinds lists every durable event by name, for the documentation.
func Kinds() []Kind {
	var all []Kind
	for _, k := range kinds {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b Kind) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return all
}

// Fields names the JSON fields of an event kind, in order.
func (k Kind) Fields() []string {
	var names []string
	for i := range k.typ.NumField() {
		tag, _, _ := strings.Cut(k.typ.Field(i).Tag.Get("json"), ",")
		names = append(names, tag)
	}
	return names
}

// KindOf returns the stable kind of a durable event; ok is false for an event that is
// not recorded.
func KindOf(e Event) (kind string, ok bool) {
	k, ok := byType[reflect.TypeOf(e)]
	return k.Name, ok
}

// Encode returns the stable kind and the data of a durable event; ok is false for
// an event that is not recorded.
func Encode(e Event) (kind string, data json.RawMessage, ok bool, err error) {
	kind, ok = KindOf(e)
	if !ok {
		return "", nil, false, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // a log is no web page, and markup would grow sixfold
	if err := enc.Encode(e); err != nil {
		return "", nil, true, fmt.Errorf("encode event %s: %w", kind, err)
	}
	return kind, bytes.TrimSuffix(b.Bytes(), []byte("\n")), true, nil
}

// Decode is the inverse of Encode. known is false for a kind that this version
// does not have; such an event is to be kept and skipped.
func Decode(kind string, data json.RawMessage) (e Event, known bool, err error) {
	k, ok := kinds[kind]
	if !ok {
		return nil, false, nil
	}
	p := reflect.New(k.typ)
	if err := json.Unmarshal(data, p.Interface()); err != nil {
		return nil, true, fmt.Errorf("decode event %s: %w", kind, err)
	}
	return p.Elem().Interface().(Event), true, nil
}

// Apply folds one event into a state. It holds no policy.
func Apply(s State, e Event) State {
	e.apply(&s)
	return s
}
