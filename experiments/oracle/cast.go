package oracle

import (
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// cast converts v; NULL is what does not convert.
func cast(v expr.Value, t tuple.Type) expr.Value {
	switch {
	case v.Null || v.Type == t:
		return v
	case t == tuple.Text:
		return text(render(v))
	case v.Type.Bytes():
		return parsed(v.S, t)
	case v.Type == tuple.Boolean:
		return map[bool]expr.Value{false: bigint(0), true: bigint(1)}[v.B]
	case t == tuple.Boolean:
		return boolean(real(v) != 0)
	case t == tuple.Bigint && !exact(v) && v.S != "":
		return null
	case t == tuple.Bigint && !exact(v):
		return rounded(v.F)
	}
	return v
}

var (
	castNumber = regexp.MustCompile(`^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
	castOther  = regexp.MustCompile(`^(?i)[-+]?(nan|inf|infinity)$`)
)

// parsed reads text as another type.
func parsed(s string, t tuple.Type) expr.Value {
	if t == tuple.JSON {
		if json.Valid([]byte(s)) {
			return expr.Value{Type: t, S: s}
		}
		return null
	}
	s = strings.TrimSpace(s)
	switch t {
	case tuple.Boolean:
		switch {
		case cellTrue.MatchString(s):
			return boolean(true)
		case cellFalse.MatchString(s):
			return boolean(false)
		}
	case tuple.Timestamp:
		if ns, ok := parseTime(s); ok {
			return expr.Value{Type: t, I: ns}
		}
	case tuple.Bigint:
		return parsedInteger(s)
	case tuple.Number, tuple.Double:
		if !castNumber.MatchString(s) && !castOther.MatchString(s) {
			return null
		}
		if n, err := strconv.ParseInt(s, 10, 64); err == nil && t == tuple.Number {
			return bigint(n)
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return double(f)
		}
	}
	return null
}

// parsedInteger rounds decimal numbers, halves away from zero.
func parsedInteger(s string) expr.Value {
	if !castNumber.MatchString(s) {
		return null
	}
	if strings.ContainsAny(s, "eE") {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return null
		}
		return rounded(math.Round(f))
	}
	r, ok := decimal(s, 0)
	if !ok {
		return null
	}
	half := big.NewRat(int64(r.Sign()), 2)
	r.Add(r, half)
	n := new(big.Int).Quo(r.Num(), r.Denom())
	if !n.IsInt64() {
		return null
	}
	return bigint(n.Int64())
}
