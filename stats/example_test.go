package stats_test

import (
	"fmt"
	"time"

	"github.com/aurora-dsms/aurora/stats"
)

// Two trains through a filter give its cost and selectivity.
func ExampleCounter() {
	filter := stats.Box{Name: "filter"}
	filter.Observe(1000, 40, 15*time.Microsecond)
	filter.Observe(500, 20, 9*time.Microsecond)
	cost, _ := filter.Cost()
	passed, _ := filter.Selectivity()
	fmt.Printf("%.0f ns a tuple, %.0f %% pass\n", cost*1e9, 100*passed)
	// Output: 16 ns a tuple, 4 % pass
}
