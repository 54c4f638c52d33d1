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
		b.setWindow(&syntax.Call{Span: w.Span, Func: w.Func, Args: w.Args})
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
		b.setWindow(c)
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

// setWindow binds a window function. In FROM its first argument, the stream, is left out.
func (b *binder) setWindow(c *syntax.Call) {
	name, where, args := c.Func, c.Span, c.Args
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
	w.time = b.timeColumn(c, a.time)
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
