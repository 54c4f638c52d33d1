package oracle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/experiments/oracle"
)

// setting is how an engine runs: it must make no difference.
type setting struct {
	workers, chunk int
	stdin          bool
}

var (
	settings = []setting{{-1, 0, false}, {-1, 64, false}, {1, 1, false}, {2, 64, false}, {2, 300, true}, {2, 0, false}}
	few      = []setting{{2, 0, false}, {-1, 1 << 14, false}, {2, 500, true}}
)

// tb is what *testing.T and *rapid.T have in common.
type tb interface {
	require.TestingT
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(f func())
}

// outcome is what the engine made of a query.
type outcome struct {
	sql    string
	plan   *plan.Query
	rows   []oracle.Row
	json   bytes.Buffer
	ledger engine.Ledger
}

// collector keeps rows as values and as NDJSON.
type collector struct {
	sink.Sink
	to *outcome
}

func (c *collector) Write(b *tuple.Batch) error {
	for _, r := range b.Sel {
		row := make(oracle.Row, len(b.Cols))
		for i := range b.Cols {
			row[i] = expr.ValueAt(&b.Cols[i], int(r))
		}
		c.to.rows = append(c.to.rows, row)
	}
	return c.Sink.Write(b)
}

// ask runs queries together over a file, which they know as t and which is perhaps read through standard input.
func ask(t tb, path string, queries []string, in engine.Input, s setting) ([]*outcome, error) {
	t.Helper()
	opt := engine.Options{Workers: s.workers, ChunkSize: s.chunk}
	in.Paths = []string{path}
	if s.stdin {
		file, err := os.Open(path)
		require.NoError(t, err)
		defer file.Close()
		opt.Stdin, in.Paths = file, []string{"-"}
	}
	e := engine.New(opt)
	require.NoError(t, e.AddStream("t", in))
	outcomes := make([]*outcome, len(queries))
	running := make([]*engine.Query, len(queries))
	for i, sql := range queries {
		o := &outcome{sql: sql}
		out, err := sink.New(sink.NDJSON, &o.json, sink.Options{})
		require.NoError(t, err)
		if running[i], err = e.Query(sql, &collector{out, o}); err != nil {
			return nil, err
		}
		outcomes[i] = o
	}
	if err := e.Run(bounded(t)); err != nil {
		return nil, err
	}
	for i, q := range running {
		outcomes[i].plan, outcomes[i].ledger = q.Plan(), q.Ledger()
		if len(queries) > 1 {
			// Queries that share a column count its bad values together, as long as each of them runs.
			outcomes[i].ledger.BadValues = nil
		}
		require.NoError(t, outcomes[i].ledger.Check())
	}
	return outcomes, nil
}

// question is input with queries over it.
type question struct {
	data    []byte
	queries []string
	in      engine.Input
	from    oracle.Input
}

// judge answers a question in each of several settings. The answers of the first must be the oracle's, and the others the same.
func (q *question) judge(t tb, dir string, ways []setting) []*outcome {
	t.Helper()
	path := filepath.Join(dir, "t."+string(q.from.Format))
	require.NoError(t, os.WriteFile(path, q.data, 0o600))
	var first []*outcome
	for i, s := range ways {
		got, err := ask(t, path, q.queries, q.in, s)
		require.NoError(t, err, "%q\n%s", q.queries, head(q.data))
		if i == 0 {
			first = got
			for _, o := range got {
				o.judge(t, q.data, q.from)
			}
		}
		for k, o := range got {
			context := fmt.Sprintf("%+v\n%s\n%s", s, o.sql, head(q.data))
			require.Equal(t, first[k].json.String(), o.json.String(), context)
			if !stops(o.plan) {
				require.Equal(t, first[k].ledger, o.ledger, context)
			}
		}
	}
	return first
}

// stops reports whether the query may end before its input does, so that its ledger is that of what it had read by then.
func stops(q *plan.Query) bool {
	return slices.ContainsFunc(q.Boxes, func(b plan.Box) bool {
		o, ok := b.Spec.(*op.Order)
		return ok && o.Limit >= 0 && (o.Limit == 0 || len(o.Keys) == 0 && o.Window < 0)
	})
}

// judge holds the outcome against the oracle's answer.
func (got *outcome) judge(t tb, data []byte, from oracle.Input) {
	t.Helper()
	want, err := oracle.Run(got.plan, data, from)
	require.NoError(t, err, got.sql)
	context := fmt.Sprintf("%s\n%s\n%s", got.sql, plan.Explain(got.plan), head(data))
	if len(want.Rows) != len(got.rows) {
		t.Fatalf("%d rows instead of %d\nwant %v\ngot  %v\n%s", len(got.rows), len(want.Rows), want.Rows, got.rows, context)
	}
	for i, row := range want.Rows {
		require.Len(t, got.rows[i], len(row))
		for k, v := range row {
			f := got.plan.Output.Fields[k]
			if f.Role != tuple.Plain {
				continue // bounds, which the oracle has none of
			}
			if !comparisonOf(f.Name, got).agree(v, got.rows[i][k]) {
				t.Fatalf("row %d, %s %v\nwant %v\ngot  %v\n%s", i, f.Name, f.Type, row, got.rows[i], context)
			}
		}
	}
	if stops(got.plan) {
		return
	}
	require.Equal(t, want.Ledger, accountOf(got.ledger), context)
}

