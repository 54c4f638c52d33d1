package synopsis

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSizesOfCells(t *testing.T) {
	require.EqualValues(t, CellSize, unsafe.Sizeof(Cell{}))
	require.EqualValues(t, CountSize, unsafe.Sizeof(Count{}))
}

// stream is a sequence of rows of some strata.
type stream struct {
	strata []*Stratum
	at     []int
	values []float64
}

// drawStream draws rows whose strata, of two locations, alternate as those of a union do: within a location they follow each other.
func drawStream(t *rapid.T) (s stream) {
	for location := range uint32(2) {
		for epoch := range uint32(3) {
			m := rapid.Int64Range(40, 60).Draw(t, "kept")
			s.strata = append(s.strata, &Stratum{
				ID: location<<24 | epoch, Keep: 0.2, Offered: rapid.Int64Range(200, 400).Draw(t, "offered"), Kept: m, Open: true,
			})
		}
	}
	now := [2]int{}
	for range rapid.IntRange(1, 80).Draw(t, "rows") {
		l := rapid.IntRange(0, 1).Draw(t, "location")
		if now[l] < 2 && rapid.IntRange(0, 9).Draw(t, "next") == 0 {
			now[l]++
		}
		s.at = append(s.at, 3*l+now[l])
		s.values = append(s.values, rapid.Float64Range(-5, 50).Draw(t, "value"))
	}
	return s
}

func (s *stream) cell(order []int) (*Design, *Cell, *Count) {
	var d Design
	var cell Cell
	var count Count
	for _, i := range order {
		at := d.Enter(s.strata[s.at[i]])
		d.Rows(at, 1)
		cell.Add(&d, at, s.values[i])
		count.Add(&d, at, 1)
	}
	for _, u := range s.strata {
		d.Enter(u)
	}
	d.Seal()
	return &d, &cell, &count
}

func sameEstimate(t require.TestingT, want, got Estimate, about string) {
	scale := 1e-7 * (1 + math.Abs(want.Low) + math.Abs(want.High))
	require.InDelta(t, want.Value, got.Value, scale, about)
	require.InDelta(t, want.Low, got.Low, scale, about)
	require.InDelta(t, want.High, got.High, scale, about)
}

func TestStrataOfTwoLocationsMayAlternate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStream(t)
		var mixed, sorted []int
		for i := range s.at {
			mixed = append(mixed, i)
		}
		for u := range s.strata {
			for i, at := range s.at {
				if at == u {
					sorted = append(sorted, i)
				}
			}
		}
		q := Question{Confidence: 0.95, Domain: true}
		d1, c1, n1 := s.cell(sorted)
		d2, c2, n2 := s.cell(mixed)
		require.EqualValues(t, len(s.at), c2.Rows(d2))
		require.EqualValues(t, len(s.at), n2.Rows(d2))
		sameEstimate(t, n1.Estimate(d1, 3, q), n2.Estimate(d2, 3, q), "COUNT")
		a, _ := c1.Sum(d1, Known{}, q)
		b, _ := c2.Sum(d2, Known{}, q)
		require.InDelta(t, a.Value, b.Value, 1e-9*(1+math.Abs(a.Value)))
		// Which row is the guard depends on the mean so far, and the pivot on the first row.
		require.InDelta(t, a.High-a.Low, b.High-b.Low, 0.2*(a.High-a.Low))
	})
}

func TestPartsOfPanesMakeTheCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStream(t)
		var order []int
		panes := [2][6]Part{}
		var d Design
		var cell Cell
		for u := range s.strata {
			i := d.Enter(s.strata[u])
			for row, at := range s.at {
				if at == u {
					order = append(order, row)
					panes[row%2][u].Add(s.values[row])
				}
			}
			cell.AddPart(&d, i, &panes[0][u])
			cell.AddPart(&d, i, &panes[1][u])
		}
		d.Seal()
		q := Question{Confidence: 0.95, Domain: true}
		e, c, _ := s.cell(order)
		a, _ := c.Sum(e, Known{Rows: 2, Sum: 5}, q)
		b, _ := cell.Sum(&d, Known{Rows: 2, Sum: 5}, q)
		sameEstimate(t, a, b, "SUM")
		a, _ = c.Mean(e, Known{Rows: 2, Sum: 5}, q)
		b, _ = cell.Mean(&d, Known{Rows: 2, Sum: 5}, q)
		require.InDelta(t, a.Value, b.Value, 1e-9*(1+math.Abs(a.Value)))
		require.InDelta(t, a.High-a.Low, b.High-b.Low, 0.2*(a.High-a.Low), "the guard depends on the mean so far")
	})
}

