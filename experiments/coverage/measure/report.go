package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/experiments/coverage"
)

// summary is an aggregate's figures over the size classes from four kept rows on, of which each weighs the same, as in intervals.md section 3.
type summary struct {
	cells              int64
	cover, labelled    float64 // of cells that are not labelled; the share of those that are
	labelledCover      float64
	deviation          float64 // standard error of cover, as if cells were independent
	lowest             float64 // coverage of a class
	lowestDeviation    float64
	width, widthMedian float64 // against the oracle: over the classes, and of the first class from widthFrom on with enough cells
}

// fewest is the number of cells from which a class takes part in a summary, or its labelled or other cells.
const fewest = 200

// widthFrom is the number of kept rows from which widths are compared with those of intervals.md section 3.
const widthFrom = 30

func summarize(classes []coverage.Column) summary {
	s := summary{lowest: math.NaN(), widthMedian: math.NaN()}
	var covers, labels, labelledCovers, widths moments
	var variance float64
	for c, col := range classes {
		if c == 0 {
			continue
		}
		n := col.Plain.Cells + col.Labelled.Cells
		s.cells += n
		if n >= fewest {
			labels.add(col.LabelledShare())
		}
		if col.Labelled.Cells >= fewest {
			labelledCovers.add(col.Labelled.Rate())
		}
		if col.Plain.Cells < fewest {
			continue
		}
		p := col.Plain.Rate()
		v := p * (1 - p) / float64(col.Plain.Cells)
		covers.add(p)
		variance += v
		if !(p >= s.lowest) {
			s.lowest, s.lowestDeviation = p, math.Sqrt(v)
		}
		if !math.IsNaN(col.Oracle) {
			widths.add(col.Oracle)
		}
		if c >= classOf(widthFrom) && math.IsNaN(s.widthMedian) {
			s.widthMedian = col.OracleMedian
		}
	}
	s.cover, s.labelled, s.labelledCover, s.width = covers.mean(), labels.mean(), labelledCovers.mean(), widths.mean()
	s.deviation = math.Sqrt(variance) / covers.n
	return s
}

// moments add numbers up.
type moments struct{ n, sum float64 }

func (m *moments) add(x float64) {
	m.n++
	m.sum += x
}

func (m *moments) mean() float64 { return m.sum / m.n }

// percent writes a share for a table: "-" for that of nothing.
func percent(share float64, decimals int) string {
	if math.IsNaN(share) {
		return "-"
	}
	return strconv.FormatFloat(100*share, 'f', decimals, 64)
}

// report writes the tables of all results.
func report(w io.Writer, results []*result) {
	names := results[0].names
	for a, name := range names {
		fmt.Fprintf(w, "\n### %s\n\n", title(name))
		distributionTable(w, results, a)
	}
	fmt.Fprint(w, "\n### Widths against the oracle: median over cells of the first size class from 30 kept rows that is not all labelled\n\n")
	widthTable(w, results)
	fmt.Fprint(w, "\n### Other queries, streams and real data\n\n")
	variantTable(w, results)
}

// title says what an aggregate's column stands for.
func title(name string) string {
	return map[string]string{
		"n": "COUNT", "total": "SUM", "mean": "AVG", "variance": "VAR", "ratio": "Ratio SUM(x)/SUM(y)", "share": "Share COUNT FILTER/COUNT",
		"p50": "Median", "p99": "99 % quantile",
	}[name]
}

// kinds are the scenarios that every distribution has, with the keeps of each.
var kinds = []struct{ scenario, keep, title string }{
	{"groups", "0.5", "keep 0.5"},
	{"groups", "0.1", "keep 0.1"},
	{"groups", "0.01", "keep 0.01"},
	{"moving", "varying", "varying, shares move"},
	{"equal", "0.1", "few groups of one size, keep 0.1"},
	{"whole", "0.1", "whole stratum, keep 0.1"},
}

// byValues returns the results by distribution, in order, one per kind; nil where there is none.
func byValues(results []*result) (names []string, rows map[string][]*result) {
	rows = map[string][]*result{}
	for _, r := range results {
		for k, kind := range kinds {
			if r.scenario.name != kind.scenario || r.scenario.keep != kind.keep {
				continue
			}
			name := r.scenario.values.name
			if rows[name] == nil {
				names = append(names, name)
				rows[name] = make([]*result, len(kinds))
			}
			rows[name][k] = r
		}
	}
	return names, rows
}

