package op

import (
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Columns of bounds stand behind the aggregates: low, high (type Number, or the aggregate's own where that is a time or a text) and
// unreliable (BOOLEAN) of each aggregate with Bounds, then of each ratio (DOUBLE bounds), then those of the row.

// BoundsOf returns the number of the output column with the lower bound of aggregate i; the upper bound and the label
// "unreliable" are the next two. It is -1 where the aggregate has no bounds.
func (s *Aggregate) BoundsOf(i int) int {
	if !s.Aggs[i].Bounds {
		return -1
	}
	at := s.leading() + len(s.Aggs)
	for j := range i {
		if s.Aggs[j].Bounds {
			at += 3
		}
	}
	return at
}

// RatioBounds returns the number of the output column with the lower bound of ratio i; the upper bound and the label are
// the next two.
func (s *Aggregate) RatioBounds(i int) int {
	at := s.leading() + len(s.Aggs)
	for j := range s.Aggs {
		if s.Aggs[j].Bounds {
			at += 3
		}
	}
	return at + 3*i
}

// RowColumns returns the numbers of the output columns about the row, -1 for those that are not there: the share kept
// and whether all is exact (with Sampling or Memory), the bound of unseen groups (with either and keys), and
// whether the row stands for groups without room (with Memory).
func (s *Aggregate) RowColumns() (kept, exact, unseen, other int) {
	kept, exact, unseen, other = -1, -1, -1, -1
	at := s.RatioBounds(len(s.Ratios))
	if s.Sampling != nil || s.Memory > 0 {
		kept, exact, at = at, at+1, at+2
	}
	if (s.Sampling != nil || s.Memory > 0) && len(s.Keys) > 0 {
		unseen, at = at, at+1
	}
	if s.Memory > 0 {
		other = at
	}
	return kept, exact, unseen, other
}

// leading returns the number of columns before the aggregates.
func (s *Aggregate) leading() int {
	if s.Window.Kind != NoWindow {
		return 2 + len(s.Keys)
	}
	return len(s.Keys)
}

// boundFields appends the columns of bounds to those of the aggregates.
func (s *Aggregate) boundFields(fields []tuple.Field) []tuple.Field {
	lead := s.leading()
	triple := func(name string, of int, t tuple.Type) {
		fields = append(fields,
			tuple.Field{Name: name + "_lo", Type: t, Role: tuple.Low, Of: of},
			tuple.Field{Name: name + "_hi", Type: t, Role: tuple.High, Of: of},
			tuple.Field{Name: name + "_unreliable", Type: tuple.Boolean, Role: tuple.Unreliable, Of: of})
	}
	for i := range s.Aggs {
		if s.Aggs[i].Bounds {
			triple(s.Aggs[i].Field.Name, lead+i, s.Aggs[i].boundType())
		}
	}
	for i := range s.Ratios {
		triple("ratio_"+strconv.Itoa(i), -1, tuple.Double)
	}
	kept, _, unseen, other := s.RowColumns()
	if kept >= 0 {
		fields = append(fields,
			tuple.Field{Name: "_kept", Type: tuple.Double, Role: tuple.Kept},
			tuple.Field{Name: "_exact", Type: tuple.Boolean, Role: tuple.Exact})
	}
	if unseen >= 0 {
		fields = append(fields, tuple.Field{Name: "_unseen", Type: tuple.Number, Role: tuple.Unseen})
	}
	if other >= 0 {
		fields = append(fields, tuple.Field{Name: "_other", Type: tuple.Boolean, Role: tuple.Other})
	}
	return fields
}

// boundType returns the type of a's bounds.
func (a *Agg) boundType() tuple.Type {
	if t := a.fieldType(); !t.Numeric() && t != tuple.Boolean {
		return t
	}
	return tuple.Number
}
