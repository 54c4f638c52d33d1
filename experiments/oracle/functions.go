package oracle

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// functions are those that are NULL where an argument is.
var functions = map[string]func(t tuple.Type, args []expr.Value) expr.Value{
	"+": arithmetic("+"), "-": arithmetic("-"), "*": arithmetic("*"),
	"/": arithmetic("/"), "//": arithmetic("//"), "%": arithmetic("%"),
	"=":  comparison(func(c int) bool { return c == 0 }),
	"<>": comparison(func(c int) bool { return c != 0 }),
	"<":  comparison(func(c int) bool { return c < 0 }),
	"<=": comparison(func(c int) bool { return c <= 0 }),
	">":  comparison(func(c int) bool { return c > 0 }),
	">=": comparison(func(c int) bool { return c >= 0 }),
	"not": func(_ tuple.Type, args []expr.Value) expr.Value {
		return boolean(!args[0].B)
	},
	"neg": func(t tuple.Type, args []expr.Value) expr.Value {
		return eachNumber(args[0], func(i int64) expr.Value { return arithmetic("-")(t, []expr.Value{bigint(0), bigint(i)}) }, negated)
	},
	"abs": func(t tuple.Type, args []expr.Value) expr.Value {
		return eachNumber(args[0], func(i int64) expr.Value {
			if i == math.MinInt64 {
				return null
			}
			return bigint(max(i, -i))
		}, math.Abs)
	},
	"floor": func(_ tuple.Type, args []expr.Value) expr.Value { return eachNumber(args[0], bigint, math.Floor) },
	"ceil":  func(_ tuple.Type, args []expr.Value) expr.Value { return eachNumber(args[0], bigint, math.Ceil) },
	"trunc": func(_ tuple.Type, args []expr.Value) expr.Value { return eachNumber(args[0], bigint, math.Trunc) },
	"round": round,
	"sign": func(_ tuple.Type, args []expr.Value) expr.Value {
		if isNaN(args[0]) {
			return bigint(0)
		}
		return bigint(int64(compare(args[0], bigint(0))))
	},
	"sqrt": func(_ tuple.Type, args []expr.Value) expr.Value {
		if real(args[0]) < 0 {
			return null
		}
		return double(math.Sqrt(real(args[0])))
	},
	"lower": mapped(unicode.ToLower),
	"upper": mapped(unicode.ToUpper),
	"length": func(_ tuple.Type, args []expr.Value) expr.Value {
		return bigint(int64(utf8.RuneCountInString(args[0].S)))
	},
	"substr":  substr,
	"trim":    func(_ tuple.Type, args []expr.Value) expr.Value { return text(strings.Trim(args[0].S, cutset(args))) },
	"replace": replace,
	"||":      func(_ tuple.Type, args []expr.Value) expr.Value { return joined(args) },
	"starts_with": func(_ tuple.Type, args []expr.Value) expr.Value {
		return boolean(strings.HasPrefix(args[0].S, args[1].S))
	},
	"ends_with": func(_ tuple.Type, args []expr.Value) expr.Value {
		return boolean(strings.HasSuffix(args[0].S, args[1].S))
	},
	"contains": func(_ tuple.Type, args []expr.Value) expr.Value {
		return boolean(strings.Contains(args[0].S, args[1].S))
	},
	"like":       func(_ tuple.Type, args []expr.Value) expr.Value { return boolean(like(args, false)) },
	"ilike":      func(_ tuple.Type, args []expr.Value) expr.Value { return boolean(like(args, true)) },
	"date_trunc": func(_ tuple.Type, args []expr.Value) expr.Value { return truncated(args[0].S, args[1].I) },
	"date_part":  func(_ tuple.Type, args []expr.Value) expr.Value { return part(args[0].S, args[1]) },
	"epoch_ms":   epochMillis,
}

func negated(f float64) float64 { return -f }

func joined(args []expr.Value) expr.Value {
	s := ""
	for _, v := range args {
		s += render(v)
	}
	return text(s)
}

// eachNumber applies one function to integers and another to doubles.
func eachNumber(v expr.Value, ints func(int64) expr.Value, reals func(float64) float64) expr.Value {
	if exact(v) {
		return ints(v.I)
	}
	return double(reals(v.F))
}

