package op

import (
	"fmt"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// Sheds is implemented by operators that drop rows on purpose.
type Sheds interface {
	// Shed returns the number of rows dropped so far.
	Shed() int64
}

// Make implements Spec.
func (d *Drop) Make() (Operator, error) {
	if len(d.Keeps) == 0 {
		return nil, fmt.Errorf("drop: no keep given")
	}
	for _, keep := range d.Keeps {
		if err := checkKeep(keep); err != nil {
			return nil, err
		}
	}
	if d.Epoch < 0 {
		return nil, fmt.Errorf("drop: an epoch of %d rows", d.Epoch)
	}
	switch {
	case d.Kind == tuple.Random && len(d.Keys) == 0:
		return newRandomDrop(d), nil
	case d.Kind == tuple.Universe && len(d.Keys) > 0:
		return newUniverseDrop(d)
	case d.Kind == tuple.Universe:
		return nil, fmt.Errorf("drop: a universe without key")
	}
	return nil, fmt.Errorf("drop: unknown kind %d, or a key that it cannot use", d.Kind)
}

func checkKeep(keep float64) error {
	if !(keep > 0 && keep <= 1) {
		return fmt.Errorf("drop: keep %v is not within (0, 1]", keep)
	}
	return nil
}

// Schema implements Spec.
func (d *Drop) Schema(in *tuple.Schema) *tuple.Schema { return in }

// String describes the box: "drop random, keep 0.1", "drop universe of user, keep 0.5 0.05 in turn".
func (d *Drop) String() string {
	s := "drop random"
	if d.Kind == tuple.Universe {
		s = "drop universe of " + listed(d.Keys)
	}
	s += ", keep"
	for _, keep := range d.Keeps {
		s += " " + strconv.FormatFloat(keep, 'g', -1, 64)
	}
	if len(d.Keeps) > 1 {
		s += " in turn"
	}
	return s
}

func listed(nodes []*expr.Node) string {
	s := ""
	for i, n := range nodes {
		if i > 0 {
			s += ", "
		}
		s += n.String()
	}
	return s
}

// streamOf returns the number of the random stream of part i of what happens at a location.
func streamOf(location string, i int64) uint64 {
	return mix(xxhash.Sum64String(location), uint64(i))
}
