package sketch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/cespare/xxhash/v2"
)

// ErrFormat is wrapped by every error of UnmarshalBinary.
var ErrFormat = errors.New("not a valid sketch")

// ErrMismatch is wrapped by the errors of merges between sketches of different
// configuration.
var ErrMismatch = errors.New("sketches of different configuration")

// A sealed sketch is kind, version, payload and the xxhash64 of all of these.
// A kind names a payload layout; the version is bumped where a layout changes.
const (
	kindDistinct byte = 'D'
	kindQuantile byte = 'Q'
	kindKLL      byte = 'K'
	kindTDigest  byte = 'T'
	kindTopK     byte = 'S'
	kindBloom    byte = 'B'
	kindCountMin byte = 'C'
	kindWeighted byte = 'W'
	kindTheta    byte = 'H'

	formatVersion byte = 1

	sealBefore, sealAfter = 2, 8
)

// openSeal starts a sealed sketch with room for size bytes of payload.
func openSeal(kind byte, size int) []byte {
	return append(make([]byte, 0, sealBefore+size+sealAfter), kind, formatVersion)
}

// closeSeal appends the checksum.
func closeSeal(b []byte) []byte { return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b)) }

// unseal checks the frame and returns a decoder of the payload.
func unseal(kind byte, data []byte) (*decoder, error) {
	if len(data) < sealBefore+sealAfter {
		return nil, fmt.Errorf("%w: %d bytes are too few", ErrFormat, len(data))
	}
	body := data[:len(data)-sealAfter]
	switch {
	case body[0] != kind:
		return nil, fmt.Errorf("%w: kind %q, want %q", ErrFormat, body[0], kind)
	case body[1] != formatVersion:
		return nil, fmt.Errorf("%w: version %d, want %d", ErrFormat, body[1], formatVersion)
	case binary.LittleEndian.Uint64(data[len(body):]) != xxhash.Sum64(body):
		return nil, fmt.Errorf("%w: checksum differs", ErrFormat)
	}
	return &decoder{rest: body[sealBefore:]}, nil
}

// decoder reads a payload. Its first failure sticks; after it all reads are zero.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrFormat, what)
	}
	d.rest = nil
}

// require fails with what unless ok.
func (d *decoder) require(ok bool, what string) {
	if !ok {
		d.fail(what)
	}
}

// bytes returns the next n bytes, which alias the input.
func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.fail("truncated")
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) u8() byte {
	if b := d.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) u64() uint64 {
	if b := d.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) f64() float64 { return math.Float64frombits(d.u64()) }

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail("truncated")
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// count reads a number of things of at least size bytes each, which therefore
// cannot be more than the rest of the payload holds: what is allocated for them
// is bounded by the input.
func (d *decoder) count(size int) int {
	n := d.uvarint()
	if n > uint64(len(d.rest)/size) {
		d.fail("truncated")
		return 0
	}
	return int(n)
}

// finish returns the first failure, trailing bytes being one.
func (d *decoder) finish() error {
	if d.err == nil && len(d.rest) != 0 {
		d.fail("trailing bytes")
	}
	return d.err
}

func appendF64(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}
