package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"time"
)

// What a sample holds at most, unless its first line alone is longer.
const (
	sampleBytes   = 1 << 20
	sampleRecords = 10_000
)

// Sample is the beginning of a stream's first file that is not empty.
type Sample struct {
	// Data is whole lines, except when the first line does not end or the file ends without a line end. It must not
	// be changed.
	Data []byte
	File string
	// Complete says that Data is all there is: no more bytes and no more files.
	Complete bool
	// Live says that it came from a pipe or terminal: how much it is depends on when its writer paused.
	Live bool
}

// Sample reads the beginning of the stream, once; Next will return it again. Of a live input that pauses after a
// whole line it takes what is there. It must be called before Next, if at all.
func (s *Stream) Sample(ctx context.Context) (Sample, error) {
	for s.sample == nil && s.err == nil {
		err := s.begin(ctx)
		if err == io.EOF {
			s.sample = &Sample{Complete: true}
			break
		}
		if err == nil {
			err = s.take(ctx)
		}
		if err != nil {
			return Sample{}, s.keep(ctx, err)
		}
	}
	if s.sample == nil {
		return Sample{}, s.err
	}
	return *s.sample, nil
}

// take makes the sample from the current input, or ends it when it is empty.
func (s *Stream) take(ctx context.Context) error {
	in := s.in
	err := s.gather(ctx)
	in.at = s.opt.Now()
	eof := errors.Is(err, io.EOF)
	switch {
	case err != nil && in.err == nil: // the context's; to be continued
		return err
	case err != nil && !eof && bytes.IndexByte(in.replay, '\n') < 0:
		return err
	case len(in.replay) == 0:
		return s.end()
	}
	data := lead(in.replay, eof)
	s.sample = &Sample{
		Data: data, File: in.name, Live: in.live,
		Complete: eof && len(data) == len(in.replay) && len(s.places) == 0,
	}
	return nil
}

// gather reads content into replay until it is enough for a sample. Its error says why there is less.
func (s *Stream) gather(ctx context.Context) error {
	in := s.in
	in.tap.ctx = ctx
	lines := bytes.Count(in.replay, []byte{'\n'})
	// A writer that never pauses but is slow must not hold up the start either.
	patience, since := 5*s.opt.Pause, time.Duration(-1)
	for in.err == nil {
		if lines > 0 {
			if since < 0 {
				since = s.opt.Now()
			}
			if lines >= sampleRecords || len(in.replay) >= sampleBytes || in.live && s.opt.Now()-since > patience {
				return nil
			}
			if !in.fresh(int(s.opt.Pause / time.Millisecond)) {
				return nil
			}
		} else if len(in.replay) >= max(s.opt.MaxLine, sampleBytes) {
			return nil
		}
		have := len(in.replay)
		in.replay = slices.Grow(in.replay, readAhead)
		n, err := in.pull(in.replay[have : have+readAhead])
		in.replay = in.replay[:have+n]
		lines += bytes.Count(in.replay[have:], []byte{'\n'})
		if err != nil && in.err == nil {
			return err
		}
	}
	return in.err
}

// lead returns the lines at the front of data that fit in a sample, at least one. eof says that data is all there is.
func lead(data []byte, eof bool) []byte {
	end, lines := 0, 0
	for lines < sampleRecords && end < len(data) {
		i := bytes.IndexByte(data[end:], '\n')
		switch {
		case i < 0 && (end == 0 || eof && len(data) <= sampleBytes):
			return data
		case i < 0 || end+i+1 > sampleBytes && end > 0:
			return data[:end:end]
		}
		end += i + 1
		lines++
	}
	return data[:end:end]
}
