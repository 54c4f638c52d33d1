package op

import (
	"fmt"
	"io"
	"math"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
)

// universe hashes keys. The hash depends on the seed and the values alone, and is equal for equal numbers of any type; a
// drop keeps the keys below a threshold, so that lower thresholds keep subsets.
type universe struct {
	seed uint64
	keys []input
	hash []uint64
}

// universeSalt keeps the hash apart from those of other uses of the run's seed.
const universeSalt = 0x8cb92ba72f3d8dd7

// nullHash is what NULL counts as.
const nullHash = 0x2545f4914f6cdd1d

func newUniverse(seed uint64, keys []*expr.Node) (*universe, error) {
	u := &universe{seed: sketch.HashInt(seed ^ universeSalt)}
	for _, k := range keys {
		in, err := newInput(k)
		if err != nil {
			return nil, err
		}
		u.keys = append(u.keys, in)
	}
	return u, nil
}

// hashes returns the hash of the key of each row of b.Sel, valid until the next call.
func (u *universe) hashes(b *tuple.Batch) []uint64 {
	u.hash = tuple.Resize(u.hash, len(b.Sel))
	for i := range u.hash {
		u.hash[i] = u.seed
	}
	for i := range u.keys {
		stir(u.hash, u.keys[i].column(b, b.Sel), b.Sel)
	}
	return u.hash
}

// stir mixes the values of a column into the hashes of its rows.
func stir(hash []uint64, c *tuple.Column, sel []uint16) {
	hash = hash[:len(sel)]
	switch {
	case c.Type == tuple.Null:
		for i := range hash {
			hash[i] = sketch.HashInt(hash[i] ^ nullHash)
		}
	case c.Type.Bytes():
		for i, r := range sel {
			h := uint64(nullHash)
			if c.Null == nil || !c.Null[r] {
				h = sketch.Hash(c.Str(int(r)))
			}
			hash[i] = sketch.HashInt(hash[i] ^ h)
		}
	case c.Null == nil && c.Rep == tuple.RepInt && c.Type != tuple.Boolean:
		for i, r := range sel {
			hash[i] = sketch.HashInt(hash[i] ^ sketch.HashInt(uint64(c.I[r])))
		}
	default:
		for i, r := range sel {
			h := uint64(nullHash)
			if v := numberAt(c, r); v.kind() != kindNull {
				h = hashNumber(v)
			}
			hash[i] = sketch.HashInt(hash[i] ^ h)
		}
	}
}

// threshold returns the hash below which a share of keep of all hashes lies, less one.
func threshold(keep float64) uint64 {
	if keep >= 1 {
		return math.MaxUint64
	}
	return uint64(max(keep*0x1p64-1, 0))
}

// universeDrop keeps all rows of a key or none.
type universeDrop struct {
	epochs
	universe
	spread spread
	sel    [tuple.MaxRows]uint16
	unit   []uint8
}

func newUniverseDrop(spec *Drop) (*universeDrop, error) {
	u, err := newUniverse(spec.Seed, spec.Keys)
	if err != nil {
		return nil, err
	}
	return &universeDrop{epochs: epochs{spec: spec, number: -1}, universe: *u}, nil
}

// Process implements Operator.
func (d *universeDrop) Process(_ int, b *tuple.Batch, out Emitter) error {
	d.follow(b)
	whole := len(d.spec.Keeps) == 1 && d.keep == 1
	var hash []uint64
	if !whole {
		hash = d.hashes(b)
		d.spread.add(hash)
		d.unit = tuple.Resize(d.unit, b.N)
		for i, r := range b.Sel {
			d.unit[r] = uint8(hash[i] % tuple.UniverseGroups)
		}
	}
	for sel := b.Sel; ; {
		if d.left == 0 && len(sel) > 0 {
			d.next()
		}
		n := int(min(int64(len(sel)), d.left))
		kept := sel[:n]
		if d.keep < 1 {
			kept = d.choose(kept, hash[:n])
		}
		d.count(n, len(kept))
		batch := d.stamp(b, kept)
		if !whole {
			batch.Unit = d.unit
			hash = hash[n:]
		}
		if err := out.Emit(batch); err != nil {
			return err
		}
		if sel = sel[n:]; len(sel) == 0 {
			return nil
		}
	}
}

