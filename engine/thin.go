package engine

import (
	"math"
	"sort"
	"strconv"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/source"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/synopsis"
)

// ghostEvery is how many records are offered for each one whose time is read though it is dropped, where windows close
// by watermark. Going by number, which ones these are depends on nothing else.
const ghostEvery = 512

// Default length of an epoch in records: minEpoch, or as many as keep minKept of them (estimators.md section 1).
const (
	minEpoch = 1 << 15
	minKept  = 128
)

// rawDrop is a random drop at the raw arc of a stream that serves one query.
type rawDrop struct {
	spec   *op.Drop
	place  uint8 // first byte of its strata's IDs
	ghosts bool
	merge  bool // chunks of which little is left may be merged
}

// thinner drops records of a stream before they are decoded. It belongs to the reader. What it keeps depends on the
// seed, the location, the epoch and the number of the record among those offered, not on chunks.
type thinner struct {
	*rawDrop
	layout *layout // of the last chunk
	split  *codec.Splitter
	skips  synopsis.Skips

	epoch   int64 // its number, -1 before the first
	length  int64 // records offered in it
	stratum tuple.Stratum
	untold  bool  // records were dropped since the stratum's totals were handed on
	offered int64 // records, in all epochs
	// How many records to keep next, and how many to drop after that.
	keep, gap int64
}

func newThinner(d *rawDrop, split *codec.Splitter) *thinner {
	return &thinner{rawDrop: d, split: split, epoch: -1}
}

// next begins the next epoch.
func (t *thinner) next() {
	t.epoch++
	spec := t.spec
	keep := spec.Keeps[t.epoch%int64(len(spec.Keeps))]
	switch {
	case keep == 1 && len(spec.Keeps) == 1:
		t.length = math.MaxInt64
	case spec.Epoch > 0:
		t.length = spec.Epoch
	default:
		t.length = int64(max(minEpoch, math.Ceil(minKept/keep)))
	}
	t.stratum = tuple.Stratum{ID: uint32(t.place)<<24 | uint32(t.epoch)&(1<<24-1), Kind: tuple.Random, Raw: true, Keep: keep}
	t.keep, t.gap = 0, 0
	stream := xxhash.Sum64String("raw " + spec.Location + " " + strconv.FormatInt(t.epoch, 10))
	switch {
	case keep <= 0.5:
		t.skips.Reset(keep, spec.Seed, stream)
		t.gap = t.skips.Next()
	case keep < 1:
		t.skips.Reset(1-keep, spec.Seed, stream)
	}
}

// draw decides how many records to keep next and how many to drop then: by the runs of what is rarer.
func (t *thinner) draw() {
	switch keep := t.stratum.Keep; {
	case keep == 1:
		t.keep = math.MaxInt64
	case keep > 0.5:
		t.keep, t.gap = t.skips.Next(), 1
	default:
		for t.keep = 1; ; t.keep++ {
			if t.gap = t.skips.Next(); t.gap > 0 {
				return
			}
		}
	}
}

// thin appends what is kept of c to dst and tells to about it. dst may be the empty front of c's own data.
func (t *thinner) thin(to *thinned, dst []byte, c *source.Chunk) []byte {
	data, p := c.Data, 0
	if c.First {
		if p, to.header = t.split.Lead(data); to.header {
			dst = append(dst, data[:p]...)
		}
	}
	for p < len(data) {
		if t.stratum.Offered == t.length {
			if t.epoch >= 0 {
				t.close(to, len(dst))
			}
			t.next()
		}
		n, wanted, ghost := t.step(int64(len(data) - p))
		if !wanted {
			next, found := t.split.Skip(data, p, n)
			t.count(int64(found), 0)
			t.gap -= int64(found)
			p = next
			continue
		}
		if p = t.split.Begin(data, p); p == len(data) {
			break
		}
		next, found := t.split.Skip(data, p, n)
		to.add(run{
			offset: len(dst), pos: c.Pos + int64(p), number: t.offered - to.before,
			offered: t.stratum.Offered + 1, kept: t.stratum.Kept + 1, ghost: ghost,
		}, found)
		dst = append(dst, data[p:next]...)
		if ghost {
			t.count(1, 0)
			t.gap--
		} else {
			t.count(int64(found), int64(found))
			t.keep -= int64(found)
		}
		p = next
	}
	return dst
}

