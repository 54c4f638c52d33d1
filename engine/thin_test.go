package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/clock"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// probe is a box that hands batches on and notes them. It writes the last totals of strata that end, and those at the times that
// it is told.
type probe struct {
	out     io.Writer
	batches []tuple.Batch
	last    tuple.Stratum
	open    map[int64]bool // ends of windows of 10 seconds with rows
	closed  []int64        // by how much later time had come there
}

func (p *probe) Make() (op.Operator, error)            { return p, nil }
func (p *probe) Schema(in *tuple.Schema) *tuple.Schema { return in }
func (p *probe) String() string                        { return "probe" }

func (p *probe) Process(_ int, b *tuple.Batch, out op.Emitter) error {
	c := *b
	c.Sample = append([]tuple.Stratum(nil), b.Sample...)
	c.Sel, c.Weight = append([]uint16{}, b.Sel...), append([]float64(nil), b.Weight...)
	p.batches = append(p.batches, c)
	for _, r := range c.Sel {
		if c.Time != nil {
			if p.open == nil {
				p.open = map[int64]bool{}
			}
			p.open[c.Time[r]/10e9*10e9+10e9] = true
		}
	}
	for _, s := range c.Sample {
		if p.out != nil && s.ID != p.last.ID {
			fmt.Fprintln(p.out, p.last, "ended")
		}
		p.last = s
	}
	return out.Emit(b)
}

func (p *probe) Advance(_ int, t int64, _ op.Emitter) (bool, error) {
	for end := range p.open {
		if end <= t && t < tuple.Drain {
			p.closed = append(p.closed, t-end)
			delete(p.open, end)
		}
	}
	if p.out != nil {
		fmt.Fprintln(p.out, p.last, "advance", t)
	}
	return true, nil
}

// precede makes p the first box of a chain.
func (p *probe) precede(q *plan.Query) {
	q.Boxes = append([]plan.Box{{Spec: p, In: []plan.Port{plan.FromInput(0)}, Schema: q.Inputs[0].Schema}}, q.Boxes...)
	for i := range q.Boxes[1:] {
		q.Boxes[i+1].In = []plan.Port{plan.FromBox(i)}
	}
}

// thinned answers a query over a stream that drop thins, p seeing what comes of it.
func (s setup) thinned(t *testing.T, drop *op.Drop, p *probe) result {
	t.Helper()
	if len(s.in.Paths) == 0 && s.in.Reader == nil {
		path := filepath.Join(t.TempDir(), "s.ndjson")
		require.NoError(t, os.WriteFile(path, []byte(s.data), 0o600))
		s.in.Paths = []string{path}
	}
	var r result
	var out bytes.Buffer
	s.opt.Note = func(text string) { r.notes = append(r.notes, text) }
	e := engine.New(s.opt)
	require.NoError(t, e.AddStream("s", s.in))
	ndjson, err := sink.New(sink.NDJSON, &out, sink.Options{})
	require.NoError(t, err)
	b, err := e.Plan(s.sql)
	require.NoError(t, err)
	if drop != nil {
		d := *drop
		b.Plan.Inputs[0].Drop = &d
	}
	if p != nil {
		p.precede(b.Plan)
	}
	q, err := e.Attach(b, ndjson)
	require.NoError(t, err)
	r.err = e.Run(context.Background())
	r.out, r.ledger = out.String(), q.Ledger()
	return r
}

// numbered makes records {"v":0}, {"v":1} and so on.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"v\":%d}\n", i)
	}
	return b.String()
}

