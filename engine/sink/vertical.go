package sink

// A terminal that is too narrow for a table even with its text cut gets a line per column and a blank line between rows:
//
//	host  a
//	n     1,234 ±18
//	mean  33.4 [32.6, 34.3]
//
// Notes on a row stand, as in a table, where they change.

// tooNarrow reports whether the rows do not fit the terminal as a table.
func (s *tableSink) tooNarrow() bool {
	return s.opt.Terminal && s.opt.Width > 0 && s.total() > s.opt.Width && len(s.columns) > 1 && s.rows > 0
}

// turn begins the layout of a line per column.
func (s *tableSink) turn() {
	s.names = 1
	for _, c := range s.columns {
		s.names = max(s.names, width(c.head))
	}
}

// printLines prints the rows held back, a line per column.
func (s *tableSink) printLines() {
	for i := range s.cells {
		col := i % len(s.columns)
		if col == 0 {
			if s.printed {
				s.buf = append(s.buf, '\n')
			}
			s.printed = true
		}
		switch part := s.columns[col].part; {
		case part == boundsPart: // which stands behind its value
		case part > boundsPart && s.cells[i].len == 0:
		default:
			s.printLine(i, col)
		}
	}
	s.cells, s.text = s.cells[:0], s.text[:0]
}

// printLine prints cell i, of a column, behind the column's name, and the bounds behind a value.
func (s *tableSink) printLine(i, col int) {
	column, c := &s.columns[col], s.cells[i]
	s.styled(column.head, bold)
	s.pad(s.names - width(column.head) + gap)
	text := s.text[c.off : c.off+c.len]
	if room := max(cutLimit, s.opt.Width-s.names-gap); column.elastic && c.width > room {
		s.scratch = appendCut(s.scratch[:0], text, room)
		text = s.scratch
	}
	style := ""
	if c.null {
		style = dim
	}
	s.styled(text, style)
	if column.part == valuePart {
		if bounds := s.cells[i+1]; bounds.len > 0 {
			s.pad(1)
			s.buf = append(s.buf, s.text[bounds.off:bounds.off+bounds.len]...)
		}
	}
	s.buf = append(s.buf, '\n')
}

// styled appends text in a style where colours are allowed.
func (s *tableSink) styled(text []byte, style string) {
	if s.opt.Color && style != "" {
		s.buf = append(append(append(s.buf, style...), text...), ordinary...)
	} else {
		s.buf = append(s.buf, text...)
	}
}