// step returns for how many of the next records, at most limit, the same is decided: whether their bytes are wanted, and
// whether for their times alone.
func (t *thinner) step(limit int64) (n int, wanted, ghost bool) {
	if t.keep == 0 && t.gap == 0 {
		t.draw()
	}
	limit = min(limit, t.length-t.stratum.Offered)
	if t.keep > 0 {
		return int(min(t.keep, limit)), true, false
	}
	limit = min(limit, t.gap)
	if !t.ghosts {
		return int(limit), false, false
	}
	if till := ghostEvery - 1 - t.offered%ghostEvery; till > 0 {
		return int(min(limit, till)), false, false
	}
	return 1, true, true
}

func (t *thinner) count(offered, kept int64) {
	t.offered += offered
	t.stratum.Offered += offered
	t.stratum.Kept += kept
	t.untold = true
}

// close ends the part of to that ends at byte end of its data, with the totals so far.
func (t *thinner) close(to *thinned, end int) {
	to.parts = append(to.parts, part{end: end, stratum: t.stratum, closed: true})
	to.open, t.untold = false, false
}

// begin makes to ready for the first chunk of a job.
func (t *thinner) begin(to *thinned) {
	*to = thinned{runs: to.runs[:0], parts: to.parts[:0], ghosts: to.ghosts[:0], before: t.offered}
}

// finish ends to after the last chunk of a job.
func (t *thinner) finish(to *thinned, end int) {
	if to.open || to.header && len(to.parts) == 0 {
		to.parts = append(to.parts, part{end: end, stratum: t.stratum})
	}
	to.offered = t.offered - to.before
}

// thinned says what the data of a thinned job are of the records offered.
type thinned struct {
	runs    []run
	parts   []part
	ghosts  []int // records that are read for their times alone
	records int   // in the data, ghosts among them
	before  int64 // records offered before
	offered int64 // records offered
	header  bool  // the data begin with a header
	open    bool  // there are records behind the last part
	bad     int   // 1: the header is a bad record
	first   int64 // number of the job's first record in its stream; set when the job is admitted
}

// part is the data that is from one epoch.
type part struct {
	end     int           // of its bytes
	stratum tuple.Stratum // when the epoch ended, or handing it on, if closed; else the totals are those of its last record
	closed  bool
}

// run is records that stood one behind the other in their file.
type run struct {
	record  int   // number of the first in the data
	offset  int   // of its first byte in the data
	pos     int64 // of that byte in the file
	number  int64 // of the first among the records that the job was offered
	offered int64 // records offered in the epoch up to the first, it included
	kept    int64 // those of them that were kept; for a ghost one more
	ghost   bool
}

func (th *thinned) add(r run, records int) {
	r.record = th.records
	if r.ghost {
		r.kept--
		th.ghosts = append(th.ghosts, th.records)
	}
	th.runs = append(th.runs, r)
	th.records += records
	th.open = true
}

// dropped returns how many records are not in the data, but for their times.
func (th *thinned) dropped() int64 { return th.offered - int64(th.records-len(th.ghosts)) }

// at returns the run that record k of the data is in, and its number there.
func (th *thinned) at(k int) (*run, int) {
	i := sort.Search(len(th.runs), func(i int) bool { return th.runs[i].record > k }) - 1
	return &th.runs[i], k - th.runs[i].record
}

// totals returns the stratum of record k of the data, with its totals up to that.
func (th *thinned) totals(k int, s tuple.Stratum) tuple.Stratum {
	r, i := th.at(k)
	s.Offered, s.Kept = r.offered+int64(i), r.kept+int64(i)
	return s
}

// thinnedPool keeps what describes thinned jobs for reuse.
type thinnedPool struct {
	mu   sync.Mutex
	idle []*thinned
}

func (tp *thinnedPool) take() *thinned {
	tp.mu.Lock()
	defer tp.mu.Unlock()
	n := len(tp.idle) - 1
	if n < 0 {
		return &thinned{}
	}
	th := tp.idle[n]
	tp.idle = tp.idle[:n]
	return th
}

func (tp *thinnedPool) give(th *thinned) {
	tp.mu.Lock()
	tp.idle = append(tp.idle, th)
	tp.mu.Unlock()
}
