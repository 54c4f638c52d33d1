package codec

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// InferCSV tells the columns of a sample of CSV or TSV, which holds whole records. It begins with a header unless opt says
// otherwise or its first record looks like the others: all of its cells are numbers, times or truth values, or one is a
// time or a number with a sign or a fraction, which is no name. Columns without a header are called column0, column1 and so on.
func InferCSV(sample []byte, opt Options) (*Shape, error) {
	delim, err := delimiterOf(opt)
	if err != nil {
		return nil, err
	}
	shape := &Shape{Format: opt.Format, Delimiter: delim, NoHeader: opt.NoHeader}
	r := csvRecord{data: sample, delim: delim}
	p := skipEmptyLines(sample, markLength(sample))
	if p == len(sample) {
		return shape, nil
	}
	if loneReturns(sample) {
		return nil, errors.New("the lines end in carriage returns alone, which is not read; convert it first: tr '\\r' '\\n'")
	}
	cells, err := r.cells(p)
	if err != nil {
		return nil, fmt.Errorf("the first record: %w", err)
	}
	names := columnNames(cells)
	if opt.NoHeader || looksLikeData(cells) {
		shape.NoHeader = true
		for i := range names {
			names[i] = "column" + strconv.Itoa(i)
		}
	}
	opt.Header, opt.NoHeader = names, shape.NoHeader
	found, err := inferCells(sample, names, opt)
	if err != nil {
		return nil, err
	}
	shape.Header, shape.Fields, shape.Records, shape.Bad = names, found.Fields, found.Records, found.Bad
	return shape, nil
}

// loneReturns reports whether the sample is lines that end in carriage returns, as those of old Macs did.
func loneReturns(sample []byte) bool {
	if bytes.IndexByte(sample, '\n') >= 0 {
		return false
	}
	quoted := false
	for _, c := range sample[:max(len(sample)-1, 0)] {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\r' && !quoted:
			return true
		}
	}
	return false
}

// looksLikeData reports whether a record cannot be a header.
func looksLikeData(cells []string) bool {
	typed := 0
	for _, c := range cells {
		var e evidence
		e.loose([]byte(c))
		switch e.kinds.columnType() {
		case tuple.Timestamp, tuple.Double:
			return e.kinds != kindReal || classifyText([]byte(c)) == realLiteral
		case tuple.Bigint:
			if c[0] == '-' || c[0] == '+' {
				return true
			}
			typed++
		case tuple.Boolean:
			typed++
		}
	}
	return typed == len(cells)
}
