package plan_test

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// A query is built from its input upwards; a rewrite then moves the filter to where records are decoded.
func ExamplePushFilters() {
	up := &expr.Node{Kind: expr.Col, Type: tuple.Boolean, Index: 1, Text: "up"}
	q := &plan.Query{Inputs: []plan.Input{{
		Stream: "hosts", Time: -1,
		Schema: &tuple.Schema{Fields: []tuple.Field{{Name: "host", Type: tuple.Text}, {Name: "up", Type: tuple.Boolean}}},
	}}}
	q.Append(&op.Filter{Cond: up})
	q.Append(&op.Project{
		Exprs:  []*expr.Node{{Kind: expr.Col, Type: tuple.Text, Index: 0, Text: "host"}},
		Fields: []tuple.Field{{Name: "host", Type: tuple.Text}},
	})
	if err := q.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Explain(q))
	fmt.Print(plan.Explain(plan.PushFilters(q)))
	// Output:
	// sink      host TEXT   [as they come]
	// └─ project host
	//    └─ filter up
	//       └─ decode hosts: host TEXT, up BOOLEAN
	//
	// sink      host TEXT   [as they come]
	// └─ project host
	//    └─ filter up   [while decoding]
	//       └─ decode hosts: host TEXT, up BOOLEAN
}
