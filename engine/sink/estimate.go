package sink

import (
	"bytes"
	"math"
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// An estimate is shown to a person as its value and, behind that, what is known of it: = where it is the true one, ±18 where its
// bounds are about as far on both sides, else [1,216, 1,270], with … for a bound that is not known; ~ where the bounds
// cannot be relied on. Numbers that are not whole are shown as precisely as their bounds make sense: two digits of
// the distance, bounds rounded outwards.

// lopsided is by what share of the larger one the distances of the bounds may differ for ± to stand for both.
const lopsided = 0.1

// appendEstimate appends the value of column i of a row to value, and to interval what its bounds say.
func (t *roles) appendEstimate(value, interval []byte, b *tuple.Batch, i, r int) (longerValue, longerInterval []byte) {
	a, field := t.about[i], &t.schema.Fields[i]
	c, low, high := &b.Cols[i], &b.Cols[a.low], &b.Cols[a.high]
	known := func(c *tuple.Column) bool { return !c.IsNull(r) && !infinite(c, r) }
	var bounds []byte
	switch {
	case !c.IsNull(r) && known(low) && known(high) && sameValue(low, c, r) && sameValue(high, c, r):
		value, bounds = appendShown(value, c, r, field), append(bounds, '=')
	case c.Type.Numeric() && !c.IsNull(r) && known(low) && known(high):
		value, bounds = appendNumbers(value, bounds, [3]*tuple.Column{c, low, high}, r)
	default:
		value = appendShown(value, c, r, field)
		if known(low) || known(high) {
			bounds = append(appendOrOpen(append(bounds, '['), low, r, &t.schema.Fields[a.low], known(low)), ", "...)
			bounds = append(appendOrOpen(bounds, high, r, &t.schema.Fields[a.high], known(high)), ']')
		}
	}
	if a.label >= 0 && isTrue(b, a.label, r) {
		if len(bounds) > 0 {
			bounds = append(bounds, ' ')
		}
		bounds = append(bounds, '~')
	}
	return value, append(interval, bounds...)
}

// sameValue reports whether two columns have one value in a row, where neither is NULL.
func sameValue(x, y *tuple.Column, r int) bool {
	switch {
	case x.Type.Numeric() && (isFloat(x, r) || isFloat(y, r)):
		return floatAt(x, r) == floatAt(y, r)
	case x.Type == tuple.Boolean:
		return x.B[r] == y.B[r]
	case x.Type.Bytes():
		return bytes.Equal(x.Str(r), y.Str(r))
	}
	return x.I[r] == y.I[r] && highHalf(x, r) == highHalf(y, r)
}

// highHalf returns the upper half of an integer that may have 128 bits.
func highHalf(c *tuple.Column, r int) int64 {
	if c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagHuge {
		return c.Hi[r]
	}
	return c.I[r] >> 63
}

func infinite(c *tuple.Column, r int) bool {
	return isFloat(c, r) && !(math.Abs(c.F[r]) <= math.MaxFloat64)
}

// appendShown appends a value as a person reads it: NULL in letters, thousands apart.
func appendShown(dst []byte, c *tuple.Column, r int, f *tuple.Field) []byte {
	switch {
	case c.IsNull(r):
		return append(dst, "NULL"...)
	case c.Type.Bytes():
		return appendVisible(dst, c.Str(r))
	case c.Type.Numeric():
		return appendGrouped(dst, appendValue(nil, c, r, f))
	}
	return appendValue(dst, c, r, f)
}

func appendOrOpen(dst []byte, c *tuple.Column, r int, f *tuple.Field, known bool) []byte {
	if !known {
		return append(dst, "…"...)
	}
	return appendShown(dst, c, r, f)
}

// appendNumbers appends a number to value and its two bounds, which are known, to interval.
func appendNumbers(value, interval []byte, cols [3]*tuple.Column, r int) (longerValue, longerInterval []byte) {
	var x [3]float64
	whole := true
	for k, c := range cols {
		x[k] = floatAt(c, r)
		whole = whole && !isFloat(c, r)
	}
	down, up := x[0]-x[1], x[2]-x[0]
	distance := max(down, up)
	if !(distance > 0) || math.Abs(down-up) > lopsided*distance {
		distance = math.Max(x[2]-x[1], 0) / 2
	}
	places := 0
	if !whole && distance > 0 {
		places = max(0, 1-int(math.Floor(math.Log10(distance))))
	}
	const mostPlaces, mostDigits = 15, 1e15
	if places > mostPlaces || math.Abs(x[0]) > mostDigits || math.Abs(x[1]) > mostDigits || math.Abs(x[2]) > mostDigits {
		places = -1 // as many as there are
	}
	show := func(dst []byte, v float64, outwards func(float64) float64) []byte {
		if scale := math.Pow10(places); places >= 0 && math.Abs(v)*scale < mostDigits {
			v = outwards(v*scale) / scale
		}
		return appendGrouped(dst, strconv.AppendFloat(nil, v, 'f', places, 64))
	}
	value = show(value, x[0], math.Round)
	if down >= 0 && up >= 0 && math.Abs(down-up) <= lopsided*max(down, up) {
		return value, show(append(interval, "±"...), max(down, up), math.Ceil)
	}
	interval = append(show(append(interval, '['), x[1], math.Floor), ", "...)
	return value, append(show(interval, x[2], math.Ceil), ']')
}

// floatAt returns the double nearest to a number.
func floatAt(c *tuple.Column, r int) float64 {
	switch {
	case isFloat(c, r):
		return c.F[r]
	case c.Rep == tuple.RepMixed && c.Tag[r] == tuple.TagHuge:
		return math.Ldexp(float64(c.Hi[r]), 64) + float64(uint64(c.I[r]))
	}
	return float64(c.I[r])
}

// appendShare appends a share in percent, of three digits.
func appendShare(dst []byte, share float64) []byte {
	return append(strconv.AppendFloat(dst, 100*share, 'g', 3, 64), " %"...)
}
