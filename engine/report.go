package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/source"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// shownPerReason is how many bad records of one reason are shown one by one.
const shownPerReason = 1

// headBytes is how much of a bad record is shown.
const headBytes = 80

// reporter tells a person about bad records, and writes them out when asked.
type reporter struct {
	note    func(format string, args ...any)
	badOut  io.Writer
	lateOut io.Writer
	counts  map[string]int64 // bad records by stream and reason
	order   []string         // keys of counts in order of appearance
	misfits []misfit
}

// misfit counts the values of a field that were not of the type that it was read as.
type misfit struct {
	field  string
	as     tuple.Type
	values int64
}

// badLine is one line of BadOut.
type badLine struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Record int64  `json:"record"` // counted from 1
	Reason string `json:"reason"`
	Raw    string `json:"raw"`
	// Bytes is there when Raw could not be written as it was, because it is not UTF-8.
	Bytes []byte `json:"raw_base64,omitempty"`
}

// badLine describes record k of p, which begins at byte off of its data.
func (s *stream) badLine(p *piece, k, off int, reason string, raw []byte) badLine {
	offset, record := p.positionOf(k, off), p.numberOf(k)+1
	line := badLine{File: fileName(s, p), Offset: offset, Record: record, Reason: reason, Raw: string(raw)}
	if !utf8.Valid(raw) {
		line.Bytes = raw
	}
	return line
}

// place names bad record i of a piece.
func (r *reporter) place(s *stream, p *piece, i int) string {
	b := &p.bad[i]
	k := b.Row + i
	return fmt.Sprintf("%s: record %d at byte %d: %s", fileName(s, p), p.numberOf(k)+1, p.positionOf(k, b.Off), explainBad(b))
}

func fileName(s *stream, p *piece) string {
	if p.job.chunk.File != "" {
		return p.job.chunk.File
	}
	return s.name
}

func explainBad(b *codec.Bad) string {
	if b.Detail == "" {
		return b.Reason
	}
	return b.Reason + ": " + b.Detail
}

// bad reports bad record i of a piece, which could not be decoded.
func (r *reporter) bad(s *stream, p *piece, i int) error {
	b := &p.bad[i]
	raw := p.data[b.Off : b.Off+b.Len]
	if r.first(s, b.Reason) {
		r.note("bad record: %s: %s", r.place(s, p, i), head(raw))
	}
	if r.badOut == nil {
		return nil
	}
	return r.write(s.badLine(p, b.Row+i, b.Off, b.Reason, raw))
}

// oversize reports records that were longer than the limit.
func (r *reporter) oversize(s *stream, c *source.Chunk) error {
	for range c.Oversize {
		if r.first(s, "oversize") {
			r.note("bad record: %s: the record at byte %d is longer than the limit (--max-line): %s", c.File, c.OversizePos, head(c.OversizeHead))
		}
	}
	return r.write(badLine{File: c.File, Offset: c.OversizePos, Record: s.records, Reason: "oversize", Raw: string(c.OversizeHead)})
}

// first counts a bad record and reports whether it is to be shown.
func (r *reporter) first(s *stream, reason string) bool {
	key := s.name + ": " + reason
	if r.counts == nil {
		r.counts = map[string]int64{}
	}
	if r.counts[key]++; r.counts[key] == 1 {
		r.order = append(r.order, key)
	}
	return r.counts[key] <= shownPerReason
}

// unfit counts values that did not fit the type that the query reads the field as, and reports the first.
func (r *reporter) unfit(s *stream, f *tuple.Field, n int64) {
	if n == 0 {
		return
	}
	key := s.name + "." + f.Name
	for i := range r.misfits {
		if r.misfits[i].field == key && r.misfits[i].as == f.Type {
			r.misfits[i].values += n
			return
		}
	}
	r.misfits = append(r.misfits, misfit{key, f.Type, n})
	r.note("a value of %s is not a %s: it and others like it are NULL and counted (CAST(... AS TEXT) reads the field as it is written, CREATE STREAM declares its type)",
		key, singular(f.Type))
}

// singular says what a value of type t is called in a message.
func singular(t tuple.Type) string {
	switch t {
	case tuple.Timestamp:
		return "time"
	case tuple.Boolean:
		return "truth value"
	case tuple.Bigint:
		return "64-bit integer"
	case tuple.Double, tuple.Number:
		return "number"
	}
	return t.String() + " value"
}

func (r *reporter) write(line badLine) error {
	if r.badOut == nil {
		return nil
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = r.badOut.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing bad records: %w", err)
	}
	return nil
}

// conclude sums up what was shown only in part.
func (r *reporter) conclude() {
	for _, m := range r.misfits {
		if m.values > 1 {
			r.note("%d values of %s were no %ss", m.values, m.field, singular(m.as))
		}
	}
	for _, key := range r.order {
		if n := r.counts[key]; n > shownPerReason {
			r.note("%d bad records of %s", n, key)
		}
	}
}

