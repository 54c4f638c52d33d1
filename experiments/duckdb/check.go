package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// sumTolerance covers sums of doubles in another order: n additions err by at
// most n 2^-53 of the sum of the magnitudes, 3e-10 for 2.6 million.
const sumTolerance = 1e-9

// runCheck compares answers and returns an error if any differ.
func runCheck(flags *flag.FlagSet, args []string) error {
	aurora := flags.String("aurora", "", "aurora's binary")
	file := flags.String("file", "", "a weblog as NDJSON")
	csv := flags.String("csv", "", "a weblog as CSV")
	flights := flags.String("flights", "", "the flights as CSV")
	only := flags.String("run", "", "only cases whose name contains this")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cases := slices.Concat(weblogCases(*file), weblogCases(*csv), flightsCases(*flights))
	if *aurora == "" || len(cases) == 0 {
		return fmt.Errorf("%w: check needs --aurora and a file", errUsage)
	}
	failed := 0
	for _, c := range cases {
		if !strings.Contains(c.name, *only) {
			continue
		}
		rows, differences, err := c.check(*aurora)
		switch {
		case err != nil:
			failed++
			fmt.Printf("FAIL %s: %v\n", c.name, err)
		case len(differences) > 0:
			failed++
			fmt.Printf("FAIL %s: %d differences in %d rows\n", c.name, len(differences), rows)
			for _, d := range differences[:min(5, len(differences))] {
				fmt.Println("     " + d)
			}
		default:
			fmt.Printf("ok   %s: %d rows\n", c.name, rows)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of the cases differ", failed)
	}
	return nil
}

// check returns the rows of DuckDB and the ways in which aurora's differ.
func (c checkCase) check(aurora string) (rows int, differences []string, err error) {
	want, err := duckDB(c.duck)
	if err != nil {
		return 0, nil, err
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(aurora, "query", "-o", "ndjson", "-i", c.source, c.aurora)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return 0, nil, fmt.Errorf("aurora: %w\n%s", err, stderr.Bytes())
	}
	got, err := parseNDJSON(stdout.Bytes(), want.columns)
	if err != nil {
		return 0, nil, fmt.Errorf("aurora's rows: %w", err)
	}
	return len(want.rows), c.differences(got, want), nil
}

// differences compares two tables as sets of rows named by the key columns.
func (c checkCase) differences(got, want *table) []string {
	var out []string
	g, w := c.sorted(got), c.sorted(want)
	for len(g) > 0 || len(w) > 0 {
		switch {
		case len(g) == 0 || len(w) > 0 && g[0].key > w[0].key:
			out = append(out, "missing: "+w[0].key)
			w = w[1:]
		case len(w) == 0 || g[0].key < w[0].key:
			out = append(out, "not in DuckDB's answer: "+g[0].key)
			g = g[1:]
		default:
			for i := c.keys; i < len(want.columns); i++ {
				name := want.columns[i]
				if !equal(g[0].cells[i], w[0].cells[i], c.tolerance(name)) {
					out = append(out, fmt.Sprintf("%s: %s is %v, not %v", g[0].key, name, g[0].cells[i], w[0].cells[i]))
				}
			}
			g, w = g[1:], w[1:]
		}
	}
	return out
}

type keyedRow struct {
	key   string
	cells []any
}

func (c checkCase) sorted(t *table) []keyedRow {
	rows := make([]keyedRow, len(t.rows))
	for i, cells := range t.rows {
		parts := make([]string, c.keys)
		for k := range parts {
			parts[k] = fmt.Sprint(cells[k])
			if at, ok := cells[k].(time.Time); ok {
				parts[k] = at.UTC().Format(time.RFC3339Nano)
			}
		}
		rows[i] = keyedRow{strings.Join(parts, " "), cells}
	}
	slices.SortFunc(rows, func(a, b keyedRow) int { return cmp.Compare(a.key, b.key) })
	return rows
}

func (c checkCase) tolerance(column string) float64 {
	if t, ok := c.approx[column]; ok {
		return t
	}
	return sumTolerance
}

// equal compares cells: numbers that are both whole exactly, unless the
// tolerance is an estimate's; other numbers relatively.
func equal(got, want any, tolerance float64) bool {
	g, ok1 := got.(json.Number)
	w, ok2 := want.(json.Number)
	if !ok1 || !ok2 {
		gt, ok1 := got.(time.Time)
		wt, ok2 := want.(time.Time)
		return ok1 && ok2 && gt.Equal(wt) || !ok1 && !ok2 && got == want
	}
	if g == w {
		return true
	}
	whole := !strings.ContainsAny(g.String()+w.String(), ".eE")
	if whole && tolerance <= sumTolerance {
		return false
	}
	a, err1 := g.Float64()
	b, err2 := w.Float64()
	return err1 == nil && err2 == nil && math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}
