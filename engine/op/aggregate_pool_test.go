package op_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// transcript is what was emitted, without the windows.
type transcript struct{ text []byte }

func (s *transcript) Emit(b *tuple.Batch) error {
	for _, r := range b.Sel {
		for i := range b.Cols[2:] {
			s.text = append(tuple.AppendValue(s.text, &b.Cols[2+i], int(r), nil), ' ')
		}
		s.text = append(s.text, '\n')
	}
	return nil
}

// TestWindowsDoNotShowInEachOther gives every window the same rows, more than any sketch keeps as they are, with windows
// of other rows in between, and now and then moves the state to a fresh operator.
func TestWindowsDoNotShowInEachOther(t *testing.T) {
	spec := by(colIntKey, append(slices.Clone(oneOfEachState),
		op.Agg{Func: op.QuantileRank, Arg: ref(colDouble), Quantiles: []float64{0.1, 0.5, 0.9}}))
	const groups, batches = 3, 4
	rows := make([]*tuple.Batch, batches)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range rows {
		rows[i] = newRows(tuple.MaxRows, groups)
		fill(rows[i], r, groups)
	}
	other := newRows(700, groups-1)
	o, err := spec.Make()
	require.NoError(t, err)
	now := int64(0)
	feed := func(b *tuple.Batch) {
		for i := range b.Time {
			b.Time[i] = now
		}
		require.NoError(t, o.Process(0, b, nil))
	}
	closeWindow := func() string {
		now += int64(time.Minute)
		var out transcript
		_, err := o.Advance(0, now, &out)
		require.NoError(t, err)
		return string(out.text)
	}
	var first string
	for window := range 6 {
		for i, b := range rows {
			feed(b)
			if window == 3 && i == batches/2 {
				var state bytes.Buffer
				require.NoError(t, o.(op.Saver).Save(&state))
				o, err = spec.Make()
				require.NoError(t, err)
				require.NoError(t, o.(op.Saver).Load(&state))
			}
		}
		text := closeWindow()
		if window == 0 {
			first = text
		}
		require.Equal(t, first, text, "window %d", window)
		feed(other)
		require.NotEqual(t, first, closeWindow())
	}
}
