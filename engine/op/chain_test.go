package op_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// chain pushes what it is emitted through the operators from the i-th on, as the engine runs a superbox.
type chain struct {
	ops  []op.Operator
	next *chain
}

func makeChain(tb testing.TB, spec op.Spec, boxes int) *chain {
	tb.Helper()
	c := &chain{}
	for range boxes {
		o, err := spec.Make()
		require.NoError(tb, err)
		c = &chain{ops: []op.Operator{o}, next: c}
	}
	return c
}

func (c *chain) Emit(b *tuple.Batch) error {
	if len(c.ops) == 0 {
		return nil
	}
	return c.ops[0].Process(0, b, c.next)
}

var oneColumn = enginetest.Schema(tuple.Bigint)

func fullBatch() *tuple.Batch {
	rows := make([][]expr.Value, tuple.MaxRows)
	for i := range rows {
		rows[i] = []expr.Value{enginetest.Int(int64(i))}
	}
	return enginetest.Batch(oneColumn, rows, nil)
}

// passAll is a filter that every row passes.
func passAll() *op.Filter {
	v := enginetest.Ref(oneColumn, 0)
	return &op.Filter{Cond: enginetest.Call(">=", v, enginetest.Constant(enginetest.Int(0)))}
}

func projection(n *expr.Node) *op.Project {
	return &op.Project{Exprs: []*expr.Node{n}, Fields: []tuple.Field{{Name: "v", Type: tuple.Bigint}}}
}

func TestChainsOfBoxesDoNotAllocate(t *testing.T) {
	b := fullBatch()
	for _, spec := range []op.Spec{passAll(), projection(enginetest.Ref(oneColumn, 0))} {
		c := makeChain(t, spec, 8)
		require.NoError(t, c.Emit(b))
		require.Zero(t, testing.AllocsPerRun(100, func() { require.NoError(t, c.Emit(b)) }), spec.String())
	}
}

// BenchmarkBox measures what a box costs an event, in a chain of several.
func BenchmarkBox(b *testing.B) {
	v := enginetest.Ref(oneColumn, 0)
	for name, spec := range map[string]op.Spec{
		"column": projection(v),
		"add":    projection(enginetest.Call("+", v, enginetest.Constant(enginetest.Int(1)))),
		"filter": passAll(),
	} {
		for _, boxes := range []int{1, 8} {
			b.Run(fmt.Sprintf("%s/boxes=%d", name, boxes), func(b *testing.B) {
				c, batch := makeChain(b, spec, boxes), fullBatch()
				b.ReportAllocs()
				for b.Loop() {
					if err := c.Emit(batch); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*tuple.MaxRows*boxes), "ns/event/box")
			})
		}
	}
}
