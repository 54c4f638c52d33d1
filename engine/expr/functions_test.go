package expr_test

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/aurora-dsms/aurora/engine/enginetest"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// claim says what a call gives. Arguments are tried as constants and as columns; words, such as units, are always constants.
type claim struct {
	says string
	name string
	args []any // expr.Value, or a string for a word
	want string
}

func is(says, name, want string, args ...any) claim { return claim{says, name, args, want} }

func ts(s string) expr.Value {
	ns, ok := tuple.ParseTime([]byte(s))
	if !ok {
		panic(s)
	}
	return Time(ns)
}

func check(t *testing.T, claims []claim) {
	t.Helper()
	for _, c := range claims {
		t.Run(c.says, func(t *testing.T) {
			constants, refs := make([]*expr.Node, len(c.args)), make([]*expr.Node, len(c.args))
			cols := make([]tuple.Column, len(c.args))
			for i, a := range c.args {
				if word, ok := a.(string); ok {
					constants[i] = Constant(Text(word))
					refs[i] = constants[i]
					continue
				}
				v := a.(expr.Value)
				constants[i] = Constant(v)
				refs[i] = &expr.Node{Kind: expr.Col, Type: v.Type, Index: i}
				cols[i] = Column(v.Type, v)
			}
			assert.Equal(t, c.want, evaluate(t, Call(c.name, constants...), cols), "constants")
			assert.Equal(t, c.want, evaluate(t, Call(c.name, refs...), cols), "columns")
		})
	}
}

// evaluate returns the value of n on one row, and what it counted.
func evaluate(t *testing.T, n *expr.Node, cols []tuple.Column) string {
	t.Helper()
	p, err := expr.Compile(n)
	require.NoError(t, err)
	s := expr.ValueAt(p.Eval(cols, 1, tuple.All(1)), 0).String()
	for why, count := range p.Faults() {
		require.Equal(t, int64(1), count)
		s += " " + why
	}
	return s
}

var null1 = Null(tuple.Bigint)

func TestArithmetic(t *testing.T) {
	check(t, []claim{
		is("integers add exactly beyond 2^53", "+", "9007199254740993", Int(1<<53), Int(1)),
		is("overflow is NULL and counted", "+", "NULL overflow", Int(math.MaxInt64), Int(1)),
		is("so it is when NUMBERs overflow", "*", "NULL overflow", NumberInt(math.MaxInt64), NumberInt(2)),
		is("the least integer has no opposite", "neg", "NULL overflow", Int(math.MinInt64)),
		is("a product that just fits", "*", "-9223372036854775808", Int(math.MinInt64), Int(1)),
		is("the least integer by -1 overflows", "//", "NULL overflow", Int(math.MinInt64), Int(-1)),
		is("its remainder does not", "%", "0", Int(math.MinInt64), Int(-1)),
		is("/ divides as doubles", "/", "3.5", Int(7), Int(2)),
		is("/ gives a double even when whole", "/", "3.0", Int(6), Int(2)),
		is("/ by zero is NULL, not counted", "/", "NULL", Int(7), Int(0)),
		is("/ by zero is NULL for doubles", "/", "NULL", Float(7), Float(0)),
		is("// by zero is NULL", "//", "NULL", Int(7), Int(0)),
		is("// truncates toward zero", "//", "-3", Int(-7), Int(2)),
		is("// of doubles truncates", "//", "-3.0", Float(-7), Float(2)),
		is("% has the sign of the dividend", "%", "-1", Int(-7), Int(2)),
		is("mod is %", "mod", "1.5", Float(7.5), Int(2)),
		is("% by zero is NULL", "%", "NULL", Int(7), Int(0)),
		is("integer and double give a double", "+", "3.5", Int(1), Float(2.5)),
		is("NUMBER integers stay integers", "+", "3", NumberInt(1), NumberInt(2)),
		is("a NUMBER double makes a double", "+", "3.0", NumberInt(1), NumberFloat(2)),
		is("NULL in, NULL out", "+", "NULL", Int(1), null1),
		is("a bare NULL too", "*", "NULL", Int(1), Null(tuple.Null)),
		is("double overflow is infinite", "*", "inf", Float(1e308), Float(10)),
		is("time plus interval", "+", "TIMESTAMP '2024-01-01T01:00:00Z'", ts("2024-01-01"), Interval(int64(time.Hour))),
		is("time minus time", "-", "INTERVAL '24h'", ts("2024-01-02"), ts("2024-01-01")),
		is("time beyond the range", "+", "NULL overflow", Time(math.MaxInt64), Interval(1)),
		is("interval times number", "*", "INTERVAL '1m30s'", Interval(int64(time.Minute)), Float(1.5)),
		is("number times interval", "*", "INTERVAL '2m'", Int(2), Interval(int64(time.Minute))),
		is("interval divided", "/", "INTERVAL '30s'", Interval(int64(time.Minute)), Int(2)),
		is("interval by zero", "/", "NULL", Interval(int64(time.Minute)), Int(0)),
		is("interval too long", "*", "NULL overflow", Interval(math.MaxInt64), Int(2)),
		is("minus an interval", "neg", "INTERVAL '-1m'", Interval(int64(time.Minute))),
	})
}

