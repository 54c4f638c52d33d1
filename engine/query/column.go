package query

import (
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/nearest"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// column is a field of the stream, or one that the query names and the sample did not show.
type column struct {
	Field
	// soft says that the field is read as whatever the query needs.
	soft bool
	// wanted is the type that the query needs, or Null.
	wanted tuple.Type
}

// plain is the type of a use that asks for none.
func (c *column) plain() tuple.Type {
	if c.wanted != tuple.Null {
		return c.wanted
	}
	return c.Type
}

func (b *binder) addField(c column) {
	c.wanted = b.needs.types[pathKey(c.Path)]
	b.fields = append(b.fields, c)
}

// readPlain returns the column that reads a field as a use does that asks for no type.
func (b *binder) readPlain(field, pos int) *expr.Node {
	return b.readAs(field, b.fields[field].plain(), pos)
}

// read is a field read as a type. The Index of a Col node over rows counts reads.
type read struct {
	field int
	typ   tuple.Type
}

// overGroups is added to the Index of Col nodes over the groups, to tell them from those over rows.
const overGroups = 1 << 20

// readAs returns the column that reads a field as a type.
func (b *binder) readAs(field int, t tuple.Type, pos int) *expr.Node {
	as := t
	if t == tuple.Interval {
		as = tuple.Text // no format of records has lengths of time
	}
	i := slices.Index(b.reads, read{field, as})
	if i < 0 {
		i = len(b.reads)
		b.reads = append(b.reads, read{field, as})
	}
	n := &expr.Node{Kind: expr.Col, Type: as, Index: i, Text: b.written(field), Pos: pos}
	if as != t {
		n = &expr.Node{Kind: expr.Cast, Type: t, Args: []*expr.Node{n}, Pos: pos}
	}
	return n
}

// field returns the field that a column node over rows reads.
func (b *binder) field(n *expr.Node) (field int, ok bool) {
	if n.Kind != expr.Col || n.Index < 0 || n.Index >= overGroups {
		return 0, false
	}
	return b.reads[n.Index].field, true
}

// pathOf returns the names that lead to a column or to a field inside one.
func pathOf(x syntax.Expr) (path []syntax.Ident, ok bool) {
	switch x := x.(type) {
	case *syntax.Name:
		return x.Parts, true
	case *syntax.Field:
		path, ok = pathOf(x.X)
		return append(slices.Clip(path), x.Name), ok
	case *syntax.Index:
		key, text := x.Key.(*syntax.String)
		if !text {
			return nil, false
		}
		path, ok = pathOf(x.X)
		return append(slices.Clip(path), syntax.Ident{Span: key.Span, Name: key.Value}), ok
	}
	return nil, false
}

// namesOf returns the elements of a path. A quoted name is one element, whatever dots are in it.
func namesOf(path []syntax.Ident) []string {
	names := make([]string, len(path))
	for i, p := range path {
		names[i] = p.Name
	}
	return names
}

// find returns the field that a path leads to: exactly, else the only one in another letter case, else the only one of
// the stream that is shown under this name, where dots may part the elements or be in them.
func (b *binder) find(path []syntax.Ident) (field int, ok bool) {
	if i, ok := b.findExactly(path); ok {
		return i, true
	}
	if all := b.shownAs(path); len(all) == 1 {
		return all[0], true
	}
	return 0, false
}

// findExactly is find without regard to what fields are shown as.
func (b *binder) findExactly(path []syntax.Ident) (field int, ok bool) {
	names := namesOf(path)
	for i := range b.fields {
		if slices.Equal(b.fields[i].Path, names) {
			return i, true
		}
	}
	same := func(f *column) bool { return slices.EqualFunc(f.Path, names, strings.EqualFold) }
	if all := b.matching(len(b.fields), same); len(all) == 1 {
		return all[0], true
	}
	return 0, false
}

// shownAs returns the fields of the stream whose dotted name is that of a path; none for a path that says by quotes
// which dots are in its elements.
func (b *binder) shownAs(path []syntax.Ident) []int {
	names := namesOf(path)
	if b.stream == nil || len(path) > 1 && slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, ".") }) {
		return nil
	}
	shown := strings.Join(names, ".")
	if exact := b.matching(len(b.stream.Fields), func(f *column) bool { return f.Name == shown }); len(exact) > 0 {
		return exact
	}
	return b.matching(len(b.stream.Fields), func(f *column) bool { return strings.EqualFold(f.Name, shown) })
}

// matching returns those of the first n fields that match.
func (b *binder) matching(n int, match func(*column) bool) []int {
	var all []int
	for i := range n {
		if match(&b.fields[i]) {
			all = append(all, i)
		}
	}
	return all
}

// resolve returns the field that a path leads to. It makes one where the sample may have missed it; else problem
// says what is wrong.
func (b *binder) resolve(path []syntax.Ident, at syntax.Span) (field int, problem *syntax.Error) {
	if i, ok := b.find(path); ok {
		return i, nil
	}
	if _, ok := b.find(path[:1]); !ok && len(path) > 1 && b.named(path[0].Name) {
		return b.resolve(path[1:], at)
	}
	if b.checking() {
		return b.invent(path, nil), nil
	}
	if all := b.shownAs(path); len(all) > 1 && len(path) > 1 {
		return 0, b.src.Errorf(at, "write "+b.written(all[0])+" or "+b.written(all[1]), "%s can be several fields", sqlPath(namesOf(path)))
	}
	for k := len(path) - 1; k > 0; k-- {
		i, ok := b.findExactly(path[:k])
		if !ok && !strings.Contains(path[0].Name, ".") {
			i, ok = b.find(path[:k])
		}
		if ok {
			return b.inside(i, path, k, at)
		}
	}
	return b.missing(path, at)
}