// distributionTable writes the coverage of an aggregate: a row per distribution, a column per kind of sampling.
func distributionTable(w io.Writer, results []*result, aggregate int) {
	fmt.Fprint(w, "| values |")
	for _, k := range kinds {
		fmt.Fprintf(w, " %s |", k.title)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---|", len(kinds)))
	names, rows := byValues(results)
	for _, name := range names {
		fmt.Fprintf(w, "| %s |", name)
		for _, r := range rows[name] {
			if r == nil {
				fmt.Fprint(w, " |")
				continue
			}
			s := summarize(r.classes[aggregate])
			fmt.Fprintf(w, " %s |", cell(s))
		}
		fmt.Fprintln(w)
	}
}

// cell writes coverage, and the share of labelled cells where there are some.
func cell(s summary) string {
	text := percent(s.cover, 1)
	if s.labelled > 0 {
		text += fmt.Sprintf(" (%s labelled: %s)", percent(s.labelled, 0), percent(s.labelledCover, 0))
	}
	return text
}

// widthTable writes widths: of whole strata beside those of intervals.md, and of groups.
func widthTable(w io.Writer, results []*result) {
	fmt.Fprintln(w, "| values | whole SUM | whole AVG | table | COUNT | SUM | AVG | VAR | ratio | median |\n|---|---|---|---|---|---|---|---|---|---|")
	names, rows := byValues(results)
	for _, name := range names {
		fmt.Fprintf(w, "| %s |", name)
		figure := func(r *result, aggregate int) {
			if r == nil {
				fmt.Fprint(w, " |")
				return
			}
			fmt.Fprintf(w, " %s |", ratio(summarize(r.classes[aggregate]).widthMedian))
		}
		all := rows[name][5]
		figure(all, 1)
		figure(all, 2)
		table := 0.0
		for _, r := range rows[name] {
			if r != nil {
				table = r.scenario.values.width
			}
		}
		fmt.Fprintf(w, " %s |", ratio(table))
		for _, aggregate := range []int{0, 1, 2, 3, 4, 6} {
			figure(rows[name][4], aggregate)
		}
		fmt.Fprintln(w)
	}
}

func ratio(x float64) string {
	if !(x > 0) || math.IsInf(x, 0) {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// variantTable writes the other scenarios: a row each, a column per aggregate.
func variantTable(w io.Writer, results []*result) {
	names := results[0].names
	fmt.Fprint(w, "| query | values | keep | cells |")
	for _, name := range names {
		fmt.Fprintf(w, " %s |", title(name))
	}
	fmt.Fprintf(w, " groups above _unseen listed |\n|---|---|---|---|%s---|\n", strings.Repeat("---|", len(names)))
	for _, r := range results {
		known := false
		for _, k := range kinds {
			known = known || r.scenario.name == k.scenario
		}
		if known {
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %d |", r.scenario.name, r.scenario.values.name, r.scenario.keep, summarize(r.classes[0]).cells)
		for a := range names {
			fmt.Fprintf(w, " %s |", cell(summarize(r.classes[a])))
		}
		fmt.Fprintf(w, " %s |\n", percent(r.unseen.Rate(), 1))
	}
}

// writeCSV writes a line per scenario, aggregate and size class.
func writeCSV(w io.Writer, results []*result) {
	fmt.Fprintln(w, "scenario,values,keep,aggregate,kept,cells,coverage,labelled,labelled_coverage,open,width,width_median,width_oracle,width_oracle_median,error,bias,bias_deviation")
	for _, r := range results {
		for a, classes := range r.classes {
			for c := range classes {
				col := &classes[c]
				if n := col.Plain.Cells + col.Labelled.Cells; n > 0 {
					fmt.Fprintf(w, "%s,%s,%q,%s,%s,%d", r.scenario.name, strconv.Quote(r.scenario.values.name), r.scenario.keep, r.names[a], className(c), n)
					for _, v := range []float64{
						col.Plain.Rate(), col.LabelledShare(), col.Labelled.Rate(), float64(col.Open), col.Width, col.Median,
						col.Oracle, col.OracleMedian, col.Error, col.Bias, col.Deviation,
					} {
						fmt.Fprintf(w, ",%s", figure(v))
					}
					fmt.Fprintln(w)
				}
			}
		}
	}
}

// figure writes a number for CSV: nothing for one that is not known.
func figure(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
