package query

import (
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// needs are the types that a query needs fields to have, found by binding it. Fields go by pathKey.
type needs struct {
	types map[string]tuple.Type
	fresh []string // those that the last pass was the first to have
	// refused are those that the rest of the query could not live with.
	refused map[string]bool
	// careful says to add one field a pass, because several at once did not go.
	careful bool
}

func newNeeds() *needs { return &needs{types: map[string]tuple.Type{}, refused: map[string]bool{}} }

// pathKey returns a path as the key of a map.
func pathKey(path []string) string { return strings.Join(path, "\x00") }

// maxPasses bounds how often a query is bound. A pass more is needed where fields are compared with one that the pass
// before gave a type, and where needs must be told apart; nobody's query has more of either.
const maxPasses = 16

// demandable are the types that a use can need a field to have so that the others follow it; of several needs the
// first here wins. Text is none of them: where a number is read as text, it is still a number elsewhere.
var demandable = []tuple.Type{tuple.Number, tuple.Timestamp, tuple.Boolean}

// add adds what the plan of b needs, and reports whether there was anything new. Only fields that look like nothing in
// particular (mixtures, text, NULLs) follow what one use needs; numbers, times and truth values are what they are.
func (n *needs) add(b *binder) bool {
	n.fresh = nil
	for _, t := range demandable {
		for i, used := range b.used {
			f := &b.fields[b.reads[i].field]
			key := pathKey(f.Path)
			switch {
			case !used || b.reads[i].typ != t || !f.soft || n.types[key] != tuple.Null || n.refused[key]:
			case n.careful && len(n.fresh) > 0:
			case slices.Contains(vague, f.Type):
				n.types[key] = t
				n.fresh = append(n.fresh, key)
			}
		}
	}
	return len(n.fresh) > 0
}

// vague are the types of fields that look like nothing in particular.
var vague = []tuple.Type{tuple.Null, tuple.Text, tuple.JSON}

// withdraw takes back what the last pass was the first to have, because the query could not be bound with it.
func (n *needs) withdraw() {
	for _, key := range n.fresh {
		delete(n.types, key)
		n.refused[key] = n.refused[key] || len(n.fresh) == 1
	}
	n.careful = true
}
