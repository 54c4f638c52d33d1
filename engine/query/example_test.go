package query_test

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func Example() {
	script, err := query.Parse("SELECT host, count(*) AS n FROM tumble(logs, '1 minute') WHERE status >= 500 GROUP BY host")
	if err != nil {
		fmt.Println(err)
		return
	}
	logs := streams{"logs": {Name: "logs", Closed: true, Fields: []query.Field{
		{Name: "ts", Path: []string{"ts"}, Type: tuple.Timestamp},
		{Name: "host", Path: []string{"host"}, Type: tuple.Text},
		{Name: "status", Path: []string{"status"}, Type: tuple.Number},
	}}}
	bound, err := script.Bind(0, logs)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan.Explain(bound.Plan))
	// Output:
	// sink      host TEXT, n BIGINT   [when a window closes]
	// └─ project host, count(*) AS n
	//    └─ aggregate count(*) by host over tumble 1m0s
	//       └─ filter status >= 500
	//          └─ decode logs: ts TIMESTAMP, host TEXT, status NUMBER   [event time ts]
}
