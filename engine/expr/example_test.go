package expr_test

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// A binder resolves calls to their types; the program made of the tree works on whole columns.
func ExampleCompile() {
	latency := &expr.Node{Kind: expr.Col, Type: tuple.Bigint, Index: 0, Text: "latency"}
	limit := &expr.Node{Kind: expr.Const, Type: tuple.Bigint, Value: expr.Value{Type: tuple.Bigint, I: 100}}
	args := []*expr.Node{latency, limit}
	name, typ, err := expr.Resolve(">", args)
	if err != nil {
		fmt.Println(err)
		return
	}
	slow := &expr.Node{Kind: expr.Call, Name: name, Type: typ, Args: args}
	program, err := expr.Compile(slow)
	if err != nil {
		fmt.Println(err)
		return
	}
	cols := make([]tuple.Column, 1)
	cols[0].Reset(tuple.Bigint, 4)
	copy(cols[0].I, []int64{20, 250, 100, 101})
	fmt.Println(slow, program.Select(cols, 4, tuple.All(4), nil))
	// Output: latency > 100 [1 3]
}
