package synopsis

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDesignOfAWindow(t *testing.T) {
	var d Design
	require.True(t, d.Whole())
	require.Equal(t, 1.0, d.Kept())
	whole := &Stratum{ID: 1, Keep: 1, Offered: 100, Kept: 100}
	half := &Stratum{ID: 2, Keep: 0.5, Offered: 100, Kept: 40}
	require.EqualValues(t, 0, d.Enter(whole))
	require.True(t, d.Whole())
	require.EqualValues(t, 1, d.Enter(half))
	require.EqualValues(t, 0, d.Enter(whole))
	require.EqualValues(t, 1, d.Enter(half))
	require.False(t, d.Whole())
	require.Equal(t, 0.7, d.Kept())
	d.Seal()
	require.Equal(t, 2.5, d.Largest())
	half.Kept = 50
	d.Seal()
	require.Equal(t, 2.0, d.Largest(), "totals are read in place")
	d.Reset()
	require.Empty(t, d.Strata())
	require.True(t, d.Whole())
}

func TestDesignsMerge(t *testing.T) {
	a, b := &Stratum{ID: 1, Keep: 0.5, Offered: 100, Kept: 50}, &Stratum{ID: 2, Keep: 0.1, Offered: 100, Kept: 10}
	var d, e Design
	d.Rows(d.Enter(a), 3)
	e.Rows(e.Enter(b), 4)
	e.Rows(e.Enter(a), 5)
	d.Merge(&e)
	require.Equal(t, []*Stratum{a, b}, d.Strata())
	require.Equal(t, []int64{8, 4}, d.rows)
}

func TestWeightsOfStrata(t *testing.T) {
	for _, tc := range []struct {
		about string
		s     Stratum
		w     float64
		whole bool
	}{
		{"whole", Stratum{Keep: 1, Offered: 10, Kept: 10}, 1, true},
		{"what was counted", Stratum{Keep: 0.5, Offered: 100, Kept: 40}, 2.5, false},
		{"few expected rows", Stratum{Keep: 0.1, Offered: 319, Kept: 40}, 10, false},
		{"enough expected rows", Stratum{Keep: 0.1, Offered: 320, Kept: 40}, 8, false},
		{"none kept", Stratum{Keep: 0.5, Offered: 100}, 2, false},
		{"behind another", Stratum{Keep: 0.5, Offered: 100, Kept: 50, Up: &Stratum{Keep: 0.1, Offered: 1000, Kept: 200}}, 10, false},
		{"whole behind another", Stratum{Keep: 1, Offered: 100, Kept: 100, Up: &Stratum{Keep: 0.1, Offered: 1000, Kept: 200}}, 5, false},
	} {
		require.Equal(t, tc.w, tc.s.Weight(), tc.about)
		require.Equal(t, tc.whole, tc.s.Whole(), tc.about)
	}
}

func TestTheShareKeptIsAProductAlongTheWay(t *testing.T) {
	var d Design
	d.Enter(&Stratum{Keep: 0.5, Offered: 100, Kept: 50, Up: &Stratum{Keep: 0.1, Offered: 1000, Kept: 200}})
	require.Equal(t, 0.1, d.Kept())
}

func TestSlabsKeepTheirRecordsWhereTheyAre(t *testing.T) {
	var s slab[int]
	var at []*int
	for i := range 1000 {
		require.EqualValues(t, i, s.take())
		at = append(at, s.at(int32(i)))
		*at[i] = i
	}
	for i, p := range at {
		require.Same(t, p, s.at(int32(i)))
		require.Equal(t, i, *p)
	}
	s.reset()
	require.EqualValues(t, 0, s.take())
	require.Zero(t, *s.at(0))
}
