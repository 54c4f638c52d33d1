package engine

import (
	"fmt"
	"maps"
)

// Ledger is the account of one query's records of one source. Each count is kept by itself, and
//
//	Offered = Used + Shed + Filtered + Late + Bad + Queued
//
// holds at every moment. Queued is 0 when a run came to its end, and what was left when it was ended early.
type Ledger struct {
	Source     string           `json:"source"`
	Query      string           `json:"query,omitempty"` // its name, when there are several
	Offered    int64            `json:"offered"`         // records read, blank lines aside
	Used       int64            `json:"used"`            // records that reached the boxes behind the filter
	Shed       int64            `json:"shed"`            // records dropped on purpose
	Filtered   int64            `json:"filtered"`        // records that WHERE refused
	Late       int64            `json:"late"`            // records whose windows had all closed
	Bad        int64            `json:"bad"`             // records that could not be decoded or placed in time
	BadReasons map[string]int64 `json:"bad_reasons"`
	// BadValues counts values, not records: those that did not fit their column's type or could not be computed,
	// and became NULL. Only values that the query looked at are counted.
	BadValues map[string]int64 `json:"bad_values,omitempty"`
	Queued    int64            `json:"queued,omitempty"` // records taken in and not yet looked at
}

func (l *Ledger) bad(reason string) {
	l.Bad++
	if l.BadReasons == nil {
		l.BadReasons = map[string]int64{}
	}
	l.BadReasons[reason]++
}

func (l *Ledger) values(reason string, n int64) {
	if n == 0 {
		return
	}
	if l.BadValues == nil {
		l.BadValues = map[string]int64{}
	}
	l.BadValues[reason] += n
}

// Check returns an error when the counts do not add up.
func (l *Ledger) Check() error {
	if sum := l.Used + l.Shed + l.Filtered + l.Late + l.Bad + l.Queued; sum != l.Offered {
		return fmt.Errorf("ledger of %s does not add up: offered %d, accounted for %d", l.Source, l.Offered, sum)
	}
	return nil
}

func (l *Ledger) clone() Ledger {
	c := *l
	c.BadReasons, c.BadValues = maps.Clone(l.BadReasons), maps.Clone(l.BadValues)
	if c.BadReasons == nil {
		c.BadReasons = map[string]int64{}
	}
	return c
}
