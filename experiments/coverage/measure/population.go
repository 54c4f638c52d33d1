package main

import (
	"bufio"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"sort"
	"strconv"
)

// row is one record of a population: its group, its value, and a whole number from 1 to 9 that is independent of both.
type row struct {
	ms    int64 // event time
	group int
	x     float64
	y     int
}

// population writes rows to a CSV file with the columns ts (milliseconds), g, x and y, and shows each of them to see, with the value as it
// will be read.
func population(path string, make func(emit func(row)), see func(*row)) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<16)
	_, _ = out.WriteString("ts,g,x,y\n")
	var line []byte
	make(func(r row) {
		line = append(strconv.AppendInt(line[:0], epochStart+r.ms, 10), ',')
		line = append(strconv.AppendInt(line, int64(r.group), 10), ',')
		at := len(line)
		line = strconv.AppendFloat(line, r.x, 'g', 7, 64)
		if see != nil {
			if r.x, err = strconv.ParseFloat(string(line[at:]), 64); err != nil {
				panic(err) // strconv wrote it
			}
			see(&r)
		}
		line = append(strconv.AppendInt(append(line, ','), int64(r.y), 10), '\n')
		_, _ = out.Write(line)
	})
	return out.Flush()
}

// epochStart is the event time of the first record, in ms.
const epochStart = 1_767_225_600_000

// keptSizes are the kept rows that cells are made for: one inside each size class from 4 on.
var keptSizes = []int{8, 21, 47, 105, 230, 600}

// grouped emits sets of groups, in each one group for every size of keptSizes at the given keep, in random order.
func grouped(r *rand.Rand, d distribution, keep float64, sets int) func(func(row)) {
	return func(emit func(row)) {
		var groups []int32
		for g := range sets * len(keptSizes) {
			for range int(float64(keptSizes[g%len(keptSizes)])/keep + 0.5) {
				groups = append(groups, int32(g))
			}
		}
		r.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
		for _, g := range groups {
			emit(row{group: int(g), x: d.draw(r), y: 1 + r.IntN(9)})
		}
	}
}

// equal emits groups of one size, in random order.
func equal(r *rand.Rand, d distribution, size, groups int) func(func(row)) {
	return func(emit func(row)) {
		left := make([]int, groups)
		for g := range left {
			left[g] = size
		}
		for n := size * groups; n > 0; n-- {
			at := r.IntN(n) // of the rows that are left
			g := 0
			for ; at >= left[g]; g++ {
				at -= left[g]
			}
			left[g]--
			emit(row{group: g, x: d.draw(r), y: 1 + r.IntN(9)})
		}
	}
}

// whole emits rows of one group.
func whole(r *rand.Rand, d distribution, rows int) func(func(row)) {
	return func(emit func(row)) {
		for range rows {
			emit(row{x: d.draw(r), y: 1 + r.IntN(9)})
		}
	}
}

// epochRows is the length of the engine's epochs in records, while keep is at least 1/256.
const epochRows = 32_768

// movingKeeps take turns, an epoch each.
var movingKeeps = []float64{0.5, 0.1, 0.02}

// movingRows is the length of a window of moving rows: about one turn of the keeps, and never in step with it.
const movingRows = 100_000

// moving emits windows of one event a millisecond, in which the shares of the groups move with the keep in force: group g's is 0.3 times
// as large from epoch to epoch of a turn if g%3 is 1, as much larger if 2, and does not move if 0.
func moving(r *rand.Rand, d distribution, windows int) func(func(row)) {
	const each = 5 // groups of every size and trend
	trends := [3]float64{1, 0.3, 1 / 0.3}
	mean := (movingKeeps[0] + movingKeeps[1] + movingKeeps[2]) / 3
	var picks [3]picker
	groups := 3 * each * len(keptSizes)
	for e := range picks {
		filler := 1.0
		for g := range groups {
			trend := trends[g%3]
			share := float64(keptSizes[g/3%len(keptSizes)]) / mean / movingRows * 3 * math.Pow(trend, float64(e)) / (1 + trend + trend*trend)
			filler -= share
			picks[e].add(share)
		}
		picks[e].add(filler)
	}
	return func(emit func(row)) {
		for i := range windows * movingRows {
			pick := &picks[i/epochRows%len(picks)]
			emit(row{ms: int64(i), group: pick.draw(r), x: d.draw(r), y: 1 + r.IntN(9)})
		}
	}
}

// picker draws numbers with given weights.
type picker struct{ sums []float64 }

func (p *picker) add(weight float64) {
	var sum float64
	if n := len(p.sums); n > 0 {
		sum = p.sums[n-1]
	}
	p.sums = append(p.sums, sum+weight)
}

func (p *picker) draw(r *rand.Rand) int {
	u := r.Float64() * p.sums[len(p.sums)-1]
	return min(sort.SearchFloat64s(p.sums, u), len(p.sums)-1)
}

// zipfGroups emits rows of a thousand groups with sizes as 1/rank.
func zipfGroups(r *rand.Rand, d distribution, rows int) func(func(row)) {
	var pick picker
	for g := range 1000 {
		pick.add(1 / float64(g+1))
	}
	return func(emit func(row)) {
		for i := range rows {
			emit(row{ms: int64(i), group: pick.draw(r), x: d.draw(r), y: 1 + r.IntN(9)})
		}
	}
}

// bursts emits rows of fifty groups, quiet for most of the time: in bursts, of random length, rows come twenty times as fast, are of a
// few groups, and their values are five times as large.
func bursts(r *rand.Rand, d distribution, rows int) func(func(row)) {
	return func(emit func(row)) {
		var us int64
		burst, left := false, 0
		for range rows {
			if left == 0 {
				burst, left = !burst, 1+int(4000*r.ExpFloat64())
			}
			left--
			group, scale, gap := r.IntN(50), 1.0, int64(2000)
			if burst {
				group, scale, gap = r.IntN(5), 5, 100
			}
			us += gap
			emit(row{ms: us / 1000, group: group, x: scale * d.draw(r), y: 1 + r.IntN(9)})
		}
	}
}
