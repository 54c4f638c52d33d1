package codec

import (
	"bytes"
	"fmt"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// logDecoder decodes the access logs of Apache and Nginx, common and combined:
//
//	ip ident user [time] "request" status bytes "referer" "agent"
//
// # Which records are valid and what they mean
//
// The last two are those of the combined format. What stands behind them, such as a response time, and a virtual host
// before the address are left out. "-" and nothing at all are NULL in every place. The user may contain spaces. A quote that does not
// close spoils its record ("quote"), another shape too ("syntax").
//
// Inside of quotes \" and \\ mean the second character, as do \x22 and \x5C, by which Nginx writes them; other escapes stay as they are
// written, because they stand for bytes that are no text. The request is split into method, path and
// protocol. The path may contain spaces, and the protocol may be missing (HTTP/0.9). A request of another
// shape, which scanners send, is valid all the same: it is the path as it stands, method and protocol are NULL.
//
// The time is that of the log formats, 17/May/2015:10:05:03 +0000, or one that other formats take ($time_iso8601).
type logDecoder struct {
	schema *tuple.Schema
	unit   Unit
	fields []logField // of each field of the schema

	data  []byte
	rows  int
	bad   []Bad
	lines []logLine // MaxRows
	day   logDay
}

// logField is a column of access logs.
type logField uint8

const (
	logIP logField = iota
	logIdent
	logUser
	logTime
	logStatus
	logBytes
	logReferer
	logAgent
	logRequest // no column: it is made of the following
	logMethod
	logPath
	logProtocol
	logNone // no such column
)

// logColumns are the columns of access logs in their order.
var logColumns = [...]struct {
	name  string
	field logField
	typ   tuple.Type
}{
	{"ip", logIP, tuple.Text},
	{"ident", logIdent, tuple.Text},
	{"user", logUser, tuple.Text},
	{"time", logTime, tuple.Timestamp},
	{"method", logMethod, tuple.Text},
	{"path", logPath, tuple.Text},
	{"protocol", logProtocol, tuple.Text},
	{"status", logStatus, tuple.Bigint},
	{"bytes", logBytes, tuple.Bigint},
	{"referer", logReferer, tuple.Text},
	{"agent", logAgent, tuple.Text},
}

// logLine is where the parts of a record are, without their quotes and brackets.
type logLine [logRequest + 1]tuple.Span

// NewAccessLog returns a decoder of access logs. A field of the schema that is none of theirs is NULL. It takes data of less than
// 4 GiB at a time.
func NewAccessLog(schema *tuple.Schema, opt Options) (Decoder, error) {
	if opt.Unit == UnitAuto {
		return nil, fmt.Errorf("unit of times is undecided")
	}
	d := &logDecoder{schema: schema, unit: opt.Unit, lines: make([]logLine, tuple.MaxRows)}
	for i := range schema.Fields {
		field := logNone
		for _, c := range logColumns {
			if c.name == columnName(&schema.Fields[i]) {
				field = c.field
			}
		}
		d.fields = append(d.fields, field)
	}
	return d, nil
}

// Found implements Decoder.
func (d *logDecoder) Found() (rows int, bad []Bad) { return d.rows, d.bad }

// Scan implements Decoder.
func (d *logDecoder) Scan(data []byte, first bool) (consumed int) {
	if len(data) >= maxData {
		panic("codec: more than 4 GiB of access log at a time")
	}
	d.data, d.rows, d.bad = data, 0, d.bad[:0]
	p := 0
	if first {
		p = markLength(data)
	}
	for p < len(data) && d.rows < tuple.MaxRows && len(d.bad) < MaxBad {
		end, next := lineEnd(data, p)
		if !blank(data[p:end]) {
			if reason := d.lines[d.rows].read(data[:end], p); reason == "" {
				d.rows++
			} else {
				d.bad = append(d.bad, Bad{Off: p, Len: end - p, Row: d.rows, Reason: reason})
			}
		}
		p = next
	}
	return p
}

// read finds the parts of the record at p, which is the rest of b, and says what is wrong with it, if anything.
func (l *logLine) read(b []byte, p int) (reason string) {
	p = l.client(b, p)
	if p < 0 {
		return "syntax"
	}
	if p, reason = l.quoted(b, p, logRequest); reason != "" {
		return reason
	}
	if p = l.word(b, p, logStatus); p < 0 {
		return "syntax"
	}
	if p = l.word(b, p, logBytes); p < 0 {
		return "syntax"
	}
	l[logReferer], l[logAgent] = tuple.Span{}, tuple.Span{}
	for field := logReferer; field <= logAgent; field++ {
		if p+1 >= len(b) || b[p+1] != '"' {
			break
		}
		if p, reason = l.quoted(b, p, field); reason != "" {
			return reason
		}
	}
	return l.suffix(b, p)
}

// client reads up to the closing bracket of the time and returns where it ends, -1 if it is not there.
func (l *logLine) client(b []byte, p int) int {
	bracket := bytes.Index(b[p:], []byte(" ["))
	if bracket < 0 {
		return -1
	}
	bracket += p
	i := bytes.IndexByte(b[p:bracket], ' ')
	if i <= 0 {
		return -1
	}
	l.set(logIP, p, p+i)
	p += i + 1
	if i = bytes.IndexByte(b[p:bracket], ' '); i < 0 {
		return -1
	}
	if looksLikeAddress(b[p : p+i]) {
		return l.client(b, p)
	}
	l.set(logIdent, p, p+i)
	l.set(logUser, p+i+1, bracket)
	p = bracket + len(" [")
	if i = bytes.IndexByte(b[p:], ']'); i < 0 {
		return -1
	}
	l.set(logTime, p, p+i)
	return p + i + 1
}

// looksLikeAddress reports whether b could be an IP address and no name. Where the ident should be, it tells that a
// virtual host comes before the address.
func looksLikeAddress(b []byte) bool {
	marks := 0
	for _, c := range b {
		switch {
		case c == '.' || c == ':':
			marks++
		case c-'0' > 9 && (c|0x20)-'a' > 5:
			return false
		}
	}
	return marks > 1
}

func (l *logLine) set(f logField, off, end int) {
	l[f] = tuple.Span{Off: uint32(off), Len: uint32(end - off)}
}

// word reads the space at p and the word behind it, and returns where it ends, or -1.
func (l *logLine) word(b []byte, p int, f logField) int {
	if p >= len(b) || b[p] != ' ' {
		return -1
	}
	end := p + 1
	for end < len(b) && b[end] != ' ' {
		end++
	}
	if end == p+1 {
		return -1
	}
	l.set(f, p+1, end)
	return end
}

// quoted reads the space at p and the text in quotes behind it, and returns where it ends.
func (l *logLine) quoted(b []byte, p int, f logField) (end int, reason string) {
	if p+1 >= len(b) || b[p] != ' ' || b[p+1] != '"' {
		return 0, "syntax"
	}
	if end = endOfQuoted(b, p+2); end < 0 {
		return 0, "quote"
	}
	l.set(f, p+2, end-1)
	return end, ""
}

// suffix checks what stands from p behind the parts that have a name: words and texts in quotes.
func (l *logLine) suffix(b []byte, p int) (reason string) {
	if p < len(b) && b[p] != ' ' {
		return "syntax"
	}
	for p < len(b) {
		i := bytes.IndexByte(b[p:], '"')
		if i < 0 {
			return ""
		}
		if p = endOfQuoted(b, p+i+1); p < 0 {
			return "quote"
		}
	}
	return ""
}
