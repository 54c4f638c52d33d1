package source

import "sync"

// idleBytes bounds the memory of buffers that wait for use: what fits in a core's cache. A larger
// reserve would hand out cold memory, which costs more than reading the file.
const idleBytes = 2 << 20

// pool keeps buffers of one size, last in first out. Chunks are released by other goroutines
// than the reader's.
type pool struct {
	size int

	mu   sync.Mutex
	idle [][]byte
}

// spare returns the room left behind n bytes of data for decoders.
func spare(n int) int { return max(n/8, 4096) }

// take returns an empty buffer for n bytes and the room behind them.
func (p *pool) take(n int) []byte {
	if n += spare(n); n > p.size {
		return make([]byte, 0, n)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return make([]byte, 0, p.size)
	}
	b := p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	return b
}

// put takes a buffer back. Buffers that were made for a long record are left to the garbage collector.
func (p *pool) put(b []byte) {
	if cap(b) != p.size {
		return
	}
	poison(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	if (len(p.idle)+1)*p.size <= max(idleBytes, 2*p.size) {
		p.idle = append(p.idle, b[:0])
	}
}
