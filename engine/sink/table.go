package sink

import (
	"bytes"
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
	columns []shownColumn
	roles   roles
	text    []byte // the cells of the rows held back
	cells   []cell
	scratch []byte
	bounds  []byte // of the value added last
	settled bool   // widths were decided and the head is out
	rows    int64
	// Of the layout of a line per column: how wide names are, 0 with any other, and whether a row is out.
	names   int
	printed bool
}

// shownColumn is a column of the table.
type shownColumn struct {
	head    []byte
	field   int
	part    part
	right   bool // numbers
	elastic bool // text, which may be cut
	gap     int  // blanks before it, but for the first one
	width   int
	shown   []byte // what was shown last, of a column that shows only changes
}

// cell is a piece of text, made safe to show.
type cell struct {
	off, len, width int
	null            bool
}

// Begin implements Sink.
func (s *tableSink) Begin(schema *tuple.Schema) error {
	s.schema, s.roles = schema, newRoles(schema)
	for i, f := range schema.Fields {
		p := s.roles.part(i)
		if p == hidden {
			continue
		}
		head := appendVisible(nil, []byte(f.Name))
		s.columns = append(s.columns, shownColumn{
			head: head, field: i, part: p, right: f.Type.Numeric(), elastic: f.Type.Bytes() && p == plainPart, gap: gap, width: width(head),
		})
		if p == valuePart {
			s.columns = append(s.columns, shownColumn{field: i, part: boundsPart, gap: 1})
		}
	}
	return nil
}

// Write implements Sink.
func (s *tableSink) Write(b *tuple.Batch) error {
	s.notePartial(b)
	for _, r := range b.Sel {
		for i := range s.columns {
			s.add(b, &s.columns[i], int(r))
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
			if s.printed {
				s.buf = append(s.buf, '\n')
			}
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
func (s *tableSink) add(b *tuple.Batch, col *shownColumn, r int) {
	i := col.field
	c := &b.Cols[i]
	start := len(s.text)
	switch {
	case col.part == valuePart:
		s.text, s.bounds = s.roles.appendEstimate(s.text, s.bounds[:0], b, i, r)
	case col.part == boundsPart: // which stands behind its value
		s.text = append(s.text, s.bounds...)
	case col.part != plainPart:
		s.scratch = s.roles.appendNote(s.scratch[:0], b, i, r)
		if col.part == otherPart || !bytes.Equal(s.scratch, col.shown) {
			s.text = append(s.text, s.scratch...)
			col.shown = append(col.shown[:0], s.scratch...)
		}
	case c.IsNull(r):
		s.text = append(s.text, "NULL"...)
	case c.Type.Bytes():
		s.text = appendVisible(s.text, c.Str(r))
	case col.right && i < len(s.opt.Grouped) && s.opt.Grouped[i]:
		s.scratch = appendValue(s.scratch[:0], c, r, &s.schema.Fields[i])
		s.text = appendGrouped(s.text, s.scratch)
	default:
		s.text = appendValue(s.text, c, r, &s.schema.Fields[i])
	}
	s.cells = append(s.cells, cell{start, len(s.text) - start, width(s.text[start:]), c.IsNull(r) && col.part <= valuePart})
}

// settle decides the widths, prints the head and the rows held back.
func (s *tableSink) settle() {
	if s.settled {
		return
	}
	s.settled = true
	for i, c := range s.cells {
		s.widen(i%len(s.columns), c.width)
	}
	s.narrow()
	if s.tooNarrow() {
		s.turn()
		s.printRows()
		return
	}
	for i, c := range s.columns {
		s.put(i, c.head, width(c.head), bold)
	}
	for i, c := range s.columns {
		n := c.width
		switch {
		case c.part == boundsPart && n > 0:
			n += c.gap // one line under both
		case c.part != boundsPart:
			s.indent(i)
		}
		s.buf = append(s.buf, slices.Repeat([]byte{'-'}, n)...)
	}
	s.buf = append(s.buf, '\n')
	s.printRows()
}

// widen makes column i at least n wide, within reason.
func (s *tableSink) widen(i, n int) {
	switch {
	case !s.columns[i].elastic:
	case s.opt.Width > 0:
		n = min(n, s.opt.Width)
	default:
		n = min(n, padLimit)
	}
	s.columns[i].width = max(s.columns[i].width, n)
}

// total returns how wide a row is.
func (s *tableSink) total() int {
	sum := -gap
	for _, c := range s.columns {
		sum += c.gap + c.width
	}
	return sum
}

// narrow takes from the widest columns of text until rows fit the terminal or nothing can be taken.
func (s *tableSink) narrow() {
	for over := s.total() - s.opt.Width; s.opt.Width > 0 && over > 0; over-- {
		widest := -1
		for i, c := range s.columns {
			if c.elastic && c.width > cutLimit && (widest < 0 || c.width > s.columns[widest].width) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		s.columns[widest].width--
	}
}

// printRows prints the rows held back. A cell that is wider than its column widens it from here on, as far as the
// terminal allows.
func (s *tableSink) printRows() {
	if s.names > 0 {
		s.printLines()
		return
	}
	for i, c := range s.cells {
		col := i % len(s.columns)
		if at := &s.columns[col]; c.width > at.width {
			room := c.width
			if s.opt.Width > 0 && at.elastic {
				room = min(room, at.width+max(0, s.opt.Width-s.total()))
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
		s.pad(s.columns[i].gap)
	}
}

// put prints a cell of column i, which is w wide.
func (s *tableSink) put(i int, text []byte, w int, style string) {
	s.indent(i)
	c := &s.columns[i]
	if w > c.width && s.opt.Width > 0 && c.elastic {
		s.scratch = appendCut(s.scratch[:0], text, c.width)
		text, w = s.scratch, width(s.scratch)
	}
	pad := max(0, c.width-w)
	if c.right {
		s.pad(pad)
	}
	s.styled(text, style)
	last := i == len(s.columns)-1
	if !c.right && !last {
		s.pad(pad)
	}
	if last {
		if c.part != plainPart {
			s.buf = bytes.TrimRight(s.buf, " ")
		}
		s.buf = append(s.buf, '\n')
	}
}

func (s *tableSink) pad(n int) {
	for range n {
		s.buf = append(s.buf, ' ')
	}
}
