package main

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/experiments/coverage"
)

const data = "../../data"

// brief is enough to see what is badly wrong.
var brief = effort{sets: 4, runs: 8, turns: 1, equals: 1, wholes: 3, wholeRuns: 10}

// TestIntervalsHold measures a few of the scenarios and compares what they cover with what they have to, less what chance explains.
func TestIntervalsHold(t *testing.T) {
	all, err := distributions(data)
	require.NoError(t, err)
	var list []*scenario
	for _, name := range []string{"constant", "normal(0,1)", "lognormal 1.0", "1 % outliers x1000", "flights delay", "mixed signs (unseen)"} {
		d := all[slices.IndexFunc(all, func(d distribution) bool { return d.name == name })]
		list = append(list, groupScenario(d, 0.1, brief), movingScenario(d, brief))
		if name != "1 % outliers x1000" { // a cell by itself does not know what it did not see
			list = append(list, wholeScenario(d, brief))
		}
	}
	list = append(list, variants(all[1], brief)...)
	results, err := measure(context.Background(), list, 1)
	require.NoError(t, err)
	for _, r := range results {
		what := strings.Join([]string{r.scenario.name, r.scenario.values.name, r.scenario.keep}, ", ")
		promised := r.scenario.answer.Confidence - coverage.Tolerance
		for a, name := range r.names {
			var plain, labelled coverage.Share
			for c := range r.classes[a] {
				plain.Cells += r.classes[a][c].Plain.Cells
				plain.Covered += r.classes[a][c].Plain.Covered
				labelled.Cells += r.classes[a][c].Labelled.Cells
			}
			switch name {
			case "n":
				assert.Zero(t, labelled.Cells, "%s: counts are labelled", what)
				assert.Greater(t, plain.Cells, int64(50), what)
				fallthrough
			case "total", "mean":
				assert.False(t, plain.Short(promised), "%s, %s: %d of %d covered", what, name, plain.Covered, plain.Cells)
			}
		}
		assert.Zero(t, r.strange, what)
		assert.False(t, r.unseen.Short(promised), "%s: groups not listed", what)
	}
	var tables, csv bytes.Buffer
	report(&tables, results)
	writeCSV(&csv, results)
	assert.Contains(t, tables.String(), "| flights delay |")
	assert.Contains(t, csv.String(), "\ngroups,\"normal(0,1)\",\"0.1\",n,30-74,")
}

// column returns a size class with the shares given.
func class(plain, covered, labelled int64) coverage.Column {
	return coverage.Column{
		Plain: coverage.Share{Cells: plain, Covered: covered}, Labelled: coverage.Share{Cells: labelled},
		Oracle: 1, OracleMedian: 1, Width: math.NaN(),
	}
}

// TestCheckFindsWhatDoesNotShow gives results that are just good enough, and then one figure of each that is not.
func TestCheckFindsWhatDoesNotShow(t *testing.T) {
	make := func(name string, n, total coverage.Column) *result {
		d := distribution{name: "x", least: 0.94, labelled: 0.36, width: 1.3}
		return &result{scenario: &scenario{name: name, values: d}, names: []string{"n", "total"}, classes: [][]coverage.Column{{{}, n}, {{}, total}}}
	}
	n, total := class(10_000, 9_500, 0), class(6_400, 6_080, 3_600)
	require.Empty(t, check([]*result{make("equal", n, total)}))
	miss := func(r *result) string {
		all := check([]*result{r})
		require.Len(t, all, 1)
		return all[0].text
	}
	assert.Contains(t, miss(make("equal", class(10_000, 9_300, 0), total)), "COUNT coverage of a size class is 0.93, not 0.94")
	assert.Contains(t, miss(make("equal", class(9_999, 9_500, 1), total)), "COUNT labelled share")
	assert.Contains(t, miss(make("equal", n, class(6_400, 6_000, 3_600))), "SUM coverage is 0.9375, not 0.94")
	assert.Contains(t, miss(make("equal", n, class(6_000, 5_700, 4_000))), "SUM labelled share is 0.4, not 0.36")
	wide := make("whole", n, total)
	wide.classes[1] = make("whole", n, total).classes[1]
	wide.classes[1] = append(wide.classes[1], coverage.Column{}, coverage.Column{Plain: total.Plain, OracleMedian: 1.5})
	assert.Contains(t, miss(wide), "SUM width against the oracle is 1.5, not 1.43")
	one := check([]*result{make("equal", class(10_000, 9_390, 0), total)})
	require.Len(t, one, 1)
	assert.True(t, one[0].chance, "0.001 is within three standard errors")
}

