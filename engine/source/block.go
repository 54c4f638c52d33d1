package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"
)

// BlockOptions are what reading blocks by chance needs to know.
type BlockOptions struct {
	// Now is the engine's clock, for Chunk.Arrived. It is required.
	Now func() time.Duration
	// Seed decides the order of the blocks.
	Seed uint64
	// Size is the bytes of a block; 0: about a sixteen-thousandth of the files, between 16 KiB and 128 KiB.
	Size int
	// MaxLine is the length of the longest record that is read; 0: DefaultMaxLine.
	MaxLine int
}

// Sizes of blocks. Smaller ones make better samples of the same number of records, for records that stand together are
// alike; each costs a read and a part of a record at either end.
const (
	leastBlock = 16 << 10
	mostBlock  = 128 << 10
	aimBlocks  = 16 << 10
)

// ahead is how many blocks the system is told of before they are read.
const ahead = 32

// lookBehind is how much is read behind a block at first, for the end of its last record.
const lookBehind = 4 << 10

// Blocks reads regular files in blocks, in an order drawn by chance: whatever was read when reading stops is a simple random
// sample of blocks without replacement. Each chunk has the records that begin in one block, every record is in
// exactly one, and a block without the beginning of a record is a chunk without data. Records end at line feeds. The blocks of a
// file are equally large: with a short last one, which is seldom drawn, counts would be wrong without showing it.
type Blocks struct {
	opt   BlockOptions
	files []blockFile
	order []uint32 // numbers of blocks, those of the first file first
	next  int
	total int64
	done  atomic.Int64
	pool  pool
	put   func([]byte)
	err   error
}

type blockFile struct {
	place
	file  *os.File
	first uint32 // number of its first block
	count uint32 // of its blocks
	mark  int64  // bytes of the byte order mark
}

// OpenBlocks opens the files that paths name, as Open does. It fails where one is not a regular file or is
// compressed: there is no seeking in those.
func OpenBlocks(paths []string, opt BlockOptions) (*Blocks, error) {
	if opt.Now == nil {
		panic("source: BlockOptions.Now is missing")
	}
	setDefault(&opt.MaxLine, DefaultMaxLine)
	b := &Blocks{opt: opt}
	for _, path := range paths {
		found, err := find(path, os.Stdin)
		if err != nil {
			return nil, errors.Join(err, b.Close())
		}
		for _, p := range found {
			if err := b.add(p); err != nil {
				return nil, errors.Join(err, b.Close())
			}
		}
	}
	b.draw()
	return b, nil
}

// add opens a file.
func (b *Blocks) add(p place) error {
	if p.live || p.std {
		return &fault{text: fmt.Sprintf("%s: cannot be read in parts: only regular files, given by name, can", p.name)}
	}
	file, err := os.Open(p.path)
	if err != nil {
		return missing(p.path, err)
	}
	b.files = append(b.files, blockFile{place: p, file: file})
	f := &b.files[len(b.files)-1]
	var head [headSize]byte
	n, err := file.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		return f.explain(0, err)
	}
	if c, _ := recognise(head[:n]); c != nil && c.open == nil {
		return c.refuse(p.name)
	} else if c != nil {
		return &fault{text: fmt.Sprintf("%s: is %s, in which one cannot seek", p.name, c.name), cause: ErrSeek}
	}
	if n > 0 && p.size == 0 {
		return &fault{text: fmt.Sprintf("%s: cannot be read in parts: the system does not say how large it is", p.name)}
	}
	if bytes.HasPrefix(head[:n], []byte(byteOrderMark)) {
		f.mark = int64(len(byteOrderMark))
	}
	b.total += p.size
	return nil
}

// ErrSeek is wrapped by OpenBlocks where a file is compressed.
var ErrSeek = errors.New("a compressed file")

// draw numbers the blocks and shuffles them.
func (b *Blocks) draw() {
	if b.opt.Size <= 0 {
		b.opt.Size = int(min(max(b.total/aimBlocks, leastBlock), mostBlock)) &^ 4095
	}
	blocks := uint32(0)
	for i := range b.files {
		f := &b.files[i]
		f.first, f.count = blocks, uint32((f.size+int64(b.opt.Size)/2)/int64(b.opt.Size))
		if f.size > 0 {
			f.count = max(f.count, 1)
		}
		blocks += f.count
	}
	b.order = make([]uint32, blocks)
	for i := range b.order {
		b.order[i] = uint32(i)
	}
	// The constant tells this stream of draws from others of the same seed.
	r := rand.New(rand.NewPCG(b.opt.Seed, 0xb10c))
	r.Shuffle(len(b.order), func(i, j int) { b.order[i], b.order[j] = b.order[j], b.order[i] })
	b.pool.size = b.opt.Size*3/2 + lookBehind + 1
	b.pool.size += spare(b.pool.size)
	b.put = b.pool.put
	for i := range min(ahead, len(b.order)) {
		b.advise(i)
	}
}

