package op

import (
	"fmt"
	"io"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// groupPeriod is the default period of a GroupDrop in rows: at most as many groups are remembered, some ten megabytes.
const groupPeriod = 1 << 18

// Make implements Spec.
func (g *GroupDrop) Make() (Operator, error) {
	if err := checkKeep(g.Keep); err != nil {
		return nil, err
	}
	if len(g.Keys) == 0 || len(g.Keys) > maxKeys {
		return nil, fmt.Errorf("drop: %d group keys", len(g.Keys))
	}
	if g.Whole < 0 || g.Period < 0 {
		return nil, fmt.Errorf("drop: %d rows kept of each group in %d", g.Whole, g.Period)
	}
	o := &groupDrop{spec: g, period: g.Period, cols: make([]*tuple.Column, len(g.Keys))}
	if o.period == 0 {
		o.period = groupPeriod
	}
	var types []tuple.Type
	for _, k := range g.Keys {
		in, err := newInput(k)
		if err != nil {
			return nil, err
		}
		o.keys, types = append(o.keys, in), append(types, k.Type)
	}
	o.groups = newKeyTable(types, false)
	o.begin(0)
	return o, nil
}

// Schema implements Spec.
func (g *GroupDrop) Schema(in *tuple.Schema) *tuple.Schema { return in }

// String describes the box: "drop by group of host, keep 0.1 after 100 rows".
func (g *GroupDrop) String() string {
	return fmt.Sprintf("drop by group of %s, keep %v after %d rows", listed(g.Keys), g.Keep, g.Whole)
}

// groupDrop counts the rows of each group in a period and thins those beyond the first by geometric skips over the beyond of
// all groups. Whether a row is beyond depends on rows offered, never on chance, so that every row's probability is known
// and one over it is its weight.
type groupDrop struct {
	spec   *GroupDrop
	keys   []input
	period int64
	number int64 // of the period
	left   int64 // rows until it ends

	groups  keyTable
	rows    []int64 // of each group in the period
	ids     []uint32
	cols    []*tuple.Column
	scratch keyScratch

	skips synopsis.Skips
	skip  int64 // rows beyond the first to leave out before the next that is kept
	drawn int64 // skips drawn in the period
	shed  int64

	sel    [tuple.MaxRows]uint16
	weight []float64
	out    tuple.Batch
}

// begin starts period number n.
func (g *groupDrop) begin(n int64) {
	g.number, g.left = n, g.period
	g.groups.reset()
	g.rows = g.rows[:0]
	g.skips.Reset(g.spec.Keep, g.spec.Seed, streamOf(g.spec.Location, n))
	g.drawn = 0
	g.draw()
}

func (g *groupDrop) draw() {
	g.skip = g.skips.Next()
	g.drawn++
}

// Process implements Operator.
func (g *groupDrop) Process(_ int, b *tuple.Batch, out Emitter) error {
	if g.spec.Keep == 1 {
		return out.Emit(b)
	}
	for i := range g.keys {
		g.cols[i] = g.keys[i].column(b, b.Sel)
	}
	g.weight = tuple.Resize(g.weight, b.N)
	kept := 0
	for sel := b.Sel; len(sel) > 0; {
		if g.left == 0 {
			g.begin(g.number + 1)
		}
		n := int(min(int64(len(sel)), g.left))
		kept = g.choose(sel[:n], b.Weight, kept)
		g.left -= int64(n)
		sel = sel[n:]
	}
	g.shed += int64(len(b.Sel) - kept)
	g.out = *b
	g.out.Sel, g.out.Weight = g.sel[:kept], g.weight
	return out.Emit(&g.out)
}

// choose appends those of the rows that are kept to the first kept ones of g.sel, with their weights, and returns how many
// there are then. before is nil or the weights that rows came with.
func (g *groupDrop) choose(sel []uint16, before []float64, kept int) int {
	g.ids = tuple.Resize(g.ids, len(sel))
	g.groups.find(keyRows{cols: g.cols, sel: sel}, g.ids, &g.scratch)
	g.rows = extend(g.rows, g.groups.n)
	heavy := 1 / g.spec.Keep
	for i, r := range sel {
		rows := &g.rows[g.ids[i]]
		*rows++
		w := 1.0
		if *rows > g.spec.Whole {
			if g.skip > 0 {
				g.skip--
				continue
			}
			g.draw()
			w = heavy
		}
		if before != nil {
			w *= before[r]
		}
		g.sel[kept], g.weight[r] = r, w
		kept++
	}
	return kept
}

// Advance implements Operator.
func (g *groupDrop) Advance(int, int64, Emitter) (bool, error) { return true, nil }

// Shed implements Sheds.
func (g *groupDrop) Shed() int64 { return g.shed }

// Faults implements Faults.
func (g *groupDrop) Faults() map[string]int64 {
	sum := map[string]int64{}
	for _, p := range programsOf(g.keys) {
		p.AddFaults(sum)
	}
	return sum
}

// Save implements Saver.
func (g *groupDrop) Save(to io.Writer) error {
	return saveState(to, func(w *stateWriter) {
		for _, v := range [...]int64{g.number, g.left, g.skip, g.drawn, g.shed} {
			w.i64(v)
		}
		g.groups.save(w)
		saveList(w, g.rows, w.i64)
		for _, p := range programsOf(g.keys) {
			w.faults(p.Faults())
		}
	})
}

// Load implements Saver.
func (g *groupDrop) Load(from io.Reader) error {
	return loadState(from, func(r *stateReader) {
		number, left, skip, drawn := r.i64(), r.i64(), r.i64(), r.i64()
		g.shed = r.i64()
		r.require(number >= 0 && 0 <= left && left <= g.period && skip >= 0 && drawn > 0 && drawn <= g.period+1)
		if r.err != nil {
			return
		}
		for g.begin(number); g.drawn < drawn; {
			g.draw()
		}
		g.left, g.skip = left, skip
		g.groups.load(r)
		g.rows = loadList(r, 8, r.i64)
		r.require(len(g.rows) == g.groups.n)
		for _, p := range programsOf(g.keys) {
			p.SetFaults(r.faults())
		}
	})
}
