package sketch

import (
	"encoding/binary"
	"math"

	"github.com/influxdata/tdigest"
)

// MarshalBinary returns the state: the values, or the centroids with the
// extremes. Centroids are merged again on loading, which may move answers by as
// much as one more merge would.
func (t *TDigest) MarshalBinary() ([]byte, error) {
	b := openSeal(kindTDigest, 2048)
	b = binary.AppendUvarint(b, uint64(t.compression))
	b = appendF64(appendF64(b, t.negInf), t.posInf)
	if !t.spilled {
		t.sort()
		b = binary.AppendUvarint(append(b, 0), uint64(len(t.values)))
		for _, x := range t.values {
			b = appendF64(b, x)
		}
		return closeSeal(b), nil
	}
	b = append(b, 1)
	b = appendF64(appendF64(b, t.least), t.greatest)
	centroids := t.digest.Centroids(nil)
	b = binary.AppendUvarint(b, uint64(len(centroids)))
	for _, c := range centroids {
		b = appendF64(appendF64(b, c.Mean), c.Weight)
	}
	return closeSeal(b), nil
}

// UnmarshalBinary replaces the state.
func (t *TDigest) UnmarshalBinary(data []byte) error {
	in, err := unseal(kindTDigest, data)
	if err != nil {
		return err
	}
	compression := in.uvarint()
	in.require(minCompression <= compression && compression <= maxCompression, "compression")
	loaded := TDigest{compression: int(compression), negInf: in.f64(), posInf: in.f64()}
	in.require(loaded.negInf >= 0 && loaded.negInf <= maxWeight && loaded.posInf >= 0 && loaded.posInf <= maxWeight, "weight")
	if in.err == nil {
		switch in.u8() {
		case 0:
			loaded.loadValues(in)
		case 1:
			loaded.loadCentroids(in)
		default:
			in.fail("representation")
		}
	}
	if err := in.finish(); err != nil {
		return err
	}
	*t = loaded
	return nil
}

func (t *TDigest) loadValues(in *decoder) {
	n := in.count(8)
	in.require(n <= exactDigest, "too many exact values")
	for i := 0; i < n && in.err == nil; i++ {
		x := in.f64()
		in.require(x-x == 0, "not finite")
		t.Add(x)
	}
}

func (t *TDigest) loadCentroids(in *decoder) {
	t.least, t.greatest = in.f64(), in.f64()
	in.require(t.least <= t.greatest && t.greatest-t.greatest == 0 && t.least-t.least == 0, "extremes")
	n := in.count(16)
	in.require(0 < n && n <= 4*maxCompression, "number of centroids")
	if in.err != nil {
		return
	}
	t.digest, t.spilled = tdigest.NewWithCompression(float64(t.compression)), true
	for last := math.Inf(-1); n > 0; n-- {
		c := tdigest.Centroid{Mean: in.f64(), Weight: in.f64()}
		t.weight += c.Weight
		in.require(last <= c.Mean && math.Abs(c.Mean) <= math.MaxFloat64*digestScale, "mean")
		in.require(c.Weight > 0 && t.weight <= maxWeight, "weight")
		if in.err != nil {
			return
		}
		t.digest.AddCentroid(c)
		last = c.Mean
	}
}
