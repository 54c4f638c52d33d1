package expr

import (
	"errors"
	"math"
	"time"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// epochWays are those of functions that turn a time into a number and a number into a time.
var epochWays = []overload{takes(yields(tuple.Bigint), isTime), takes(yields(tuple.Timestamp), isNum)}

var timeFunctions = []*function{
	{
		name: "date_trunc", aliases: []string{"datetrunc"}, check: zoned(checkTruncUnit),
		ways:  []overload{takes(yields(tuple.Timestamp), isText, isTime, isText).optional(1)},
		build: buildTrunc,
	},
	{
		name: "date_part", aliases: []string{"datepart", "extract"}, check: zoned(checkPartUnit),
		ways:  []overload{takes(partType, isText, isTime, isText).optional(1), takes(partType, isText, isInterval)},
		build: buildPart,
	},
	{
		name: "date_diff", aliases: []string{"datediff"}, check: checkTruncUnit,
		ways:  []overload{takes(yields(tuple.Bigint), isText, isTime, isTime)},
		build: buildDiff,
	},
	{
		name: "time_bucket", build: byRow(bucketRow),
		ways: []overload{takes(yields(tuple.Timestamp), isInterval, isTime, isTime).optional(1)},
	},
	{name: "to_timestamp", ways: []overload{takes(yields(tuple.Timestamp), isNum)}, build: byRow(epochRow(time.Second))},
	{name: "epoch_ms", ways: epochWays, build: buildEpoch(time.Millisecond)},
	{name: "epoch_us", ways: epochWays, build: buildEpoch(time.Microsecond)},
	{name: "epoch_ns", ways: epochWays, build: buildEpoch(time.Nanosecond)},
	{
		name: "make_timestamp", build: byRow(makeRow),
		ways: []overload{takes(yields(tuple.Timestamp), isNum, isNum, isNum, isNum, isNum, isNum)},
	},
}

// clockFunctions are the parts of a time that are functions by themselves: year(ts), hour(ts).
var clockFunctions = func() []*function {
	var list []*function
	for _, name := range []string{
		"year", "quarter", "month", "week", "day", "dayofweek", "isodow", "dayofyear", "hour", "minute", "second",
		"millisecond", "microsecond", "nanosecond", "epoch",
	} {
		u := unitNames[name]
		list = append(list, &function{
			name:  name,
			ways:  []overload{takes(yields(partTypeOf(u)), isTime)},
			build: byRow(partRow(u, 0)),
		})
	}
	return list
}()

// unitArg returns the unit that the first argument of a call names.
func unitArg(args []*Node) (unit, error) {
	s, ok := constantText(args[0])
	if !ok {
		return 0, errors.New("the unit must be a literal, as in date_trunc('hour', ts)")
	}
	return unitOf(string(s))
}

func checkTruncUnit(args []*Node) error {
	u, err := unitArg(args)
	if err == nil && !u.truncates() {
		return errors.New("'" + args[0].Value.S + "' is a part of a time but nothing to cut times into")
	}
	return err
}

func checkPartUnit(args []*Node) error {
	u, err := unitArg(args)
	if err == nil && args[1].Type == tuple.Interval && u != epoch {
		return errors.New("an INTERVAL is a length of time: its only part is 'epoch', its seconds")
	}
	return err
}

func partType(args []*Node) (tuple.Type, error) {
	u, err := unitArg(args)
	return partTypeOf(u), err
}

func partTypeOf(u unit) tuple.Type {
	if u == epoch {
		return tuple.Double
	}
	return tuple.Bigint
}

func buildTrunc(c *compiler, n *Node) (kernel, error) {
	u, err := unitArg(n.Args)
	if err != nil {
		return nil, err
	}
	truncate := u.truncate
	if zone, err := zoneArg(n.Args); err != nil {
		return nil, err
	} else if zone != nil {
		clock := &wallClock{zone: zone}
		truncate = func(ns int64) (int64, bool) { return clock.truncate(u, ns) }
	}
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		v, ok := truncate(args[1].I[r])
		out.I[r] = v
		if !ok {
			f.fail(out, r, overflow)
		}
	})
}

