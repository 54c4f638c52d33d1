package oracle

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/op"
)

// quoteJSON returns s as a JSON string.
func quoteJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Strings encode, and a Builder takes everything.
	_ = e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

// perWindow applies f to the rows of each window, which come together, or to all rows when there is no window column.
func perWindow(rows []timed, window int, f func([]timed) []timed) []timed {
	if window < 0 {
		return f(rows)
	}
	var out []timed
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && same(rows[0].values[window], rows[n].values[window]) {
			n++
		}
		out = append(out, f(rows[:n])...)
		rows = rows[n:]
	}
	return out
}

func distinct(spec *op.Distinct, rows []timed) []timed {
	return perWindow(rows, spec.Window, func(rows []timed) []timed {
		var out []timed
		seen := map[string]bool{}
		for _, r := range rows {
			id := identities(r.values[:spec.Keep])
			if !seen[id] {
				out = append(out, r)
			}
			seen[id] = true
		}
		return out
	})
}

func order(spec *op.Order, rows []timed) []timed {
	out := perWindow(rows, spec.Window, func(rows []timed) []timed {
		sorted := slices.Clone(rows)
		slices.SortStableFunc(sorted, func(x, y timed) int { return compareBy(spec.Keys, x.values, y.values) })
		sorted = sorted[min(int64(len(sorted)), spec.Offset):]
		if spec.Limit >= 0 {
			sorted = sorted[:min(int64(len(sorted)), spec.Limit)]
		}
		return sorted
	})
	for i := range out {
		out[i].values = out[i].values[:spec.Keep]
	}
	return out
}

// compareBy orders rows by keys. NULLs are last unless a key has them first, whatever its direction.
func compareBy(keys []op.OrderKey, x, y Row) int {
	for _, k := range keys {
		a, b := x[k.Col], y[k.Col]
		c := 0
		switch {
		case a.Null && b.Null:
		case a.Null || b.Null:
			if c = 1; a.Null == k.NullsFirst {
				c = -1
			}
		case k.Desc:
			c = compare(b, a)
		default:
			c = compare(a, b)
		}
		if c != 0 {
			return c
		}
	}
	return 0
}
