package keymap

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Conflict says that Key, where Scope has the focus, does Winner, so that
// Loser is not reached by it. Shadowing that the table ships with is none.
type Conflict struct {
	Key           string
	Scope         Scope
	Winner, Loser Action
}

func (c Conflict) String() string {
	return fmt.Sprintf("%s in %s does %s, not %s", Label(c.Key), c.Scope, c.Winner, c.Loser)
}

// Override replaces the keys of the actions named in keys; an empty list
// unbinds, except Interrupt, which must stay reachable. A key given here wins
// over a default in the same scope. Conflicts are returned and do no harm.
// Every unknown action, unknown key and text key bound where text is typed is
// part of the error; then the map is returned as it was.
func (m Map) Override(keys map[string][]string) (Map, []Conflict, error) {
	if len(keys) == 0 {
		return m, nil, nil
	}
	rows := m.Table()
	first := map[Action]bool{}
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		i := slices.IndexFunc(rows, func(r Row) bool { return string(r.Action) == id })
		if i < 0 {
			errs = append(errs, fmt.Errorf("keys: unknown action %q (nearest: %q)", id, nearest(id, m.actions())))
			continue
		}
		bound, wrong := parseKeys(rows[i], keys[id])
		if len(wrong) > 0 {
			errs = append(errs, wrong...)
			continue
		}
		rows[i].Keys = bound
		first[rows[i].Action] = true
	}
	if len(errs) > 0 {
		return m, nil, errors.Join(errs...)
	}
	next := build(rows, first)
	known := shadows(Default())
	conflicts := slices.DeleteFunc(shadows(next), func(c Conflict) bool { return slices.Contains(known, c) })
	next.dropLost()
	return next, conflicts, nil
}

// dropLost takes from each row the keys that another row of its scope won, so
// that help and hints name only keys that work.
func (m Map) dropLost() {
	for i, r := range m.rows {
		m.rows[i].Keys = slices.DeleteFunc(r.Keys, func(k string) bool { return m.bound[r.Scope][k] != r.Action })
	}
}

// Wrong is everything for which these keys cannot be those of an action that there is; none if they can.
func (m Map) Wrong(action Action, given []string) []error {
	for _, r := range m.rows {
		if r.Action == action {
			_, errs := parseKeys(r, given)
			return errs
		}
	}
	return nil
}

func parseKeys(r Row, given []string) (bound []string, errs []error) {
	for _, s := range given {
		k, ok := parseKey(s)
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("keys: %s: unknown key %q (nearest: %q)", r.Action, s, nearest(strings.ToLower(s), names())))
		case typesText(r.Scope) && (one(k) || k == " "):
			errs = append(errs, fmt.Errorf("keys: %s: %q types text there, and cannot be bound", r.Action, Label(k)))
		case !slices.Contains(bound, k):
			bound = append(bound, k)
		}
	}
	if len(given) == 0 && r.Action == Interrupt {
		errs = append(errs, fmt.Errorf("keys: %s: needs at least one key", r.Action))
	}
	return bound, errs
}

// shadows lists the keys that some row has and that do something else in a
// scope from which that row is looked up.
func shadows(m Map) []Conflict {
	var list []Conflict
	for _, s := range slices.Sorted(maps.Keys(behind)) {
		for _, r := range m.rows {
			if !slices.Contains(behind[s], r.Scope) {
				continue
			}
			for _, k := range r.Keys {
				if typesText(s) && (one(k) || k == " ") {
					continue
				}
				if w := m.winner(s, k); w != r.Action && s == narrowest(m, s, w) {
					list = append(list, Conflict{Key: k, Scope: s, Winner: w, Loser: r.Action})
				}
			}
		}
	}
	return list
}

// narrowest is the scope w belongs to: a conflict is told once, there, and not
// again from every scope in front of it.
func narrowest(m Map, s Scope, w Action) Scope {
	for _, r := range m.rows {
		if r.Action == w {
			return r.Scope
		}
	}
	return s
}

func (m Map) winner(s Scope, key string) Action {
	for _, scope := range behind[s] {
		if a, ok := m.bound[scope][key]; ok {
			return a
		}
	}
	return ""
}

func (m Map) actions() []string {
	ids := make([]string, len(m.rows))
	for i, r := range m.rows {
		ids[i] = string(r.Action)
	}
	return ids
}

// names lists the keys worth suggesting.
func names() []string {
	list := slices.Collect(maps.Keys(named()))
	for a := range aliases {
		list = append(list, a)
	}
	for k := range named() {
		list = append(list, "alt+"+k)
	}
	return slices.DeleteFunc(list, func(k string) bool { return strings.HasSuffix(k, " ") })
}
