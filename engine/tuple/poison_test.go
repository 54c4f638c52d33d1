//go:build invariants

package tuple_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestAReleasedBlockReadsAsNonsense(t *testing.T) {
	b := tuple.Block{N: 1, Cols: make([]tuple.Column, 4)}
	number, yes, text, null := &b.Cols[0], &b.Cols[1], &b.Cols[2], &b.Cols[3]
	number.Reset(tuple.Bigint, 1)
	number.I[0] = 7
	yes.Reset(tuple.Boolean, 1)
	yes.B[0] = true
	text.Reset(tuple.Text, 1)
	text.SetStr(0, []byte("a"))
	null.Reset(tuple.Null, 1)
	b.Own(func(*tuple.Block) {})
	b.Release()
	assert.NotEqual(t, int64(7), number.I[0])
	assert.False(t, yes.B[0])
	assert.Panics(t, func() { text.Str(0) })
	assert.False(t, null.IsNull(0))
}