// accountOf returns the part of a ledger that the oracle keeps, too.
func accountOf(l engine.Ledger) oracle.Ledger {
	return oracle.Ledger{Offered: l.Offered, Used: l.Used, Filtered: l.Filtered, Late: l.Late, Bad: l.Bad, BadReasons: l.BadReasons}
}

// closeness is how near computed doubles must be to exact ones, as a share of them.
const closeness = 1e-9

// The beginnings of the names of columns whose values need not be the oracle's to the letter.
const (
	// Quantiles of numbers of which some are integers and some doubles may be either. Of many values they are estimates.
	quantileColumn = "q"
	// Equally frequent values may come in any order where windows overlap.
	topColumn = "top"
	// Doubles that come of many are right to a few digits less than they have.
	computedColumn = "m"
)

// comparison says how values agree.
type comparison struct {
	slack float64 // relative, of doubles
	loose bool    // integers and doubles of one value are the same
	ties  bool    // equally frequent values may stand for each other
}

// comparisonOf returns how the values of a column are compared.
func comparisonOf(name string, o *outcome) comparison {
	c := comparison{slack: closeness, loose: strings.HasPrefix(name, quantileColumn)}
	if c.loose && o.ledger.Used > 256 {
		c.slack = 1.0 / 128
	}
	if overlapping(o.plan) {
		c.loose, c.ties = true, strings.HasPrefix(name, topColumn)
	}
	return c
}

// overlapping reports whether q has hopping windows. They are put together from panes, so that of equal values, such as 1 and 1.0, another
// than the first of the input may stand for all.
func overlapping(q *plan.Query) bool {
	return slices.ContainsFunc(q.Boxes, func(b plan.Box) bool {
		a, ok := b.Spec.(*op.Aggregate)
		return ok && a.Window.Kind == op.Hop
	})
}

// agree reports whether the engine's value is the one wanted: integers and texts exactly, doubles nearly, lists item by item.
func (c comparison) agree(want, got expr.Value) bool {
	switch {
	case want.Null || got.Null:
		return want.Null == got.Null
	case want.Type != got.Type:
		return false
	case want.Type == tuple.JSON && c.ties:
		return agreeTop(want.S, got.S)
	case want.Type == tuple.JSON:
		return c.agreeJSON(want.S, got.S)
	case want.Type.Numeric() && c.loose && (c.slack > closeness || want.Float != got.Float):
		return c.near(real(want), real(got))
	case want.Type == tuple.Double || want.Type == tuple.Number:
		return want.Float == got.Float && want.S == got.S && want.I == got.I && c.near(want.F, got.F)
	}
	return want == got
}

// real returns the double nearest to a number.
func real(v expr.Value) float64 {
	if v.Float || v.Type == tuple.Double {
		return v.F
	}
	return float64(v.I)
}

func (c comparison) near(want, got float64) bool {
	return want == got || math.IsNaN(want) && math.IsNaN(got) || math.Abs(want-got) <= c.slack*math.Abs(want)
}

// agreeTop compares lists of approx_top_k: the counts are those wanted, and so are the values that are more frequent than the last.
func agreeTop(want, got string) bool {
	var w, g []struct {
		Value         json.RawMessage
		Count, Lo, Hi int64
	}
	if json.Unmarshal([]byte(want), &w) != nil || json.Unmarshal([]byte(got), &g) != nil || len(w) != len(g) {
		return false
	}
	counts := map[string]int64{}
	for _, item := range w {
		counts[string(item.Value)] = item.Count
	}
	for i, item := range g {
		n, known := counts[string(item.Value)]
		if item.Count != w[i].Count || item.Lo != item.Count || item.Hi != item.Count || known && n != item.Count {
			return false
		}
		if !known && item.Count != w[len(w)-1].Count {
			return false
		}
	}
	return true
}

// agreeJSON compares lists of numbers.
func (c comparison) agreeJSON(want, got string) bool {
	if want == got {
		return true
	}
	var w, g []any
	if json.Unmarshal([]byte(want), &w) != nil || json.Unmarshal([]byte(got), &g) != nil || len(w) != len(g) {
		return false
	}
	for i := range w {
		x, xIs := w[i].(float64)
		y, yIs := g[i].(float64)
		if xIs != yIs || !xIs && !reflect.DeepEqual(w[i], g[i]) || xIs && !c.near(x, y) {
			return false
		}
	}
	return true
}

// bounded returns a context that ends a run that hangs.
func bounded(t tb) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func head(data []byte) []byte { return data[:min(len(data), 4000)] }
