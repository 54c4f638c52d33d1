package query

import (
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// timeColumn returns the read of the event time of window c: the column that x names, the stream's, or the only one
// that can be meant; -1 for arrival.
func (b *binder) timeColumn(c *syntax.Call, x syntax.Expr) int {
	if x != nil {
		return b.namedTime(x)
	}
	if b.checking() {
		return -1
	}
	if b.stream.Time != "" {
		return b.resolveTime([]syntax.Ident{{Name: b.stream.Time}}, b.table.Span)
	}
	if i := b.likelyTime(); i >= 0 {
		return b.readTime(i, b.table.Span)
	}
	if !b.stream.Live && len(b.fields) > 0 {
		b.fail(c.Span, b.timeHint(c), "%s has no column that is clearly its time", b.table.Name)
		return -1
	}
	b.warn("%s has no column that is clearly its time, so windows are of the time of arrival: name the column, as in tumble(%s, ts, '1 minute'), or give --time",
		b.table.Name, b.table.Name)
	return -1
}

// windowHint says what to write where a window is not known yet.
func (b *binder) windowHint() string {
	if b.window.time < 0 {
		return "use HAVING, or the time itself"
	}
	return "use HAVING, or the time column " + b.written(b.reads[b.window.time].field)
}

// timeHint says how to give the window c its time.
func (b *binder) timeHint(c *syntax.Call) string {
	var ways []string
	for _, i := range b.timeCandidates() {
		ways = append(ways, b.withTime(c, b.written(i)))
	}
	switch {
	case len(ways) == 0 && b.stream.Declared:
		return "declare one as TIMESTAMP"
	case len(ways) == 0:
		return "name it, as in " + b.withTime(c, "column") + "; " + b.theColumns()
	}
	return "name it: " + strings.Join(ways[:min(len(ways), maxOffered)], ", or ")
}

// maxOffered is how many queries a hint writes out.
const maxOffered = 3

// withTime writes the window c with a column as its time.
func (b *binder) withTime(c *syntax.Call, column string) string {
	var args []string
	if c.Span == b.sel.From.Where() {
		args = append(args, b.table.Name.String())
	}
	args = append(args, column)
	for _, a := range c.Args {
		args = append(args, a.String())
	}
	return c.Func.String() + "(" + strings.Join(args, ", ") + ")"
}

// timeCandidates returns the fields that may be times: all TIMESTAMPs, else those whose name says so.
func (b *binder) timeCandidates() []int {
	times := b.matching(len(b.stream.Fields), func(f *column) bool { return f.Type == tuple.Timestamp })
	if len(times) > 0 {
		return times
	}
	return b.matching(len(b.stream.Fields), func(f *column) bool {
		return f.soft && f.Type != tuple.Boolean && f.Type != tuple.JSON && soundsLikeTime(f.Path[len(f.Path)-1])
	})
}

// soundsLikeTime reports whether a name may be that of a time.
func soundsLikeTime(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"time", "date", "epoch"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return name == "t" || name == "ts" || name == "at" || name == "when" || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_ts")
}

// namedTime reads the column that a window function names.
func (b *binder) namedTime(x syntax.Expr) int {
	if c, ok := x.(*syntax.Call); ok && strings.EqualFold(c.Func.Name, "descriptor") && len(c.Args) == 1 {
		x = c.Args[0].Value
	}
	path, ok := pathOf(x)
	if s, text := x.(*syntax.String); text {
		path, ok = []syntax.Ident{{Span: s.Span, Name: s.Value}}, true
	}
	if !ok {
		b.fail(x.Where(), "name a column", "not yet supported: an expression as the time of a window")
		return -1
	}
	return b.resolveTime(path, x.Where())
}

// resolveTime reads the field that a path leads to as the event time. The sample must have it, if it has anything:
// a window whose rows have no time would lose them all.
func (b *binder) resolveTime(path []syntax.Ident, where syntax.Span) int {
	warnings := len(b.warnings)
	i, problem := b.resolve(path, where)
	if problem == nil && !b.checking() && i >= len(b.stream.Fields) && len(b.stream.Fields) > 0 {
		b.warnings = b.warnings[:warnings]
		problem = b.src.Errorf(where, b.theColumns(), "no record so far has %s, the time of the window", sqlPath(namesOf(path)))
	}
	if problem != nil {
		b.offerTimes(problem)
		if b.err == nil {
			b.err = problem
		}
		return -1
	}
	return b.readTime(i, where)
}

// offerTimes replaces a list of all columns by those that may be times.
func (b *binder) offerTimes(problem *syntax.Error) {
	var names []string
	for _, i := range b.timeCandidates() {
		names = append(names, b.written(i))
	}
	if problem.Hint == b.theColumns() && len(names) > 0 {
		problem.Hint = "its times may be in " + list(names)
	}
}

// readTime reads a field as the event time.
func (b *binder) readTime(i int, where syntax.Span) int {
	f := b.fields[i]
	if f.Type == tuple.Boolean || f.Type == tuple.Interval || !f.soft && f.Type != tuple.Timestamp {
		b.fail(where, "a declared time column is a TIMESTAMP, also where the records have numbers", "%s is %s, not a time", f.Name, f.Type)
		return -1
	}
	if f.Type == tuple.Text {
		b.warn("the first values of %s do not look like times", f.Name)
	}
	return b.readAs(i, tuple.Timestamp, where.Start).Index
}

// likelyTime returns the only TIMESTAMP, else the only one of them, or of the numbers, with a name that says time; else -1.
func (b *binder) likelyTime() int {
	var times, named, numbers []int
	for i := range b.fields {
		f := b.fields[i]
		says := slices.Contains(timeNames, strings.ToLower(f.Name))
		switch {
		case f.Type == tuple.Timestamp && says:
			named = append(named, i)
			fallthrough
		case f.Type == tuple.Timestamp:
			times = append(times, i)
		case f.soft && f.Type.Numeric() && says:
			numbers = append(numbers, i)
		}
	}
	switch {
	case len(times) == 1:
		return times[0]
	case len(named) == 1:
		return named[0]
	case len(times) == 0 && len(numbers) == 1:
		return numbers[0]
	}
	return -1
}

// timeNames are names of columns that say time.
var timeNames = []string{"ts", "time", "timestamp", "@timestamp"}
