package op

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/sketch"
)

// SkippedWindows is implemented by operators that drop whole windows.
type SkippedWindows interface {
	// Skipped returns how many windows that had rows were dropped and are over.
	Skipped() int64
}

// Make implements Spec.
func (w *WindowDrop) Make() (Operator, error) {
	switch {
	case !(w.Keep >= 0 && w.Keep <= 1):
		return nil, fmt.Errorf("drop: keep %v is not within [0, 1]", w.Keep)
	case w.Size <= 0 || w.Slide < 0 || w.Slide > w.Size:
		return nil, fmt.Errorf("drop: windows of %v every %v", w.Size, w.Slide)
	case w.Batch < 0:
		return nil, fmt.Errorf("drop: runs of %d windows", w.Batch)
	}
	return &windowDrop{spec: w, over: math.MinInt64}, nil
}

// Schema implements Spec.
func (w *WindowDrop) Schema(in *tuple.Schema) *tuple.Schema { return in }

// String describes the box: "drop windows of 1m0s by 4, keep 0.5".
func (w *WindowDrop) String() string {
	s := "drop windows of " + w.Size.String()
	if w.slide() != int64(w.Size) {
		s += " every " + w.Slide.String()
	}
	if w.run() > 1 {
		s += " by " + strconv.FormatInt(w.run(), 10)
	}
	return s + ", keep " + strconv.FormatFloat(w.Keep, 'g', -1, 64)
}

// Skips reports whether the window that begins at start is dropped.
func (w *WindowDrop) Skips(start int64) bool {
	return w.skips(floorDiv(floorDiv(start-w.Origin, w.slide()), w.run()))
}

// skips reports whether run number i is dropped. One hash decides, so that a window's fate is the same whenever it is asked for.
func (w *WindowDrop) skips(i int64) bool {
	coin := sketch.HashInt(streamOf(w.Location, i) ^ sketch.HashInt(w.Seed))
	return float64(coin>>11)*0x1p-53 >= w.Keep
}

func (w *WindowDrop) slide() int64 {
	if w.Slide == 0 {
		return int64(w.Size)
	}
	return int64(w.Slide)
}

func (w *WindowDrop) run() int64 { return max(1, w.Batch) }

// windowsOf returns the numbers of the first and the last window that contain t, and the span of times around t that
// have the same.
func (w *WindowDrop) windowsOf(t int64) (first, last int64, same span) {
	slide := w.slide()
	into := addSaturated(t, -w.Origin)
	last = floorDiv(into, slide)
	first = floorDiv(addSaturated(into, -int64(w.Size)), slide) + 1
	same.start = w.Origin + max(last*slide, (first-1)*slide+int64(w.Size))
	same.end = w.Origin + min((last+1)*slide, first*slide+int64(w.Size))
	return first, last, same
}

// windowDrop remembers which windows had rows until they are over, as stretches of consecutive numbers.
type windowDrop struct {
	spec    *WindowDrop
	same    span // times that have the fate of the last row
	drop    bool // it
	touched []stretch
	skipped int64
	shed    int64
	over    int64 // the last window that is
	sel     [tuple.MaxRows]uint16
	out     tuple.Batch
}

// stretch is the windows numbered first to last.
type stretch struct{ first, last int64 }

// Process implements Operator.
func (w *windowDrop) Process(_ int, b *tuple.Batch, out Emitter) error {
	if len(b.Sel) > 0 && b.Time == nil {
		return fmt.Errorf("drop: windows of rows without event times")
	}
	kept := 0
	for _, r := range b.Sel {
		if t := b.Time[r]; t < w.same.start || t >= w.same.end {
			w.look(t)
		}
		w.sel[kept%tuple.MaxRows] = r
		if !w.drop {
			kept++
		}
	}
	w.shed += int64(len(b.Sel) - kept)
	w.out = *b
	w.out.Sel = w.sel[:kept]
	return out.Emit(&w.out)
}

// look decides the fate of rows at t and those near it.
func (w *windowDrop) look(t int64) {
	first, last, same := w.spec.windowsOf(t)
	w.same, w.drop = same, true
	run := w.spec.run()
	for i := floorDiv(first, run); w.drop && i <= floorDiv(last, run); i++ {
		w.drop = w.spec.skips(i)
	}
	if last > w.over {
		w.touch(stretch{max(first, w.over+1), last})
	}
}

// touch notes that the windows of s had rows.
func (w *windowDrop) touch(s stretch) {
	i, _ := slices.BinarySearchFunc(w.touched, s.first, func(o stretch, first int64) int {
		if o.last+1 < first {
			return -1
		}
		return 1
	})
	j := i
	for ; j < len(w.touched) && w.touched[j].first <= s.last+1; j++ {
		s.first, s.last = min(s.first, w.touched[j].first), max(s.last, w.touched[j].last)
	}
	w.touched = slices.Replace(w.touched, i, j, s)
}

// Advance counts the windows that are over.
func (w *windowDrop) Advance(_ int, t int64, _ Emitter) (bool, error) {
	if t >= tuple.Drain {
		w.over = math.MaxInt64
	} else {
		w.over = max(w.over, floorDiv(addSaturated(addSaturated(t, -w.spec.Origin), -int64(w.spec.Size)), w.spec.slide()))
	}
	done := 0
	for i := range w.touched {
		s := &w.touched[i]
		if s.first > w.over {
			break
		}
		w.skipped += w.spec.skippedIn(s.first, min(s.last, w.over))
		if s.last > w.over {
			s.first = w.over + 1
			break
		}
		done++
	}
	w.touched = slices.Delete(w.touched, 0, done)
	return true, nil
}

// skippedIn returns how many of the windows numbered first to last are dropped.
func (w *WindowDrop) skippedIn(first, last int64) (n int64) {
	run := w.run()
	for i := floorDiv(first, run); i <= floorDiv(last, run); i++ {
		if w.skips(i) {
			n += min(last, (i+1)*run-1) - max(first, i*run) + 1
		}
	}
	return n
}

// Shed implements Sheds.
func (w *windowDrop) Shed() int64 { return w.shed }

// Skipped implements SkippedWindows.
func (w *windowDrop) Skipped() int64 { return w.skipped }

// Save implements Saver.
func (w *windowDrop) Save(to io.Writer) error {
	return saveState(to, func(s *stateWriter) {
		for _, v := range [...]int64{w.skipped, w.shed, w.over} {
			s.i64(v)
		}
		saveList(s, w.touched, func(t stretch) {
			s.i64(t.first)
			s.i64(t.last)
		})
	})
}

// Load implements Saver.
func (w *windowDrop) Load(from io.Reader) error {
	return loadState(from, func(r *stateReader) {
		w.skipped, w.shed, w.over = r.i64(), r.i64(), r.i64()
		w.touched = loadList(r, 16, func() stretch { return stretch{r.i64(), r.i64()} })
		for i, t := range w.touched {
			r.require(t.first <= t.last && (i == 0 || w.touched[i-1].last+1 < t.first))
		}
	})
}
