package synopsis

import "math"

// BlockRanks follows how well the rows of blocks of a file, drawn by chance, know one quantile of a cell. Rows of a block
// may be alike; how much is told by a pilot, a value near the quantile: with c_b of the k_b rows of block b up
// to it and r = sum c / sum k over m blocks, r has the variance of a ratio (Cochran, Sampling Techniques, 3rd edition, section 9A.6),
//
//	V = (1-f) m/(m-1) sum (c_b - r k_b)^2 / (sum k)^2
//
// that of rows drawn one by one times the design effect D = m/(m-1) sum (c_b - r k_b)^2 / (r (1-r) sum k). The rows are worth
// as many as n/(D (1-f)) drawn with replacement: the factor of the finite population f, the share of the blocks that were
// read, comes in here and nowhere else.
//
// A pilot is the quantile of the blocks so far, and the blocks after it are counted against it. There is one after 8 blocks and
// 200 rows, and another one whenever the blocks have doubled, of which the last two are kept: that before the last one is
// of a quarter of the blocks at least and has been counted against by half of them. The zero value is empty. It holds no
// pointer.
type BlockRanks struct {
	open           int64 // the number of the open block plus one, 0 where there is none
	n              int64 // of the open block, and what its rows stand for
	k              float64
	rows, blocks   int64 // folded
	total, squares float64
	next           int64 // blocks at the next pilot
	thinned        bool  // some rows stand for more than themselves
	pilots         [2]rankPilot
}

// rankPilot is a pilot and what was counted against it. There is one where share > 0.
type rankPilot struct {
	value, share float64
	c            float64 // of the open block
	rows         int64
	blocks       int64
	sums         blockSums // of k_b and x_b = c_b - share k_b
}

// Least numbers for a pilot to be chosen, and for it to be gone by.
const (
	pilotBlocks   = 8
	pilotRows     = 200
	rankBlocks    = 30 // with rows of the cell
	countedBlocks = 15 // after the pilot
)

// Enter says that the next rows are those of a block. It reports whether a pilot is due, which Aim then gives.
func (b *BlockRanks) Enter(block int64) (due bool) { return b.open != block+1 && b.enter(block) }

func (b *BlockRanks) enter(block int64) (due bool) {
	b.fold()
	b.open = block + 1
	return b.blocks >= max(b.next, pilotBlocks) && b.rows >= pilotRows
}

// Aim makes value the pilot, which is quantile q of the rows before the open block, 0 < q < 1.
func (b *BlockRanks) Aim(value, q float64) {
	b.pilots[0], b.pilots[1] = b.pilots[1], rankPilot{value: value, share: q}
	b.next = 2 * b.blocks
}

// Add adds a row of the block that was entered last, which stands for w rows of it.
func (b *BlockRanks) Add(x, w float64) {
	b.n++
	b.k += w
	if x <= b.pilots[0].value {
		b.pilots[0].c += w
	}
	if x <= b.pilots[1].value {
		b.pilots[1].c += w
	}
}

// fold closes the open block.
func (b *BlockRanks) fold() {
	if b.n > 0 {
		b.blocks++
		b.rows += b.n
		b.total += b.k
		b.squares += b.k * b.k
		b.thinned = b.thinned || b.k != float64(b.n)
	}
	for i := range b.pilots {
		p := &b.pilots[i]
		if b.n > 0 && p.share > 0 {
			p.blocks++
			p.rows += b.n
			p.sums.add(b.k, p.c-p.share*b.k)
		}
		p.c = 0
	}
	b.open, b.n, b.k = 0, 0, 0
}

// AddUnseen adds n rows of the block that was entered last, which stand for w together and whose values are not looked at: of a cell with such
// rows blocks count as rows.
func (b *BlockRanks) AddUnseen(n int64, w float64) {
	b.n += n
	b.k += w
}

// Rows returns how many rows drawn with replacement the rows are worth at quantile q, for Ranks, and whether that can be relied on. They are
// infinitely many where all rows are there.
//
// Rows are worth no less than if all of a block were on the same side, and no more than if each had been drawn by itself: values
// that are spread evenly over blocks gain nothing by it. The error of the design effect is reckoned with as in Student's t, with the degrees of
// freedom of its variance, 2m/(b-1), where b is the kurtosis of c_b - r k_b. Where there is no pilot, or it is far from the quantile, or
// fewer than 30 blocks have rows, blocks count as rows.
//
// Nothing tells of blocks none of which was read. It is not to be relied on where so few blocks were read that all that are beyond the quantile,
// if those were whole blocks, might not be among them: fewer than ln(1-confidence)/ln(max(q, 1-q)), 299 for the 99th percentile at 95 %.
func (b BlockRanks) Rows(q float64, c Clusters, confidence float64) (rows float64, reliable bool) {
	b.fold()
	rest := 1 - 1/c.weight()
	switch {
	case b.blocks == 0:
		return 0, false
	case b.thinned: // inside of blocks, too, which the blocks differ by
		rest = 1
	case rest <= 0:
		return math.Inf(1), true
	}
	rows = float64(b.rows)
	least := min(b.total*b.total/b.squares, rows)
	reliable = least/rest*math.Log(max(q, 1-q)) <= math.Log(1-confidence)
	if effect, free, ok := b.effect(q); ok {
		t := &quantilesAt(confidence).student
		ratio := t.quantile(free) / t.quantile(math.Inf(1))
		least = max(least, rows/max(1, effect*ratio*ratio))
	}
	return least / rest, reliable
}

// effect returns the design effect near quantile q and its degrees of freedom; ok is false where too little is known.
func (b *BlockRanks) effect(q float64) (effect, free float64, ok bool) {
	p := &b.pilots[0]
	if p.share == 0 {
		p = &b.pilots[1]
	}
	if p.share == 0 || b.blocks < rankBlocks || p.blocks < countedBlocks {
		return 0, 0, false
	}
	k, m := p.sums.k(), float64(p.blocks)
	off := p.sums.x() / k
	r := p.share + off
	near := r * (1 - r) / (q * (1 - q))
	d := p.sums.powers(1, off)
	if !(near >= 1.0/pilotNear && near <= pilotNear && d[1] > 0) {
		return 0, 0, false
	}
	effect = m / (m - 1) * d[1] * float64(p.rows) / (k * k * r * (1 - r))
	free = m - 1
	if excess := m*d[3]/(d[1]*d[1]) - 1; excess > 0 {
		free = min(free, 2*m/excess)
	}
	return effect, free, true
}

// pilotNear bounds by how much r(1-r) at a pilot can differ from q(1-q) for it to be near the quantile.
const pilotNear = 4
