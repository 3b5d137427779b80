package session

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func itemsOf(start int, its ...Item) Items {
	x := Items{start: start, n: start}
	for _, it := range its {
		x = x.Append(it)
	}
	return x
}

func listed(x Items) (its []Item) {
	for i, it := range x.All() {
		if it != x.At(i) {
			panic("All and At differ")
		}
		its = append(its, it)
	}
	return its
}

// TestItems holds windows against slices, and every older value against what it was.
func TestItems(t *testing.T) {
	type version struct {
		x     Items
		start int
		want  []Item
	}
	rapid.Check(t, func(t *rapid.T) {
		named := 0
		draw := func(most int) (its []Item) {
			for range rapid.IntRange(0, most).Draw(t, "items") {
				named++
				its = append(its, Item{Note: fmt.Sprint(named)})
			}
			return its
		}
		v := version{start: rapid.IntRange(0, 3*chunkItems).Draw(t, "start")}
		v.x = itemsOf(v.start)
		all := []version{v}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			v = all[rapid.IntRange(0, len(all)-1).Draw(t, "from")]
			v.want = slices.Clone(v.want)
			switch op := rapid.SampledFrom([]string{"append", "set", "prepend"}).Draw(t, "op"); {
			case op == "append":
				its := draw(3 * chunkItems)
				for _, it := range its {
					v.x = v.x.Append(it)
				}
				v.want = append(v.want, its...)
			case op == "set" && len(v.want) > 0:
				i := rapid.IntRange(0, len(v.want)-1).Draw(t, "index")
				it := Item{Note: "set"}
				v.x, v.want[i] = v.x.Set(v.start+i, it), it
			case op == "prepend":
				page := draw(2 * chunkItems)
				v.x = v.x.Prepend(itemsOf(rapid.IntRange(0, 2*chunkItems).Draw(t, "page"), page...))
				v.want = append(page, v.want...)
				v.start = max(v.start-len(page), 0)
			}
			all = append(all, v)
		}
		for _, v := range all {
			got := listed(v.x)
			if v.x.Start() != v.start || v.x.Len() != v.start+len(v.want) || !slices.Equal(got, v.want) {
				t.Fatalf("%d to %d: %v\nwant %d to %d: %v", v.x.Start(), v.x.Len(), got, v.start, v.start+len(v.want), v.want)
			}
			slices.Reverse(got)
			for i, it := range v.x.Back() {
				if it != v.x.At(i) || it != got[v.x.Len()-1-i] {
					t.Fatalf("Back differs from All at %d", i)
				}
			}
		}
	})
}

// TestItemsOfAnyLength: what a page costs depends on the page, not on what it is put
// before; the same for an item.
func TestItemsOfAnyLength(t *testing.T) {
	const few, many = 1_000, 100_000
	bytes := func(n int, f func(Items)) float64 {
		x := itemsOf(n)
		for i := range n {
			x = x.Append(Item{Note: fmt.Sprint(i)})
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 20 {
			f(x)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / 20
	}
	page := itemsOf(0, Item{Note: "a"}, Item{Note: "b"})
	for name, f := range map[string]func(Items){
		"prepend": func(x Items) { x.Prepend(page) },
		"append":  func(x Items) { x.Append(Item{}) },
		"set":     func(x Items) { x.Set(x.Start()+7, Item{}) },
	} {
		t.Run(name, func(t *testing.T) {
			a, b := bytes(few, f), bytes(many, f)
			if perItem := (b - a) / (many - few); perItem > 1 {
				t.Errorf("%.0f bytes for %d items, %.0f for %d: %.1f for each item more", a, few, b, many, perItem)
			}
		})
	}
}
