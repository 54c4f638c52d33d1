package sink

import (
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Names of what sinks say of a row beside its columns.
const (
	unreliableName = "_unreliable"
	lateName       = "_late"
	finalName      = "_final"
)

// roles says which columns of a schema are about others.
type roles struct {
	schema *tuple.Schema
	about  []about
	// labels are the columns that say of others that their bounds cannot be relied on.
	labels []int
	kept   int // column, or -1
	unseen int
	other  int
}

// about lists the columns about a column, -1 for those that are not there.
type about struct{ low, high, label int }

func newRoles(schema *tuple.Schema) roles {
	r := roles{schema: schema, about: make([]about, len(schema.Fields)), kept: -1, unseen: -1, other: -1}
	for i := range r.about {
		r.about[i] = about{-1, -1, -1}
	}
	for i, f := range schema.Fields {
		switch f.Role {
		case tuple.Low:
			r.about[f.Of].low = i
		case tuple.High:
			r.about[f.Of].high = i
		case tuple.Unreliable:
			r.about[f.Of].label = i
			r.labels = append(r.labels, i)
		case tuple.Kept:
			r.kept = i
		case tuple.Unseen:
			r.unseen = i
		case tuple.Other:
			r.other = i
		}
	}
	return r
}

// named reports whether a column has a name.
func (r *roles) named(name string) bool { return r.schema.Index(name) >= 0 }

// isTrue reports whether a truth value is there and true.
func isTrue(b *tuple.Batch, i, row int) bool {
	c := &b.Cols[i]
	return !c.IsNull(row) && c.B[row]
}

// bounded reports whether column i has bounds.
func (r *roles) bounded(i int) bool { return r.about[i].low >= 0 }

// appendUnreliable appends the names of the columns of a row whose bounds cannot be relied on, through add, which is told
// whether it is the first.
func (r *roles) appendUnreliable(dst []byte, b *tuple.Batch, row int, add func(dst []byte, name string, first bool) []byte) []byte {
	first := true
	for _, i := range r.labels {
		if isTrue(b, i, row) {
			dst = add(dst, r.schema.Fields[r.schema.Fields[i].Of].Name, first)
			first = false
		}
	}
	return dst
}

// appendFinal appends whether the rows of a batch are final.
func appendFinal(dst []byte, b *tuple.Batch) []byte { return strconv.AppendBool(dst, !b.Partial) }

// part says what a column of a table shows.
type part uint8

const (
	plainPart  part = iota // a value as it is
	valuePart              // an estimate
	boundsPart             // what is known of the estimate before it
	changePart             // what rows mostly share: only where it changes
	otherPart              // whether the row stands for groups without room
	hidden
)

// part returns what a table shows of column i.
func (r *roles) part(i int) part {
	switch r.schema.Fields[i].Role {
	case tuple.Plain:
		if r.bounded(i) {
			return valuePart
		}
		return plainPart
	case tuple.Kept, tuple.Unseen:
		return changePart
	case tuple.Other:
		return otherPart
	}
	return hidden
}

// appendNote appends what column i says of a row, for a person.
func (r *roles) appendNote(dst []byte, b *tuple.Batch, i, row int) []byte {
	c := &b.Cols[i]
	switch {
	case c.IsNull(row):
	case i == r.kept:
		return appendShare(dst, floatAt(c, row))
	case i == r.unseen:
		return appendShown(append(dst, "≤ "...), c, row, &r.schema.Fields[i])
	case i == r.other && c.B[row]:
		return append(dst, "other"...)
	}
	return dst
}
