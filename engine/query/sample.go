package query

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// thinning says how rows of the stream come to be fewer, or to stand for several.
type thinning struct {
	first  *op.Drop   // in front of the query, or nil
	second *op.Drop   // behind WHERE, or nil
	key    *expr.Node // the column of the first drop's universe, over rows, or nil
	weight *expr.Node // the column of weights, over rows, or nil
	share  bool       // weights are one over that column
	within bool
}

// Names of drop locations, by which they draw differently. The engine numbers their places.
const (
	sampleLocation      = "sample"
	tablesampleLocation = "tablesample"
)

// sampled reports whether the rows that come to an aggregate may be fewer than there are, or stand for several.
func (t *thinning) sampled() bool { return t.first != nil || t.weight != nil || t.within }

// leastKeep is the smallest probability of keeping a row. With less, an epoch has to last very long until some rows are
// kept, and next to all groups vanish.
const leastKeep = 1.0 / 1024

// thin finds how the stream is sampled: by TABLESAMPLE and by the settings.
func (b *binder) thin() {
	s, t := &b.settings, &b.thinned
	if t.within = s.Within; s.Within && len(s.Sample) > 0 {
		b.fail(b.table.Span, "give one of them", "--within and --sample: each chooses the records")
	}
	if len(s.Sample) > 0 {
		t.first = &op.Drop{Keeps: s.Sample, Seed: s.Seed, Location: sampleLocation}
		if s.SampleBy != "" {
			t.first.Kind, t.key = tuple.Universe, b.setting("--sample-by", s.SampleBy)
		}
	}
	if s.Weight != "" {
		name, share := strings.CutPrefix(strings.ReplaceAll(s.Weight, " ", ""), "1/")
		if !share {
			name = s.Weight
		}
		t.share, t.weight = share, b.weightColumn(name)
	}
	if sample := sampleOf(b.sel.From); sample != nil {
		b.tablesample(sample)
	}
}

// sampleOf returns the TABLESAMPLE of a relation that refuse has let pass, or nil.
func sampleOf(r syntax.Relation) *syntax.Sample {
	switch r := r.(type) {
	case *syntax.Table:
		return r.Sample
	case *syntax.Window:
		if r.Sample != nil {
			return r.Sample
		}
		return sampleOf(r.Input)
	}
	return nil
}

// tablesample adds the drop that a TABLESAMPLE clause asks for.
func (b *binder) tablesample(s *syntax.Sample) {
	t := &b.thinned
	d := &op.Drop{Keeps: []float64{s.Amount / 100}, Seed: b.settings.Seed, Location: tablesampleLocation}
	if s.Seed != nil {
		d.Seed = uint64(s.Seed.Value)
	}
	var key *expr.Node
	if s.Method == syntax.SampleUniverse {
		d.Kind, key = tuple.Universe, b.universe(s.Key)
	}
	switch {
	case t.within:
		b.fail(s.Span, "leave TABLESAMPLE out", "--within reads a part of the input that it chooses by itself")
	case t.weight != nil:
		b.fail(s.Span, "", "not yet supported: sampling of records that have weights")
	case t.first == nil:
		t.first, t.key = d, key
	case t.first.Kind == tuple.Universe || d.Kind == tuple.Universe:
		b.fail(s.Span, "leave TABLESAMPLE or --sample out", "a universe cannot be sampled again")
	default:
		t.second = d
	}
}

// universe binds the column of a TABLESAMPLE UNIVERSE.
func (b *binder) universe(x syntax.Expr) *expr.Node {
	if _, ok := pathOf(x); !ok {
		return b.fail(x.Where(), "write for example TABLESAMPLE UNIVERSE (10 PERCENT) ON (user)", "a universe is of a column")
	}
	return b.settle(b.column(x, scope{place: "TABLESAMPLE"}))
}

// setting binds a column that a setting names.
func (b *binder) setting(flag, name string) *expr.Node {
	if b.checking() {
		return b.fail(b.table.Span, "", "%s without a stream", flag)
	}
	i, problem := b.present([]syntax.Ident{{Name: name}}, b.table.Span)
	if problem != nil {
		return b.fail(b.table.Span, problem.Hint, "%s: %s", flag, problem.Msg)
	}
	return b.settle(b.readPlain(i, b.table.Start))
}

// present finds a column that some record is known to have.
func (b *binder) present(path []syntax.Ident, at syntax.Span) (field int, problem *syntax.Error) {
	warnings := len(b.warnings)
	i, problem := b.resolve(path, at)
	if problem == nil && i >= len(b.stream.Fields) && len(b.stream.Fields) > 0 {
		b.warnings = b.warnings[:warnings]
		problem = b.src.Errorf(at, b.theColumns(), "no record so far has %s", sqlPath(namesOf(path)))
	}
	return i, problem
}