func TestComparison(t *testing.T) {
	nan := Float(math.NaN())
	check(t, []claim{
		is("integers against doubles exactly", "=", "false", Int(1<<53+1), Float(1<<53)),
		is("2^53+1 is greater than 2^53", ">", "true", Int(1<<53+1), Float(1<<53)),
		is("the greatest integer is below 2^63", "<", "true", Int(math.MaxInt64), Float(1<<63)),
		is("the least integer is -2^63", "=", "true", Int(math.MinInt64), Float(-1<<63)),
		is("3 is 3.0", "=", "true", Int(3), Float(3)),
		is("NaN equals NaN", "=", "true", nan, nan),
		is("NaN is greater than infinity", ">", "true", nan, Float(math.Inf(1))),
		is("NaN is not less than a number", "<", "false", nan, Int(1)),
		is("a number is less than NaN", "<=", "true", Int(1), nan),
		is("-0 is 0", "=", "true", Float(math.Copysign(0, -1)), Int(0)),
		is("text compares bytewise", "<", "true", Text("Z"), Text("a")),
		is("a prefix is less", "<", "true", Text("ab"), Text("abc")),
		is("false before true", "<", "true", Bool(false), Bool(true)),
		is("times compare", ">=", "true", ts("2024-01-02"), ts("2024-01-01")),
		is("a comparison with NULL is NULL", "=", "NULL", Int(1), null1),
		is("NULL is not distinct from NULL", "is not distinct from", "true", null1, null1),
		is("NULL is distinct from 1", "is distinct from", "true", Int(1), null1),
		is("!= is <>", "!=", "true", Int(1), Int(2)),
		is("TRUE OR NULL", "or", "true", Bool(true), Null(tuple.Boolean)),
		is("FALSE AND NULL", "and", "false", Null(tuple.Boolean), Bool(false)),
		is("TRUE AND NULL", "and", "NULL", Bool(true), Null(tuple.Boolean)),
		is("NOT NULL", "not", "NULL", Null(tuple.Boolean)),
		is("IS NULL", "is null", "true", null1),
		is("IS NOT NULL", "is not null", "false", null1),
	})
}

func TestChoice(t *testing.T) {
	check(t, []claim{
		is("the first that is not NULL", "coalesce", "2", null1, Int(2), Int(3)),
		is("ifnull is coalesce", "ifnull", "2", null1, Int(2)),
		is("so is nvl", "nvl", "2", null1, Int(2)),
		is("integers stay exact beside doubles", "coalesce", "9007199254740993", Int(1<<53+1), Float(0.5)),
		is("greatest passes over NULL", "greatest", "3", Int(3), null1, Int(2)),
		is("least compares exactly", "least", "9007199254740992.0", Int(1<<53+1), Float(1<<53)),
		is("greatest of nothing", "greatest", "NULL", null1, null1),
		is("greatest of text", "greatest", "'b'", Text("a"), Text("b")),
		is("nullif of equals", "nullif", "NULL", Int(3), Float(3)),
		is("nullif of others", "nullif", "3", Int(3), Int(4)),
		is("nullif with NULL", "nullif", "3", Int(3), null1),
		is("if takes the second", "if", "1", Bool(true), Int(1), Int(2)),
		is("if of NULL takes the third", "if", "2", Null(tuple.Boolean), Int(1), Int(2)),
		is("typeof a bigint", "typeof", "'BIGINT'", Int(1)),
		is("typeof looks into a NUMBER", "typeof", "'DOUBLE'", NumberFloat(1)),
	})
}

