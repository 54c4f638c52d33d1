package query

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/query/nearest"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// window is the query's window.
type window struct {
	spec op.Window
	at   syntax.Span
	text string // of the call in GROUP BY, to recognise it elsewhere
	// time is the read that event time is taken from, or -1: arrival.
	time int
}

// same reports whether c is the window function of GROUP BY written again.
func (w *window) same(c *syntax.Call) bool {
	return w.text != "" && strings.EqualFold(w.text, c.String())
}

func isWindowFunction(lower string) bool {
	return lower == "tumble" || lower == "hop" || lower == "session"
}

// findWindow binds the window in FROM or GROUP BY, if there is one.
func (b *binder) findWindow() {
	if w, ok := b.sel.From.(*syntax.Window); ok {
		b.setWindow(w.Func, w.Span, w.Args)
	}
	for _, x := range b.sel.GroupBy {
		c, ok := b.windowCall(x)
		if !ok {
			continue
		}
		if b.window != nil {
			b.fail(c.Span, "", "a query has one window, and there is one already")
			return
		}
		b.setWindow(c.Func, c.Span, c.Args)
		if b.window != nil {
			b.window.text = c.String()
		}
	}
}

// windowCall returns the call of a window function that an entry of GROUP BY is, directly, by alias or by ordinal.
func (b *binder) windowCall(x syntax.Expr) (*syntax.Call, bool) {
	switch e := x.(type) {
	case *syntax.Int:
		if e.Value >= 1 && e.Value <= int64(len(b.sel.Items)) {
			x = b.sel.Items[e.Value-1].Expr
		}
	case *syntax.Name:
		if item := b.aliased(e.Parts[0].Name); item != nil && len(e.Parts) == 1 {
			x = item.Expr
		}
	}
	c, ok := x.(*syntax.Call)
	return c, ok && isWindowFunction(strings.ToLower(c.Func.Name))
}

// windowArgs are the arguments of a window function; nil where absent.
type windowArgs struct{ time, size, slide, origin, zone syntax.Expr }

var windowParams = []string{"time", "timecol", "size", "slide", "origin", "offset", "timezone"}

// setWindow binds a window function.
func (b *binder) setWindow(name syntax.Ident, where syntax.Span, args []syntax.Arg) {
	kind := op.Tumble
	switch strings.ToLower(name.Name) {
	case "hop":
		kind = op.Hop
	case "session":
		b.notYet(name.Span, "session windows")
		return
	}
	a := b.windowArgs(name, kind, args)
	w := &window{at: where, time: -1}
	w.spec.Kind = kind
	if a.zone != nil {
		w.spec.Zone = b.zone(a.zone)
	}
	size, slide := b.windowSize(a.size, "size"), b.windowSize(a.slide, "slide")
	switch {
	case b.err != nil:
		return
	case a.size == nil && kind == op.Tumble:
		b.fail(where, "write tumble(ts, '1 minute')", "tumble has no size")
	case a.size == nil || kind == op.Hop && a.slide == nil:
		b.fail(where, "write hop(ts, '10 seconds', '1 minute'): the slide, then the size", "hop takes a slide and a size")
	case kind == op.Hop && slide.Nanos() > size.Nanos():
		hint := "the slide comes first: hop(ts, slide, size)"
		if slices.ContainsFunc(args, func(a syntax.Arg) bool { return a.Name != nil && strings.EqualFold(a.Name.Name, "slide") }) {
			hint = "rows between the windows would be lost"
		}
		b.fail(a.slide.Where(), hint, "the slide %s is larger than the size %s", slide, size)
	}
	if kind == op.Tumble {
		slide = size
	}
	w.spec.Size, w.spec.SizeDays = length(size, w.spec.Zone)
	w.spec.Slide, w.spec.SlideDays = length(slide, w.spec.Zone)
	if a.origin != nil {
		w.spec.Origin = b.origin(a.origin)
	}
	if _, err := (&op.Aggregate{Window: w.spec}).Make(); err != nil {
		b.fail(where, "", "%s", strings.TrimPrefix(err.Error(), "aggregate: "))
	}
	w.time = b.timeColumn(a.time)
	b.window = w
}

// length splits a duration into what a window is measured in: calendar days where there is a zone, else ns.
func length(d syntax.Duration, zone *time.Location) (time.Duration, int) {
	if zone != nil && d.Days > 0 && d.Rest == 0 && d.Days <= math.MaxInt32 {
		return 0, int(d.Days)
	}
	return time.Duration(d.Nanos()), 0
}

