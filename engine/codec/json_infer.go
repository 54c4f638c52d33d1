package codec

import (
	"bytes"
	"errors"
	"strings"
)

// MaxFields is how many fields inference finds at most in records that name their fields: objects used as maps
// have no end of keys. Those first seen are found. The columns of CSV have a limit of their own, [MaxColumns].
const MaxFields = 4096

// maxInferredDepth is how deep in objects inference finds fields.
const maxInferredDepth = 16

// InferJSON tells the fields of the records in a sample of NDJSON or of a JSON array. A last record
// that is broken where the sample ends is not counted as bad. It fails when an array was promised and is not there.
//
// Nested objects are fields of type JSON, followed by their members under dotted names.
func InferJSON(sample []byte, array bool) (*Shape, error) {
	in := jsonInference{shape: &Shape{Format: NDJSON}}
	if !array {
		in.lines(sample)
	} else {
		in.shape.Format = JSONArray
		if p := skipSpace(sample, 0); p < len(sample) {
			if sample[p] != '[' {
				return nil, errors.New("not a JSON array: it does not begin with [")
			}
			in.elements(sample, p+1)
		}
	}
	for _, n := range in.root.kids {
		in.flatten(n, nil)
	}
	return in.shape, nil
}

// jsonInference gathers evidence from records.
type jsonInference struct {
	shape   *Shape
	scanner jsonScanner
	root    inferredNode
	fields  int
	scratch []byte
}

// inferredNode is a key with what was seen of its values.
type inferredNode struct {
	key   string
	kids  []*inferredNode // in the order first seen
	byKey map[string]*inferredNode
	evidence
}

func (in *jsonInference) lines(b []byte) {
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n')
		whole := end >= 0
		if !whole {
			end = len(b)
		}
		if line := b[:end]; skipSpace(line, 0) < end {
			in.record(line, whole)
		}
		b = b[min(end+1, len(b)):]
	}
}

func (in *jsonInference) elements(b []byte, p int) {
	for begin := p; ; {
		var e elements
		end, found := e.next(b, p)
		closed := !found || b[end] == ']'
		empty := skipSpace(b[:end], p) == end
		if !empty || !closed || p > begin && found {
			in.record(b[p:end], found)
		}
		if closed {
			return
		}
		p = end + 1
	}
}

// record takes the evidence of one record; whole says that its end was seen.
func (in *jsonInference) record(b []byte, whole bool) {
	p := skipSpace(b, 0)
	end, f := in.scanner.value(b, p, 0)
	if end < 0 || skipSpace(b, end) < len(b) || f != formNested || b[p] != '{' {
		if whole {
			in.shape.Bad++
		}
		return
	}
	in.shape.Records++
	in.object(b, p, &in.root, 1)
}

// object takes the evidence of the valid object at p and returns its end.
func (in *jsonInference) object(b []byte, p int, node *inferredNode, depth int) int {
	p = skipSpace(b, p+1)
	for b[p] != '}' {
		end, _ := scanString(b, p)
		in.scratch = appendUnquoted(in.scratch[:0], b[p+1:end-1])
		kid := in.kid(node, in.scratch)
		p = in.member(b, skipSpace(b, skipSpace(b, end)+1), kid, depth)
		if p = skipSpace(b, p); b[p] == ',' {
			p = skipSpace(b, p+1)
		}
	}
	return p + 1
}

// member takes the evidence of the value at p, whose key is node, or nobody's if nil.
func (in *jsonInference) member(b []byte, p int, node *inferredNode, depth int) int {
	end, f := in.scanner.value(b, p, 0)
	if node == nil {
		return end
	}
	switch v := b[p:end]; f {
	case formInt:
		node.number(v, intLiteral)
	case formReal:
		node.number(v, realLiteral)
	case formWord:
		if v[0] == 'n' {
			node.null()
		} else {
			node.boolean(v)
		}
	case formNested:
		node.nested(v)
		if v[0] == '{' && depth < maxInferredDepth {
			in.object(b, p, node, depth+1)
		}
	default:
		in.scratch = appendUnquoted(in.scratch[:0], v[1:len(v)-1])
		node.text(in.scratch)
	}
	return end
}

// kid returns the node of key below n, nil when there are too many.
func (in *jsonInference) kid(n *inferredNode, key []byte) *inferredNode {
	if kid := n.byKey[string(key)]; kid != nil {
		return kid
	}
	if in.fields == MaxFields {
		in.shape.More = true
		return nil
	}
	in.fields++
	kid := &inferredNode{key: string(key)}
	n.kids = append(n.kids, kid)
	if n.byKey == nil {
		n.byKey = map[string]*inferredNode{}
	}
	n.byKey[kid.key] = kid
	return kid
}

// flatten adds the field of n and those below it to the shape.
func (in *jsonInference) flatten(n *inferredNode, parent []string) {
	path := append(parent[:len(parent):len(parent)], n.key)
	in.shape.Fields = append(in.shape.Fields, n.field(path, strings.Join(path, ".")))
	for _, kid := range n.kids {
		in.flatten(kid, path)
	}
}
