package op

import (
	"io"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// randomDrop keeps rows by chance: it draws how many to leave out before the next one, so that dropping costs nothing per
// row dropped (Bernoulli sampling by geometric skips).
type randomDrop struct {
	epochs
	skips synopsis.Skips
	skip  int64 // rows to leave out before the next one that is kept; below keep 1
	sel   [tuple.MaxRows]uint16
}

func newRandomDrop(spec *Drop) *randomDrop {
	return &randomDrop{epochs: epochs{spec: spec, number: -1}}
}

// Process implements Operator.
func (d *randomDrop) Process(_ int, b *tuple.Batch, out Emitter) error {
	if d.follow(b) {
		d.reseed()
	}
	for sel := b.Sel; ; {
		if d.left == 0 && len(sel) > 0 {
			d.next()
			d.reseed()
		}
		n := int(min(int64(len(sel)), d.left))
		kept := d.choose(sel[:n])
		d.count(n, len(kept))
		if err := out.Emit(d.stamp(b, kept)); err != nil {
			return err
		}
		if sel = sel[n:]; len(sel) == 0 {
			return nil
		}
	}
}

// reseed starts the stream of the epoch.
func (d *randomDrop) reseed() {
	d.skip = 0
	if d.keep < 1 {
		d.skips.Reset(d.keep, d.spec.Seed, streamOf(d.spec.Location, d.number))
		d.skip = d.skips.Next()
	}
}

// choose returns those of the rows that are kept.
func (d *randomDrop) choose(sel []uint16) []uint16 {
	if d.keep == 1 {
		return sel
	}
	kept, at, n := 0, d.skip, int64(len(sel))
	for at < n {
		d.sel[kept%tuple.MaxRows] = sel[at]
		kept++
		at += 1 + d.skips.Next() // a skip is at most 2^62
	}
	d.skip = at - n
	return d.sel[:kept]
}

// Advance implements Operator.
func (d *randomDrop) Advance(int, int64, Emitter) (bool, error) { return true, nil }

// Shed implements Sheds.
func (d *randomDrop) Shed() int64 { return d.shed }

// Save implements Saver.
func (d *randomDrop) Save(to io.Writer) error {
	return saveState(to, func(w *stateWriter) {
		d.save(w)
		w.i64(d.skip)
	})
}

// maxReplay bounds what Load draws again, so that a forged state cannot make it draw for ever.
const maxReplay = 1 << 32

// Load implements Saver. It draws what the epoch drew before: a skip at its beginning and one per row kept.
func (d *randomDrop) Load(from io.Reader) error {
	return loadState(from, func(r *stateReader) {
		d.load(r)
		skip := r.i64()
		r.require(skip >= 0)
		if r.err != nil || d.number < 0 || d.keep == 1 {
			return
		}
		if r.require(d.stratum.Kept < maxReplay); r.err != nil {
			return
		}
		d.reseed()
		for range d.stratum.Kept {
			d.skips.Next()
		}
		d.skip = skip
	})
}