// choose returns those of the rows whose hashes are below the threshold.
func (d *universeDrop) choose(sel []uint16, hash []uint64) []uint16 {
	kept, top := 0, threshold(d.keep)
	for i, r := range sel {
		d.sel[kept%tuple.MaxRows] = r
		if hash[i] <= top {
			kept++
		}
	}
	return d.sel[:kept]
}

// Notes implements Noter. It has something to say when in some stretch of 32,768 offered rows one key had a third of them or more, which
// is never reported of less and always of two thirds. The sample is then no better than one of a few keys (estimators.md section 4).
func (d *universeDrop) Notes() []string {
	if d.spread.skewed == 0 {
		return nil
	}
	return []string{fmt.Sprintf("one value of %s has a third or more of the records: whether it was kept decides the answers, and their intervals are wide or cannot be relied on",
		listed(d.spec.Keys))}
}

// Advance implements Operator.
func (d *universeDrop) Advance(int, int64, Emitter) (bool, error) { return true, nil }

// Shed implements Sheds.
func (d *universeDrop) Shed() int64 { return d.shed }

// Faults implements Faults.
func (d *universeDrop) Faults() map[string]int64 {
	sum := map[string]int64{}
	for _, p := range d.programs() {
		p.AddFaults(sum)
	}
	return sum
}

// programs returns the programs of the keys that are not just columns.
func (u *universe) programs() []*expr.Program { return programsOf(u.keys) }

func programsOf(inputs []input) []*expr.Program {
	var list []*expr.Program
	for i := range inputs {
		if p := inputs[i].prog; p != nil {
			list = append(list, p)
		}
	}
	return list
}

// Save implements Saver.
func (d *universeDrop) Save(to io.Writer) error {
	return saveState(to, func(w *stateWriter) {
		d.save(w)
		d.spread.save(w)
		for _, p := range d.programs() {
			w.faults(p.Faults())
		}
	})
}

// Load implements Saver.
func (d *universeDrop) Load(from io.Reader) error {
	return loadState(from, func(r *stateReader) {
		d.load(r)
		d.spread.load(r)
		for _, p := range d.programs() {
			p.SetFaults(r.faults())
		}
	})
}

// spread watches whether one key has most of the rows: by the majority vote of Boyer and Moore (1981), whose winner has at
// least as many rows as votes are left, and a key with a share of s of n rows is left with at least (2s - 1) n.
type spread struct {
	winner uint64
	votes  int64
	rows   int64 // in the stretch
	skewed int64
}

func (s *spread) add(hash []uint64) {
	for len(hash) > 0 {
		n := min(len(hash), int(minEpoch-s.rows))
		s.vote(hash[:n])
		hash = hash[n:]
		if s.rows += int64(n); s.rows == minEpoch {
			if 3*s.votes >= minEpoch {
				s.skewed++
			}
			s.rows, s.votes = 0, 0
		}
	}
}

func (s *spread) vote(hash []uint64) {
	winner, votes := s.winner, s.votes
	for _, h := range hash {
		switch {
		case h == winner:
			votes++
		case votes == 0:
			winner, votes = h, 1
		default:
			votes--
		}
	}
	s.winner, s.votes = winner, votes
}

func (s *spread) save(w *stateWriter) {
	w.u64(s.winner)
	for _, v := range [...]int64{s.votes, s.rows, s.skewed} {
		w.i64(v)
	}
}

func (s *spread) load(r *stateReader) {
	s.winner = r.u64()
	for _, v := range [...]*int64{&s.votes, &s.rows, &s.skewed} {
		*v = r.i64()
	}
	r.require(s.votes >= 0 && s.votes <= s.rows && s.rows >= 0 && s.rows < minEpoch)
}