// TestDistributionsHaveTheirMeans compares means of many draws with theory, within five standard errors.
func TestDistributionsHaveTheirMeans(t *testing.T) {
	all, err := distributions(data)
	require.NoError(t, err)
	zipfMean, zipfMass := 0.0, 0.0
	for v := 1.0; v <= 1001; v++ {
		zipfMass += math.Pow(v, -1.5)
		zipfMean += math.Pow(v, -0.5)
	}
	for name, want := range map[string]float64{
		"constant": 5, "uniform": 0.5, "normal(0,1)": 0, "normal(10,1)": 10, "exponential": 1, "lognormal 1.0": math.Exp(0.5),
		"zipf 1.5": zipfMean / zipfMass, "5 % ones": 0.05, "1 % outliers x1000": 10 * (0.99 + 10), "Weibull 0.5 (unseen)": 2, "gamma 0.3 (unseen)": 0.3,
		"mixed signs (unseen)": -0.7 + 0.3*math.Exp(0.5), "lognormal 1.2 - 2 (unseen)": math.Exp(0.72) - 2, "Student t3 (unseen)": 5,
		"latencies with a limit (unseen)": 0.02*1000 + 0.1*(50+1/(math.Exp(1.0/40)-1)) + 0.88*10.5,
	} {
		d := all[slices.IndexFunc(all, func(d distribution) bool { return d.name == name })]
		r := rand.New(rand.NewPCG(1, 1))
		const n = 200_000
		var sum, squares float64
		for range n {
			x := d.draw(r)
			sum += x
			squares += x * x
		}
		mean := sum / n
		deviation := math.Sqrt(math.Max(squares/n-mean*mean, 0) / n)
		assert.InDelta(t, want, mean, 5*deviation+1e-12, name)
	}
}

// TestSharesMoveAndKeepTheirMeans counts the rows of groups of one size with each trend, epoch by epoch.
func TestSharesMoveAndKeepTheirMeans(t *testing.T) {
	counts := map[int]*[3]float64{}
	i := 0
	moving(rand.New(rand.NewPCG(1, 1)), distribution{draw: (*rand.Rand).Float64}, 6)(func(r row) {
		trend := r.group % 3
		if r.group/3%len(keptSizes) == 5 {
			if counts[trend] == nil {
				counts[trend] = &[3]float64{}
			}
			counts[trend][i/epochRows%3]++
		}
		i++
	})
	require.Equal(t, 6*movingRows, i)
	for trend, factor := range []float64{1, 0.3, 1 / 0.3} {
		c := counts[trend]
		for e := 1; e < 3; e++ {
			assert.InEpsilon(t, factor, c[e]/c[e-1], 0.1, "trend %d, epoch %d", trend, e)
		}
		assert.InEpsilon(t, counts[0][0]+counts[0][1]+counts[0][2], c[0]+c[1]+c[2], 0.1, "trend %d", trend)
	}
}

func TestClasses(t *testing.T) {
	for kept, name := range map[float64]string{0: "0-3", 3.9: "0-3", 4: "4-14", 47: "30-74", 999: "350-999", 5000: "1000-"} {
		assert.Equal(t, name, className(classOf(kept)))
	}
	for i, kept := range keptSizes {
		assert.Equal(t, i+1, classOf(float64(kept)), "a class for each size")
	}
}

func TestEqualGroupsAreEqual(t *testing.T) {
	counts := map[int]int{}
	equal(rand.New(rand.NewPCG(1, 1)), distribution{draw: (*rand.Rand).Float64}, 30, 7)(func(r row) { counts[r.group]++ })
	assert.Len(t, counts, 7)
	for g, n := range counts {
		assert.Equal(t, 30, n, g)
	}
}
