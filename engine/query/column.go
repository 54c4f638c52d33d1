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
	n := &expr.Node{Kind: expr.Col, Type: as, Index: i, Text: quoted(b.fields[field].Name), Pos: pos}
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

func dotted(path []syntax.Ident) string {
	names := make([]string, len(path))
	for i, p := range path {
		names[i] = p.Name
	}
	return strings.Join(names, ".")
}

// find returns the field with exactly the name, else the only one with the name in another letter case.
func (b *binder) find(name string) (field int, ok bool) {
	found := -1
	for i := range b.fields {
		switch {
		case b.fields[i].Name == name:
			return i, true
		case !strings.EqualFold(b.fields[i].Name, name):
		case found >= 0:
			found = len(b.fields)
		default:
			found = i
		}
	}
	return found, found >= 0 && found < len(b.fields)
}

// resolve returns the field that a path leads to. It makes one where the sample may have missed it; else problem
// says what is wrong.
func (b *binder) resolve(path []syntax.Ident, at syntax.Span) (field int, problem *syntax.Error) {
	if i, ok := b.find(dotted(path)); ok {
		return i, nil
	}
	if _, ok := b.find(path[0].Name); !ok && len(path) > 1 && b.named(path[0].Name) {
		return b.resolve(path[1:], at)
	}
	if b.checking() {
		return b.invent(path, nil), nil
	}
	for k := len(path) - 1; k > 0; k-- {
		if i, ok := b.find(dotted(path[:k])); ok {
			return b.inside(i, path, k, at)
		}
	}
	return b.missing(path, at)
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
		return 0, b.src.Errorf(at, "", "%s is %s and has no fields inside", p.Name, p.Type)
	}
	var known []string
	for i := range b.fields {
		if inner := b.fields[i].Name; strings.HasPrefix(inner, p.Name+".") {
			known = append(known, inner)
		}
	}
	name := p.Name + "." + dotted(path[k:])
	if near, ok := nearest.Name(name, known); ok {
		return 0, b.src.Errorf(at, "did you mean "+near+"?", "%s has no field %s", p.Name, dotted(path[k:]))
	}
	if b.stream.Closed && !b.stream.Declared && len(known) > 0 {
		return 0, b.src.Errorf(at, "it has "+list(known), "%s has no field %s", p.Name, dotted(path[k:]))
	}
	b.warn("no record so far has %s: it is read when it comes", name)
	return b.invent(path[k:], p.Path), nil
}

// missing resolves a path that leads to nothing known.
func (b *binder) missing(path []syntax.Ident, at syntax.Span) (field int, problem *syntax.Error) {
	name := dotted(path)
	if len(path) == 1 && isWindowColumn(name) && b.window != nil {
		return 0, b.src.Errorf(at, "use HAVING, or compare the time itself", "%s is known only after grouping", name)
	}
	if len(path) == 1 && isWindowColumn(name) {
		return 0, b.src.Errorf(at, "write FROM tumble("+b.table.Name.String()+", '1 minute') or GROUP BY tumble(ts, '1 minute')", "%s needs a window", name)
	}
	var known []string
	for i := range b.fields {
		known = append(known, b.fields[i].Name)
	}
	near, similar := nearest.Name(name, known)
	hint := "the columns are " + list(known)
	switch {
	case similar:
		hint = "did you mean " + quoted(near) + "?"
	case len(path) > 1 && strings.EqualFold(path[0].Name, b.table.Name.Name):
		hint = "the stream is called " + b.names[0] + " here"
	case len(path) == 1 && path[0].Quoted:
		hint = "text stands in single quotes: '" + strings.ReplaceAll(name, "'", "''") + "'"
	}
	if similar || b.stream.Closed && len(known) > 0 {
		return 0, b.src.Errorf(at, hint, "no column is called %s", quoted(name))
	}
	switch {
	case b.stream.Closed: // and empty
	case len(path) == 1 && path[0].Quoted:
		b.warn("no record so far has a column %s: it is read when it comes; %s", quoted(name), hint)
	default:
		b.warn("no record so far has a column %s: it is read when it comes", quoted(name))
	}
	return b.invent(path, nil), nil
}

// quoted returns a name as SQL writes it.
func quoted(name string) string {
	parts := strings.Split(name, ".")
	for i, p := range parts {
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