// round is round(x) and round(x, places) for places that are not negative; halves go away from zero.
func round(_ tuple.Type, args []expr.Value) expr.Value {
	scale := 1.0
	if len(args) == 2 {
		scale = math.Pow10(int(args[1].I))
	}
	return eachNumber(args[0], bigint, func(f float64) float64 {
		if math.IsInf(f*scale, 0) {
			return f
		}
		return math.Round(f*scale) / scale
	})
}

func mapped(fold func(rune) rune) func(tuple.Type, []expr.Value) expr.Value {
	return func(_ tuple.Type, args []expr.Value) expr.Value { return text(strings.Map(fold, args[0].S)) }
}

func cutset(args []expr.Value) string {
	if len(args) == 2 {
		return args[1].S
	}
	return " "
}

func replace(_ tuple.Type, args []expr.Value) expr.Value {
	if args[1].S == "" {
		return args[0]
	}
	return text(strings.ReplaceAll(args[0].S, args[1].S, args[2].S))
}

// substr counts characters from 1, or from the end for a negative start. Lengths below zero are not known here.
func substr(_ tuple.Type, args []expr.Value) expr.Value {
	s := []rune(args[0].S)
	n := int64(len(s))
	from, to := args[1].I, int64(math.MaxInt64)
	if from < 0 {
		from += n + 1
	}
	if len(args) == 3 {
		to = from + max(args[2].I, 0)
	}
	// Character i is in the answer where from <= i < to.
	from, to = min(max(from, 1), n+1), min(max(to, 1), n+1)
	return text(string(s[from-1 : max(from, to)-1]))
}

// like is LIKE by its definition, trying every length for each %.
func like(args []expr.Value, fold bool) bool {
	s, pattern := args[0].S, args[1].S
	if fold {
		s, pattern = strings.Map(unicode.ToLower, s), strings.Map(unicode.ToLower, pattern)
	}
	escape := rune(-1)
	if len(args) == 3 && args[2].S != "" {
		escape = []rune(args[2].S)[0]
	}
	return likes([]rune(s), []rune(pattern), escape)
}

func likes(s, pattern []rune, escape rune) bool {
	switch {
	case len(pattern) == 0:
		return len(s) == 0
	case pattern[0] == escape && len(pattern) > 1:
		return len(s) > 0 && s[0] == pattern[1] && likes(s[1:], pattern[2:], escape)
	case pattern[0] == '%':
		return likes(s, pattern[1:], escape) || len(s) > 0 && likes(s[1:], pattern, escape)
	}
	return len(s) > 0 && (pattern[0] == '_' || s[0] == pattern[0]) && likes(s[1:], pattern[1:], escape)
}

// truncated cuts a time in UTC.
func truncated(unit string, ns int64) expr.Value {
	t := time.Unix(0, ns).UTC()
	y, m, d := t.Date()
	switch strings.ToLower(unit) {
	case "second":
		t = t.Add(-time.Duration(t.Nanosecond()))
	case "minute":
		t = time.Date(y, m, d, t.Hour(), t.Minute(), 0, 0, time.UTC)
	case "hour":
		t = time.Date(y, m, d, t.Hour(), 0, 0, 0, time.UTC)
	case "day":
		t = time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	case "week":
		t = time.Date(y, m, d-int(t.Weekday()+6)%7, 0, 0, 0, 0, time.UTC)
	case "month":
		t = time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
	case "year":
		t = time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)
	default:
		return null
	}
	return expr.Value{Type: tuple.Timestamp, I: t.UnixNano()}
}

// part returns a part of a time in UTC, or the seconds of an interval.
func part(unit string, v expr.Value) expr.Value {
	t := time.Unix(0, v.I).UTC()
	_, week := t.ISOWeek()
	switch strings.ToLower(unit) {
	case "epoch":
		return double(float64(v.I) / 1e9)
	case "second":
		return bigint(int64(t.Second()))
	case "minute":
		return bigint(int64(t.Minute()))
	case "hour":
		return bigint(int64(t.Hour()))
	case "day":
		return bigint(int64(t.Day()))
	case "dow":
		return bigint(int64(t.Weekday()))
	case "doy":
		return bigint(int64(t.YearDay()))
	case "week":
		return bigint(int64(week))
	case "month":
		return bigint(int64(t.Month()))
	case "year":
		return bigint(int64(t.Year()))
	}
	return null
}

// epochMillis is the milliseconds of a time.
func epochMillis(_ tuple.Type, args []expr.Value) expr.Value {
	if args[0].Type != tuple.Timestamp {
		return null
	}
	return bigint(time.Unix(0, args[0].I).UnixMilli())
}
