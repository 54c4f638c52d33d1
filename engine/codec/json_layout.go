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
	used   int    // nodes in use, node 0 being none
	root   uint16 // first node of the first chain
	text   []byte // the nodes' bytes
	spare  int    // slot for values that nobody wants
	full   bool   // some layout found no room
	pause  int    // Scans until teaching is tried again
	pauses int    // length of the last pause
}

const (
	maxLayoutNodes = 512 // power of two
	maxLayoutChain = 16
	maxLayoutText  = 1 << 16
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

// layoutNode is a piece of layout. Nodes are named by their index.
type layoutNode struct {
	word  [2]uint64 // the first 16 bytes
	mask  [2]uint64 // ones where they count
	slot  int       // where in spans the first row's value goes
	at    uint32    // text[at : at+size] are the bytes
	size  uint32
	next  uint16 // first node of the chain behind the value
	other uint16 // next node of this chain
	kind  layoutKind
	back  uint8  // how many of the bytes are the value's
	depth uint16 // how many objects are around the value
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
		t.used, t.root, t.text, t.full = 0, 0, t.text[:0], false
	}
}

// teach adds the layout of the record from p to the end of b.
func (t *layoutTree) teach(b []byte, p int, values []layoutValue) {
	link := &t.root
	for _, v := range values {
		n := layoutNode{slot: v.slot * tuple.MaxRows, depth: uint16(v.depth)}
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
func (t *layoutTree) extend(link *uint16, n layoutNode, lit []byte) *uint16 {
	length := 0
	for ; *link != 0; length++ {
		have := &t.nodes[*link]
		if have.kind == n.kind && have.slot == n.slot && bytes.Equal(t.bytes(have), lit) {
			return &have.next
		}
		link = &have.other
	}
	t.full = t.full || length == maxLayoutChain || t.used+1 == maxLayoutNodes || len(t.text)+len(lit) > maxLayoutText
	if t.full {
		return nil
	}
	t.used++
	*link = uint16(t.used)
	var first [16]byte
	copy(first[:], lit)
	for i := range n.word {
		n.word[i] = binary.LittleEndian.Uint64(first[8*i:])
		if here := len(lit) - 8*i; here > 0 {
			n.mask[i] = ^uint64(0) >> (64 - 8*min(here, 8))
		}
	}
	n.at, n.size = uint32(len(t.text)), uint32(len(lit))
	t.text = append(t.text, lit...)
	t.nodes[t.used] = n
	return &t.nodes[t.used].next
}

func (t *layoutTree) bytes(n *layoutNode) []byte { return t.text[n.at : n.at+n.size] }

// Near the end of the data records are left to scanRecord, so that follow may load words without asking:
// a node's first 16 bytes and the word behind them, then the word behind each word that it asked about.
const (
	nodeRoom = 64
	wordRoom = 32
)

// follow reads the record at p along the tree into the row at hand. It returns the record's end, or -1 when
// the record is left to scanRecord.
//
// It is one function, longer than others, because its loop runs once per value and lives in registers.
func (d *jsonDecoder) follow(base unsafe.Pointer, p int) int {
	nodeLimit, wordLimit := len(d.data)-nodeRoom, len(d.data)-wordRoom
	t := &d.layout
	at := t.root
	for at != 0 && p <= nodeLimit {
		n := &t.nodes[at%maxLayoutNodes]
		at = n.other
		if (load8(base, p)^n.word[0])&n.mask[0] != 0 {
			continue
		}
		q := p + int(n.size)
		if n.size > 8 {
			if (load8(base, p+8)^n.word[1])&n.mask[1] != 0 {
				continue
			}
			if n.size > 16 && (q > len(d.data)-nodeRoom+16 || !bytes.Equal(d.data[p:q], t.bytes(n))) {
				continue
			}
		}
		begin := q
		var f form
		switch n.kind {
		case layoutString:
			begin--
			w := load8(base, q)
			stops := stringStops(w)
			seen := w
			for stops == 0 {
				if q += 8; q > wordLimit {
					return -1
				}
				w = load8(base, q)
				stops = stringStops(w)
				seen |= w
			}
			q += firstByte(stops)
			f = formASCII
			if seen&highs != 0 {
				f = formUTF8
			}
			if load1(base, q) == '"' {
				q++
			} else if q, f = scanString(d.data, begin); q < 0 {
				return -1
			}
		case layoutNumber:
			if q, f = followNumber(d.data, q); q < 0 {
				continue
			}
		case layoutWord:
			begin -= int(n.back)
			f = formWord
		case layoutNested:
			if c := load1(base, q); c != '{' && c != '[' {
				continue
			}
			if q = d.scanner.nested(d.data, q, int(n.depth)); q < 0 {
				return -1
			}
			f = formNested
		case layoutEnd:
			return q
		}
		d.spans[n.slot+d.rows] = makeSpan(begin, q, f)
		p, at = q, n.next
	}
	return -1
}

// followNumber reads the number at p, which is further than wordRoom from data's end. It returns -1 when there is
// none or the end comes too near.
func followNumber(data []byte, p int) (end int, f form) {
	base, limit := unsafe.Pointer(unsafe.SliceData(data)), len(data)-wordRoom
	start := p
	w := load8(base, p)
	if byte(w) == '-' {
		p++
		w = load8(base, p)
	}
	begin, lead := p, byte(w)
	stops := nonDigits(w)
	for stops == 0 {
		if p += 8; p > limit {
			return -1, formInt
		}
		stops = nonDigits(load8(base, p))
	}
	p += firstByte(stops)
	if p == begin || lead == '0' && p > begin+1 {
		return -1, formInt
	}
	f = formInt
	c := load1(base, p)
	if c == '.' {
		p++
		begin, f = p, formReal
		for stops = nonDigits(load8(base, p)); stops == 0; stops = nonDigits(load8(base, p)) {
			if p += 8; p > limit {
				return -1, formReal
			}
		}
		if p += firstByte(stops); p == begin {
			return -1, formReal
		}
		c = load1(base, p)
	}
	if c|0x20 == 'e' {
		end, _ = scanNumber(data, start)
		return end, formReal
	}
	return p, f
}
