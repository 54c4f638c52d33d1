//go:build invariants

package tuple

import "math"

// poison overwrites a released block, so that a reader who kept it sees nonsense.
func poison(b *Block) {
	for i := range b.Cols {
		c := &b.Cols[i]
		for j := range c.I {
			c.I[j] = math.MinInt64 + 0xdead
		}
		for j := range c.F {
			c.F[j] = math.NaN()
		}
		for j := range c.Span {
			c.Span[j] = Span{math.MaxUint32, 0}
		}
	}
}
