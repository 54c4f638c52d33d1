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
			to.enter(t.stratum, t.offered)
		}
		if t.keep == 0 && t.gap == 0 {
			t.draw()
		}
		most := min(t.length-t.stratum.Offered, int64(len(data)-p))
		n, ghost := min(t.keep, most), false
		if n == 0 {
			n = min(t.gap, most)
			if t.ghosts {
				n = min(n, ghostEvery-1-t.offered%ghostEvery)
				ghost = n == 0
			}
			if !ghost {
				next, found := t.split.Skip(data, p, int(n))
				t.gap -= int64(found)
				t.count(found, 0)
				p = next
				continue
			}
			n = 1
		}
		if p = t.split.Begin(data, p); p == len(data) {
			break
		}
		next, found := t.split.Skip(data, p, int(n))
		to.add(run{
			offset: uint32(len(dst)), pos: c.Pos + int64(p), number: uint32(t.offered - to.before), ghost: ghost,
		}, found)
		if n := len(dst) + next - p; len(dst) == p && n <= cap(dst) && &dst[:n][p] == &data[p] {
			dst = dst[:n] // nothing before was dropped
		} else {
			dst = append(dst, data[p:next]...)
		}
		if ghost {
			t.gap--
			t.count(1, 0)
		} else {
			t.keep -= int64(found)
			t.count(found, found)
		}
		p = next
	}
	return dst
}

func (t *thinner) count(offered, kept int) {
	t.offered += int64(offered)
	t.stratum.Offered += int64(offered)
	t.stratum.Kept += int64(kept)
	t.untold = true
}

// begin makes to ready for the first chunk of a job.
func (t *thinner) begin(to *thinned) {
	*to = thinned{runs: to.runs[:0], parts: to.parts[:0], ghosts: to.ghosts[:0], before: t.offered}
	to.enter(t.stratum, t.offered)
}

// close ends the part of to that ends at byte end of its data, with the totals so far.
func (t *thinner) close(to *thinned, end int) {
	to.leave(t.stratum, end)
	to.parts[len(to.parts)-1].closed = true
	t.untold = false
}

// finish ends to after the last chunk of a job, which has so many bytes.
func (t *thinner) finish(to *thinned, end int) {
	if to.records > to.part.record || to.header && len(to.parts) == 0 {
		to.leave(t.stratum, end)
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
	part    part  // that the next record will be in
	bad     int   // 1: the header is a bad record
	first   int64 // number of the job's first record in its stream; set when the job is admitted
}

// part is the data that is from one epoch.
type part struct {
	end     int           // of its bytes
	stratum tuple.Stratum // with the totals at the epoch's end, or where they are handed on, if closed
	closed  bool
	record  int   // number of its first record in the data
	offered int64 // what has to be added to a record's number in the job for its number in the epoch
	kept    int64 // records of the epoch that were kept before
	ghosts  int   // ghosts of the data that stand before
}

// run is records that stood one behind the other in their file.
type run struct {
	pos    int64  // of its first byte in the file
	offset uint32 // of that byte in the data
	record uint32 // number of its first record in the data
	number uint32 // and among those that the job was offered
	ghost  bool
}

// enter begins a part, in an epoch of which the totals are those in s.
func (th *thinned) enter(s tuple.Stratum, offered int64) {
	th.part = part{record: th.records, offered: s.Offered - (offered - th.before), kept: s.Kept, ghosts: len(th.ghosts)}
}

// leave ends the part that was entered.
func (th *thinned) leave(s tuple.Stratum, end int) {
	p := th.part
	p.end, p.stratum = end, s
	th.parts = append(th.parts, p)
}

// add takes in a run of so many records.
func (th *thinned) add(r run, records int) {
	r.record = uint32(th.records)
	if r.ghost {
		th.ghosts = append(th.ghosts, th.records)
	}
	th.runs = append(th.runs, r)
	th.records += records
}

// dropped returns how many records are not in the data, but for their times.
func (th *thinned) dropped() int64 { return th.offered - int64(th.records-len(th.ghosts)) }

// at returns the run that record k of the data is in, and the record's number among those that the job was offered.
func (th *thinned) at(k int) (*run, int64) {
	i := sort.Search(len(th.runs), func(i int) bool { return int(th.runs[i].record) > k }) - 1
	r := &th.runs[i]
	return r, int64(r.number) + int64(k) - int64(r.record)
}

// totals returns the stratum of p with its totals up to record k of the data, which is in p.
func (th *thinned) totals(k int, p *part) tuple.Stratum {
	s := p.stratum
	_, number := th.at(k)
	ghosts := sort.SearchInts(th.ghosts, k+1) - p.ghosts
	s.Offered, s.Kept = p.offered+number+1, p.kept+int64(k+1-p.record-ghosts)
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