func buildPart(c *compiler, n *Node) (kernel, error) {
	u, err := unitArg(n.Args)
	if err != nil {
		return nil, err
	}
	zone, err := zoneArg(n.Args)
	if err != nil {
		return nil, err
	}
	if zone == nil || u == epoch {
		return c.rowwise(n, partRow(u, 1))
	}
	clock := &wallClock{zone: zone}
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		shown, ok := clock.reading(args[1].I[r])
		out.I[r] = u.part(shown)
		if !ok {
			f.fail(out, r, overflow)
		}
	})
}

// partRow computes a part of the time that is argument at.
func partRow(u unit, at int) rowFunc {
	if u == epoch {
		return func(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
			out.F[r] = float64(args[at].I[r]) / 1e9
		}
	}
	return func(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) { out.I[r] = u.part(args[at].I[r]) }
}

func buildDiff(c *compiler, n *Node) (kernel, error) {
	u, err := unitArg(n.Args)
	if err != nil {
		return nil, err
	}
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		from, to := args[1].I[r], args[2].I[r]
		out.I[r] = u.boundaries(from, to)
		if u == nanosecond && to > from != (out.I[r] > 0) {
			f.fail(out, r, overflow)
		}
	})
}

// bucketRow is time_bucket(width, ts[, origin]): the start of ts's bucket, counted from the epoch or the origin.
func bucketRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	width, origin := args[0].I[r], int64(0)
	if len(args) == 3 {
		origin = args[2].I[r]
	}
	if width <= 0 {
		f.fail(out, r, domain)
		return
	}
	v, ok := floorTo(args[1].I[r], width, origin)
	out.I[r] = v
	if !ok {
		f.fail(out, r, overflow)
	}
}

// epochRow makes a time of a number of units since the epoch. Doubles are rounded to ns.
func epochRow(length time.Duration) rowFunc {
	return func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		x := numberAt(args[0], int(r))
		var ok bool
		if x.tag == tuple.TagInt {
			out.I[r], ok = product(x.i, int64(length))
		} else {
			// Whole units and the fraction apart: a double of seconds times 1e9 would round twice.
			whole, fraction := math.Modf(x.float())
			var ns int64
			if ns, ok = integerOf(double(whole)); ok {
				ns, ok = product(ns, int64(length))
			}
			part := int64(math.Round(fraction * float64(length)))
			sum, what := integers(add, ns, part)
			out.I[r], ok = sum, ok && what == fine
		}
		if !ok {
			f.fail(out, r, overflow)
		}
	}
}

// buildEpoch is epoch_ms and its like: a number of a time and the other way round.
func buildEpoch(length time.Duration) func(*compiler, *Node) (kernel, error) {
	return func(c *compiler, n *Node) (kernel, error) {
		if n.Type == tuple.Timestamp {
			return c.rowwise(n, epochRow(length))
		}
		return c.rowwise(n, func(_ *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
			out.I[r], _ = floorDivide(args[0].I[r], int64(length))
		})
	}
}

// makeRow is make_timestamp(year, month, day, hour, minute, second).
func makeRow(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
	var part [5]int64
	ok := true
	for i := range part {
		var fits bool
		part[i], fits = integerAt(args[i], r)
		ok = ok && fits
	}
	seconds := numberAt(args[5], int(r)).float()
	ok = ok && part[0] >= 1678 && part[0] <= 2261 && part[1] >= 1 && part[1] <= 12 && part[2] >= 1 && part[2] <= 31 &&
		part[3] >= 0 && part[3] <= 23 && part[4] >= 0 && part[4] <= 59 && seconds >= 0 && seconds < 60
	if !ok {
		f.fail(out, r, domain)
		return
	}
	t := time.Date(int(part[0]), time.Month(part[1]), int(part[2]), int(part[3]), int(part[4]), 0, 0, time.UTC)
	if t.Day() != int(part[2]) {
		f.fail(out, r, domain)
		return
	}
	out.I[r] = t.UnixNano() + int64(math.Round(seconds*1e9))
}
