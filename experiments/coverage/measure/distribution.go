package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// distribution is a shape of values.
type distribution struct {
	name string
	draw func(*rand.Rand) float64
	// least is the coverage that unlabelled sums and means must have, and labelled the share of cells that may be labelled
	// (intervals.md section 3: SUM and AVG of 5 % domains); 1 where no table says.
	least, labelled float64
	// width is the median width of whole strata with 30 to 74 kept rows against the oracle, from the same section; 0 where it has none.
	width float64
}

// lognormal draws exp(sigma Z) + shift.
func lognormal(sigma, shift float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Exp(sigma*r.NormFloat64()) + shift }
}

// pareto draws values of at least 1 that exceed x with probability x^-alpha.
func pareto(alpha float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/alpha) }
}

func normal(mean float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return mean + r.NormFloat64() }
}

// among draws from a list.
func among(values []float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return values[r.IntN(len(values))] }
}

// outliers multiplies one value in a hundred of a normal distribution by a thousand.
func outliers(r *rand.Rand) float64 {
	x := 10 + r.NormFloat64()
	if r.IntN(100) == 0 {
		return 1000 * x
	}
	return x
}

// zipfValues draws whole numbers from 1 to 1,001 with probabilities as x^-1.5.
func zipfValues(r *rand.Rand) float64 { return 1 + float64(rand.NewZipf(r, 1.5, 1, 1000).Uint64()) }

// indicator draws 1 five times in a hundred, else 0.
func indicator(r *rand.Rand) float64 {
	if r.IntN(20) == 0 {
		return 1
	}
	return 0
}

// gamma draws from a gamma distribution of shape a < 1 by the method of Ahrens and Dieter (Computing 12, 1974, algorithm GS).
func gamma(a float64) func(*rand.Rand) float64 {
	b := 1 + a/math.E
	return func(r *rand.Rand) float64 {
		for {
			p := b * r.Float64()
			if p <= 1 {
				if x := math.Pow(p, 1/a); r.ExpFloat64() >= x {
					return x
				}
				continue
			}
			if x := -math.Log((b - p) / a); r.ExpFloat64() >= (1-a)*math.Log(x) {
				return x
			}
		}
	}
}

// mixedSigns draws losses more often than gains, and gains that are heavier.
func mixedSigns(r *rand.Rand) float64 {
	if r.IntN(10) < 7 {
		return -r.ExpFloat64()
	}
	return math.Exp(r.NormFloat64())
}

// latencies draws whole milliseconds: most near ten, some that waited, and two in a hundred that ran into a limit of a second.
func latencies(r *rand.Rand) float64 {
	switch p := r.IntN(100); {
	case p < 2:
		return 1000
	case p < 12:
		return 50 + math.Floor(40*r.ExpFloat64())
	}
	return 8 + float64(r.IntN(6))
}

// student draws from Student's t distribution with three degrees of freedom: symmetric, without a third moment.
func student(r *rand.Rand) float64 {
	var squares float64
	for range 3 {
		z := r.NormFloat64()
		squares += z * z
	}
	return 5 + r.NormFloat64()/math.Sqrt(squares/3)
}

// distributions returns the fifteen of intervals.md section 3 and those that nothing was tuned on; data is the folder of real input.
func distributions(data string) ([]distribution, error) {
	delay, err := column(filepath.Join(data, "flights.csv"), func(line string) string { return strings.Split(line, ",")[1] })
	if err != nil {
		return nil, err
	}
	bytes, err := column(filepath.Join(data, "access.log"), func(line string) string {
		_, rest, _ := strings.Cut(line, `" `)
		return strings.Fields(rest)[1]
	})
	if err != nil {
		return nil, err
	}
	return []distribution{
		{"constant", func(*rand.Rand) float64 { return 5 }, 0.94, 0, 0},
		{"uniform", (*rand.Rand).Float64, 0.94, 0, 0},
		{"normal(0,1)", normal(0), 0.94, 0, 1.09},
		{"normal(10,1)", normal(10), 0.94, 0, 1.09},
		{"exponential", (*rand.Rand).ExpFloat64, 0.94, 0.12, 1.18},
		{"lognormal 1.0", lognormal(1, 0), 0.94, 0.36, 1.30},
		{"lognormal 1.5", lognormal(1.5, 0), 0.94, 0.64, 1.66},
		{"lognormal 2.0", lognormal(2, 0), 0.94, 0.85, 0},
		{"Pareto 2.1", pareto(2.1), 0.94, 0.71, 1.41},
		{"Pareto 1.5", pareto(1.5), 0.91, 0.90, 0},
		{"1 % outliers x1000", outliers, 0.94, 0.62, 0},
		{"zipf 1.5", zipfValues, 0.94, 0.46, 0},
		{"5 % ones", indicator, 0.94, 0.35, 0},
		{"flights delay", among(delay), 0.94, 0.36, 1.22},
		{"access bytes", among(bytes), 0.94, 0.77, 0},
		{"Weibull 0.5 (unseen)", func(r *rand.Rand) float64 { e := r.ExpFloat64(); return e * e }, 0.94, 1, 0},
		{"gamma 0.3 (unseen)", gamma(0.3), 0.94, 1, 0},
		{"mixed signs (unseen)", mixedSigns, 0.94, 1, 0},
		{"lognormal 1.2 - 2 (unseen)", lognormal(1.2, -2), 0.94, 1, 0},
		{"latencies with a limit (unseen)", latencies, 0.94, 1, 0},
		{"Student t3 (unseen)", student, 0.94, 1, 0},
	}, nil
}

// column reads a column of numbers from the lines of a file, without those that are none.
func column(path string, field func(line string) string) (values []float64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if v, err := strconv.ParseFloat(field(lines.Text()), 64); err == nil {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%s: no numbers", path)
	}
	return values, lines.Err()
}
