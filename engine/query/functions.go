package query

import (
	"slices"

	"github.com/aurora-dsms/aurora/engine/expr"
)

// Functions returns the names, with aliases, of the functions that a query can call: those of one row and
// those of many. Both lists are sorted.
func Functions() (scalars, aggregates []string) {
	aggregates = aggregateNames()
	slices.Sort(aggregates)
	return expr.Names(), aggregates
}
