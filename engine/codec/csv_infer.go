package codec

import (
	"errors"
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
	cells, ok := r.cells(p)
	if !ok {
		return nil, errors.New("the quotes of the first record are broken")
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
