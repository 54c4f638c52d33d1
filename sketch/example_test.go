package sketch_test

import (
	"fmt"

	"github.com/aurora-dsms/aurora/sketch"
)

// A quantile of many values comes with bounds that hold whatever the values are.
func ExampleQuantile() {
	var latencies sketch.Quantile
	for i := range 10_000 {
		latencies.AddInt(int64(i + 1))
	}
	v, _ := latencies.Quantile(0.99)
	lo, hi, _ := latencies.Bounds(0.99, 0.99)
	fmt.Println(v.Int, lo.Int, hi.Int, latencies.Exact())
	// Output: 9919 9856 9983 false
}

// Values are hashed once; counts are exact up to 512 distinct ones.
func ExampleDistinct() {
	var users sketch.Distinct
	for _, name := range []string{"ada", "grace", "ada", "barbara"} {
		users.AddHash(sketch.Hash([]byte(name)))
	}
	fmt.Println(users.Estimate(), users.Exact())
	// Output: 3 true
}

// The heaviest values come with the range in which their weight lies.
func ExampleTopK() {
	paths, err := sketch.NewTopK(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range []string{"/", "/login", "/", "/about", "/login", "/"} {
		paths.Add([]byte(p), 1)
	}
	for _, top := range paths.Top(nil) {
		fmt.Printf("%s %v within [%v, %v]\n", top.Value, top.Count, top.Low, top.High)
	}
	// Output:
	// / 3 within [3, 3]
	// /login 2 within [2, 2]
}

// Half of the users are kept, by their hashes, and then a tenth.
func ExampleTheta() {
	users, err := sketch.NewTheta(0)
	if err != nil {
		panic(err)
	}
	for i := range uint64(50_000) {
		keep := 0.5
		if i >= 20_000 {
			keep = 0.1
		}
		users.Limit(keep)
		if h := sketch.HashInt(i); h <= sketch.ThetaTop(keep) {
			users.AddHash(h)
		}
	}
	e := users.Interval(0.95)
	fmt.Printf("%.0f in [%.0f, %.0f]\n", e.Value, e.Low, e.High)
	// Output: 50566 in [49091, 52074]
}

// One row in ten was kept of the slow requests, all of the others. Quantiles are within 1 % of a value that has the rank by
// weight.
func ExampleWeightedQuantile() {
	var latency sketch.WeightedQuantile
	for ms := range int64(900) {
		latency.AddInt(ms/10, 1)
	}
	for ms := range int64(10) {
		latency.AddInt(1000+ms, 10)
	}
	median, _ := latency.Quantile(0.5)
	p95, _ := latency.Quantile(0.95)
	fmt.Println(median.Int, p95.Int, latency.Weight())
	// Output: 49 1003 1000
}
