package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/source"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// leastBlocks is how many blocks are read however late it is: fewer tell nothing about the spread between blocks.
const leastBlocks = 32

// portion reads a part of a stream's files: blocks by chance until the deadline passes, or the beginning where that was
// asked for.
type portion struct {
	blocks   *source.Blocks // nil: the beginning is read
	whole    *source.Stream
	headers  map[string][]string // of CSV files, by name
	now      func() time.Duration
	deadline time.Duration // on the engine's clock
	taken    atomic.Int64  // chunks handed out
	short    atomic.Bool   // reading stopped before all was read
	enough   atomic.Bool   // the answers are as exact as was asked
}

// takePortion makes s read only as much as there is time for.
func (s *stream) takePortion(e *Engine) error {
	if s.portion != nil {
		return nil
	}
	p := &portion{whole: s.source, now: e.clock.Now}
	blocks, err := s.openBlocks(e)
	switch {
	case err == nil:
		p.blocks = blocks
	case e.opt.Answers.Prefix && errors.Is(err, source.ErrSeek):
	case errors.Is(err, source.ErrSeek):
		return fmt.Errorf("%w: unpack it first, or give --prefix for an answer from its beginning, which says nothing about the rest", err)
	default:
		return err
	}
	if p.blocks != nil {
		if p.headers, err = s.readHeaders(); err != nil {
			return err
		}
	}
	s.portion = p
	return nil
}

// openBlocks opens the stream's files for reading in blocks.
func (s *stream) openBlocks(e *Engine) (*source.Blocks, error) {
	if s.input.Reader != nil || s.source.Live() {
		return nil, fmt.Errorf("%s comes once and in order, as from a pipe, so that no part can be chosen by chance: write it to a file and name that, or leave --within out", s.name)
	}
	if s.options.Format == codec.JSONArray {
		return nil, fmt.Errorf("%s is one JSON array, in which one cannot seek: write a record a line, as in: jq -c '.[]' FILE", s.name)
	}
	if quotedBreaks(s.sample, s.options) {
		return nil, fmt.Errorf("%s has line breaks inside quotes, so that records cannot be told from the middle of it: leave --within out, and give --sample", s.name)
	}
	return source.OpenBlocks(s.input.Paths, source.BlockOptions{Now: e.clock.Now, Seed: e.opt.Answers.Seed, MaxLine: e.opt.MaxLine})
}

// quotedBreaks reports whether some record of a sample goes over several lines.
func quotedBreaks(sample []byte, opt codec.Options) bool {
	if opt.Format != codec.CSV && opt.Format != codec.TSV {
		return false
	}
	cutter := codec.NewCutter(opt)
	for len(sample) > 0 {
		line := bytes.IndexByte(sample, '\n') + 1
		if line == 0 {
			return false
		}
		if bytes.IndexByte(sample[:line], '"') >= 0 && cutter.Cut(sample[:line], 0) != line {
			return true
		}
		sample = sample[line:]
	}
	return false
}

// readHeaders returns the header of each CSV file, which blocks from its middle do not have.
func (s *stream) readHeaders() (map[string][]string, error) {
	if s.options.NoHeader || s.options.Format != codec.CSV && s.options.Format != codec.TSV {
		return nil, nil
	}
	headers := map[string][]string{}
	for _, path := range s.source.Files() {
		line, err := firstLine(path)
		if err != nil {
			return nil, err
		}
		if headers[path], err = codec.HeaderOf(line, s.options); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return headers, nil
}

// firstLine returns the first line of a file that is not blank, without a byte order mark.
func firstLine(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	return bytes.TrimPrefix(head[:n], []byte("\xef\xbb\xbf")), nil
}

// next returns the next chunk, or io.EOF when the time is up.
func (p *portion) next(ctx context.Context) (source.Chunk, error) {
	if p.taken.Load() >= leastBlocks && p.now() >= p.deadline || p.enough.Load() {
		p.short.Store(true)
		return source.Chunk{}, io.EOF
	}
	p.taken.Add(1)
	if p.blocks == nil {
		return p.whole.Next(ctx)
	}
	return p.blocks.Next(ctx)
}

// progress returns how many bytes were read, and of how many.
func (p *portion) progress() (done, total int64) {
	if p.blocks == nil {
		return p.whole.Progress()
	}
	return p.blocks.Progress()
}

// progress returns how many bytes of the stream's files were read, and of how many.
func (s *stream) progress() (done, total int64) {
	if s.portion != nil {
		return s.portion.progress()
	}
	return s.source.Progress()
}

// stratum returns how the last chunk that next returned is one of a sample of all.
func (p *portion) stratum(c *source.Chunk) tuple.Stratum {
	n := p.taken.Load()
	s := tuple.Stratum{ID: withinStratum, Kind: tuple.Cluster, Keep: 0.5, Kept: n, Block: c.Block}
	if p.blocks != nil {
		s.Offered = p.blocks.Count()
		return s
	}
	s.Biased, s.Block, s.Offered = true, n, n
	if done, total := p.whole.Progress(); done > 0 {
		s.Offered = max(n, int64(float64(n)*float64(total)/float64(done)))
	}
	return s
}

// drawn reports whether j's chunk is a block drawn by chance.
func (j *job) drawn() bool { return j.block.Kind == tuple.Cluster }

// withinStratum is the stratum of a sample of blocks: a run has one.
const withinStratum = 0xff << 24

// close closes the files.
func (p *portion) close() error {
	if p.blocks == nil {
		return nil
	}
	return p.blocks.Close()
}

// account says how much of the input the answer is from.
func (p *portion) account(name string) string {
	done, total := p.progress()
	share := 100.0
	if total > 0 {
		share = 100 * float64(done) / float64(total)
	}
	if p.blocks == nil {
		return fmt.Sprintf("%s: read the first %.1f %% of %s; nothing is known of the rest", name, share, sizeText(total))
	}
	if !p.short.Load() && done == total {
		return fmt.Sprintf("%s: read whole, %s, in time", name, sizeText(total))
	}
	why := ""
	if p.enough.Load() {
		why = "; the error that was asked for is met"
	}
	return fmt.Sprintf("%s: read %.1f %% of %s: %d of %d blocks, by chance%s", name, share, sizeText(total), p.taken.Load(), p.blocks.Count(), why)
}

// sizeText returns a number of bytes for a person.
func sizeText(n int64) string {
	const unit = 1000
	switch x := float64(n); {
	case n < unit:
		return fmt.Sprintf("%d B", n)
	case x < 1e6:
		return fmt.Sprintf("%.1f kB", x/1e3)
	case x < 1e9:
		return fmt.Sprintf("%.1f MB", x/1e6)
	default:
		return fmt.Sprintf("%.1f GB", x/1e9)
	}
}
