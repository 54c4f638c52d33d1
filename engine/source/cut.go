package source

import (
	"bytes"
	"context"
)

// oversizeHead is how much of a record that is too long is kept for the message.
const oversizeHead = 80

// Skipper is implemented by cutters whose records may hold line feeds, so that a record can be followed to its end
// without keeping its bytes. Other records are taken to end at the next line feed.
type Skipper interface {
	// Skip looks for the end of one record. With begin, data is the record's beginning; else data follows that of the
	// previous call. It returns the number of bytes up to and including the record's line end, or -1 when
	// the record does not end in data.
	Skip(data []byte, begin bool) int
}

// fill reads content behind buf: as much as there is room for, or, of a live input, what is there. It waits for
// at least one byte.
func (s *Stream) fill(ctx context.Context) error {
	if len(s.buf) >= s.room {
		s.grow()
	}
	for got := false; len(s.buf) < s.room && (!got || s.in.ready()); got = true {
		kept := len(s.in.replay) > 0
		n, err := s.in.read(ctx, s.buf[len(s.buf):s.room])
		s.buf = s.buf[:len(s.buf)+n]
		switch {
		case err != nil:
			return err
		case !got && kept:
			s.at = s.in.at
		case !got:
			s.at = s.opt.Now()
		}
	}
	return nil
}

// reach returns how far to read when n bytes of an unfinished record are there: twice as far each time, up to the
// longest record.
func (s *Stream) reach(n int) int { return min(max(2*n, s.opt.Chunk), s.opt.MaxLine) }

func (s *Stream) grow() {
	s.room = s.reach(len(s.buf))
	if cap(s.buf) < s.room+spare(s.room) {
		old := s.buf
		s.buf = append(s.pool.take(s.room), old...)
		s.pool.put(old)
	}
}

// cut takes whole records off the front of buf. eof says that the input ends behind buf, so that its last record is
// whole without a line end; ended says that nothing more comes, be it because of a failure.
//
// A record is too long iff no end of it is found in MaxLine bytes from its start, which buf can always hold: so chunking
// does not matter.
func (s *Stream) cut(eof, ended bool) (Chunk, bool) {
	if s.skipping {
		s.skip()
	}
	n := 0
	switch {
	case s.skipping:
	case eof:
		n = len(s.buf)
	case len(s.buf) > 0:
		if n = s.cutter.Cut(s.buf, s.from); n > 0 {
			break
		}
		if s.from = len(s.buf); s.from < s.opt.MaxLine {
			break
		}
		if blank := emptyLines(s.buf); blank > 0 {
			s.pass(blank)
		} else {
			s.oversize()
		}
	}
	report := s.over.Oversize > 0 && (ended || s.in.live && !s.skipping)
	if n == 0 && !report {
		return Chunk{}, false
	}
	return s.chunk(n), true
}

// chunk hands over the first n bytes of buf and carries the rest into another buffer.
func (s *Stream) chunk(n int) Chunk {
	c := s.over
	s.over = Chunk{}
	c.File, c.Pos, c.First, c.Arrived = s.in.name, s.pos, s.pos == s.first, s.at
	if n == 0 {
		return c
	}
	c.Data, c.free = s.buf[:n], s.put
	rest := s.buf[n:]
	s.buf = append(s.pool.take(s.reach(len(rest))), rest...)
	s.pos += int64(n)
	s.from, s.room = 0, 0
	return c
}

// emptyLines returns the length of the empty lines that data begins with.
func emptyLines(data []byte) (n int) {
	for {
		rest := data[n:]
		switch {
		case bytes.HasPrefix(rest, []byte{'\n'}):
			n++
		case bytes.HasPrefix(rest, []byte("\r\n")):
			n += 2
		default:
			return n
		}
	}
}

// pass leaves out the first n bytes of buf, which are empty lines: a cutter that keeps them with the record behind them has not
// come to that.
func (s *Stream) pass(n int) {
	first := s.pos == s.first
	s.drop(n)
	if first {
		s.first = s.pos
	}
}

// oversize notes that buf is the beginning of a record that is too long.
func (s *Stream) oversize() {
	if s.over.Oversize == 0 {
		s.over.OversizePos = s.pos
		s.over.OversizeHead = bytes.Clone(s.buf[:min(oversizeHead, len(s.buf))])
	}
	s.over.Oversize++
	s.skipping = true
	if k, ok := s.cutter.(Skipper); ok {
		k.Skip(s.buf, true)
	}
	s.drop(len(s.buf))
}

// skip drops what belongs to the record that is too long.
func (s *Stream) skip() {
	end := -1
	if k, ok := s.cutter.(Skipper); ok {
		end = k.Skip(s.buf, false)
	} else if i := bytes.IndexByte(s.buf, '\n'); i >= 0 {
		end = i + 1
	}
	if s.skipping = end < 0; s.skipping {
		end = len(s.buf)
	}
	s.drop(end)
}

func (s *Stream) drop(n int) {
	s.pos += int64(n)
	s.buf = s.buf[:copy(s.buf, s.buf[n:])]
	s.from, s.room = 0, 0
}
