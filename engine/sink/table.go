package sink

import (
	"slices"
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

const (
	// learnRows is how many rows a table looks at before it decides how wide its columns are, unless it is flushed earlier.
	learnRows = 100
	// padLimit is the widest that a column of text is made where no terminal's width is known, so that one long
	// cell does not fill all other rows with blanks.
	padLimit = 100
	// cutLimit is the narrowest that a column of text is made to fit a terminal.
	cutLimit = 8

	gap                 = 2 // blanks between columns
	bold, dim, ordinary = "\x1b[1m", "\x1b[2m", "\x1b[0m"
)

// tableSink writes aligned columns.
type tableSink struct {
	output
	schema  *tuple.Schema
	heads   [][]byte
	right   []bool // numbers
	elastic []bool // text, which may be cut
	widths  []int
	text    []byte // the cells of the rows held back
	cells   []cell
	scratch []byte
	settled bool // widths were decided and the head is out
	rows    int64
}

// cell is a piece of text, made safe to show.
type cell struct {
	off, len, width int
	null            bool
}

// Begin implements Sink.
func (s *tableSink) Begin(schema *tuple.Schema) error {
	s.schema = schema
	for _, f := range schema.Fields {
		head := appendVisible(nil, []byte(f.Name))
		s.heads = append(s.heads, head)
		s.right = append(s.right, f.Type.Numeric())
		s.elastic = append(s.elastic, f.Type.Bytes())
		s.widths = append(s.widths, width(head))
	}
	return nil
}

// Write implements Sink.
func (s *tableSink) Write(b *tuple.Batch) error {
	s.notePartial(b)
	for _, r := range b.Sel {
		for i := range s.heads {
			s.add(b, i, int(r))
		}
		s.rows++
		switch {
		case s.settled:
			s.printRows()
		case s.rows == learnRows:
			s.settle()
		}
		if err := s.spill(); err != nil {
			return err
		}
	}
	return s.err
}

// Flush implements Flusher.
func (s *tableSink) Flush() error {
	if s.rows > 0 {
		s.settle()
	}
	return s.output.Flush()
}

// Close implements Sink.
func (s *tableSink) Close() error {
	if s.schema != nil {
		s.settle()
		if s.opt.Terminal {
			s.buf = append(s.buf, '(')
			s.buf = appendGrouped(s.buf, strconv.AppendInt(nil, s.rows, 10))
			if s.rows == 1 {
				s.buf = append(s.buf, " row)\n"...)
			} else {
				s.buf = append(s.buf, " rows)\n"...)
			}
		}
	}
	return s.output.Close()
}

// add formats a cell behind those held back.
func (s *tableSink) add(b *tuple.Batch, i, r int) {
	c := &b.Cols[i]
	start := len(s.text)
	switch {
	case c.IsNull(r):
		s.text = append(s.text, "NULL"...)
	case c.Type.Bytes():
		s.text = appendVisible(s.text, c.Str(r))
	case s.right[i] && i < len(s.opt.Grouped) && s.opt.Grouped[i]:
		s.scratch = appendValue(s.scratch[:0], c, r, &s.schema.Fields[i])
		s.text = appendGrouped(s.text, s.scratch)
	default:
		s.text = appendValue(s.text, c, r, &s.schema.Fields[i])
	}
	s.cells = append(s.cells, cell{start, len(s.text) - start, width(s.text[start:]), c.IsNull(r)})
}

// settle decides the widths, prints the head and the rows held back.
func (s *tableSink) settle() {
	if s.settled {
		return
	}
	s.settled = true
	for i, c := range s.cells {
		s.widen(i%len(s.heads), c.width)
	}
	s.narrow()
	for i, head := range s.heads {
		s.put(i, head, width(head), bold)
	}
	for i := range s.heads {
		s.indent(i)
		s.buf = append(s.buf, slices.Repeat([]byte{'-'}, s.widths[i])...)
	}
	s.buf = append(s.buf, '\n')
	s.printRows()
}

// widen makes column i at least n wide, within reason.
func (s *tableSink) widen(i, n int) {
	switch {
	case !s.elastic[i]:
	case s.opt.Width > 0:
		n = min(n, s.opt.Width)
	default:
		n = min(n, padLimit)
	}
	s.widths[i] = max(s.widths[i], n)
}

// total returns how wide a row is.
func (s *tableSink) total() int {
	sum := gap * (len(s.widths) - 1)
	for _, w := range s.widths {
		sum += w
	}
	return sum
}

// narrow takes from the widest columns of text until rows fit the terminal or nothing can be taken.
func (s *tableSink) narrow() {
	for over := s.total() - s.opt.Width; s.opt.Width > 0 && over > 0; over-- {
		widest := -1
		for i, w := range s.widths {
			if s.elastic[i] && w > cutLimit && (widest < 0 || w > s.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		s.widths[widest]--
	}
}

// printRows prints the rows held back. A cell that is wider than its column widens it from here on, as far as the
// terminal allows.
func (s *tableSink) printRows() {
	columns := len(s.heads)
	for i, c := range s.cells {
		col := i % columns
		if c.width > s.widths[col] {
			room := c.width
			if s.opt.Width > 0 && s.elastic[col] {
				room = min(room, s.widths[col]+max(0, s.opt.Width-s.total()))
			}
			s.widen(col, room)
			s.narrow()
		}
		style := ""
		if c.null {
			style = dim
		}
		s.put(col, s.text[c.off:c.off+c.len], c.width, style)
	}
	s.cells, s.text = s.cells[:0], s.text[:0]
}

// indent parts column i from the one before it.
func (s *tableSink) indent(i int) {
	if i > 0 {
		s.pad(gap)
	}
}

// put prints a cell of column i, which is w wide.
func (s *tableSink) put(i int, text []byte, w int, style string) {
	s.indent(i)
	if w > s.widths[i] && s.opt.Width > 0 && s.elastic[i] {
		s.scratch = appendCut(s.scratch[:0], text, s.widths[i])
		text, w = s.scratch, width(s.scratch)
	}
	pad := max(0, s.widths[i]-w)
	if s.right[i] {
		s.pad(pad)
	}
	if s.opt.Color && style != "" {
		s.buf = append(append(append(s.buf, style...), text...), ordinary...)
	} else {
		s.buf = append(s.buf, text...)
	}
	last := i == len(s.heads)-1
	if !s.right[i] && !last {
		s.pad(pad)
	}
	if last {
		s.buf = append(s.buf, '\n')
	}
}

func (s *tableSink) pad(n int) {
	for range n {
		s.buf = append(s.buf, ' ')
	}
}