// written returns a field as SQL names it.
func (b *binder) written(field int) string { return sqlPath(b.fields[field].Path) }

// seen reports whether a path leads to a field that the stream is known to have.
func (b *binder) seen(path []syntax.Ident) bool {
	i, ok := b.find(path)
	return ok && b.stream != nil && i < len(b.stream.Fields)
}

// named reports whether the stream goes by a name.
func (b *binder) named(name string) bool {
	return slices.ContainsFunc(b.names, func(n string) bool { return strings.EqualFold(n, name) })
}

// invent adds a field that nothing is known of, inside parent if that is not nil.
func (b *binder) invent(path []syntax.Ident, parent []string) int {
	c := column{soft: true}
	c.Path = slices.Clone(parent)
	for _, p := range path {
		c.Path = append(c.Path, p.Name)
	}
	c.Name = strings.Join(c.Path, ".")
	b.addField(c)
	return len(b.fields) - 1
}

// inside resolves a path of which the first k names lead to a field.
func (b *binder) inside(parent int, path []syntax.Ident, k int, at syntax.Span) (field int, problem *syntax.Error) {
	p := b.fields[parent].Field
	if p.Type != tuple.JSON && p.Type != tuple.Null {
		return 0, b.src.Errorf(at, "", "%s is %s and has no fields inside", b.written(parent), p.Type)
	}
	var known, inner []string
	for i := range b.fields {
		if f := b.fields[i].Path; len(f) > len(p.Path) && slices.Equal(f[:len(p.Path)], p.Path) {
			known, inner = append(known, b.written(i)), append(inner, sqlPath(f[len(p.Path):]))
		}
	}
	rest := namesOf(path[k:])
	name := sqlPath(slices.Concat(p.Path, rest))
	if near, ok := nearest.Name(sqlPath(rest), inner); ok {
		return 0, b.src.Errorf(at, "did you mean "+known[slices.Index(inner, near)]+"?", "%s has no field %s", b.written(parent), sqlPath(rest))
	}
	if b.stream.Closed && !b.stream.Declared && len(known) > 0 {
		return 0, b.src.Errorf(at, "it has "+list(known), "%s has no field %s", b.written(parent), sqlPath(rest))
	}
	so := ""
	if len(known) > 0 {
		so = "; so far there are " + list(known)
	}
	b.warn("no record so far has %s: it is read when it comes%s", name, so)
	return b.invent(path[k:], p.Path), nil
}

// missing resolves a path that leads to nothing known.
func (b *binder) missing(path []syntax.Ident, at syntax.Span) (field int, problem *syntax.Error) {
	name := sqlPath(namesOf(path))
	if len(path) == 1 && isWindowColumn(name) && b.window != nil {
		return 0, b.src.Errorf(at, b.windowHint(), "%s is known only after grouping", name)
	}
	if why, ok := unavailable(name); ok && len(path) == 1 && !path[0].Quoted && slices.Contains(bareClocks, strings.ToLower(name)) {
		return 0, b.src.Errorf(at, why, "%s is not available", name)
	}
	if len(path) == 1 && isWindowColumn(name) {
		return 0, b.src.Errorf(at, "write FROM tumble("+b.table.Name.String()+", '1 minute') or GROUP BY tumble(ts, '1 minute')", "%s needs a window", name)
	}
	var known []string
	for i := range b.fields {
		known = append(known, b.fields[i].Name)
	}
	near, similar := nearest.Name(strings.Join(namesOf(path), "."), known)
	hint := b.theColumns()
	switch {
	case similar:
		hint = "did you mean " + b.written(slices.Index(known, near)) + "?"
	case len(path) > 1 && strings.EqualFold(path[0].Name, b.table.Name.Name):
		hint = "the stream is called " + b.names[0] + " here"
	case len(path) == 1 && path[0].Quoted:
		hint = "text stands in single quotes: '" + strings.ReplaceAll(path[0].Name, "'", "''") + "'"
	}
	switch {
	case similar || b.stream.Closed && len(known) > 0:
		return 0, b.src.Errorf(at, hint, "no column is called %s", name)
	case b.stream.Closed: // and empty
	default:
		if long, ok := nearest.Abbreviated(strings.Join(namesOf(path), "."), known[:len(b.stream.Fields)]); ok {
			hint = "did you mean " + b.written(slices.Index(known, long)) + "? " + hint
		}
		b.warn("no record so far has a column %s: it is read when it comes; %s", name, hint)
	}
	return b.invent(path, nil), nil
}

// theColumns lists the columns of the stream for a hint.
func (b *binder) theColumns() string {
	if len(b.stream.Fields) == 0 {
		return "no record so far has any"
	}
	var known []string
	for i := range b.stream.Fields {
		known = append(known, b.written(i))
	}
	if !b.stream.Closed {
		return "the columns so far are " + list(known)
	}
	return "the columns are " + list(known)
}

// sqlPath returns a path as SQL writes it.
func sqlPath(path []string) string {
	parts := make([]string, len(path))
	for i, p := range path {
		parts[i] = syntax.Ident{Name: p}.String()
	}
	return strings.Join(parts, ".")
}

// meant returns the hint that offers the name nearest to word, or else.
func meant(word string, names []string, otherwise string) string {
	if near, ok := nearest.Name(word, names); ok {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// maxListed is how many names a hint lists.
const maxListed = 12

// list joins names for a hint.
func list(names []string) string {
	if len(names) > maxListed {
		return strings.Join(names[:maxListed], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}
