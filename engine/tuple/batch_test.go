package tuple_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestABlockIsFreedByItsLastReference(t *testing.T) {
	freed := 0
	var b tuple.Block
	b.Own(func(got *tuple.Block) {
		assert.Same(t, &b, got)
		freed++
	})
	b.Retain()
	b.Release()
	assert.Zero(t, freed, "one reference is left")
	b.Release()
	assert.Equal(t, 1, freed)
	assert.Panics(t, b.Release, "released more often than retained")
}

func TestColumnsChangeTheirRepresentationAndKeepTheirValues(t *testing.T) {
	var c tuple.Column
	c.Reset(tuple.Number, 2)
	c.I[0], c.I[1] = 7, -1
	c.Mix(2)
	assert.Equal(t, []uint8{tuple.TagInt, tuple.TagInt}, c.Tag)
	assert.Equal(t, []int64{7, -1}, c.I)

	c.Reset(tuple.Number, 2)
	c.SetRep(tuple.RepFloat, 2)
	c.F[0], c.F[1] = 0.5, 2
	c.Mix(2)
	assert.Equal(t, []uint8{tuple.TagFloat, tuple.TagFloat}, c.Tag)
	assert.Equal(t, []float64{0.5, 2}, c.F)
}

func TestResetForgetsNullsAndBorrowedText(t *testing.T) {
	var c tuple.Column
	c.Reset(tuple.Text, 2)
	c.SetStr(0, []byte("own"))
	c.SetNull(1, 2)
	foreign := []byte("foreign")
	c.Borrow(foreign)
	c.Reset(tuple.Text, 2)
	assert.False(t, c.IsNull(1))
	c.SetStr(0, []byte("mine"))
	assert.Equal(t, "foreign", string(foreign), "the borrowed memory is not written to")
	assert.Equal(t, "mine", string(c.Str(0)))

	c.Reset(tuple.Null, 3)
	for r := range 3 {
		assert.True(t, c.IsNull(r), "a column of type NULL is NULL everywhere")
	}
}
