package main

import (
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/aurora-dsms/aurora/engine/query"
)

// effort says how much is measured.
type effort struct {
	sets  int // of groups in a population, each with a cell of every size
	runs  int
	turns int // windows of a population with moving shares
	// Populations of groups of equal size, of each size; populations and runs of whole strata, of each size.
	equals, wholes, wholeRuns int
}

var (
	// full gives 10,000 cells and more to every distribution and rate.
	full = effort{sets: 68, runs: 25, turns: 5, equals: 3, wholes: 40, wholeRuns: 30}
	// quick is for a look.
	quick = effort{sets: 17, runs: 10, turns: 3, equals: 1, wholes: 10, wholeRuns: 20}
)

// one makes the scenario's populations of a function without a number.
func one(f func(r *rand.Rand) func(func(row))) func(*rand.Rand, int) func(func(row)) {
	return func(r *rand.Rand, _ int) func(func(row)) { return f(r) }
}

// groupScenario has groups of every size at one rate.
func groupScenario(d distribution, keep float64, e effort) *scenario {
	if keep < 0.05 { // populations are large: fewer, and more runs of each
		e.sets, e.runs = e.sets*3/5, e.runs*5/3
	}
	return &scenario{
		name: "groups", values: d, keep: keepName(keep), mean: keep, sql: byGroup, answer: sampled(keep), steady: true, populations: 1, runs: e.runs,
		make: one(func(r *rand.Rand) func(func(row)) { return grouped(r, d, keep, e.sets) }),
	}
}

// movingScenario has rates that change inside windows, and shares of groups that move with them.
func movingScenario(d distribution, e effort) *scenario {
	return &scenario{
		name: "moving", values: d, keep: "varying", mean: (movingKeeps[0] + movingKeeps[1] + movingKeeps[2]) / 3, sql: inWindows, window: movingRows,
		answer: sampled(movingKeeps...), populations: 1, runs: e.runs,
		make: one(func(r *rand.Rand) func(func(row)) { return moving(r, d, e.turns) }),
	}
}

// equalScenario has groups of one size in each population, as few as the simulated tallies of intervals.md section 3 stand for.
func equalScenario(d distribution, e effort) *scenario {
	const keep = 0.1
	sizes := append(slices.Clone(keptSizes), 2000)
	return &scenario{
		name: "equal", values: d, keep: keepName(keep), mean: keep, sql: byGroup, answer: sampled(keep), steady: true,
		populations: len(sizes) * e.equals, runs: e.runs,
		make: func(r *rand.Rand, i int) func(func(row)) {
			size := sizes[i%len(sizes)]
			return equal(r, d, int(float64(size)/keep), max(tallyShare, tallyLeast/size))
		},
	}
}

// Simulated tallies have tallyShare times the rows of a cell, and at least tallyLeast.
// With a tenth more of these none is short of that by chance.
const tallyShare, tallyLeast = 20, 1100

// wholeScenario has one cell a run: all that there is.
func wholeScenario(d distribution, e effort) *scenario {
	const keep = 0.1
	sizes := []int{47, 230}
	return &scenario{
		name: "whole", values: d, keep: keepName(keep), mean: keep, sql: inAll, answer: sampled(keep), steady: true,
		populations: len(sizes) * e.wholes, runs: e.wholeRuns,
		make: func(r *rand.Rand, i int) func(func(row)) { return whole(r, d, int(float64(sizes[i%len(sizes)])/keep)) },
	}
}

