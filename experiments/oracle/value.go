package oracle

import (
	"cmp"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

var null = expr.Value{Type: tuple.Null, Null: true}

func boolean(b bool) expr.Value   { return expr.Value{Type: tuple.Boolean, B: b} }
func text(s string) expr.Value    { return expr.Value{Type: tuple.Text, S: s} }
func bigint(i int64) expr.Value   { return expr.Value{Type: tuple.Bigint, I: i} }
func double(f float64) expr.Value { return expr.Value{Type: tuple.Double, F: f} }

// whole returns an integer as a NUMBER, and NULL when not even 128 bits hold it.
func whole(n *big.Int) expr.Value {
	switch {
	case n.IsInt64():
		return expr.Value{Type: tuple.Number, I: n.Int64()}
	case n.BitLen() > 127:
		return null
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	return expr.Value{Type: tuple.Number, Float: true, F: f, S: n.String()}
}

// exact reports whether v, a number or a time, is an integer in I.
func exact(v expr.Value) bool {
	return v.Type != tuple.Double && !(v.Type == tuple.Number && v.Float)
}

// real returns the double nearest to a number or time.
func real(v expr.Value) float64 {
	if exact(v) {
		return float64(v.I)
	}
	return v.F
}

// isNaN reports whether v is a number that is none.
func isNaN(v expr.Value) bool {
	return !v.Null && v.Type.Numeric() && !exact(v) && math.IsNaN(v.F)
}

// rational returns a finite number or a time.
func rational(v expr.Value) *big.Rat {
	switch {
	case exact(v):
		return new(big.Rat).SetInt64(v.I)
	case v.Type == tuple.Number && v.S != "":
		r, _ := new(big.Rat).SetString(v.S)
		return r
	}
	return new(big.Rat).SetFloat64(v.F)
}

// rank puts -inf, what is finite, inf and NaN in order.
func rank(v expr.Value) int {
	switch f := real(v); {
	case math.IsInf(f, -1):
		return 0
	case math.IsInf(f, 1):
		return 2
	case math.IsNaN(f):
		return 3
	}
	return 1
}

const finite = 1

// compare orders two values that are not NULL and whose types go together.
func compare(x, y expr.Value) int {
	switch {
	case x.Type.Bytes():
		return strings.Compare(x.S, y.S)
	case x.Type == tuple.Boolean:
		return cmp.Compare(strconv.FormatBool(x.B), strconv.FormatBool(y.B))
	case exact(x) && exact(y):
		return cmp.Compare(x.I, y.I)
	case rank(x) != rank(y):
		return cmp.Compare(rank(x), rank(y))
	case rank(x) != finite:
		return 0
	}
	return rational(x).Cmp(rational(y))
}

// identity is equal for values that are one group.
func identity(v expr.Value) string {
	switch {
	case v.Null:
		return "null"
	case v.Type.Bytes():
		return strconv.Quote(v.S)
	case v.Type == tuple.Boolean:
		return strconv.FormatBool(v.B)
	case exact(v):
		return strconv.FormatInt(v.I, 10)
	case rank(v) != finite:
		return "rank " + strconv.Itoa(rank(v))
	}
	return rational(v).RatString()
}

// identities is equal for lists of values that are equal one by one.
func identities(values []expr.Value) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(identity(v))
		b.WriteByte('|')
	}
	return b.String()
}

// as returns v, whose type goes with t, as a t.
func as(v expr.Value, t tuple.Type) expr.Value {
	switch {
	case v.Null:
		return expr.Value{Type: t, Null: true}
	case t == tuple.Double:
		return double(real(v))
	case t == tuple.Number && v.Type == tuple.Double:
		return expr.Value{Type: t, Float: true, F: v.F}
	}
	v.Type = t
	return v
}

// render returns v as CAST(v AS TEXT) shows it.
func render(v expr.Value) string {
	switch v.Type {
	case tuple.Boolean:
		return strconv.FormatBool(v.B)
	case tuple.Text, tuple.JSON:
		return v.S
	case tuple.Timestamp:
		return time.Unix(0, v.I).UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
	case tuple.Interval:
		return renderInterval(time.Duration(v.I))
	}
	switch {
	case exact(v):
		return strconv.FormatInt(v.I, 10)
	case v.S != "":
		return v.S
	}
	return renderDouble(v.F)
}

func renderDouble(f float64) string {
	switch rank(double(f)) {
	case 0:
		return "-inf"
	case 2:
		return "inf"
	case 3:
		return "nan"
	}
	format := byte('f')
	if a := math.Abs(f); a >= 1e16 || a < 1e-4 && a > 0 {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

var (
	noSeconds = regexp.MustCompile(`m0s$`)
	noMinutes = regexp.MustCompile(`h0m`)
)

func renderInterval(d time.Duration) string {
	return noMinutes.ReplaceAllString(noSeconds.ReplaceAllString(d.String(), "m"), "h")
}
