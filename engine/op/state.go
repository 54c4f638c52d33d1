package op

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
)

var errState = errors.New("damaged state")

// stateWriter appends to a saved state: words little-endian, counts as varints.
type stateWriter struct{ b []byte }

func (w *stateWriter) u8(v uint8)    { w.b = append(w.b, v) }
func (w *stateWriter) u32(v uint32)  { w.b = binary.LittleEndian.AppendUint32(w.b, v) }
func (w *stateWriter) u64(v uint64)  { w.b = binary.LittleEndian.AppendUint64(w.b, v) }
func (w *stateWriter) i64(v int64)   { w.u64(uint64(v)) }
func (w *stateWriter) f64(v float64) { w.u64(math.Float64bits(v)) }
func (w *stateWriter) count(n int)   { w.b = binary.AppendUvarint(w.b, uint64(n)) }

func (w *stateWriter) bool(v bool) {
	if v {
		w.u8(1)
	} else {
		w.u8(0)
	}
}

func (w *stateWriter) bytes(v []byte) {
	w.count(len(v))
	w.b = append(w.b, v...)
}

// faults writes counters by reason, in alphabetical order.
func (w *stateWriter) faults(m map[string]int64) {
	reasons := make([]string, 0, len(m))
	for reason := range m {
		reasons = append(reasons, reason)
	}
	slices.Sort(reasons)
	w.count(len(reasons))
	for _, reason := range reasons {
		w.bytes([]byte(reason))
		w.i64(m[reason])
	}
}

// saveList writes the length of list and each element by one.
func saveList[T any](w *stateWriter, list []T, one func(T)) {
	w.count(len(list))
	for _, v := range list {
		one(v)
	}
}

// stateReader reads a saved state, which may be damaged or forged. The first failure sticks, and
// after it everything reads as zero. What is allocated is in proportion to the input.
type stateReader struct {
	b   []byte
	err error
}

func (r *stateReader) require(ok bool) {
	if !ok && r.err == nil {
		r.err = errState
		r.b = nil
	}
}

func (r *stateReader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.require(false)
		return nil
	}
	v := r.b[:n]
	r.b = r.b[n:]
	return v
}

func (r *stateReader) u8() uint8 {
	if v := r.take(1); v != nil {
		return v[0]
	}
	return 0
}

func (r *stateReader) u32() uint32 {
	if v := r.take(4); v != nil {
		return binary.LittleEndian.Uint32(v)
	}
	return 0
}

func (r *stateReader) u64() uint64 {
	if v := r.take(8); v != nil {
		return binary.LittleEndian.Uint64(v)
	}
	return 0
}

func (r *stateReader) i64() int64   { return int64(r.u64()) }
func (r *stateReader) f64() float64 { return math.Float64frombits(r.u64()) }
func (r *stateReader) bool() bool   { return r.u8() == 1 }

// count reads the number of things of at least size bytes each.
func (r *stateReader) count(size int) int {
	n, width := binary.Uvarint(r.b)
	if width <= 0 || n > uint64((len(r.b)-width)/size) {
		r.require(false)
		return 0
	}
	r.b = r.b[width:]
	return int(n)
}

// bytes returns bytes that alias the input.
func (r *stateReader) bytes() []byte { return r.take(r.count(1)) }

func (r *stateReader) faults() map[string]int64 {
	m := map[string]int64{}
	for n := r.count(9); n > 0; n-- {
		reason := string(r.bytes())
		m[reason] = r.i64()
	}
	return m
}

// saveState writes what fill appends.
func saveState(to io.Writer, fill func(w *stateWriter)) error {
	var w stateWriter
	fill(&w)
	_, err := to.Write(w.b)
	return err
}

// loadState reads all of from with read, which must leave nothing over.
func loadState(from io.Reader, read func(r *stateReader)) error {
	b, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	r := stateReader{b: b}
	read(&r)
	r.require(len(r.b) == 0)
	return r.err
}

// loadList reads what saveList wrote, of elements that take at least size bytes each.
func loadList[T any](r *stateReader, size int, one func() T) []T {
	list := make([]T, r.count(size))
	for i := range list {
		list[i] = one()
	}
	return list
}