// variants are other kinds of queries and of streams, with the values of one distribution each.
func variants(d distribution, e effort) []*scenario {
	zipf := one(func(r *rand.Rand) func(func(row)) { return zipfGroups(r, d, 25_000*e.turns) })
	burst := one(func(r *rand.Rand) func(func(row)) { return bursts(r, d, 50_000*e.turns) })
	groups := func(keep float64) func(*rand.Rand, int) func(func(row)) {
		return one(func(r *rand.Rand) func(func(row)) { return grouped(r, d, keep, e.sets) })
	}
	const filter, few = " WHERE y > 6 ", 1.0 / 3
	filtered := "SELECT g, " + aggregates + " FROM s" + filter + "GROUP BY g"
	twice := "SELECT g, " + aggregates + " FROM s TABLESAMPLE BERNOULLI (50 PERCENT)" + filter + "GROUP BY g"
	high := sampled(0.1)
	high.Confidence = 0.99
	return []*scenario{
		{name: "zipf groups", values: d, keep: "0.1", mean: 0.1, sql: byGroup, answer: sampled(0.1), steady: true, runs: e.runs, make: zipf},
		{name: "bursts", values: d, window: movingRows, keep: "0.5, 0.05", mean: 0.275, sql: inWindows, answer: sampled(0.5, 0.05), runs: e.runs, make: burst},
		{name: "sliding windows", values: d, window: -1, keep: "0.1", mean: 0.1, sql: sliding, answer: sampled(0.1), steady: true, runs: e.runs, make: zipf},
		{name: "filter", values: d, window: -1, keep: "0.1", mean: 0.1, sql: filtered, answer: sampled(0.1), steady: true, runs: e.runs, make: groups(0.1 * few)},
		{name: "two drops", values: d, window: -1, keep: "0.2 x 0.5", mean: 0.1, sql: twice, exact: filtered, answer: sampled(0.2), steady: true, runs: e.runs, make: groups(0.1 * few)},
		{name: "two drops, varying", values: d, window: -1, keep: "(0.5, 0.05) x 0.5", mean: 0.1375, sql: twice, exact: filtered, answer: sampled(0.5, 0.05), runs: e.runs, make: groups(0.1 * few)},
		{name: "99 %", values: d, keep: "0.1", mean: 0.1, sql: byGroup, answer: high, steady: true, runs: e.runs, make: groups(0.1)},
	}
}

// real are the real inputs as they are.
func real(data string, e effort) []*scenario {
	flights, access := filepath.Join(data, "flights.csv"), filepath.Join(data, "access.log")
	const delays = `SELECT window_start, origin, count(*) AS n, sum(delay) AS total, avg(delay) AS mean, var_samp(delay) AS variance,
		sum(delay) / sum(distance) AS ratio, count(*) FILTER (WHERE delay > 15) / count(*) AS share, p50(delay) AS p50, p99(delay) AS p99
		FROM tumble(s, time, '1 day') GROUP BY window_start, origin`
	const bytes = `SELECT status, method, count(*) AS n, sum(bytes) AS total, avg(bytes) AS mean, var_samp(bytes) AS variance,
		sum(bytes) / count(*) AS ratio, count(*) FILTER (WHERE bytes > 10000) / count(*) AS share, p50(bytes) AS p50, p99(bytes) AS p99
		FROM s GROUP BY status, method`
	const hourly = `SELECT window_start, count(*) AS n, sum(bytes) AS total, avg(bytes) AS mean, var_samp(bytes) AS variance,
		sum(bytes) / count(*) AS ratio, count(*) FILTER (WHERE bytes > 10000) / count(*) AS share, p50(bytes) AS p50, p99(bytes) AS p99
		FROM tumble(s, time, '1 hour') GROUP BY window_start`
	var all []*scenario
	add := func(name, path, sql string, runs int, keeps ...float64) {
		s := &scenario{name: name, keep: keepName(keeps[0]), mean: keeps[0], sql: sql, path: path, answer: query.Settings{Sample: keeps, Confidence: 0.95}, steady: true, runs: runs * e.runs}
		s.values.name = "real"
		all = append(all, s)
	}
	for _, keep := range []float64{0.5, 0.1} {
		add("flights by day and origin", flights, delays, 1, keep)
		add("access log by hour", access, hourly, 16, keep)
		add("access log by status", access, bytes, 40, keep)
	}
	return all
}

// plan returns all that is measured.
func plan(data string, all []distribution, e effort) []*scenario {
	var list []*scenario
	for _, d := range all {
		for _, keep := range []float64{0.5, 0.1, 0.01} {
			list = append(list, groupScenario(d, keep, e))
		}
		list = append(list, movingScenario(d, e), equalScenario(d, e), wholeScenario(d, e))
	}
	for _, d := range all {
		if d.name == "uniform" || d.name == "lognormal 1.0" || d.name == "mixed signs (unseen)" {
			list = append(list, variants(d, e)...)
		}
	}
	return append(list, real(data, e)...)
}