func TestARawDropKeepsItsShareInEveryEpoch(t *testing.T) {
	const n, epoch = 200_000, 10_000
	for _, keeps := range [][]float64{{1}, {0.9}, {0.5}, {0.1}, {0.01}, {0.3, 0.05, 1, 0.7}} {
		p := &probe{}
		var kept []int64
		ids := map[uint32]tuple.Stratum{}
		length := int64(epoch)
		if len(keeps) == 1 && keeps[0] == 1 {
			length = n
		}
		r := setup{data: numbered(n), sql: "SELECT v FROM s"}.thinned(t, &op.Drop{Keeps: keeps, Epoch: epoch, Seed: 7, Location: "x"}, p)
		require.NoError(t, r.err)
		for _, line := range strings.Fields(r.out) {
			var v int64
			_, err := fmt.Sscanf(line, `{"v":%d}`, &v)
			require.NoError(t, err)
			kept = append(kept, v)
		}
		seen := 0
		for _, b := range p.batches {
			require.Len(t, b.Sample, 1)
			s := b.Sample[0]
			ids[s.ID] = s
			require.True(t, s.Raw && s.Kind == tuple.Random)
			if seen += len(b.Sel); len(b.Sel) > 0 {
				if last := kept[seen-1] % length; s.Offered != length {
					require.Equal(t, last+1, s.Offered, "totals run up to the last row, or to the end of the epoch")
				}
			}
		}
		require.EqualValues(t, r.ledger.Used, len(kept))
		total := int64(0)
		require.Len(t, ids, int(n/length))
		for id, s := range ids {
			keep := keeps[int(id&0xffffff)%len(keeps)]
			require.Equal(t, keep, s.Keep)
			require.Equal(t, length, s.Offered, "the last totals are those of the whole epoch")
			total += s.Kept
			// False alarm once in 10^6 over all strata here: 6 sigma of a binomial.
			sigma := math.Sqrt(float64(s.Offered) * keep * (1 - keep))
			require.InDelta(t, keep*float64(s.Offered), float64(s.Kept), 6*sigma+1e-9)
		}
		require.EqualValues(t, total, len(kept))
		l := r.ledger
		require.Equal(t, []int64{n, n - total, 0}, []int64{l.Offered, l.Shed, l.Queued})
		require.NoError(t, l.Check())
	}
}

