package sink

import (
	"fmt"
	"io"
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// spillSize is when collected bytes are written: a write(2) is then a small part of the cost, and the buffer
// stays in the cache.
const spillSize = 32 << 10

// output collects bytes for a writer.
type output struct {
	w   io.Writer
	opt Options
	buf []byte
	err error // of the writer; it stays

	partial bool // partial rows were reported
}

// Flush implements Flusher.
func (o *output) Flush() error {
	if o.err != nil || len(o.buf) == 0 {
		return o.err
	}
	n, err := o.w.Write(o.buf)
	if err == nil && n < len(o.buf) {
		err = io.ErrShortWrite
	}
	o.buf = o.buf[:0]
	if err != nil {
		o.err = fmt.Errorf("writing results: %w", err)
	}
	return o.err
}

// Close implements Sink.
func (o *output) Close() error {
	if o.err != nil {
		return nil
	}
	return o.Flush()
}

// spill writes when enough was collected.
func (o *output) spill() error {
	if len(o.buf) < spillSize {
		return o.err
	}
	return o.Flush()
}

// notePartial reports, once, that rows are not final, for formats that have no place for it.
func (o *output) notePartial(b *tuple.Batch) {
	if b.Partial && !o.partial && len(b.Sel) > 0 {
		o.partial = true
		o.opt.Warn("the last rows are of windows that had not ended when the run was interrupted (final: false)")
	}
}

// distinct returns the names of the fields, the repeated ones with a suffix that makes them differ from all others.
func distinct(fields []tuple.Field) []string {
	taken := map[string]bool{}
	for _, f := range fields {
		taken[f.Name] = true
	}
	names := make([]string, len(fields))
	seen := map[string]bool{}
	for i, f := range fields {
		name := f.Name
		for n := 1; seen[name] || name != f.Name && taken[name]; n++ {
			name = f.Name + "_" + strconv.Itoa(n)
		}
		names[i] = name
		seen[name] = true
	}
	return names
}
