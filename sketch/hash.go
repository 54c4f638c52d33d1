package sketch

import (
	"math"

	"github.com/cespare/xxhash/v2"
)

// Hash returns the 64-bit hash of a text or byte string: XXH64, seed 0, the
// same in every process and on every machine.
func Hash(b []byte) uint64 { return xxhash.Sum64(b) }

// HashInt returns a well-mixed 64-bit hash of an integer or of another hash. It
// is a bijection: SplitMix64's increment followed by the "moremur" finaliser
// (Evensen, 2019), whose output bits pass avalanche tests on counters.
func HashInt(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>27) * 0x3c79ac492ba7b653
	v = (v ^ v>>33) * 0x1c69b3f74ac4ae35
	return v ^ v>>27
}

// floatSalt separates the hashes of fractions from those of the integers that
// have the same bits. Any odd constant without pattern would do.
const floatSalt = 0xd6e8feb86659fd93

// HashFloat returns the hash of a float. A float that equals an int64 hashes
// like it, so 1 and 1.0, 0 and -0 are one value; so are all NaNs.
func HashFloat(x float64) uint64 {
	if x >= -0x1p63 && x < 0x1p63 {
		if i := int64(x); float64(i) == x {
			return HashInt(uint64(i))
		}
	}
	if x != x {
		x = math.NaN()
	}
	return HashInt(HashInt(math.Float64bits(x)) ^ floatSalt)
}

// remix is the bijection that Distinct applies to the hashes given to it:
// Stafford's variant 13 of the Murmur3 finaliser. It differs from HashInt so
// that neither raw integers nor hashes thinned by a threshold on HashInt
// (universe drops) reach the registers unmixed.
func remix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
