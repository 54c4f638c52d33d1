package codec

import (
	"bytes"
	"encoding/binary"
	"unsafe"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// layoutTree remembers how the records of a stream are laid out. The bytes of a record before its first
// value, between its values and behind the last one are matched exactly: a node stands for such a
// piece and the form of the value behind it. Nodes that may stand at the same place are chained; which
// of them fits is decided by the bytes alone, because values of different forms begin with different bytes, so following
// the tree never goes back. For
//
//	{"ts":12,"user":"ann","ok":true}
//	{"ts":13,"user":null}
//
// the tree is
//
//	{"ts": number ─ ,"user":" string ─ ,"ok":true ─ }
//	              └ ,"user":null ─ }
//
// Records without an order of keys would fill it: when it or a chain is full it learns no more, and starts anew
// after a pause that doubles each time.
type layoutTree struct {
	nodes  [maxLayoutNodes]layoutNode
	used   int         // nodes in use
	root   *layoutNode // first node of the first chain
	text   []byte      // the nodes' bytes
	spare  int         // slot for values that nobody wants
	full   bool        // some layout found no room
	pause  int         // Scans until teaching is tried again
	pauses int         // length of the last pause
}

const (
	maxLayoutNodes = 512
	maxLayoutChain = 16
	maxLayoutText  = 1<<16 - 1
	maxLayoutPause = 1 << 10
)

// layoutKind says what stands behind a node's bytes.
type layoutKind uint8

const (
	layoutString layoutKind = iota // the opening quote belongs to the node's bytes
	layoutNumber
	layoutWord   // true, false or null: belongs to the node's bytes
	layoutNested // an object or a list
	layoutEnd    // nothing: the record ends
)

// layoutNode is a piece of layout.
type layoutNode struct {
	word  [2]uint64   // the first 16 bytes
	mask  [2]uint64   // ones where they count
	next  *layoutNode // first node of the chain behind the value
	other *layoutNode // next node of this chain
	slot  uint32      // how many bytes behind the spans' beginning the first row's value goes
	at    uint16      // text[at : at+size] are the bytes
	size  uint16
	marks uint16 // how many of the bytes are marks
	depth uint16 // how many objects are around the value
	kind  layoutKind
	back  uint8 // how many of the bytes are the value's
}

// layoutValue is a value of a record that is taught to the tree.
type layoutValue struct {
	p, end int
	form   form
	slot   int
	depth  int
}

// renew is called before each Scan and makes room when the tree is full and the pause over.
func (t *layoutTree) renew() {
	switch {
	case !t.full:
	case t.pause > 0:
		t.pause--
	default:
		t.pauses = min(2*t.pauses+1, maxLayoutPause)
		t.pause = t.pauses
		t.used, t.root, t.text, t.full = 0, nil, t.text[:0], false
	}
}

// teach adds the layout of the record from p to the end of b.
func (t *layoutTree) teach(b []byte, p int, values []layoutValue) {
	link := &t.root
	for _, v := range values {
		n := layoutNode{slot: uint32(v.slot*tuple.MaxRows) * uint32(unsafe.Sizeof(span(0))), depth: uint16(v.depth)}
		end := v.p
		switch v.form {
		case formInt, formReal:
			n.kind = layoutNumber
		case formWord:
			n.kind, n.back = layoutWord, uint8(v.end-v.p)
			end = v.end
		case formNested:
			n.kind = layoutNested
		default:
			n.kind, n.back = layoutString, 1
			end++
		}
		if link = t.extend(link, n, b[p:end]); link == nil {
			return
		}
		p = v.end
	}
	t.extend(link, layoutNode{kind: layoutEnd}, b[p:])
}

// extend finds or adds node n with bytes lit in the chain that link leads to. It returns the link to the chain
// behind it, nil when there is no room.
func (t *layoutTree) extend(link **layoutNode, n layoutNode, lit []byte) **layoutNode {
	length := 0
	for ; *link != nil; length++ {
		have := *link
		if have.kind == n.kind && have.slot == n.slot && bytes.Equal(t.bytes(have), lit) {
			return &have.next
		}
		link = &have.other
	}
	t.full = t.full || length == maxLayoutChain || t.used == maxLayoutNodes || len(t.text)+len(lit) > maxLayoutText
	if t.full {
		return nil
	}
	var first [16]byte
	copy(first[:], lit)
	for i := range n.word {
		n.word[i] = binary.LittleEndian.Uint64(first[8*i:])
		if here := len(lit) - 8*i; here > 0 {
			n.mask[i] = ^uint64(0) >> (64 - 8*min(here, 8))
		}
	}
	n.at, n.size = uint16(len(t.text)), uint16(len(lit))
	for _, c := range lit {
		if c < 0x20 || c == '"' || c == '\\' {
			n.marks++
		}
	}
	t.text = append(t.text, lit...)
	*link = &t.nodes[t.used]
	t.used++
	**link = n
	return &(*link).next
}

func (t *layoutTree) bytes(n *layoutNode) []byte {
	return t.text[n.at : int(n.at)+int(n.size)]
}
