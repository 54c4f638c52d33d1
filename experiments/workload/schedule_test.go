package workload

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAConstantRateHasEqualGapsForever(t *testing.T) {
	s := newSchedule(1e6/3, phases{shape: Shape{Kind: Constant}})
	for k := range int64(100_000) {
		require.InDelta(t, 3000*k, s.next(), 1)
	}
	s.k = 1e12
	require.InDelta(t, 3e15, s.next(), 8)
}

// countUntil returns the records due before t, and of these the ones due in the
// first duty of their period.
func countUntil(s *schedule, shape Shape, t int64) (all, peak int) {
	for due := s.next(); due < t; due = s.next() {
		all++
		if float64(due%int64(shape.Period)) < shape.Duty*float64(shape.Period) {
			peak++
		}
	}
	return all, peak
}

func TestOverWholePeriodsAShapeKeepsItsMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := Shape{Kind: rapid.SampledFrom([]ShapeKind{Sine, Square}).Draw(t, "kind")}
		shape.Period = time.Duration(rapid.IntRange(1, 50).Draw(t, "period")) * time.Millisecond
		shape.Duty = float64(rapid.IntRange(1, 40).Draw(t, "duty")) / 100
		shape.Peak = rapid.Float64Range(1, min(2, 1/shape.Duty)).Draw(t, "peak")
		require.NoError(t, shape.Validate())
		rate := rapid.Float64Range(1e3, 1e6).Draw(t, "rate")
		periods := rapid.IntRange(1, 4).Draw(t, "periods")
		total := int64(periods) * int64(shape.Period)
		all, peak := countUntil(newSchedule(rate, phases{shape: shape}), shape, total)
		want := rate * float64(total) / 1e9
		require.InDelta(t, want, all, 1.5)
		if shape.Kind == Square {
			require.InDelta(t, want*shape.Duty*shape.Peak, peak, float64(periods)+1)
		}
	})
}

func TestASineIsHighestAtAQuarterAndLowestAtThreeQuarters(t *testing.T) {
	p := phases{shape: Shape{Kind: Sine, Period: time.Second, Peak: 1.8}}
	var factors []float64
	total := 0.0
	for range sineSteps {
		length, factor := p.next()
		factors = append(factors, factor)
		total += length
	}
	require.Equal(t, 1e9, total)
	require.InDelta(t, 1.8, factors[sineSteps/4], 0.01)
	require.InDelta(t, 0.2, factors[3*sineSteps/4], 0.01)
}

func TestParetoTimesHaveTheirTail(t *testing.T) {
	const n = 50_000
	shape := Shape{Kind: Pareto, Period: time.Second, Peak: 3, Duty: 0.25, Alpha: 1.5}
	require.NoError(t, shape.Validate())
	p := phases{shape: shape, rnd: rand.NewPCG(3, 4)}
	var above [2][3]int
	multiples := [3]float64{1.5, 4, 50}
	for i := range 2 * n {
		length, factor := p.next()
		mean, want := 0.25e9, 3.0
		if i%2 == 1 {
			mean, want = 0.75e9, 1.0/3
		}
		require.InDelta(t, want, factor, 1e-12)
		least := mean / 3
		require.GreaterOrEqual(t, length, math.Floor(least))
		for j, m := range multiples {
			if length > m*least {
				above[i%2][j]++
			}
		}
	}
	for _, counts := range above {
		for j, m := range multiples {
			requireShare(t, counts[j], n, math.Pow(m, -1.5), 6)
		}
	}
}

func TestALullWithoutRecordsIsSkipped(t *testing.T) {
	shape := Shape{Kind: Square, Period: time.Second, Peak: 4, Duty: 0.25}
	all, peak := countUntil(newSchedule(100, phases{shape: shape}), shape, 10e9)
	require.Equal(t, 1000, all)
	require.Equal(t, 1000, peak)
}