func TestAnswersWithoutLossAreExact(t *testing.T) {
	var d Design
	at := d.Enter(&Stratum{Keep: 1, Offered: 3, Kept: 3})
	d.Rows(at, 3)
	d.Seal()
	q := Question{Confidence: 0.95, Domain: true}
	require.True(t, d.Whole())
	require.Equal(t, Exactly(3), new(Count).Estimate(&d, 3, q))
	e, ok := new(Cell).Sum(&d, Known{Rows: 3, Sum: 0.3}, q)
	require.True(t, ok)
	require.Equal(t, Exactly(0.3), e)
	e, ok = new(Cell).Mean(&d, Known{Rows: 3, Sum: 0.75}, q)
	require.True(t, ok)
	require.Equal(t, Exactly(0.25), e)
	require.Zero(t, Unseen(&d, q))
}

func TestCountsOfAllThereIsAreExact(t *testing.T) {
	for _, tc := range []struct {
		about  string
		domain bool
		open   bool
		k      int64
		exact  bool
	}{
		{"no domain, counted where every record is a row", false, false, 100, true},
		{"a window", true, false, 100, false},
		{"records that may be bad", false, true, 100, false},
		{"a kept row without a value", false, false, 99, false},
	} {
		var d Design
		at := d.Enter(&Stratum{Keep: 0.1, Offered: 1000, Kept: 100, Open: tc.open})
		var c Count
		c.Add(&d, at, tc.k)
		d.Seal()
		e := c.Estimate(&d, 7, Question{Confidence: 0.95, Domain: tc.domain})
		require.Equal(t, tc.exact, e.Exact, tc.about)
		if tc.exact {
			require.Equal(t, Exactly(1007), e)
			continue
		}
		require.LessOrEqual(t, e.High, 1007.0, tc.about)
		require.GreaterOrEqual(t, e.Low, 7+float64(tc.k), tc.about)
		require.Equal(t, math.Floor(e.Low), e.Low)
		require.Equal(t, math.Ceil(e.High), e.High)
	}
}

func TestBoundsAreHeldToFacts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d Design
		var count Count
		var cell Cell
		var seen, offered int64
		sum := 0.0
		for i := range rapid.IntRange(1, 5).Draw(t, "strata") {
			m := rapid.Int64Range(0, 30).Draw(t, "kept")
			s := &Stratum{ID: uint32(i), Keep: rapid.Float64Range(0.01, 1).Draw(t, "keep"), Kept: m, Open: true}
			s.Offered = m + rapid.Int64Range(0, 3000).Draw(t, "dropped")
			if s.Whole() {
				continue
			}
			at := d.Enter(s)
			k := rapid.Int64Range(0, m).Draw(t, "cell")
			count.Add(&d, at, k)
			for range k {
				x := rapid.Float64Range(0, 10).Draw(t, "value")
				cell.Add(&d, at, x)
				sum += x
			}
			seen += k
			offered += s.Offered
		}
		d.Seal()
		q := Question{Confidence: 0.95, Domain: true, Low: 0, High: 10}
		q.Method = Method(rapid.IntRange(0, 2).Draw(t, "method"))
		e := count.Estimate(&d, 0, q)
		require.LessOrEqual(t, float64(seen), e.Low)
		require.True(t, e.Low <= e.Value && e.Value <= e.High, "%v", e)
		require.LessOrEqual(t, e.High, max(float64(offered), math.Ceil(e.Value)))
		s, _ := cell.Sum(&d, Known{}, q)
		require.GreaterOrEqual(t, s.Low, sum*(1-1e-12)-1e-9)
		require.True(t, s.Low <= s.Value && s.Value <= s.High, "%v", s)
		m, _ := cell.Mean(&d, Known{}, q)
		if seen > 0 {
			require.True(t, m.Low <= m.Value && m.Value <= m.High && m.Low >= -1e-9 && m.High <= 10+1e-9, "%v", m)
		}
	})
}

