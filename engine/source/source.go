// Package source brings bytes: files, globs, standard input, compressed or not, cut into chunks of
// whole records.
//
// # Model
//
// A [Stream] is a sequence of inputs read one after the other, as if concatenated (each CSV file with a header of
// its own). Each input passes three stages. The tap reads the file, waits where nothing is there yet, and counts
// bytes. The head recognises compression, takes off a byte order mark and refuses what is no text. The cutter,
// chosen by the caller once [Stream.Sample] has shown the beginning, cuts what remains into [Chunk]s: whole records
// only, with their byte position and arrival.
//
//	s, err := source.Open([]string{"logs/*.ndjson.gz"}, source.Options{Now: clock.Now})
//	sample, err := s.Sample(ctx)   // infer a schema from sample.Data
//	s.SetCutter(cutter)
//	for {
//		chunk, err := s.Next(ctx)  // io.EOF at the end
//		...
//		chunk.Release()
//	}
//
// # Invariants
//
// The chunks of a file, concatenated, are the file without its byte order mark and without the records that were too
// long. Which records are too long does not depend on how the file was read. Chunks end where records end.
//
// [Blocks] reads regular files otherwise: blocks by chance, each with the records that begin in it, so that what was read when
// reading stops is a simple random sample of blocks.
//
// Live inputs (a pipe, a terminal) return what is there as soon as one whole record is; they never wait to fill a chunk.
// A read that waits ends when its context does.
//
// # Limits
//
// One record is at most MaxLine bytes with its line end; a longer one is skipped to its end and reported once. Memory is
// about MaxLine and one chunk, plus the chunks that others hold. Systems other than Unix are not supported.
package source

import "time"

// Chunk is a piece of a stream: whole records.
type Chunk struct {
	Data    []byte        // spare capacity behind Data belongs to the chunk's holder too
	File    string        // name of the file, for messages
	Pos     int64         // position of Data[0] in the (decompressed) file
	First   bool          // Data begins the file: a byte order mark was removed, a CSV header is still there
	Arrived time.Duration // when the system handed it over, by Options.Now
	// Oversize counts records longer than the limit that were skipped just before Data; OversizePos is the position
	// of the first, OversizeHead its first bytes. Data is empty where the stream ends with such a record.
	Oversize     int
	OversizePos  int64
	OversizeHead []byte

	// Block is the number of the block that the records are from, counted from 1, where blocks were drawn by chance; 0 elsewhere.
	Block int64

	whole []byte // the buffer to give back where it is not Data
	free  func([]byte)
}

// Release gives the chunk's memory back to the pool it came from. The data must not be touched afterwards.
func (c *Chunk) Release() {
	switch {
	case c.free == nil:
	case c.whole != nil:
		c.free(c.whole)
	default:
		c.free(c.Data)
	}
	c.Data, c.whole, c.free = nil, nil, nil
}