func TestMath(t *testing.T) {
	check(t, []claim{
		is("abs of an integer", "abs", "5", Int(-5)),
		is("abs of the least integer", "abs", "NULL overflow", Int(math.MinInt64)),
		is("abs of a double", "abs", "0.5", Float(-0.5)),
		is("floor goes down", "floor", "-3.0", Float(-2.5)),
		is("floor keeps integers exact", "floor", "9007199254740993", Int(1<<53+1)),
		is("ceil goes up", "ceil", "-2.0", Float(-2.5)),
		is("ceiling is ceil", "ceiling", "3.0", Float(2.1)),
		is("trunc goes toward zero", "trunc", "-2.0", Float(-2.5)),
		is("round takes halves away from zero", "round", "3.0", Float(2.5)),
		is("round below zero too", "round", "-3.0", Float(-2.5)),
		is("round to digits", "round", "2.35", Float(2.345678), Int(2)),
		is("round to tens", "round", "1240", Int(1235), Int(-1)),
		is("round of a NUMBER keeps its kind", "round", "1240", NumberInt(1235), Int(-1)),
		is("round a negative integer", "round", "-1240", Int(-1235), Int(-1)),
		is("round past the range", "round", "NULL overflow", Int(math.MaxInt64), Int(-1)),
		is("round to more digits than there are", "round", "0", Int(5), Int(-30)),
		is("round to hundreds of thousands", "round", "100000.0", Float(50000), Int(-5)),
		is("round to hundreds of a huge number", "round", "1.7976931348623157e+308", Float(math.MaxFloat64), Int(-2)),
		is("round to more digits than an exponent has", "round", "0.0", Float(5), Int(-400)),
		is("round to tens of infinity", "round", "inf", Float(math.Inf(1)), Int(-1)),
		is("round to absurd digits", "round", "2.5", Float(2.5), Int(400)),
		is("ln", "ln", "0.0", Int(1)),
		is("ln of 0 is counted", "ln", "NULL domain", Int(0)),
		is("log of powers of ten is whole", "log", "15.0", Float(1e15)),
		is("log of infinity", "log", "inf", Float(math.Inf(1))),
		is("sin of infinity is counted", "sin", "NULL domain", Float(math.Inf(1))),
		is("sin of NaN is NaN", "sin", "nan", Float(math.NaN())),
		is("log is to base 10", "log", "2.0", Int(100)),
		is("log10 is log", "log10", "3.0", Int(1000)),
		is("log to a base", "log", "3.0", Int(2), Int(8)),
		is("log2", "log2", "10.0", Int(1024)),
		is("exp", "exp", "1.0", Int(0)),
		is("sqrt", "sqrt", "3.0", Int(9)),
		is("sqrt of a negative number", "sqrt", "NULL domain", Int(-1)),
		is("power", "power", "8.0", Int(2), Int(3)),
		is("pow outside its domain", "pow", "NULL domain", Int(-8), Float(0.5)),
		is("sign", "sign", "-1", Float(-0.5)),
		is("sign of NaN", "sign", "0", Float(math.NaN())),
		is("pi", "pi", "3.141592653589793"),
		is("cbrt", "cbrt", "2.0", Int(8)),
		is("isnan", "isnan", "true", Float(math.NaN())),
		is("isfinite", "isfinite", "false", Float(math.Inf(-1))),
		is("degrees", "degrees", "180.0", Float(math.Pi)),
	})
}

func TestLogarithms(t *testing.T) {
	tiny, near := math.SmallestNonzeroFloat64, 1+0x1p-40
	for _, c := range []struct {
		name    string
		x, want float64
	}{
		{"ln", tiny, -744.4400719213812},
		{"log", tiny, -323.3062153431158},
		{"log2", tiny, -1074},
		{"ln", near, math.Log1p(0x1p-40)},
		{"log", near, math.Log1p(0x1p-40) / math.Ln10},
		{"log2", near, math.Log1p(0x1p-40) / math.Ln2},
	} {
		got, err := strconv.ParseFloat(evaluate(t, Call(c.name, Constant(Float(c.x))), nil), 64)
		require.NoError(t, err)
		assert.InEpsilon(t, c.want, got, 1e-14, "%s(%g)", c.name, c.x)
	}
}

