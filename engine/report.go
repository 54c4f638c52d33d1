package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
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
	err     error // first failure to write badOut or lateOut
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
}

// place names a bad record.
func (r *reporter) place(s *stream, p *piece, b *codec.Bad) string {
	return fmt.Sprintf("%s: record %d at byte %d: %s", fileName(s, p), recordOf(p, b), p.pos+int64(b.Off), explainBad(b))
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

// recordOf returns the number of a bad record in its stream, counted from 1.
func recordOf(p *piece, b *codec.Bad) int64 {
	before := slices.IndexFunc(p.bad, func(x codec.Bad) bool { return x == *b })
	return p.block.Seq + int64(b.Row+before) + 1
}

// bad reports a record that could not be decoded.
func (r *reporter) bad(s *stream, p *piece, b *codec.Bad) error {
	raw := p.data[b.Off : b.Off+b.Len]
	if r.first(s, b.Reason) {
		r.note("bad record: %s: %s", r.place(s, p, b), head(raw))
	}
	return r.write(badLine{fileName(s, p), p.pos + int64(b.Off), recordOf(p, b), b.Reason, string(raw)})
}

// oversize reports records that were longer than the limit.
func (r *reporter) oversize(s *stream, c *source.Chunk) error {
	for range c.Oversize {
		if r.first(s, "oversize") {
			r.note("bad record: %s: the record at byte %d is longer than the limit (--max-line): %s", c.File, c.OversizePos, head(c.OversizeHead))
		}
	}
	return r.write(badLine{c.File, c.OversizePos, s.records, "oversize", string(c.OversizeHead)})
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

// refuse reports a record that the input box could not place in time, or that came late.
func (e *Engine) refuse(q *Query, p *piece, row int, reason string) {
	r := &e.reporter
	s := q.stream
	if reason == reasonLate {
		if e.opt.LateOut != nil {
			raw, _ := rawRow(s.options.Format, p, row)
			_, err := e.opt.LateOut.Write(append(bytes.Clone(raw), '\n'))
			r.err = errors.Join(r.err, err)
		}
		return
	}
	first := r.first(s, reason)
	if !first && r.badOut == nil && !e.opt.FailOnBad {
		return
	}
	raw, off := rawRow(s.options.Format, p, row)
	record := p.block.Seq + int64(row) + 1
	for _, b := range p.bad {
		if b.Row <= row {
			record++
		}
	}
	place := fmt.Sprintf("%s: record %d at byte %d", fileName(s, p), record, p.pos+int64(off))
	if first {
		r.note("bad record: %s: %s: %s", place, explainRefusal(reason), head(raw))
	}
	if err := r.write(badLine{fileName(s, p), p.pos + int64(off), record, reason, string(raw)}); err != nil {
		r.err = errors.Join(r.err, err)
	}
	if e.opt.FailOnBad && e.err == nil {
		e.fail = fmt.Errorf("%s: %s: %w", place, explainRefusal(reason), ErrBadRecord)
	}
}

func explainRefusal(reason string) string {
	switch reason {
	case reasonTime:
		return "no event time"
	case reasonFuture:
		return "event time from the future (--max-future)"
	case reasonUnit:
		return "event time contradicts the unit that the first records showed (--time-unit)"
	}
	return reason
}

// rawRow finds the bytes of a row again, for messages. It returns the offset in the piece's data; nil bytes when
// the format's records cannot be told apart by lines.
func rawRow(f codec.Format, p *piece, row int) ([]byte, int) {
	skip := map[int]bool{}
	for _, b := range p.bad {
		skip[b.Off] = true
	}
	off, at := 0, 0
	if p.first && (f == codec.CSV || f == codec.TSV) {
		at = -1
	}
	for off < len(p.data) {
		n := lineEnd(f, p.data[off:])
		line := bytes.TrimRight(p.data[off:off+n], "\r\n")
		if len(bytes.TrimSpace(line)) > 0 && !skip[off] {
			if at == row {
				return line, off
			}
			at++
		}
		off += n
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
