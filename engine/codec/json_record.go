package codec

import "github.com/aurora-dsms/aurora/engine/tuple"

// pathNode is a key that leads to wanted values: one itself when slot is not -1, or an object with keys that do.
type pathNode struct {
	key  string
	slot int
	kids []*pathNode
	// byKey finds a kid when there are many.
	byKey map[string]*pathNode
}

// fewKids is how many kids are searched one by one, which is faster than a map.
const fewKids = 8

// add makes a place for the values at path and returns its slot. It takes a next one from slots unless
// the path is known.
func (n *pathNode) add(path []string, slots *int) int {
	for _, key := range path {
		kid := n.kid([]byte(key))
		if kid == nil {
			kid = &pathNode{key: key, slot: -1}
			n.kids = append(n.kids, kid)
			if len(n.kids) > fewKids {
				n.index()
			}
		}
		n = kid
	}
	if n.slot < 0 {
		n.slot = *slots
		*slots++
	}
	return n.slot
}

func (n *pathNode) index() {
	n.byKey = make(map[string]*pathNode, len(n.kids))
	for _, kid := range n.kids {
		n.byKey[kid.key] = kid
	}
}

// kid returns the kid called key, nil when nothing is wanted there.
func (n *pathNode) kid(key []byte) *pathNode {
	if n.byKey != nil {
		return n.byKey[string(key)]
	}
	for _, kid := range n.kids {
		if kid.key == string(key) {
			return kid
		}
	}
	return nil
}

// scanRecord reads the value from p to the end of b into the row at hand. It returns
// an empty reason, or why the record is bad.
func (d *jsonDecoder) scanRecord(b []byte, p int) (reason string) {
	p = skipSpace(b, p)
	begin := p
	d.values = d.values[:0]
	d.learn = true
	isObject := byteAt(b, p) == '{'
	if isObject {
		p = d.object(b, p, &d.root, 1)
	} else {
		p, _ = d.scanner.value(b, p, 0)
	}
	end := p
	switch {
	case p < 0 || skipSpace(b, p) != len(b):
		return "syntax"
	case !isObject:
		return "not an object"
	}
	if d.learn {
		d.layout.teach(b[:end], begin, d.values)
	}
	return ""
}

// object reads the object at p, which is the depth-th around its members, and the values wanted below node.
func (d *jsonDecoder) object(b []byte, p int, node *pathNode, depth int) int {
	if depth > maxJSONDepth {
		return -1
	}
	p = skipSpace(b, p+1)
	if byteAt(b, p) == '}' {
		return p + 1
	}
	for {
		if byteAt(b, p) != '"' {
			return -1
		}
		end, f := scanString(b, p)
		if end < 0 {
			return -1
		}
		kid := d.find(node, b[p+1:end-1], f)
		if p = skipSpace(b, end); byteAt(b, p) != ':' {
			return -1
		}
		if p = d.member(b, skipSpace(b, p+1), kid, depth); p < 0 {
			return -1
		}
		p = skipSpace(b, p)
		switch byteAt(b, p) {
		case ',':
			p = skipSpace(b, p+1)
		case '}':
			return p + 1
		default:
			return -1
		}
	}
}

// find returns the kid of node for a key as the record wrote it.
func (d *jsonDecoder) find(node *pathNode, key []byte, f form) *pathNode {
	if f != formASCII {
		d.scratch = appendUnquoted(d.scratch[:0], key)
		key = d.scratch
	}
	return node.kid(key)
}

// member reads the value at p, whose key is node or nobody's, inside of depth objects.
func (d *jsonDecoder) member(b []byte, p int, node *pathNode, depth int) (end int) {
	if node == nil {
		end, f := d.scanner.value(b, p, depth)
		d.values = append(d.values, layoutValue{p, end, f, d.layout.spare, depth})
		return end
	}
	if len(node.kids) > 0 {
		d.forget(node)
	}
	if len(node.kids) > 0 && byteAt(b, p) == '{' {
		if end = d.object(b, p, node, depth+1); node.slot >= 0 && end >= 0 {
			d.spans[node.slot*tuple.MaxRows+d.rows] = makeSpan(p, end, formNested)
			d.learn = false
		}
		return end
	}
	end, f := d.scanner.value(b, p, depth)
	slot := d.layout.spare
	if node.slot >= 0 {
		slot = node.slot
	}
	if end >= 0 {
		d.spans[slot*tuple.MaxRows+d.rows] = makeSpan(p, end, f)
	}
	d.values = append(d.values, layoutValue{p, end, f, slot, depth})
	return end
}

// forget makes the values below node missing, for a key that comes again replaces them. The
// layout tree cannot express that.
func (d *jsonDecoder) forget(node *pathNode) {
	for _, kid := range node.kids {
		if kid.slot >= 0 {
			s := &d.spans[kid.slot*tuple.MaxRows+d.rows]
			d.learn = d.learn && *s == 0
			*s = 0
		}
		d.forget(kid)
	}
}