func TestText(t *testing.T) {
	check(t, []claim{
		is("lower knows Unicode", "lower", "'zürich é'", Text("ZÜRICH É")),
		is("upper knows Unicode", "upper", "'ZÜRICH'", Text("zürich")),
		is("length counts characters", "length", "6", Text("Zürich")),
		is("octet_length counts bytes", "octet_length", "7", Text("Zürich")),
		is("substr counts characters from 1", "substr", "'ür'", Text("Zürich"), Int(2), Int(2)),
		is("substring to the end", "substring", "'rich'", Text("Zürich"), Int(3)),
		is("a negative start counts from the end", "substr", "'ch'", Text("Zürich"), Int(-2)),
		is("start 0 is one before the first", "substr", "'Z'", Text("Zürich"), Int(0), Int(2)),
		is("a negative length goes backwards", "substr", "'Zü'", Text("Zürich"), Int(3), Int(-2)),
		is("substr past the end is empty", "substr", "''", Text("ab"), Int(5), Int(2)),
		is("what lies before the text counts for the length", "substr", "'Z'", Text("Zürich"), Int(-8), Int(3)),
		is("what lies behind it counts, too", "substr", "'ch'", Text("Zürich"), Int(8), Int(-3)),
		is("substr backwards from far behind is empty", "substr", "''", Text("ab"), Int(100), Int(-3)),
		is("substr from far before to the end", "substr", "'ab'", Text("ab"), Int(-100)),
		is("substr with extreme numbers", "substr", "'ab'", Text("ab"), Int(math.MinInt64), Int(math.MaxInt64)),
		is("trim", "trim", "'a b'", Text("  a b ")),
		is("ltrim", "ltrim", "'a '", Text("  a ")),
		is("rtrim with characters", "rtrim", "'a'", Text("axyx"), Text("xy")),
		is("|| is strict", "||", "NULL", Text("a"), Null(tuple.Text)),
		is("|| takes numbers", "||", "'a1'", Text("a"), Int(1)),
		is("concat passes over NULL", "concat", "'a1'", Text("a"), Null(tuple.Text), Int(1)),
		is("concat_ws parts what is not NULL", "concat_ws", "'a-1-b'", Text("-"), Text("a"), Null(tuple.Text), Int(1), Text("b")),
		is("concat_ws keeps empty text", "concat_ws", "'-'", Text("-"), Text(""), Text("")),
		is("concat_ws of NULLs is empty", "concat_ws", "''", Text("-"), Null(tuple.Text), Null(tuple.Null)),
		is("concat_ws with NULL between", "concat_ws", "NULL", Null(tuple.Text), Text("a"), Text("b")),
		is("chr", "chr", "'ü'", Int(252)),
		is("chr of a surrogate", "chr", "NULL domain", Int(0xD800)),
		is("chr of a negative number", "chr", "NULL domain", Int(-1)),
		is("chr beyond Unicode", "chr", "NULL domain", Int(1<<32+65)),
		is("chr of no number", "chr", "NULL domain", Float(math.NaN())),
		is("ascii", "ascii", "65", Text("AB")),
		is("ascii beyond ASCII", "ascii", "252", Text("ü")),
		is("ascii of nothing", "ascii", "0", Text("")),
		is("url_decode", "url_decode", "'a b/ü'", Text("a%20b%2f%C3%BC")),
		is("url_decode keeps plus signs", "url_decode", "'a+b'", Text("a+b")),
		is("url_decode keeps other percent signs", "url_decode", "'100% %4 %zz'", Text("100% %4 %zz")),
		is("url_decode decodes once", "url_decode", "'%41'", Text("%2541")),
		is("url_decode of what is not UTF-8", "url_decode", "NULL cast", Text("a%FF")),
		is("split_part from 1", "split_part", "'b'", Text("a.b.c"), Text("."), Int(2)),
		is("split_part from the end", "split_part", "'c'", Text("a.b.c"), Text("."), Int(-1)),
		is("split_part outside is empty", "split_part", "''", Text("a.b.c"), Text("."), Int(4)),
		is("split_part by nothing", "split_part", "'ü'", Text("Zü"), Text(""), Int(2)),
		is("replace all", "replace", "'xbx'", Text("aba"), Text("a"), Text("x")),
		is("replace nothing", "replace", "'aba'", Text("aba"), Text(""), Text("x")),
		is("starts_with", "starts_with", "true", Text("abc"), Text("ab")),
		is("ends_with", "ends_with", "false", Text("abc"), Text("ab")),
		is("contains", "contains", "true", Text("abc"), Text("b")),
		is("strpos counts characters", "strpos", "3", Text("Zürich"), Text("r")),
		is("strpos of what is not there", "strpos", "0", Text("abc"), Text("x")),
		is("left", "left", "'Zü'", Text("Zürich"), Int(2)),
		is("left without the last", "left", "'Zür'", Text("Zürich"), Int(-3)),
		is("right", "right", "'ch'", Text("Zürich"), Int(2)),
		is("right without the first", "right", "'rich'", Text("Zürich"), Int(-2)),
		is("right with extreme numbers", "right", "''", Text("ab"), Int(math.MinInt64)),
		is("lpad", "lpad", "'0042'", Text("42"), Int(4), Text("0")),
		is("rpad repeats its fill", "rpad", "'4aba'", Text("4"), Int(4), Text("ab")),
		is("lpad cuts", "lpad", "'ab'", Text("abc"), Int(2), Text("x")),
		is("lpad out of measure", "lpad", "NULL overflow", Text("abc"), Int(1<<40), Text("x")),
		is("reverse", "reverse", "'hcirüZ'", Text("Zürich")),
		is("repeat", "repeat", "'ababab'", Text("ab"), Int(3)),
	})
}