// windowArgs tells the arguments of a window function apart.
func (b *binder) windowArgs(name syntax.Ident, kind op.WindowKind, args []syntax.Arg) windowArgs {
	var a windowArgs
	durations := []*syntax.Expr{&a.size}
	if kind == op.Hop {
		durations = []*syntax.Expr{&a.slide, &a.size}
	}
	for i, arg := range args {
		if arg.Name != nil {
			b.namedWindowArg(name, &a, arg)
			continue
		}
		n := literal(arg.Value)
		if i == 0 && (n == nil || n.Type == tuple.Null) {
			a.time = arg.Value
			continue
		}
		for len(durations) > 0 && *durations[0] != nil {
			durations = durations[1:]
		}
		if len(durations) == 0 {
			b.fail(arg.Span, "name it: origin => or timezone =>", "too many arguments of %s", name)
			return a
		}
		*durations[0] = arg.Value
	}
	return a
}

func (b *binder) namedWindowArg(name syntax.Ident, a *windowArgs, arg syntax.Arg) {
	var to *syntax.Expr
	switch strings.ToLower(arg.Name.Name) {
	case "time", "timecol", "time_column", "ts":
		to = &a.time
	case "size":
		to = &a.size
	case "slide":
		to = &a.slide
	case "origin", "offset":
		to = &a.origin
	case "timezone", "zone", "tz", "time_zone":
		to = &a.zone
	default:
		hint := meant(arg.Name.Name, windowParams, "it takes time, size, slide, origin and timezone")
		b.fail(arg.Name.Span, hint, "%s has no argument %s", name, arg.Name)
		return
	}
	switch {
	case *to != nil:
		b.fail(arg.Span, "", "%s is given twice", arg.Name)
	case to == &a.slide && strings.EqualFold(name.Name, "tumble"):
		b.fail(arg.Span, "windows that overlap are hop(ts, slide, size)", "tumble has no slide")
	}
	*to = arg.Value
}

// windowSize reads a duration that is greater than zero.
func (b *binder) windowSize(x syntax.Expr, what string) syntax.Duration {
	if x == nil {
		return syntax.Duration{}
	}
	d, ok := b.duration(x, "the "+what)
	if ok && d.Nanos() <= 0 {
		b.fail(x.Where(), "", "the %s of a window must be greater than zero", what)
	}
	return d
}

// duration reads a constant duration.
func (b *binder) duration(x syntax.Expr, what string) (d syntax.Duration, ok bool) {
	switch x := x.(type) {
	case *syntax.Interval:
		return x.Value, true
	case *syntax.String:
		d, err := syntax.ParseDuration(x.Value)
		if err != nil {
			b.fail(x.Span, "", "%s", err)
		}
		return d, err == nil
	case *syntax.Int:
		b.fail(x.Span, "write '"+x.String()+"s' for seconds", "%s needs a unit", what)
		return d, false
	}
	b.fail(x.Where(), "write '5s' or INTERVAL '1 minute'", "%s must be a duration", what)
	return d, false
}

// origin reads a time that windows are aligned to, or a distance from the epoch.
func (b *binder) origin(x syntax.Expr) int64 {
	switch x := x.(type) {
	case *syntax.Timestamp:
		return x.Nanos
	case *syntax.Interval:
		return x.Value.Nanos()
	case *syntax.String:
		if ns, ok := tuple.ParseTime([]byte(strings.TrimSpace(x.Value))); ok {
			return ns
		}
		if d, err := syntax.ParseDuration(x.Value); err == nil {
			return d.Nanos()
		}
	}
	b.fail(x.Where(), "write TIMESTAMP '2024-01-01 06:00:00' or INTERVAL '6 hours'", "the origin must be a time or a distance from 1970-01-01")
	return 0
}

// zone reads the name of a time zone.
func (b *binder) zone(x syntax.Expr) *time.Location {
	s, ok := x.(*syntax.String)
	if !ok {
		b.fail(x.Where(), "write timezone => 'Europe/Berlin'", "the time zone must be a name")
		return nil
	}
	if s.Value != "" && s.Value != "Local" {
		if zone, err := time.LoadLocation(s.Value); err == nil {
			return zone
		}
	}
	hint := "zones have names such as Europe/Berlin or UTC"
	if near, ok := nearest.Name(s.Value, zoneNames()); ok {
		hint = "did you mean '" + near + "'?"
	}
	b.fail(s.Span, hint, "unknown time zone %s", s)
	return nil
}

// timeColumn returns the read of the event time: the column that x names, the stream's, or the only one that can be
// meant; -1 for arrival.
func (b *binder) timeColumn(x syntax.Expr) int {
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
	b.warn("%s has no column that is clearly its time, so windows are of the time of arrival: name the column, as in tumble(%s, ts, '1 minute'), or give --time",
		b.table.Name, b.table.Name)
	return -1
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

func (b *binder) resolveTime(path []syntax.Ident, where syntax.Span) int {
	i, problem := b.resolve(path, where)
	if problem != nil {
		if b.err == nil {
			b.err = problem
		}
		return -1
	}
	return b.readTime(i, where)
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
