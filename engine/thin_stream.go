package engine

import (
	"context"
	"fmt"
	"sort"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/source"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// What a job of merged chunks has at most. So many records that decoding goes at full speed, so few that its memory stays in
// cache; and so many chunks that they are read in some milliseconds.
const (
	mergedRecords = 512
	mergedChunks  = 64
)

// arrival is what the source returned.
type arrival struct {
	chunk source.Chunk
	err   error
}

// arrive returns the next chunk.
func (s *stream) arrive(ctx context.Context) (source.Chunk, error) {
	if a := s.ahead; a != nil {
		s.ahead = nil
		return a.chunk, a.err
	}
	if s.portion != nil {
		return s.portion.next(ctx)
	}
	return s.source.Next(ctx)
}

// settle makes j a job that hands on the last totals of the raw drop, and reports true, when there are some to hand on and the drop is
// not in force for what was read, which is kept for the next job then.
func (s *stream) settle(j *job, read arrival) bool {
	t := s.thinner
	if t == nil || !t.untold || read.err == nil && j.layout != nil && j.layout.drop == t.rawDrop {
		return false
	}
	s.ahead = &read
	j.layout, j.chunk, j.thin = t.layout, source.Chunk{Arrived: read.chunk.Arrived}, s.thins.take()
	t.begin(j.thin)
	t.close(j.thin, 0)
	t.finish(j.thin, 0)
	return true
}

// thin drops records of j's chunk, and of those behind it when little is left and they may be merged.
func (s *stream) thin(ctx context.Context, j *job) {
	if s.thinner == nil || s.thinner.rawDrop != j.layout.drop {
		s.thinner = newThinner(j.layout.drop, codec.NewSplitter(s.options))
	}
	t, c := s.thinner, &j.chunk
	t.layout = j.layout
	j.thin = s.thins.take()
	t.begin(j.thin)
	kept := t.thin(j.thin, c.Data[:0], c)
	room := cap(c.Data) / 2
	for n := 1; t.merge && n < mergedChunks && j.thin.records < mergedRecords && len(kept) < room; n++ {
		more, err := s.source.Next(ctx)
		if err != nil || more.First || more.Oversize > 0 || !s.inForce(j.layout) {
			s.ahead = &arrival{more, err}
			break
		}
		kept = t.thin(j.thin, kept, &more)
		more.Release()
	}
	t.finish(j.thin, len(kept))
	c.Data = kept
}

// inForce reports whether l is the layout of the present queries.
func (s *stream) inForce(l *layout) bool {
	now := s.layout.Load()
	return now == l || s.moved == l && s.movedFrom == now
}

// decodeThinned fills j.pieces from what was kept of its chunk: no piece is from two epochs, and an epoch that ended has a last
// piece, perhaps without records.
func (d *decoder) decodeThinned(j *job, pool *piecePool) error {
	th := j.thin
	from, record, ghost, first := 0, 0, 0, th.header
	for i := range th.parts {
		part := &th.parts[i]
		data := j.chunk.Data[from:part.end:part.end]
		pieces := len(j.pieces)
		for len(data) > 0 {
			p := d.scan(pool.take(j), data, first)
			p.thin, p.part, p.record, p.start = th, part, record, part.end-len(data)
			if first && len(p.bad) > 0 && p.bad[0].Reason == "header" && p.bad[0].Row == 0 && p.bad[0].Off < th.lead(part) {
				th.bad = 1
				p.record--
			}
			ghost = p.haunt(ghost)
			d.fill(p, p.live)
			record = p.record + p.rows + len(p.bad)
			data, first = data[len(p.data):], false
			if p.rows+len(p.bad) > 0 {
				j.pieces = append(j.pieces, p)
			} else {
				pool.give(p)
			}
		}
		if part.closed {
			if len(j.pieces) == pieces {
				j.pieces = append(j.pieces, d.empty(pool.take(j), part, record))
			}
			j.pieces[len(j.pieces)-1].last = true
		}
		from = part.end
	}
	if record != th.records {
		return fmt.Errorf("%s: the sample lost count of the records behind byte %d; leave --sample out, and report the file", j.chunk.File, j.chunk.Pos)
	}
	return nil
}

// empty makes p a piece without records.
func (d *decoder) empty(p *piece, part *part, record int) *piece {
	d.blank(p)
	p.thin, p.part, p.record = p.job.thin, part, record
	return p
}

// blank makes p a piece that has no records.
func (d *decoder) blank(p *piece) *piece {
	p.data, p.first, p.rows, p.bad = nil, false, 0, p.bad[:0]
	for i := range p.views {
		v := &p.views[i]
		v.sel, v.time, v.null = v.sel[:0], nil, nil
		v.lo, v.hi = extent(nil, nil)
		v.block.N, v.weight, v.light = 0, nil, false
	}
	return p
}

// lead returns where the records of the first part begin.
func (th *thinned) lead(first *part) int {
	if len(th.runs) > 0 {
		return int(th.runs[0].offset)
	}
	return first.end
}

// haunt finds the rows of p that are ghosts, the job's first ghosts having been found before, and returns how many have been now.
func (p *piece) haunt(found int) int {
	th := p.thin
	bad := 0
	for ; found < len(th.ghosts) && th.ghosts[found] < p.record+p.rows+len(p.bad); found++ {
		k := th.ghosts[found] - p.record
		for bad < len(p.bad) && p.bad[bad].Row+bad < k {
			bad++
		}
		if bad == len(p.bad) || p.bad[bad].Row+bad > k {
			p.ghosts = append(p.ghosts, uint16(k-bad))
		}
	}
	p.live = p.live[:0]
	next := 0
	for r := range p.rows {
		if next < len(p.ghosts) && int(p.ghosts[next]) == r {
			next++
			continue
		}
		p.live = append(p.live, uint16(r))
	}
	return found
}

// left returns how many rows from number row on are not ghosts.
func (p *piece) left(row int) int64 {
	n := p.rows - row
	for _, g := range p.ghosts {
		if int(g) >= row {
			n--
		}
	}
	return int64(n)
}

// ghostly reports whether bad record i is a ghost: it was dropped, and nobody wants to know.
func (p *piece) ghostly(i int) bool {
	if p.thin == nil || p.bad[i].Row+i+p.record < 0 {
		return false
	}
	r, _ := p.thin.at(p.bad[i].Row + i + p.record)
	return r.ghost
}

// numberOf returns the number of record k of p in its stream, counted from 0.
func (p *piece) numberOf(k int) int64 {
	if p.thin == nil {
		return p.block.Seq + int64(k)
	}
	if k += p.record; k < 0 {
		return p.thin.first
	}
	_, number := p.thin.at(k)
	return p.thin.first + int64(p.thin.bad) + number
}

// positionOf returns the position in the file of byte off of p's data, which is of record k.
func (p *piece) positionOf(k, off int) int64 {
	if p.thin == nil {
		return p.pos + int64(off)
	}
	if k += p.record; k < 0 || len(p.thin.runs) == 0 {
		return p.job.chunk.Pos + int64(off)
	}
	r, _ := p.thin.at(k)
	return r.pos + int64(p.start+off) - int64(r.offset)
}

// before returns how many records of p stand before its row number row.
func (p *piece) before(row int) int {
	if row == p.rows {
		return row + len(p.bad)
	}
	return row + sort.Search(len(p.bad), func(i int) bool { return p.bad[i].Row > row })
}

// sample returns the totals of p's stratum up to the record before number k, or at p's end.
func (p *piece) sample(k int) (s tuple.Stratum, ok bool) {
	n := p.rows + len(p.bad)
	if k >= n && p.last {
		return p.part.stratum, true
	}
	if k = min(k, n) - 1 + p.record; k < max(p.record, 0) {
		return s, false
	}
	return p.thin.totals(k, p.part), true
}