// weightColumn binds the column of weights.
func (b *binder) weightColumn(name string) *expr.Node {
	n := b.setting("--weight", name)
	if w, ok := b.convert(n, tuple.Number); ok && w.Kind == expr.Col {
		if n.Type == tuple.Text {
			b.fail(b.table.Span, "name a column of numbers of at least 1, or of shares of at most 1 as --weight 1/sample_rate", "--weight: the first values of %s are no numbers", name)
		}
		n = w
	} else {
		b.fail(b.table.Span, "", "--weight: %s is %s, not a number", name, n.Type)
	}
	if b.thinned.first != nil || b.thinned.within {
		b.fail(b.table.Span, "leave --weight or the sampling out", "not yet supported: sampling of records that have weights")
	}
	return n
}

// refuseSample finds samples from which nothing can be estimated, or that take all of the input to draw.
func (b *binder) refuseSample(s *syntax.Sample) {
	if s == nil {
		return
	}
	percent := strconv.FormatFloat(s.Amount, 'g', -1, 64)
	bernoulli := "write TABLESAMPLE BERNOULLI (10 PERCENT)"
	switch {
	case s.Method == syntax.SampleSystem:
		b.fail(s.Span, bernoulli+", or give --within 2s for blocks of a file", "TABLESAMPLE SYSTEM is not supported: a stream has no pages")
	case s.Method == syntax.SampleReservoir || s.Rows:
		b.fail(s.Span, bernoulli, "TABLESAMPLE takes a percentage, not a number of rows, of which a stream has no last")
	case s.Amount == 0:
		b.fail(s.Span, bernoulli, "a sample of 0 percent has no rows, of which nothing can be said")
	case s.Amount/100 < leastKeep:
		b.fail(s.Span, "write at least 0.1 PERCENT", "a sample of %s percent is too small: most groups would have no row in it, and no estimate is good then", percent)
	}
}

// refuseDistinct finds aggregates of distinct values among rows that say nothing of those that are missing (estimators.md
// section 4: a value's rows are kept or dropped one by one, and no estimator is good).
func (b *binder) refuseDistinct(x *syntax.Call, a *op.Agg) {
	t := &b.thinned
	if a.Func != op.CountDistinct && a.Func != op.ApproxDistinct && !a.Distinct || !t.sampled() || b.checking() || b.settings.Insist {
		return
	}
	arg := x.Args[0].Value.String()
	column, isColumn := b.field(a.Arg)
	if t.key != nil {
		key, _ := b.field(t.key)
		if isColumn && key == column {
			return
		}
		b.fail(x.Span, fmt.Sprintf("make it a universe of %s, or ask for --insist, a lower bound", arg),
			"the distinct values of %s cannot be told from a universe of %s", arg, b.written(key))
		return
	}
	how, remedy := "rows that were kept by chance", ""
	switch {
	case t.weight != nil:
		how = "rows that stand for others"
	case t.within:
		how = "a part of the input"
	case !isColumn:
	case t.second != nil || t.first.Location == tablesampleLocation:
		remedy = fmt.Sprintf("write TABLESAMPLE UNIVERSE (10 PERCENT) ON (%s), which keeps all rows of a value or none, or ", arg)
	default:
		remedy = fmt.Sprintf("give --sample-by %s, which keeps all rows of a value or none, or ", arg)
	}
	b.fail(x.Span, remedy+"ask for --insist, a lower bound", "DISTINCT: the number of distinct values of %s cannot be told from %s", arg, how)
}

// thinInput says in the reading of the stream how it is sampled.
func (b *binder) thinInput(in *plan.Input, columns []int) {
	t := &b.thinned
	in.Within = t.within
	if t.first != nil {
		drop := *t.first
		if t.key != nil {
			drop.Keys = []*expr.Node{numbering{reads: columns}.renumbered(t.key)}
		}
		in.Drop = &drop
	}
	if t.weight != nil {
		in.Weighted, in.Weight, in.Share = true, columns[t.weight.Index], t.share
	}
	if t.first != nil && b.groups == nil && b.sel.Distinct {
		b.warn("DISTINCT of a sample: values of which no record was kept are missing")
	}
	if t.within && b.groups == nil {
		b.fail(b.table.Span, "for some records of it use LIMIT", "--within answers aggregates, and the query has none")
	}
}

// sampling describes to the aggregate how its rows were chosen; nil if they are all that there are.
func (b *binder) sampling(filtered bool, m numbering) *op.Sampling {
	t := &b.thinned
	if !t.sampled() {
		return nil
	}
	s := &op.Sampling{
		Confidence: b.confidence(), Weighted: t.weight != nil, Filtered: filtered || t.second != nil, Key: m.renumbered(t.key),
		Method: b.method(),
	}
	if t.first != nil {
		s.Seed = t.first.Seed
	}
	return s
}

// confidence returns the confidence of intervals.
func (b *binder) confidence() float64 {
	for _, c := range []float64{b.settings.Confidence, b.qos.Confidence} {
		if c > 0 {
			return c
		}
	}
	return DefaultConfidence
}
