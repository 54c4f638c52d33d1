package expr_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

var speedSchema = Schema(tuple.Bigint, tuple.Double, tuple.Number, tuple.Text, tuple.Timestamp, tuple.Number)

// speedBlock is a full block: status, latency, bytes, a path, a time, and numbers of both kinds.
func speedBlock() *tuple.Batch {
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([][]expr.Value, tuple.MaxRows)
	for i := range rows {
		mixed := NumberInt(rng.Int64N(1000))
		if i%2 == 0 {
			mixed = NumberFloat(rng.Float64())
		}
		rows[i] = []expr.Value{
			Int(200 + 100*rng.Int64N(4)), Float(rng.Float64() * 100), NumberInt(rng.Int64N(1e6)),
			Text("/api/v1/items/" + strconv.Itoa(rng.IntN(1000))), Time(rng.Int64N(1e18)), mixed,
		}
	}
	return Batch(speedSchema, rows, nil)
}

func speedTrees() []struct {
	name string
	n    *expr.Node
} {
	status, latency, bytes, path, at, mixed := Ref(speedSchema, 0), Ref(speedSchema, 1), Ref(speedSchema, 2), Ref(speedSchema, 3), Ref(speedSchema, 4), Ref(speedSchema, 5)
	stamp := Constant(Text("%a, %d %b %Y %I:%M:%S.%f %p %z"))
	errors := Call(">=", status, Constant(Int(500)))
	return []struct {
		name string
		n    *expr.Node
	}{
		{"int>=const", errors},
		{"double<const", Call("<", latency, Constant(Float(50)))},
		{"number>const", Call(">", bytes, Constant(Float(500000.5)))},
		{"mixed>const", Call(">", mixed, Constant(Int(1)))},
		{"and", Call("and", errors, Call("<", latency, Constant(Float(50))))},
		{"or", Call("or", errors, Call("<", latency, Constant(Float(50))))},
		{"in", &expr.Node{Kind: expr.In, Type: tuple.Boolean, Args: []*expr.Node{status, Constant(Int(200)), Constant(Int(404)), Constant(Int(500))}}},
		{"text=const", Call("=", path, Constant(Text("/api/v1/items/7")))},
		{"like", Call("like", path, Constant(Text("%items/7%")))},
		{"regexp", Call("regexp_matches", path, Constant(Text("items/7+$")))},
		{"double*const+const", Call("+", Call("*", latency, Constant(Float(2))), Constant(Float(1)))},
		{"int+int", Call("+", status, status)},
		{"number*number", Call("*", bytes, bytes)},
		{"mixed+mixed", Call("+", mixed, mixed)},
		{"int/int", Call("/", status, bytes)},
		{"lower", Call("lower", path)},
		{"date_trunc hour", Call("date_trunc", Constant(Text("hour")), at)},
		{"date_trunc month", Call("date_trunc", Constant(Text("month")), at)},
		{"date_trunc day in a zone", Call("date_trunc", Constant(Text("day")), at, Constant(Text("Europe/Berlin")))},
		{"date_trunc hour in a zone", Call("date_trunc", Constant(Text("hour")), at, Constant(Text("Europe/Berlin")))},
		{"date_part in a zone", Call("date_part", Constant(Text("hour")), at, Constant(Text("Europe/Berlin")))},
		{"strftime", Call("strftime", at, stamp)},
		{"strptime", Call("strptime", Call("strftime", at, stamp), stamp)},
		{"try_strptime of none", Call("try_strptime", path, stamp)},
		{"dayname", Call("dayname", at)},
		{"monthname", Call("monthname", at)},
		{"concat_ws", Call("concat_ws", Constant(Text("?")), path, bytes)},
		{"chr", Call("chr", status)},
		{"ascii", Call("ascii", path)},
		{"url_decode", Call("url_decode", path)},
		{"round", Call("round", latency, Constant(Int(1)))},
		{"case", &expr.Node{Kind: expr.Case, Type: tuple.Double, Args: []*expr.Node{errors, latency, Constant(Float(0))}}},
		{"coalesce", Call("coalesce", mixed, bytes)},
		{"cast to text", &expr.Node{Kind: expr.Cast, Type: tuple.Text, Args: []*expr.Node{bytes}}},
		{"cast from text", &expr.Node{Kind: expr.TryCast, Type: tuple.Double, Args: []*expr.Node{path}}},
		{"concat", Call("||", path, Constant(Text("?")), path)},
	}
}

func run(p *expr.Program, b *tuple.Batch, dst []uint16) {
	if p.Type() == tuple.Boolean {
		p.Select(b.Cols, b.N, b.Sel, dst)
		return
	}
	p.Eval(b.Cols, b.N, b.Sel)
}

func TestProgramsDoNotAllocate(t *testing.T) {
	b, dst := speedBlock(), make([]uint16, 0, tuple.MaxRows)
	for _, c := range speedTrees() {
		p, err := expr.Compile(c.n)
		require.NoError(t, err)
		run(p, b, dst)
		assert.Zero(t, testing.AllocsPerRun(10, func() { run(p, b, dst) }), c.name)
		p.Eval(b.Cols, b.N, b.Sel)
		assert.Zero(t, testing.AllocsPerRun(10, func() { p.Eval(b.Cols, b.N, b.Sel) }), "%s as a column", c.name)
	}
}

func BenchmarkPrograms(b *testing.B) {
	block, dst := speedBlock(), make([]uint16, 0, tuple.MaxRows)
	for _, c := range speedTrees() {
		b.Run(c.name, func(b *testing.B) {
			p, err := expr.Compile(c.n)
			require.NoError(b, err)
			for b.Loop() {
				run(p, block, dst)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tuple.MaxRows, "ns/row")
		})
	}
}