// head returns the beginning of a record in a form that is safe to print: as it is, but for bytes that are no
// printable text.
func head(raw []byte) string {
	more := ""
	if len(raw) > headBytes {
		raw, more = raw[:headBytes], "..."
	}
	var b strings.Builder
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		if unicode.IsPrint(r) && (r != utf8.RuneError || n > 1) {
			b.Write(raw[:n])
		} else {
			b.WriteString(strings.Trim(strconv.Quote(string(raw[:n])), `"`))
		}
		raw = raw[n:]
	}
	return b.String() + more
}

// tell reports the bad records of a piece that stand before row, unless that was done for another query. So they are told
// in the order of the input, among those that the input box refuses. It returns false when the run has to end.
func (e *Engine) tell(s *stream, p *piece, row int) bool {
	for ; p.told < len(p.bad) && p.bad[p.told].Row <= row; p.told++ {
		if p.ghostly(p.told) {
			continue
		}
		err := e.reporter.bad(s, p, p.told)
		if err == nil && e.opt.FailOnBad {
			err = fmt.Errorf("%s: %w", e.reporter.place(s, p, p.told), ErrBadRecord)
		}
		if err != nil {
			e.fail = err
			return false
		}
	}
	return true
}

// refuse reports a record that the input box could not place in time, or that came late. It returns false when the run has to
// end.
func (e *Engine) refuse(q *Query, p *piece, row int, reason string) bool {
	if !e.tell(q.stream, p, row) {
		return false
	}
	if reason == reasonLate {
		e.fail = e.late(q.stream, p, row)
	} else {
		e.fail = e.misplaced(q.stream, p, row, reason)
	}
	return e.fail == nil
}

// late writes a late record out, when asked.
func (e *Engine) late(s *stream, p *piece, row int) error {
	if e.opt.LateOut == nil {
		return nil
	}
	raw, _ := p.rawRow(s.options.Format, row)
	if _, err := e.opt.LateOut.Write(append(bytes.Clone(raw), '\n')); err != nil {
		return fmt.Errorf("writing late records: %w", err)
	}
	return nil
}

// misplaced reports a record without a usable event time. Its error ends the run.
func (e *Engine) misplaced(s *stream, p *piece, row int, reason string) error {
	r := &e.reporter
	first := r.first(s, reason)
	if !first && r.badOut == nil && !e.opt.FailOnBad {
		return nil
	}
	raw, off := p.rawRow(s.options.Format, row)
	k := row + p.told
	place := fmt.Sprintf("%s: record %d at byte %d", fileName(s, p), p.numberOf(k)+1, p.positionOf(k, off))
	if first {
		r.note("bad record: %s: %s: %s", place, explainRefusal(reason), head(raw))
	}
	if err := r.write(s.badLine(p, k, off, reason, raw)); err != nil {
		return err
	}
	if e.opt.FailOnBad {
		return fmt.Errorf("%s: %s: %w", place, explainRefusal(reason), ErrBadRecord)
	}
	return nil
}

func explainRefusal(reason string) string {
	switch reason {
	case reasonTime:
		return "no event time"
	case reasonFuture:
		return "event time from the future (--max-future)"
	case reasonUnit:
		return "event time contradicts the unit that the first records showed (--time-unit)"
	case reasonWeight:
		return "no weight of 1 or more"
	}
	return reason
}

// seeker remembers where in a piece's data a row was found, because rows are asked for in ascending order.
type seeker struct {
	off, row int // the record at off is row, unless it is blank or bad
	bad      int // bad records that stand before off
	begun    bool
}

// rawRow finds the bytes of a row again, for messages. It returns the offset in the piece's data; nil bytes when
// the format's records cannot be told apart by lines.
func (p *piece) rawRow(f codec.Format, row int) ([]byte, int) {
	at := &p.seek
	if !at.begun || row < at.row {
		*at = seeker{begun: true}
		if p.first && (f == codec.CSV || f == codec.TSV) {
			at.row = -1 // the header
		}
	}
	for at.off < len(p.data) {
		n := lineEnd(f, p.data[at.off:])
		line := bytes.TrimRight(p.data[at.off:at.off+n], "\r\n")
		for at.bad < len(p.bad) && p.bad[at.bad].Off < at.off {
			at.bad++
		}
		bad := at.bad < len(p.bad) && p.bad[at.bad].Off < at.off+n
		if len(bytes.TrimSpace(line)) > 0 && !bad {
			if at.row == row {
				return line, at.off
			}
			at.row++
		}
		at.off += n
	}
	return nil, 0
}

// lineEnd returns the length of the first record of data with its line end.
func lineEnd(f codec.Format, data []byte) int {
	quoted := false
	for i, c := range data {
		switch {
		case c == '"' && (f == codec.CSV || f == codec.TSV):
			quoted = !quoted
		case c == '\n' && !quoted:
			return i + 1
		}
	}
	return len(data)
}
