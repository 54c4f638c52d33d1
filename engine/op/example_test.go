package op_test

import (
	"fmt"
	"time"

	"github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// A spec describes an aggregate; the operator made of it gives a window out once time has passed its end.
func ExampleAggregate() {
	in := enginetest.Schema(tuple.Text)
	spec := &op.Aggregate{
		Window:    op.Window{Kind: op.Tumble, Size: time.Minute, Slide: time.Minute},
		Keys:      []*expr.Node{enginetest.Ref(in, 0)},
		KeyFields: []tuple.Field{{Name: "host", Type: tuple.Text}},
		Aggs:      []op.Agg{{Func: op.CountAll, Field: tuple.Field{Name: "n"}}},
	}
	operator, err := spec.Make()
	if err != nil {
		fmt.Println(err)
		return
	}
	var out enginetest.Collector
	hosts := [][]expr.Value{{enginetest.Text("a")}, {enginetest.Text("b")}, {enginetest.Text("a")}}
	times := []int64{0, int64(30 * time.Second), int64(50 * time.Second)}
	if err := operator.Process(0, enginetest.Batch(in, hosts, times), &out); err != nil {
		fmt.Println(err)
	}
	fmt.Println(spec, "before:", len(out.Rows))
	if _, err := operator.Advance(0, int64(time.Minute), &out); err != nil {
		fmt.Println(err)
	}
	for _, row := range out.Rows {
		fmt.Println(row)
	}
	// Output:
	// aggregate count(*) by host over tumble 1m0s before: 0
	// [TIMESTAMP '1970-01-01T00:00:00Z' TIMESTAMP '1970-01-01T00:01:00Z' 'a' 2]
	// [TIMESTAMP '1970-01-01T00:00:00Z' TIMESTAMP '1970-01-01T00:01:00Z' 'b' 1]
}
