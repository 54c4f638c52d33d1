package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

var (
	schema = &tuple.Schema{Fields: []tuple.Field{{Name: "ts", Type: tuple.Timestamp}, {Name: "ok", Type: tuple.Boolean}}}
	ok     = &expr.Node{Kind: expr.Col, Type: tuple.Boolean, Index: 1, Text: "ok"}
	ts     = &expr.Node{Kind: expr.Col, Type: tuple.Timestamp, Text: "ts"}
)

// query returns a query over schema with boxes in a chain.
func query(boxes ...op.Spec) *plan.Query {
	q := &plan.Query{Inputs: []plan.Input{{Stream: "s", Schema: schema, Time: -1}}, Output: schema}
	for _, s := range boxes {
		q.Append(s)
	}
	return q
}

func onlyTime() *op.Project {
	return &op.Project{Exprs: []*expr.Node{ts}, Fields: []tuple.Field{{Name: "ts", Type: tuple.Timestamp}}}
}

func TestAppend(t *testing.T) {
	q := query(&op.Filter{Cond: ok}, onlyTime())
	require.NoError(t, q.Validate())
	assert.Equal(t, 2, q.Append(onlyTime()), "the number of the new box")
	assert.Equal(t, plan.FromInput(0), q.Boxes[0].In[0], "the first box reads the input")
	assert.Equal(t, plan.FromBox(0), q.Boxes[1].In[0], "the next one reads the first")
	assert.Equal(t, []tuple.Field{{Name: "ts", Type: tuple.Timestamp}}, q.Output.Fields, "the last one makes the output")
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		claim, want string
		spoil       func(q *plan.Query)
	}{
		{"a query reads a stream", "reads no stream", func(q *plan.Query) { q.Inputs = nil }},
		{"the time column is there", "no column 2", func(q *plan.Query) { q.Inputs[0].Time = 2 }},
		{"the time column is a time", `"ok" is BOOLEAN`, func(q *plan.Query) { q.Inputs[0].Time = 1 }},
		{"windows need a time", "windows need an event time", func(q *plan.Query) { q.Windowed = true }},
		{"boxes have inputs", "has no input", func(q *plan.Query) { q.Boxes[0].In = nil }},
		{"boxes stand in order", "does not stand before it", func(q *plan.Query) { q.Boxes[0].In[0] = plan.FromBox(1) }},
		{"inputs exist", "does not stand before it", func(q *plan.Query) { q.Boxes[0].In[0] = plan.FromInput(1) }},
		{"specs are valid", "box 0 (filter", func(q *plan.Query) {
			q.Boxes[0].Spec = &op.Filter{Cond: &expr.Node{Kind: expr.Call, Name: "nonsense", Type: tuple.Boolean}}
		}},
	} {
		q := query(&op.Filter{Cond: ok}, onlyTime())
		c.spoil(q)
		assert.ErrorContains(t, q.Validate(), c.want, c.claim)
	}
	q := query(onlyTime())
	q.Windowed, q.Inputs[0].ByArrival = true, true
	assert.NoError(t, q.Validate(), "the time of arrival will do")
}

func TestPushFilters(t *testing.T) {
	q := query(&op.Filter{Cond: ok}, onlyTime())
	pushed := plan.PushFilters(q)
	require.NoError(t, pushed.Validate())
	assert.Len(t, pushed.Boxes, 1)
	assert.Equal(t, ok, pushed.Inputs[0].Where)
	assert.Nil(t, q.Inputs[0].Where, "the query that was given stays as it is")
	assert.Len(t, q.Boxes, 2)

	given := query(&op.Filter{Cond: ok}, &op.Filter{Cond: ok}, onlyTime())
	twice := plan.PushFilters(given)
	assert.Equal(t, plan.FromBox(1), given.Boxes[2].In[0], "and so do its ports")
	assert.Equal(t, plan.FromBox(0), twice.Boxes[1].In[0], "ports follow")
	again := plan.PushFilters(twice)
	assert.Len(t, plan.Conjuncts(again.Inputs[0].Where), 2, "the second joins the first")

	alone := query(&op.Filter{Cond: ok})
	assert.Same(t, alone, plan.PushFilters(alone), "the only box stays")
	none := query(onlyTime())
	assert.Same(t, none, plan.PushFilters(none))
}
