package main

import (
	"fmt"
	"math"
)

// miss is something that was to be shown and does not show.
type miss struct {
	text   string
	chance bool // it may be so by chance: less than three standard errors
}

// Limits of what is to be shown.
const (
	leastCount = 0.94
	widest     = 1.10 // widths against those of the table
	sigmas     = 3
	// grid is by how much the labelled share may differ because the size classes are not those of the table.
	grid = 0.02
)

// check compares results with what they have to show: COUNT is never labelled and covers everywhere, SUM and AVG cover where they are not
// labelled, with labels and widths no larger than those of the table.
func check(results []*result) []miss {
	var all []miss
	for _, r := range results {
		say := func(aggregate, what string, value, limit, deviation float64) {
			all = append(all, miss{
				fmt.Sprintf("%s, %s, keep %s: %s %s is %.4g, not %.4g", r.scenario.name, r.scenario.values.name, r.scenario.keep, title(aggregate), what, value, limit),
				math.Abs(value-limit) < sigmas*deviation,
			})
		}
		for a, name := range r.names {
			s := summarize(r.classes[a])
			switch name {
			case "n":
				if s.labelled > 0 {
					say(name, "labelled share", s.labelled, 0, 0)
				}
				if s.lowest < leastCount {
					say(name, "coverage of a size class", s.lowest, leastCount, s.lowestDeviation)
				}
			case "total", "mean":
				checkValues(r, name, s, say)
			}
		}
		if r.strange > 0 {
			say("n", "rows that the exact answer has not", float64(r.strange), 0, 0)
		}
		if r.unseen.Short(leastCount) {
			say("n", "share of groups above _unseen that are listed", r.unseen.Rate(), leastCount, 0)
		}
	}
	return all
}

// checkValues checks SUM and AVG.
func checkValues(r *result, name string, s summary, say func(aggregate, what string, value, limit, deviation float64)) {
	d := &r.scenario.values
	least := d.least
	if least == 0 {
		least = leastCount
	}
	if s.cover < least {
		say(name, "coverage", s.cover, least, s.deviation)
	}
	if r.scenario.name == "equal" && d.labelled < 1 && s.labelled > d.labelled+grid {
		say(name, "labelled share", s.labelled, d.labelled, 0)
	}
	if r.scenario.name == "whole" && d.width > 0 && s.widthMedian > widest*d.width {
		say(name, "width against the oracle", s.widthMedian, widest*d.width, 0)
	}
}
