package sketch

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// long reports whether the long run is asked for: a million damaged states, and every shape with up to ten million
// values. It takes some minutes:
//
//	AURORA_LONG=1 go test -timeout 1h ./sketch
func long() bool { return os.Getenv("AURORA_LONG") != "" }

// mutations is how many damaged states are loaded.
func mutations() int {
	switch {
	case long():
		return 1_000_000
	case testing.Short():
		return 2000
	}
	return 20_000
}

// mutate damages a payload in one to four places: bits, bytes, lengths, order.
func mutate(r *rand.Rand, b []byte) []byte {
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			return append(b, byte(r.Uint32()))
		}
		i := r.IntN(len(b))
		if r.IntN(2) == 0 {
			i = r.IntN(min(len(b), 24)) // heads decide how the rest is read
		}
		j := min(len(b), i+1+r.IntN(16))
		switch r.IntN(7) {
		case 0:
			b[i] ^= 1 << r.IntN(8)
		case 1:
			b[i] = byte(r.Uint32())
		case 2:
			b = b[:i]
		case 3:
			b = slices.Delete(b, i, j)
		case 4:
			b = slices.Insert(b, i, slices.Clone(b[i:j])...)
		case 5:
			for k := i; k < j; k++ {
				b[k] = byte(-r.IntN(2)) // lengths and numbers of all ones and zeros
			}
		case 6:
			copy(b[i:], b[r.IntN(len(b)):])
		}
	}
	return b
}

// Damaged states with a right checksum are refused, or loaded and fit for use: nothing panics, and loading allocates no
// more than a constant times the input.
func TestLoadingMutatedStates(t *testing.T) {
	names := []string{"distinct", "theta", "quantile", "weighted", "kll", "tdigest", "topk", "bloom", "countmin"}
	r := random(77)
	var states [][]byte
	for _, name := range names {
		for _, n := range []int{0, 3, 40, 700} {
			s := loaders[name].make()
			loaders[name].feed(s, n)
			states = append(states, payloadOf(marshalled(t, s)))
		}
	}
	loaded := 0
	for i := range mutations() {
		at := i % len(states)
		name := names[at/4]
		l := loaders[name]
		payload := mutate(r, bytes.Clone(states[at]))
		data := reseal(l.kind, payload)
		s := l.make()
		allocated, err := allocatedBy(func() error { return s.UnmarshalBinary(data) })
		require.LessOrEqual(t, allocated, allowedToLoad(len(data)), "%s: %x", name, payload)
		if err != nil {
			require.True(t, errors.Is(err, ErrFormat), "%s: %x: %v", name, payload, err)
			continue
		}
		loaded++
		if d, ok := s.(*TDigest); ok && d.Weight() == 0 {
			continue
		}
		require.NotPanics(t, func() { l.use(s) }, "%s: %x", name, payload)
	}
	require.NotZero(t, loaded)
	t.Logf("%d of %d states could be loaded", loaded, mutations())
}
