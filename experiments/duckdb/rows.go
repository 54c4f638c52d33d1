package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // the driver named "duckdb"
)

// table is a result. Cells are nil, bool, string, json.Number or time.Time.
type table struct {
	columns []string
	rows    [][]any
}

// duckDB runs one query on one thread.
func duckDB(query string) (*table, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, fmt.Errorf("opening DuckDB: %w", err)
	}
	defer db.Close()
	ctx := context.Background()
	if _, err := db.ExecContext(ctx, "SET threads = 1; SET TimeZone = 'UTC'"); err != nil {
		return nil, fmt.Errorf("configuring DuckDB: %w", err)
	}
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("querying DuckDB: %w", err)
	}
	defer rows.Close()
	t := &table{}
	if t.columns, err = rows.Columns(); err != nil {
		return nil, err
	}
	for rows.Next() {
		cells := make([]any, len(t.columns))
		targets := make([]any, len(cells))
		for i := range cells {
			targets[i] = &cells[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, fmt.Errorf("reading a row of DuckDB: %w", err)
		}
		for i, c := range cells {
			if cells[i], err = plain(c); err != nil {
				return nil, fmt.Errorf("column %s: %w", t.columns[i], err)
			}
		}
		t.rows = append(t.rows, cells)
	}
	return t, rows.Err()
}

// plain turns a value of the driver into a cell.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, time.Time:
		return v, nil
	case int64:
		return json.Number(strconv.FormatInt(v, 10)), nil
	case int32:
		return json.Number(strconv.FormatInt(int64(v), 10)), nil
	case float64:
		return json.Number(strconv.FormatFloat(v, 'g', -1, 64)), nil
	case *big.Int:
		return json.Number(v.String()), nil
	}
	return nil, fmt.Errorf("a value of type %T is not expected", v)
}

// writeNDJSON writes the rows as NDJSON, sorted as text.
func (t *table) writeNDJSON(w io.Writer) error {
	lines := make([][]byte, 0, len(t.rows))
	for _, row := range t.rows {
		line := []byte{'{'}
		for i, cell := range row {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(strconv.AppendQuote(line, t.columns[i]), ':')
			value, err := json.Marshal(cell)
			if err != nil {
				return fmt.Errorf("column %s: %w", t.columns[i], err)
			}
			line = append(line, value...)
		}
		lines = append(lines, append(line, "}\n"...))
	}
	slices.SortFunc(lines, bytes.Compare)
	_, err := w.Write(bytes.Join(lines, nil))
	return err
}

// parseNDJSON reads the columns named from rows of NDJSON. Strings that are
// times become times, as in DuckDB's rows; a missing column is an error.
func parseNDJSON(data []byte, columns []string) (*table, error) {
	t := &table{columns: columns}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		var fields map[string]any
		err := d.Decode(&fields)
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(t.rows)+1, err)
		}
		row := make([]any, len(columns))
		for i, c := range columns {
			v, ok := fields[c]
			if !ok {
				return nil, fmt.Errorf("row %d has no column %q", len(t.rows)+1, c)
			}
			if s, ok := v.(string); ok {
				if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
					v = at.UTC()
				}
			}
			row[i] = v
		}
		t.rows = append(t.rows, row)
	}
}