// Count returns the number of blocks of all files.
func (b *Blocks) Count() int64 { return int64(len(b.order)) }

// Progress returns the bytes of the blocks read so far and of all. It may be called from any goroutine.
func (b *Blocks) Progress() (done, total int64) { return b.done.Load(), b.total }

// Close closes the files.
func (b *Blocks) Close() error {
	var all error
	for i := range b.files {
		all = errors.Join(all, b.files[i].file.Close())
	}
	b.files, b.err = nil, os.ErrClosed
	return all
}

// place returns the file of block n and the block's range in it.
func (b *Blocks) place(n uint32) (f *blockFile, lo, hi int64) {
	i := len(b.files) - 1
	for b.files[i].first > n || b.files[i].count == 0 {
		i--
	}
	f = &b.files[i]
	k := int64(n - f.first)
	return f, k * f.size / int64(f.count), (k + 1) * f.size / int64(f.count)
}

// advise tells the system that the i-th block will be read soon.
func (b *Blocks) advise(i int) {
	f, lo, hi := b.place(b.order[i])
	willNeed(int(f.file.Fd()), lo, hi-lo)
}

// Next returns the records of the next block, or io.EOF after the last. After an error other than the context's it
// returns the same error again.
func (b *Blocks) Next(ctx context.Context) (Chunk, error) {
	if err := ctx.Err(); err != nil {
		return Chunk{}, err
	}
	switch {
	case b.err != nil:
		return Chunk{}, b.err
	case b.next == len(b.order):
		return Chunk{}, io.EOF
	}
	if i := b.next + ahead; i < len(b.order) {
		b.advise(i)
	}
	n := b.order[b.next]
	b.next++
	f, lo, hi := b.place(n)
	c, err := b.read(f, lo, hi)
	if err != nil {
		b.err = err
		return Chunk{}, err
	}
	c.Block = int64(n) + 1
	b.done.Add(hi - lo)
	return c, nil
}

// read returns the records of f that begin in [lo, hi).
func (b *Blocks) read(f *blockFile, lo, hi int64) (Chunk, error) {
	c := Chunk{File: f.name, Arrived: b.opt.Now()}
	from := max(lo-1, f.mark) // the byte before a record is the line feed of the one before
	if from >= hi {
		return c, nil
	}
	buf, err := b.fetch(f, b.pool.take(int(hi-from)+lookBehind), from, min(hi+lookBehind, f.size))
	if err != nil {
		return c, err
	}
	start := 0
	if lo > f.mark {
		start = bytes.IndexByte(buf, '\n') + 1
		if start == 0 || from+int64(start) >= hi {
			b.pool.put(buf)
			return c, nil // the record that began before it goes on to its end or beyond
		}
	}
	end := behindLine(buf, int(hi-1-from))
	for end < 0 {
		have := from + int64(len(buf))
		if have == f.size {
			end = len(buf)
			break
		}
		if have-hi > int64(b.opt.MaxLine) {
			end = bytes.LastIndexByte(buf, '\n') + 1
			c.Oversize, c.OversizePos = 1, from+int64(end)
			c.OversizeHead = bytes.Clone(buf[end:min(end+oversizeHead, len(buf))])
			break
		}
		seen := len(buf)
		if buf, err = b.fetch(f, buf, have, min(have+int64(len(buf)), f.size)); err != nil {
			return c, err
		}
		end = behindLine(buf, seen)
	}
	c.Data, c.Pos, c.First, c.free = buf[start:end], from+int64(start), lo <= f.mark, b.put
	c.whole = buf
	return c, nil
}

// behindLine returns the position behind the first line feed of buf from i on, or -1.
func behindLine(buf []byte, i int) int {
	k := bytes.IndexByte(buf[i:], '\n')
	if k < 0 {
		return -1
	}
	return i + k + 1
}

// fetch appends the bytes [from, to) of f to buf, and leaves room behind them.
func (b *Blocks) fetch(f *blockFile, buf []byte, from, to int64) ([]byte, error) {
	have, want := len(buf), len(buf)+int(to-from)
	if cap(buf) < want+spare(want) {
		buf = append(make([]byte, 0, want+spare(want)), buf...)
	}
	n, err := f.file.ReadAt(buf[have:want], from)
	buf = buf[:have+n]
	if n == want-have {
		return buf, nil
	}
	return buf, f.explain(from+int64(n), err)
}

func (f *blockFile) explain(at int64, err error) error {
	if errors.Is(err, io.EOF) {
		return &fault{fmt.Sprintf("%s: was cut off while it was read: %d of %d bytes", f.name, at, f.size), io.ErrUnexpectedEOF}
	}
	return &fault{fmt.Sprintf("%s: cannot be read at byte %d: %v", f.name, at, err), err}
}