func TestPatterns(t *testing.T) {
	check(t, []claim{
		is("LIKE a prefix", "like", "true", Text("abc"), Text("a%")),
		is("LIKE a suffix", "like", "true", Text("abc"), Text("%c")),
		is("LIKE is case sensitive", "like", "false", Text("ABC"), Text("a%")),
		is("ILIKE is not", "ilike", "true", Text("ZÜRICH"), Text("zü%")),
		is("_ is one character", "like", "true", Text("Zürich"), Text("Z_rich")),
		is("no escape unless given", "like", "false", Text("100%"), Text(`100\%`)),
		is("an escape", "like", "true", Text("100%"), Text("100!%"), "!"),
		is("an escaped sign is itself only", "like", "false", Text("1000"), Text("100!%"), "!"),
		is("LIKE of NULL", "like", "NULL", Null(tuple.Text), Text("%")),
		is("regexp_matches searches", "regexp_matches", "true", Text("error 42"), Text(`\d+`)),
		is("a plain text as expression", "regexp_matches", "true", Text("error 42"), Text("or 4")),
		is("a plain text between anchors", "regexp_matches", "false", Text("error"), Text("^or$")),
		is("a plain text between anchors is all", "regexp_matches", "true", Text("or"), Text("^or$")),
		is("a plain text in any case", "regexp_matches", "true", Text("ERROR"), Text("(?i)or")),
		is("regexp_full_match of a plain text", "regexp_full_match", "false", Text("error"), Text("or")),
		is("options", "regexp_matches", "true", Text("ERROR"), Text("err"), "i"),
		is("regexp_full_match is anchored", "regexp_full_match", "false", Text("error 42"), Text(`\d+`)),
		is("regexp_extract the match", "regexp_extract", "'42'", Text("error 42"), Text(`\d+`)),
		is("regexp_extract a group", "regexp_extract", "'b'", Text("a=b"), Text(`(\w)=(\w)`), Int(2)),
		is("regexp_extract without a match is empty", "regexp_extract", "''", Text("abc"), Text(`\d+`)),
		is("regexp_extract no such group", "regexp_extract", "NULL domain", Text("abc"), Text(`b`), Int(1)),
		is("regexp_replace the first", "regexp_replace", "'x-b-a'", Text("a-b-a"), Text("a"), Text("x")),
		is("regexp_replace all", "regexp_replace", "'x-b-x'", Text("a-b-a"), Text("a"), Text("x"), "g"),
		is("regexp_replace with groups", "regexp_replace", "'b=a'", Text("a=b"), Text(`(\w)=(\w)`), Text(`\2=\1`)),
	})
}