// mixed makes records of which some are blank, bad, late or refused by v <> 3.
func mixed(n int) string {
	var b strings.Builder
	for i := range n {
		switch {
		case i%41 == 0:
			b.WriteString(" \r\n\n")
		case i%17 == 0:
			b.WriteString("{\"ts\":\n")
		case i%29 == 0:
			fmt.Fprintf(&b, "{\"ts\":%d,\"v\":9}\n", 1704067200+i/20-400)
		case i%31 == 0:
			b.WriteString("{\"ts\":null}\n")
		default:
			fmt.Fprintf(&b, "{\"ts\":%d,\"v\":%d}\n", 1704067200+i/20, i%5)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestThinnedRunsGiveTheSameBytes(t *testing.T) {
	data := mixed(20_000)
	records := int64(20_000 - (20_000/41 + 1))
	sql := "SELECT window_start, count(*) AS n, sum(v) AS s FROM tumble(s, ts, '10 seconds') WHERE v <> 3 GROUP BY window_start"
	for _, drop := range []op.Drop{
		{Keeps: []float64{0.1}, Seed: 3}, {Keeps: []float64{0.6, 0.01}, Epoch: 700, Seed: 4}, {Keeps: []float64{1.0 / 1024}, Seed: 5}, {Keeps: []float64{0.95}, Epoch: 1000},
	} {
		var want string
		for _, opt := range []engine.Options{
			{Workers: 1}, {Workers: 2, ChunkSize: 100}, {Workers: 4, ChunkSize: 5000}, {Workers: -1, Clock: &clock.Virtual{}}, {Workers: -1, Clock: &clock.Virtual{}, ChunkSize: 333},
		} {
			var bad, late, seen bytes.Buffer
			opt.BadOut, opt.LateOut = &bad, &late
			r := setup{opt: opt, in: engine.Input{Unit: "s", Lateness: engine.Lateness{Set: true, For: 5 * time.Second}}, data: data, sql: sql}.thinned(t, &drop, &probe{out: &seen})
			require.NoError(t, r.err)
			l := r.ledger
			require.NoError(t, l.Check())
			require.Equal(t, []int64{records, 0}, []int64{l.Offered, l.Queued})
			require.EqualValues(t, strings.Count(bad.String(), "\n"), l.Bad)
			lines := strings.Split(strings.TrimSpace(bad.String()), "\n")
			for i := 0; i < len(lines); i += 1 + len(lines)/20 {
				checkBadLine(t, data, lines[i])
			}
			got := fmt.Sprint(r.out, late.String(), regexp.MustCompile(`"file":"[^"]*",`).ReplaceAllString(bad.String(), ""), l, seen.String())
			if want == "" {
				want = got
				if drop.Keeps[0] > 0.05 {
					assert.Positive(t, min(l.Late, l.Bad, l.Filtered, l.Shed, l.Used))
				}
			}
			require.Equal(t, want, got, "the same for %+v", opt)
		}
	}
}

// checkBadLine looks whether a bad record is where its line of BadOut says.
func checkBadLine(t *testing.T, data, line string) {
	t.Helper()
	if line == "" {
		return
	}
	var offset, record int
	_, err := fmt.Sscanf(line[strings.Index(line, `"offset"`):], `"offset":%d,"record":%d,`, &offset, &record)
	require.NoError(t, err, line)
	before := 0
	for _, l := range strings.Split(data[:offset], "\n") {
		if strings.TrimSpace(l) != "" {
			before++
		}
	}
	require.Equal(t, before+1, record, line)
	raw := data[offset:]
	require.True(t, offset == 0 || data[offset-1] == '\n', line)
	require.True(t, strings.HasPrefix(raw, `{"ts":`+"\n") || strings.HasPrefix(raw, `{"ts":null}`), line)
}

func TestThinnedStreamsOfEveryKind(t *testing.T) {
	var csv, quoted, logfmt strings.Builder
	csv.WriteString("v,host\n")
	quoted.WriteString("v,host\n")
	const n = 6000
	for i := range n {
		fmt.Fprintf(&csv, "%d,a\n", i)
		fmt.Fprintf(&quoted, "%d,\"a\n\"\"%d\"\r\n\r\n", i, i)
		fmt.Fprintf(&logfmt, "v=%d host=a\n", i)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write([]byte(csv.String()))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	lines := strings.ReplaceAll(numbered(n), "}", `,"host":"a"}`)
	for _, c := range []struct {
		claim string
		files map[string]string
		times int64
	}{
		{"csv", map[string]string{"a.csv": csv.String()}, 1},
		{"quotes", map[string]string{"a.csv": quoted.String()}, 1},
		{"logfmt", map[string]string{"a.log": logfmt.String()}, 1},
		{"lines", map[string]string{"a.ndjson": lines}, 1},
		{"no line end", map[string]string{"a.ndjson": strings.TrimSpace(lines)}, 1},
		{"an array, which is thinned behind decoding", map[string]string{"a.json": "[" + strings.ReplaceAll(strings.TrimSpace(lines), "\n", ",\n") + "]"}, 1},
		{"compressed", map[string]string{"a.csv.gz": packed.String()}, 1},
		{"files with headers", map[string]string{"a.csv": csv.String(), "b.csv": strings.TrimSpace(csv.String()), "c.csv": "host,v\n", "d.csv": "host,v\nb,6000"}, 2},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		for _, keep := range []float64{0.7, 0.03, 1} {
			var want string
			for _, chunk := range []int{0, 1000, 150} {
				r := setup{opt: engine.Options{ChunkSize: chunk}, in: engine.Input{Paths: []string{filepath.Join(dir, "*")}}, sql: "SELECT v FROM s WHERE v < 30000"}.
					thinned(t, &op.Drop{Keeps: []float64{keep}, Seed: 1}, nil)
				require.NoError(t, r.err, c.claim)
				l := r.ledger
				require.NoError(t, l.Check())
				offered := c.times*n + c.times/2
				require.Equal(t, []int64{offered, 0, 0}, []int64{l.Offered, l.Bad, l.Queued}, c.claim)
				require.EqualValues(t, strings.Count(r.out, "\n"), l.Used)
				sigma := math.Sqrt(float64(offered) * keep * (1 - keep))
				require.InDelta(t, keep*float64(offered), float64(l.Used), 5*sigma+1e-9, c.claim)
				if want == "" {
					want = r.out
				}
				require.True(t, want == r.out, "%s: chunks of %d", c.claim, chunk)
			}
		}
	}
}

func TestAnEngineHasRoomForSoManySamples(t *testing.T) {
	e := engine.New(engine.Options{Workers: -1, Clock: &clock.Virtual{}})
	require.NoError(t, e.AddStream("s", engine.Input{Reader: strings.NewReader("{\"v\":1}\n")}))
	attached := 0
	for range 300 {
		_, err := e.Query("SELECT count(*) AS n FROM s TABLESAMPLE BERNOULLI (50 PERCENT)", engine.Each(func(engine.Row) error { return nil }))
		if err != nil {
			require.ErrorContains(t, err, "more than 250 samples")
			break
		}
		attached++
	}
	require.Greater(t, attached, 100)
	require.LessOrEqual(t, attached, 250)
}
