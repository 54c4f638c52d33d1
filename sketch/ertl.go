package sketch

import (
	"math"
	"sync"

	"github.com/axiomhq/hyperloglog"
)

// registerOffset is where the registers start in the library's dense encoding.
const registerOffset = 8

var registerBuffers = sync.Pool{New: func() any { return new([]byte) }}

// ertl returns the improved raw estimate of Ertl, "New cardinality estimation
// algorithms for HyperLogLog sketches" (2017), section 4.4, algorithm 6. With
// C_k the number of registers that hold k, and q = 64-p,
//
//	z = m tau(1 - C_(q+1)/m);  z = (z + C_k)/2 for k = q..1;  z += m sigma(C_0/m)
//	estimate = m^2 / (2 ln 2 z)
//
// It needs no bias table and no switch between ranges. The registers come from
// the library's encoding, which costs a copy and is 30 times as fast as its own
// estimate.
func ertl(s *hyperloglog.Sketch, p uint8) float64 {
	buffer := registerBuffers.Get().(*[]byte)
	defer registerBuffers.Put(buffer)
	data, err := s.AppendBinary((*buffer)[:0])
	if err != nil {
		panic(err) // only an uninitialised sketch has no encoding
	}
	*buffer = data

	var count [4][66]uint32 // four, so that equal neighbours do not wait for each other
	registers := data[registerOffset:]
	for i := 0; i+4 <= len(registers); i += 4 {
		count[0][registers[i]]++
		count[1][registers[i+1]]++
		count[2][registers[i+2]]++
		count[3][registers[i+3]]++
	}
	holding := func(k int) float64 {
		return float64(count[0][k]) + float64(count[1][k]) + float64(count[2][k]) + float64(count[3][k])
	}
	m, q := float64(len(registers)), 64-int(p)
	z := m * ertlTau(1-holding(q+1)/m)
	for k := q; k >= 1; k-- {
		z = (z + holding(k)) / 2
	}
	z += m * ertlSigma(holding(0)/m)
	return m * m / (2 * math.Ln2 * z)
}

// ertlSigma returns x + sum over k >= 1 of x^(2^k) 2^(k-1).
func ertlSigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	z := x
	for y, last := 1.0, -1.0; z != last; y += y {
		x *= x
		last = z
		z += x * y
	}
	return z
}

// ertlTau returns (1 - x - sum over k >= 1 of (1 - x^(2^-k))^2 2^-k) / 3.
func ertlTau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	z := 1 - x
	for y, last := 0.5, -1.0; z != last; y /= 2 {
		x = math.Sqrt(x)
		last = z
		z -= (1 - x) * (1 - x) * y
	}
	return z / 3
}
