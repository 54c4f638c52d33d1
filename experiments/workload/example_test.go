package workload_test

import (
	"fmt"
	"os"

	"github.com/aurora-dsms/aurora/experiments/workload"
)

// The same configuration gives the same bytes everywhere.
func ExampleSensors() {
	cfg := workload.SensorsDefaults()
	cfg.Format, cfg.Count, cfg.Seed = workload.CSV, 3, 7
	g, err := workload.Sensors(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := g.WriteTo(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ts,sensor,temperature,humidity,battery
	// 1772452800000,sensor-0061,14.30,42.4,58
	// 1772452800001,sensor-0177,3.68,32.8,70
	// 1772452800002,sensor-0161,8.88,60.5,90
}
