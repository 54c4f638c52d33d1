package synopsis

import (
	"fmt"
	"math"
	"slices"
)

// ExponentialHistogram counts events in a sliding window of time, in O(1/error log n) memory and with a bound that always
// holds (Datar, Gionis, Indyk and Motwani, "Maintaining stream statistics over sliding windows", SIAM Journal on Computing
// 31(6), 2002, section 3). Events are held in buckets of 1, 2, 4, .. of them, of which only the time of the last is known, at most
// ceil(k/2)+1 of each size with k = ceil(1/error); where there is one more, the two oldest of a size become one of the next. Only the
// oldest bucket may be partly outside of the window: of its 2^i events 1 to 2^i are inside.
type ExponentialHistogram struct {
	width  int64
	most   int       // buckets of a size
	levels [][]int64 // per size 2^i the times of the last events of its buckets, oldest first
	total  int64     // in all buckets
	last   int64     // time of the last event
}

// NewExponentialHistogram returns an empty histogram of the events within width before any time, whose count is right to
// the given share of it, in (0, 1].
func NewExponentialHistogram(width int64, relativeError float64) (*ExponentialHistogram, error) {
	if width < 1 || !(relativeError >= 1e-6 && relativeError <= 1) {
		return nil, fmt.Errorf("synopsis: exponential histogram of width %d and error %v", width, relativeError)
	}
	k := math.Ceil(1 / relativeError)
	return &ExponentialHistogram{width: width, most: int(math.Ceil(k/2)) + 1, last: math.MinInt64}, nil
}

// Add counts an event at time t. An event that is earlier than the last one counts as of that time.
func (h *ExponentialHistogram) Add(t int64) {
	h.last = max(h.last, t)
	t = h.last
	h.expire(t)
	h.total++
	for i := 0; ; i++ {
		if i == len(h.levels) {
			h.levels = append(h.levels, nil)
		}
		h.levels[i] = append(h.levels[i], t)
		if len(h.levels[i]) <= h.most {
			return
		}
		t = h.levels[i][1]
		h.levels[i] = slices.Delete(h.levels[i], 0, 2)
	}
}

// expire drops the buckets whose last event is outside of the window that ends at t.
func (h *ExponentialHistogram) expire(t int64) {
	for i := len(h.levels) - 1; i >= 0; i-- {
		level := h.levels[i]
		n := 0
		for n < len(level) && h.outside(level[n], t) {
			n++
		}
		h.levels[i] = slices.Delete(level, 0, n)
		h.total -= int64(n) << i
		if len(h.levels[i]) > 0 {
			return
		}
		h.levels = h.levels[:i]
	}
}

// outside reports whether an event at time x is not in (t-width, t].
func (h *ExponentialHistogram) outside(x, t int64) bool {
	return uint64(t)-uint64(x) >= uint64(h.width)
}

// Count returns the number of events in (now-width, now], for a now that is not before the last event. The bounds always hold; the
// value is within the error.
func (h *ExponentialHistogram) Count(now int64) Estimate {
	h.last = max(h.last, now)
	h.expire(h.last)
	if len(h.levels) == 0 {
		return Exactly(0)
	}
	oldest := int64(1) << (len(h.levels) - 1)
	if oldest == 1 {
		return Exactly(float64(h.total))
	}
	low, high := float64(h.total-oldest+1), float64(h.total)
	return Estimate{Value: (low + high) / 2, Low: low, High: high, Confidence: 1}
}

// Buckets returns the number of buckets held.
func (h *ExponentialHistogram) Buckets() (n int) {
	for _, level := range h.levels {
		n += len(level)
	}
	return n
}
