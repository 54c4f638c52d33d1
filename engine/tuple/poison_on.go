//go:build invariants

package tuple

import "math"

// poison overwrites a released block, so that a reader who kept it sees nonsense. Text is unreachable by its
// spans; the bytes themselves may belong to somebody else.
func poison(b *Block) {
	for i := range b.Cols {
		c := &b.Cols[i]
		for j := range c.I {
			c.I[j] = math.MinInt64 + 0xdead
		}
		for j := range c.F {
			c.F[j] = math.NaN()
		}
		for j := range c.Hi {
			c.Hi[j] = math.MinInt64 + 0xdead
		}
		for j := range c.Tag {
			c.Tag[j] = 0xff
		}
		for j := range c.B {
			c.B[j] = !c.B[j]
		}
		for j := range c.Null {
			c.Null[j] = !c.Null[j]
		}
		for j := range c.Span {
			c.Span[j] = Span{math.MaxUint32, 0}
		}
	}
}