func TestCellsWithoutRowsAreLabelled(t *testing.T) {
	var d Design
	d.Enter(&Stratum{Keep: 0.1, Offered: 1000, Kept: 100})
	d.Seal()
	q := Question{Confidence: 0.95, Domain: true}
	e, ok := new(Cell).Sum(&d, Known{Rows: 1, Sum: 5}, q)
	require.False(t, ok)
	require.Equal(t, 5.0, e.Value)
	require.True(t, math.IsInf(e.Low, -1) && math.IsInf(e.High, 1))
	e, ok = new(Cell).Mean(&d, Known{}, q)
	require.False(t, ok)
	require.True(t, math.IsNaN(e.Value))
	n := new(Count).Estimate(&d, 0, q)
	require.Zero(t, n.Value)
	require.InDelta(t, 33, n.High, 10, "about ln 40 times 9")
	require.Equal(t, n.High, Unseen(&d, q))
}

func TestInfinityHasNoBounds(t *testing.T) {
	var d Design
	at := d.Enter(&Stratum{Keep: 0.1, Offered: 1000, Kept: 100})
	var c Cell
	for range 50 {
		c.Add(&d, at, 1)
	}
	c.Add(&d, at, math.Inf(1))
	d.Seal()
	var tally Tally
	tally.Add(&c, &d)
	for _, q := range []Question{{Confidence: 0.95, Domain: true}, {Confidence: 0.95, Tally: &tally}} {
		_, ok := c.Sum(&d, Known{}, q)
		require.False(t, ok)
		_, ok = c.Mean(&d, Known{}, q)
		require.False(t, ok)
	}
}

func TestGuaranteedIntervalsAreWiderThanTheTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var d Design
	at := d.Enter(&Stratum{Keep: 0.1, Offered: 50000, Kept: 5000})
	var c Cell
	for range 5000 {
		c.Add(&d, at, 2+0.01*r.Float64())
	}
	d.Seal()
	width := func(m Method) (sum, mean float64) {
		q := Question{Confidence: 0.95, Method: m, Low: 0, High: 10}
		e, ok := c.Sum(&d, Known{}, q)
		require.True(t, ok)
		f, ok := c.Mean(&d, Known{}, q)
		require.True(t, ok)
		return e.High - e.Low, f.High - f.Low
	}
	s0, m0 := width(Transform)
	s1, m1 := width(Hoeffding)
	s2, m2 := width(Bernstein)
	require.Less(t, s0, s2)
	require.Less(t, m0, m2)
	require.Less(t, s2, s1, "values that vary little")
	require.Less(t, m2, m1)
	require.InEpsilon(t, 2*10*50000*math.Sqrt(0.9*math.Log(40)/2/5000), s1, 1e-3)
}

func BenchmarkCellAdd(b *testing.B) {
	var d Design
	at := d.Enter(&Stratum{Keep: 0.1, Offered: 1000, Kept: 100})
	cells := make([]Cell, 1024)
	i := 0
	for b.Loop() {
		cells[i&1023].Add(&d, at, float64(i&255))
		i++
	}
}

func BenchmarkCountAdd(b *testing.B) {
	var d Design
	at := d.Enter(&Stratum{Keep: 0.1, Offered: 1000, Kept: 100})
	counts := make([]Count, 1024)
	i := 0
	for b.Loop() {
		counts[i&1023].Add(&d, at, 1)
		i++
	}
}

// benchmarkCell has rows in three strata.
func benchmarkCell() (*Design, *Cell, *Count, Question) {
	d, c, n := new(Design), new(Cell), new(Count)
	for i := range uint32(3) {
		at := d.Enter(&Stratum{ID: i, Keep: 0.1, Offered: 10000, Kept: 1000, Open: true})
		for k := range 100 {
			c.Add(d, at, float64(k*k))
			n.Add(d, at, 1)
		}
	}
	d.Seal()
	t := new(Tally)
	for range 20 {
		t.Add(c, d)
	}
	return d, c, n, Question{Confidence: 0.95, Domain: true, Tally: t}
}

func BenchmarkCountEstimate(b *testing.B) {
	d, _, n, q := benchmarkCell()
	for b.Loop() {
		n.Estimate(d, 0, q)
	}
}

func BenchmarkSum(b *testing.B) {
	d, c, _, q := benchmarkCell()
	for b.Loop() {
		c.Sum(d, Known{}, q)
	}
}

func BenchmarkMean(b *testing.B) {
	d, c, _, q := benchmarkCell()
	for b.Loop() {
		c.Mean(d, Known{}, q)
	}
}

func BenchmarkCellTurn(b *testing.B) {
	var d Design
	for i := range uint32(2) {
		d.Enter(&Stratum{ID: i, Keep: 0.1, Offered: 10000, Kept: 1000})
	}
	d.passed[1] = true
	var c Cell
	i := int32(0)
	for b.Loop() {
		c.Add(&d, i&1, float64(i&15))
		i++
	}
}
