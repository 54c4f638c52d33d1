package codec

import (
	"bytes"
	"fmt"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// jsonDecoder decodes NDJSON and the elements of a JSON array.
//
// # Two ways through a record
//
// scanRecord walks any record by the grammar and notes where the wanted values lie. It also teaches
// the record's layout, the bytes between the values, to a [layoutTree]. Records of a stream look alike: follow walks a record along the tree,
// comparing the layout and checking the values, whose ends it knows from a [markWindow]. It accepts only what
// scanRecord accepts, with the same outcome, and gives up on anything else.
//
// # What a value becomes
//
// The outcome of every record is that of encoding/json: the same ones are valid, the last of duplicate keys wins, bad UTF-8
// and lone surrogates read as U+FFFD, and nesting is limited to 10,000. null and missing values are NULL. A value
// that does not fit its column is NULL and counted: text where a number is wanted even if it spells one, numbers
// beyond the largest double, times beyond 64 bits of ns. Text columns show numbers, truth values,
// objects and lists as the record wrote them.
type jsonDecoder struct {
	schema    *tuple.Schema
	unit      Unit
	array     bool
	separator byte  // between the records
	slots     []int // slot of each field, -1 for fields without a path
	root      pathNode

	data    []byte
	spans   []span // where the values lie: MaxRows for each slot, and for all unwanted values together
	rows    int
	bad     []Bad
	scanner jsonScanner
	layout  layoutTree
	marks   markWindow
	begin   int           // of the record that is followed
	first   int           // number of its first mark
	end     int           // of the record before it, -1 when there is none
	values  []layoutValue // of the record under scanRecord
	learn   bool          // the record under scanRecord can be taught to the tree
	scratch []byte
}

// NewJSON returns a decoder of NDJSON or, as the format in opt says, of a JSON array's elements.
// It takes data of less than 512 MiB at a time.
//
// A chunk of an array begins with the array's opening bracket (at the beginning of the file only), or
// with the comma before an element, or with the closing bracket, as the cutter of [NewJSONCutter] makes them. An array that ends without
// its closing bracket after a whole element passes unnoticed.
func NewJSON(schema *tuple.Schema, opt Options) (Decoder, error) {
	d := &jsonDecoder{schema: schema, unit: opt.Unit, root: pathNode{slot: -1}, separator: '\n'}
	switch opt.Format {
	case NDJSON:
	case JSONArray:
		d.array, d.separator = true, ','
	default:
		return nil, fmt.Errorf("format %q is not JSON", opt.Format)
	}
	slots := 0
	for _, f := range schema.Fields {
		if f.Type == tuple.Timestamp && opt.Unit == UnitAuto {
			return nil, fmt.Errorf("unit of times is undecided")
		}
		slot := -1
		if len(f.Path) > 0 {
			slot = d.root.add(f.Path, &slots)
		}
		d.slots = append(d.slots, slot)
	}
	d.spans = make([]span, (slots+1)*tuple.MaxRows)
	d.layout.spare = slots
	return d, nil
}

// Found implements Decoder.
func (d *jsonDecoder) Found() (rows int, bad []Bad) { return d.rows, d.bad }

// Scan implements Decoder.
func (d *jsonDecoder) Scan(data []byte, first bool) (consumed int) {
	if len(data) >= maxJSONData {
		panic("codec: more than 512 MiB of JSON at a time")
	}
	wanted := d.spans[:len(d.spans)-tuple.MaxRows]
	for ; len(wanted) > 0; wanted = wanted[tuple.MaxRows:] {
		clear(wanted[:d.rows])
	}
	d.data, d.rows, d.bad = data, 0, d.bad[:0]
	d.layout.renew()
	d.marks.forget()
	if d.array {
		return d.scanArray(first)
	}
	return d.scanLines()
}

// scanLines reads NDJSON.
func (d *jsonDecoder) scanLines() int {
	data := d.data
	p := 0
	for p < len(data) && d.rows < tuple.MaxRows && len(d.bad) < MaxBad {
		if data[p] == '{' {
			if end := d.follow(p); end >= 0 {
				p = min(skipBlanks(data, end)+1, len(data))
				continue
			}
		}
		p = d.scanLine(p)
	}
	return p
}

// scanLine reads the line at p by the grammar and returns where the next one begins.
func (d *jsonDecoder) scanLine(p int) (next int) {
	end := bytes.IndexByte(d.data[p:], '\n')
	if end < 0 {
		end, next = len(d.data), len(d.data)
	} else {
		end += p
		next = end + 1
	}
	if skipBlanks(d.data[:end], p) == end {
		return next
	}
	if end > p && d.data[end-1] == '\r' {
		end--
	}
	d.record(p, end)
	return next
}

// record reads the bytes from p to end, which hold one value, as a row or a bad record.
func (d *jsonDecoder) record(p, end int) {
	d.forgetRow()
	reason := d.scanRecord(d.data[:end], p)
	if reason == "" {
		d.rows++
		return
	}
	d.forgetRow()
	d.reject(p, end, reason)
}

func (d *jsonDecoder) reject(p, end int, reason string) {
	d.bad = append(d.bad, Bad{Off: p, Len: end - p, Row: d.rows, Reason: reason})
}

// forgetRow makes all values of the row at hand missing.
func (d *jsonDecoder) forgetRow() {
	for i := d.rows; i < len(d.spans); i += tuple.MaxRows {
		d.spans[i] = 0
	}
}

// skipBlanks returns the first position from p that is no space, tab or carriage return.
func skipBlanks(b []byte, p int) int {
	for p < len(b) && (b[p] == ' ' || b[p] == '\t' || b[p] == '\r') {
		p++
	}
	return p
}
