package main

import (
	"fmt"
	"io"
	"math"

	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/experiments/coverage"
)

// verifyColumns are the figures of an aggregate, in the order of the output: of what, how they are called, and how many decimals
// a person needs; negative: significant digits.
var verifyColumns = []struct {
	name   string
	digits int
	figure func(*coverage.Column) float64
}{
	{"cells", 0, func(c *coverage.Column) float64 { return float64(c.Plain.Cells + c.Labelled.Cells) }},
	{"coverage", 4, func(c *coverage.Column) float64 { return c.Plain.Rate() }},
	{"labelled", 4, (*coverage.Column).LabelledShare},
	{"labelled_coverage", 4, func(c *coverage.Column) float64 { return c.Labelled.Rate() }},
	{"open", 0, func(c *coverage.Column) float64 { return float64(c.Open) }},
	{"width", -3, func(c *coverage.Column) float64 { return c.Width }},
	{"width_median", -3, func(c *coverage.Column) float64 { return c.Median }},
	{"width_oracle", -3, func(c *coverage.Column) float64 { return c.Oracle }},
	{"width_oracle_median", -3, func(c *coverage.Column) float64 { return c.OracleMedian }},
	{"error", -3, func(c *coverage.Column) float64 { return c.Error }},
	{"bias", -3, func(c *coverage.Column) float64 { return c.Bias }},
	{"bias_deviation", -3, func(c *coverage.Column) float64 { return c.Deviation }},
}

// print writes the result, a row per aggregate, and says the rest on standard error.
func (f *verifyFlags) print(w io.Writer, r *coverage.Result) error {
	width, terminal := terminalOf(w)
	format := outputFormat(f.output, terminal)
	people := format == sink.Table || format == sink.Markdown
	out, err := sink.New(format, w, sink.Options{Terminal: terminal, Width: width})
	if err != nil {
		return err
	}
	if err := out.Begin(verifySchema()); err != nil {
		return err
	}
	if err := out.Write(verifyBatch(r, people)); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	if !f.quiet {
		status.print(f.summary(r))
		for _, name := range r.Left {
			status.print("aurora: " + name + " is not compared: it is no number")
		}
	}
	return nil
}

// summary says what the figures rest on.
func (f *verifyFlags) summary(r *coverage.Result) string {
	text := fmt.Sprintf("aurora: %s of the exact answer, from %s; %d runs at %.6g %%, which looked at %.3g %% of them on average",
		rowsText(int64(r.Rows)), recordsText(r.Records), r.Runs, 100*r.Confidence, 100*r.Looked())
	if all := int64(r.Rows) * int64(r.Runs); r.Missing > 0 {
		why := "none of their records was looked at"
		switch {
		case f.memory != "" && r.Shed == 0 && f.within == 0:
			why = "they had no room of their own and are in the row _other"
		case f.memory != "":
			why += ", or they had no room of their own and are in the row _other"
		}
		text += fmt.Sprintf("; %s of %s over all runs are not in the sampled answers: %s", countText(int64(r.Missing)), rowsText(all), why)
	}
	if r.Unseen.Cells > 0 {
		text += fmt.Sprintf("; of the rows with a count above _unseen %.2f %% are listed", 100*r.Unseen.Rate())
	}
	return text
}

func rowsText(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return countText(n) + " rows"
}

func verifySchema() *tuple.Schema {
	s := &tuple.Schema{Fields: []tuple.Field{{Name: "aggregate", Type: tuple.Text}}}
	for _, c := range verifyColumns {
		t := tuple.Double
		if c.digits == 0 {
			t = tuple.Bigint
		}
		s.Fields = append(s.Fields, tuple.Field{Name: c.name, Type: t})
	}
	return s
}

// verifyBatch returns a row per aggregate, for people with as many digits as they need.
func verifyBatch(r *coverage.Result, people bool) *tuple.Batch {
	n := len(r.Columns)
	b := &tuple.Block{Schema: verifySchema(), N: n, Cols: make([]tuple.Column, len(verifyColumns)+1)}
	b.Cols[0].Reset(tuple.Text, n)
	for i := range r.Columns {
		b.Cols[0].SetStr(i, []byte(r.Columns[i].Name))
	}
	for j, c := range verifyColumns {
		col := &b.Cols[j+1]
		col.Reset(b.Schema.Fields[j+1].Type, n)
		for i := range r.Columns {
			v := c.figure(&r.Columns[i])
			switch {
			case math.IsNaN(v) || math.IsInf(v, 0):
				col.SetNull(i, n)
			case c.digits == 0:
				col.I[i] = int64(v)
			case people:
				col.F[i] = rounded(v, c.digits)
			default:
				col.F[i] = v
			}
		}
	}
	return &tuple.Batch{Block: b, Sel: tuple.All(n)}
}

// rounded returns v with so many decimals, or so many significant digits when negative.
func rounded(v float64, digits int) float64 {
	if digits < 0 && v != 0 {
		digits = -digits - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	}
	scale := math.Pow(10, float64(max(digits, 0)))
	return math.Round(v*scale) / scale
}
