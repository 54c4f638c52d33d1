package synopsis_test

import (
	"fmt"
	"math"

	"github.com/aurora-dsms/aurora/synopsis"
)

// A sum of integers is exact where 64 bits are too few, and so is the mean.
func ExampleSum() {
	var s synopsis.Sum
	s.AddInt(math.MaxInt64)
	s.AddInt(1)
	fmt.Println(s.Int(), s.Mean(2))
	// Output: 9223372036854775808 4.611686018427388e+18
}

// Moments keeps what values near a large one differ by, and merges what was followed apart.
func ExampleMoments() {
	var morning, evening synopsis.Moments
	for _, ns := range []int64{1_704_067_200_000_000_001, 1_704_067_200_000_000_003} {
		morning.AddInt(ns)
	}
	evening.AddInt(1_704_067_200_000_000_005)
	morning.Merge(&evening)
	fmt.Println(morning.Count(), morning.VarSamp())
	// Output: 3 4
}