func TestTimes(t *testing.T) {
	at := ts("2024-02-29T13:14:15.678901234Z") // a Thursday
	check(t, []claim{
		is("date_trunc hour", "date_trunc", "TIMESTAMP '2024-02-29T13:00:00Z'", "hour", at),
		is("date_trunc week is Monday", "date_trunc", "TIMESTAMP '2024-02-26T00:00:00Z'", "week", at),
		is("date_trunc month", "date_trunc", "TIMESTAMP '2024-02-01T00:00:00Z'", "month", at),
		is("date_trunc quarter", "date_trunc", "TIMESTAMP '2024-01-01T00:00:00Z'", "quarter", at),
		is("date_trunc year", "date_trunc", "TIMESTAMP '2024-01-01T00:00:00Z'", "YEAR", at),
		is("date_trunc floors before 1970", "date_trunc", "TIMESTAMP '1969-12-31T00:00:00Z'", "day", Time(-1)),
		is("date_trunc milliseconds", "date_trunc", "TIMESTAMP '2024-02-29T13:14:15.678Z'", "milliseconds", at),
		is("date_trunc below the range", "date_trunc", "NULL overflow", "century", Time(math.MinInt64)),
		is("date_trunc month in the first year", "date_trunc", "TIMESTAMP '1677-10-01T00:00:00Z'", "month", ts("1677-10-05")),
		is("year", "date_part", "2024", "year", at),
		is("extract is date_part", "extract", "2", "month", at),
		is("dow counts from Sunday", "date_part", "4", "dow", at),
		is("isodow counts from Monday", "date_part", "7", "isodow", ts("2024-03-03")),
		is("week is ISO's", "date_part", "9", "week", at),
		is("doy", "date_part", "60", "doy", at),
		is("hour before 1970", "date_part", "23", "hour", Time(-1)),
		is("second is whole", "date_part", "15", "second", at),
		is("milliseconds include seconds", "date_part", "15678", "milliseconds", at),
		is("epoch is a double", "date_part", "1.5", "epoch", Time(1_500_000_000)),
		is("epoch of an interval", "date_part", "90.0", "epoch", Interval(90e9)),
		is("hour as a function", "hour", "13", at),
		is("epoch as a function", "epoch", "1.0", Time(1e9)),
		is("to_timestamp of seconds", "to_timestamp", "TIMESTAMP '2024-01-01T00:00:00Z'", Int(1704067200)),
		is("to_timestamp of a fraction", "to_timestamp", "TIMESTAMP '2024-01-01T00:00:00.25Z'", Float(1704067200.25)),
		is("to_timestamp out of range", "to_timestamp", "NULL overflow", Int(math.MaxInt64)),
		is("to_timestamp of NaN", "to_timestamp", "NULL overflow", Float(math.NaN())),
		is("epoch_ms of a time", "epoch_ms", "1704067200000", ts("2024-01-01")),
		is("epoch_ms floors", "epoch_ms", "-1", Time(-1)),
		is("epoch_ms of a number", "epoch_ms", "TIMESTAMP '2024-01-01T00:00:00Z'", Int(1704067200000)),
		is("epoch_ns there and back", "epoch_ns", "-1", Time(-1)),
		is("date_diff counts boundaries", "date_diff", "1", "day", ts("2024-01-01 23:00"), ts("2024-01-02 01:00")),
		is("date_diff backwards", "date_diff", "-2", "month", ts("2024-03-01"), ts("2024-01-31")),
		is("date_diff past the range", "date_diff", "NULL overflow", "nanosecond", ts("1700-01-01"), ts("2000-01-01")),
		is("date_diff past the range backwards", "date_diff", "NULL overflow", "nanosecond", ts("2000-01-01"), ts("1700-01-01")),
		is("date_diff in nanoseconds", "date_diff", "-1", "nanosecond", Time(0), Time(-1)),
		is("date_diff in weeks", "date_diff", "1", "week", ts("2024-03-03"), ts("2024-03-04")),
		is("time_bucket", "time_bucket", "TIMESTAMP '2024-02-29T13:10:00Z'", Interval(600e9), at),
		is("time_bucket of centuries", "time_bucket", "TIMESTAMP '2093-10-15T00:00:00Z'",
			Interval(100_000*24*3600e9), ts("2200-01-01"), ts("1820-01-01")),
		is("time_bucket of nothing", "time_bucket", "NULL domain", Interval(0), at),
		is("make_timestamp", "make_timestamp", "TIMESTAMP '2024-02-29T01:02:03.5Z'", Int(2024), Int(2), Int(29), Int(1), Int(2), Float(3.5)),
		is("make_timestamp of no day", "make_timestamp", "NULL domain", Int(2023), Int(2), Int(29), Int(1), Int(2), Int(3)),
	})
}
