package synopsis

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// someCells feeds cells of one design from strata that take turns, some after one another and some mixed.
func someCells(r *rand.Rand) (strata []*Stratum, d *Design, cells []Cell, counts []Count, tally *Tally) {
	d, tally = new(Design), new(Tally)
	cells, counts = make([]Cell, 5), make([]Count, 5)
	for i := range 6 {
		s := &Stratum{ID: uint32(i%2+1)<<24 | uint32(i), Keep: 0.2 + 0.1*float64(i), Offered: 900, Kept: 300, Open: true}
		strata = append(strata, s)
		for range 50 {
			at := d.Enter(strata[max(0, i-r.IntN(2))])
			d.Rows(at, 1)
			g := r.IntN(len(cells))
			counts[g].Add(d, at, 1)
			cells[g].Add(d, at, float64(r.IntN(2+g*g)))
		}
	}
	cells[4].AddWeighted(d, 3, 2.5)
	counts[4].AddWeighted(d, 2.5)
	d.Seal()
	for i := range cells {
		tally.Add(&cells[i], d)
	}
	return d.Strata(), d, cells, counts, tally
}

func TestCellsComeBackAsTheyWere(t *testing.T) {
	strata, d, cells, counts, tally := someCells(rand.New(rand.NewPCG(1, 2)))
	data, err := d.AppendBinary(nil)
	require.NoError(t, err)
	var loaded Design
	require.NoError(t, loaded.Load(data, strata))
	loaded.Seal()
	again, err := loaded.AppendBinary(nil)
	require.NoError(t, err)
	assert.Equal(t, data, again)
	assert.Equal(t, d.rows, loaded.rows)
	assert.Equal(t, d.passed, loaded.passed)
	assert.Equal(t, d.totals, loaded.totals)
	assert.Equal(t, d.newest, loaded.newest)
	for i := range d.folds.n {
		assert.Equal(t, *d.folds.at(i), *loaded.folds.at(i))
	}
	for i := range d.ones.n {
		assert.Equal(t, *d.ones.at(i), *loaded.ones.at(i))
	}
	for i := range d.counts.n {
		assert.Equal(t, *d.counts.at(i), *loaded.counts.at(i))
	}
	for i := range cells {
		state, _ := cells[i].AppendBinary(nil)
		require.Len(t, state, CellStateSize)
		var c Cell
		require.NoError(t, c.Load(&loaded, state))
		assert.Equal(t, cells[i], c)
		state, _ = counts[i].AppendBinary(nil)
		require.Len(t, state, CountStateSize)
		var n Count
		require.NoError(t, n.Load(&loaded, state))
		assert.Equal(t, counts[i], n)
		state, _ = cells[i].part.AppendBinary(nil)
		require.Len(t, state, PartStateSize)
	}
	state, _ := tally.AppendBinary(nil)
	require.Len(t, state, TallyStateSize)
	var u Tally
	require.NoError(t, u.UnmarshalBinary(state))
	assert.Equal(t, *tally, u)
}

// TestDamagedCellsAreRefusedOrHarmless damages states word by word and estimates from what loads.
func TestDamagedCellsAreRefusedOrHarmless(t *testing.T) {
	strata, d, cells, counts, _ := someCells(rand.New(rand.NewPCG(3, 4)))
	data, _ := d.AppendBinary(nil)
	q := Question{Confidence: 0.95, Domain: true}
	use := func(data []byte) bool {
		var loaded Design
		if loaded.Load(data, strata) != nil {
			return false
		}
		loaded.Seal()
		for i := range cells {
			state, _ := cells[i].AppendBinary(nil)
			var c Cell
			if c.Load(&loaded, state) == nil {
				c.Add(&loaded, 0, 1)
				c.Sum(&loaded, Known{}, q)
				c.Mean(&loaded, Known{}, q)
			}
			state, _ = counts[i].AppendBinary(nil)
			var n Count
			if n.Load(&loaded, state) == nil {
				n.Add(&loaded, 0, 1)
				n.Estimate(&loaded, 0, q)
			}
		}
		return true
	}
	refused := 0
	for at := range data {
		damaged := append([]byte(nil), data...)
		damaged[at] ^= []byte{0x01, 0x80, 0xff}[at%3]
		if !use(damaged) {
			refused++
		}
	}
	assert.Greater(t, refused, 100)
	for cut := range data {
		assert.False(t, use(data[:cut]))
	}
}
