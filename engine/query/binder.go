package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// binder binds one query, once. It goes on after a mistake, with nodes that go with everything, and keeps the first one.
type binder struct {
	src    *syntax.Source
	query  *syntax.Query
	sel    *syntax.Select
	stream *Stream // nil: nothing is known
	table  *syntax.Table
	// names are what the stream may be called before a column.
	names []string

	fields []column
	reads  []read
	// used are the reads that the plan needs; known once it is made.
	used     []bool
	needs    *needs
	settings Settings
	window   *window   // nil: none
	groups   *grouping // nil: the query does not group
	thinned  thinning
	qos      QoS
	ranges   map[int]Range // of fields
	// intervals are those of expressions over the groups that were asked for.
	intervals map[*expr.Node]interval
	// statements are expressions about intervals: they are what they say, and have none themselves.
	statements map[*expr.Node]bool

	// expanding holds the aliases whose expressions are being bound, so that none is defined by itself.
	expanding []*syntax.Item
	weights   map[*expr.Node]int
	firm      map[*expr.Node]bool // columns that were cast to text
	warnings  []string
	err       *syntax.Error
}

// bind binds q to a stream, or checks it if stream is nil. A query that needs fields to have certain types is bound
// again with them, so that its other uses of these fields agree.
func bind(src *syntax.Source, q *Query, stream *Stream, settings Settings) (*Bound, error) {
	var bound *Bound
	var last *binder
	n := newNeeds()
	for range maxPasses {
		b := &binder{src: src, query: q.tree, sel: q.tree.Arms[0], stream: stream, weights: map[*expr.Node]int{}, firm: map[*expr.Node]bool{}, needs: n, settings: settings}
		again, err := b.once(q)
		switch {
		case err == nil:
			bound, last = again, b
		case bound == nil:
			return nil, err
		default:
			n.withdraw()
		}
		if !n.add(last) {
			break
		}
	}
	return bound, nil
}

// once binds q.
func (b *binder) once(q *Query) (*Bound, error) {
	b.refuse()
	if b.err != nil {
		return nil, b.err
	}
	b.open()
	p := b.plan()
	if b.err != nil {
		return nil, b.err
	}
	p.Text = q.Text
	bound := &Bound{Plan: p, Warnings: b.warnings, Explain: q.Explain, Error: b.settings.Error, Confidence: b.confidence()}
	if bound.Error == 0 {
		bound.Error = b.qos.Error
	}
	return bound, nil
}

// open makes the stream's fields columns.
func (b *binder) open() {
	b.table = tableOf(b.sel.From)
	b.names = []string{b.table.Name.Name}
	if b.table.IsPath {
		b.names = append(b.names, stem(b.table.Name.Name))
	}
	if alias := aliasOf(b.sel.From); alias != nil {
		b.names = []string{alias.Name}
	}
	if b.stream == nil {
		return
	}
	for _, f := range b.stream.Fields {
		b.addField(column{Field: f, soft: !b.stream.Declared})
	}
}

// tableOf returns the table that r reads, once refuse has let it pass.
func tableOf(r syntax.Relation) *syntax.Table {
	if w, ok := r.(*syntax.Window); ok {
		r = w.Input
	}
	t, _ := r.(*syntax.Table)
	return t
}

// stem returns a file's name without folders and endings, by which its columns can be qualified.
func stem(path string) string {
	path = path[strings.LastIndexByte(path, '/')+1:]
	if dot := strings.IndexByte(path, '.'); dot > 0 {
		path = path[:dot]
	}
	return path
}

func aliasOf(r syntax.Relation) *syntax.Ident {
	switch r := r.(type) {
	case *syntax.Table:
		return r.Alias
	case *syntax.Window:
		return r.Alias
	}
	return nil
}

// fail records a mistake, unless there is one already, and returns a node that goes with everything.
func (b *binder) fail(at syntax.Span, hint, format string, args ...any) *expr.Node {
	if b.err == nil {
		b.err = b.src.Errorf(at, hint, format, args...)
	}
	return &expr.Node{Kind: expr.Col, Index: -1, Type: tuple.Null}
}

// try runs f and reports whether it found no mistake; if it did, everything is as before.
func (b *binder) try(f func()) bool {
	err, warnings, fields, reads := b.err, b.warnings, len(b.fields), len(b.reads)
	b.err = nil
	f()
	if b.err == nil {
		b.err = err
		return true
	}
	b.err, b.warnings, b.fields, b.reads = err, warnings, b.fields[:fields], b.reads[:reads]
	return false
}

// warn tells the user something once.
func (b *binder) warn(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(b.warnings, s) {
		b.warnings = append(b.warnings, s)
	}
}

// checking reports that nothing is known of the stream.
func (b *binder) checking() bool { return b.stream == nil }
