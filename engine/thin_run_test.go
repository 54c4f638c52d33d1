package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/clock"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

func TestWindowsOfAThinnedPipeClose(t *testing.T) {
	const seconds, perSecond = 20, 1000
	in, out := io.Pipe()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	e := engine.New(engine.Options{})
	require.NoError(t, e.AddStream("s", engine.Input{Reader: in, Idle: -1, Lateness: engine.Lateness{Set: true, For: time.Second}}))
	seen := make(chan struct{})
	start := time.Now().Add(-time.Minute).Truncate(time.Second).UTC()
	go func() {
		var b bytes.Buffer
		for i := range seconds * perSecond {
			fmt.Fprintf(&b, "{\"ts\":%q}\n", start.Add(time.Duration(i)*time.Second/perSecond).Format(time.RFC3339Nano))
		}
		_, _ = out.Write(b.Bytes())
		<-seen // silence until then: nothing but the records' own times closes windows
		_ = out.Close()
	}()
	b, err := e.Plan("SELECT window_start, count(*) AS n FROM tumble(s, ts, '1 second') GROUP BY window_start")
	require.NoError(t, err)
	b.Plan.Inputs[0].Drop = &op.Drop{Keeps: []float64{0.01}, Location: "x"}
	// The newest time that is read is at most 512 records old.
	last := start.Add((seconds - 3) * time.Second)
	q, err := e.Attach(b, engine.Each(func(r engine.Row) error {
		if r.Value("window_start").(time.Time).Equal(last) {
			close(seen)
		}
		return nil
	}))
	require.NoError(t, err)
	require.NoError(t, e.Run(ctx), "a window has not been closed")
	require.NoError(t, in.Close())
	l := q.Ledger()
	require.NoError(t, l.Check())
	require.EqualValues(t, seconds*perSecond, l.Offered)
}

func TestTimeIsReadOfDroppedRecords(t *testing.T) {
	var b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&b, "{\"ts\":%d,\"v\":1}\n", 1704067200+i)
	}
	p := &probe{}
	r := setup{in: engine.Input{Unit: "s", Lateness: engine.Lateness{Set: true}}, data: b.String(), sql: windowed}.
		thinned(t, &op.Drop{Keeps: []float64{1.0 / 1024}, Seed: 1}, p)
	require.NoError(t, r.err)
	require.Greater(t, len(p.closed), 25)
	for i, c := range p.closed {
		// The next kept record often is thousands of seconds later.
		require.Less(t, c, int64(512*time.Second), "window %d closes when the next time is read", i)
	}
}

func TestLedgersAddUpBetweenSteps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(mixed(5000)), 0o600))
	for _, chunk := range []int{500, 0} {
		e := engine.New(engine.Options{Workers: -1, ChunkSize: chunk, Clock: &clock.Virtual{}})
		require.NoError(t, e.AddStream("s", engine.Input{Paths: []string{path}, Unit: "s", Lateness: engine.Lateness{Set: true, For: 5 * time.Second}}))
		b, err := e.Plan("SELECT v, count(*) AS n FROM tumble(s, ts, '2 seconds') WHERE v <> 3 GROUP BY v, window_start")
		require.NoError(t, err)
		b.Plan.Inputs[0].Drop = &op.Drop{Keeps: []float64{0.3}, Location: "x"}
		q, err := e.Attach(b, engine.Each(func(engine.Row) error { return nil }))
		require.NoError(t, err)
		for busy := true; busy; {
			busy, err = e.Step()
			require.NoError(t, err)
			require.NoError(t, new(q.Ledger()).Check())
		}
		require.NoError(t, e.Run(context.Background()))
		assert.Positive(t, q.Ledger().Late)
	}
}

// TestASecondQueryMovesTheDrop attaches and detaches queries between chunks.
func TestASecondQueryMovesTheDrop(t *testing.T) {
	const n = 50_000
	path := filepath.Join(t.TempDir(), "s.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(numbered(n)), 0o600))
	e := engine.New(engine.Options{Workers: -1, ChunkSize: 4000, Clock: &clock.Virtual{}})
	require.NoError(t, e.AddStream("s", engine.Input{Paths: []string{path}}))
	p := &probe{}
	b, err := e.Plan("SELECT v FROM s")
	require.NoError(t, err)
	b.Plan.Inputs[0].Drop = &op.Drop{Keeps: []float64{0.5}, Epoch: 1500, Location: "x"}
	p.precede(b.Plan)
	sampled, err := e.Attach(b, engine.Each(func(engine.Row) error { return nil }))
	require.NoError(t, err)
	steps := func(n int) {
		for range n {
			_, err := e.Step()
			require.NoError(t, err)
		}
	}
	steps(20)
	exact, err := e.Query("SELECT v FROM s", engine.Each(func(engine.Row) error { return nil }))
	require.NoError(t, err)
	steps(41)
	e.Detach(exact)
	steps(20)
	require.NoError(t, e.Run(context.Background()))

	offered, kept, raws := map[uint32]tuple.Stratum{}, 0, []bool{}
	for _, b := range p.batches {
		require.Len(t, b.Sample, 1)
		s := b.Sample[0]
		require.GreaterOrEqual(t, s.Offered, offered[s.ID].Offered, "totals only grow")
		offered[s.ID] = s
		kept += len(b.Sel)
		if len(raws) == 0 || raws[len(raws)-1] != s.Raw {
			raws = append(raws, s.Raw)
		}
	}
	require.Equal(t, []bool{true, false, true}, raws, "before decoding, in the network, before decoding")
	var all, some int64
	for _, s := range offered {
		all, some = all+s.Offered, some+s.Kept
	}
	require.EqualValues(t, []int64{n, int64(kept)}, []int64{all, some}, "no record is missing in the totals")
	for _, q := range []*engine.Query{sampled, exact} {
		require.NoError(t, new(q.Ledger()).Check())
	}
	require.EqualValues(t, []int64{n, n - some, some}, []int64{sampled.Ledger().Offered, sampled.Ledger().Shed, sampled.Ledger().Used})
	require.Zero(t, exact.Ledger().Shed)
}

func TestAUniverseIsDroppedBehindDecoding(t *testing.T) {
	key := &expr.Node{Kind: expr.Col, Type: tuple.Number, Text: "v"}
	r := setup{data: numbered(5000), sql: "SELECT v FROM s"}.thinned(t, &op.Drop{Kind: tuple.Universe, Keeps: []float64{0.2}, Keys: []*expr.Node{key}, Location: "x"}, nil)
	require.NoError(t, r.err)
	l := r.ledger
	require.NoError(t, l.Check())
	require.EqualValues(t, []int64{5000, int64(strings.Count(r.out, "\n"))}, []int64{l.Offered, l.Used})
	require.InDelta(t, 4000, l.Shed, 170, "6 sigma of a binomial")
}

func TestRecordsWithoutAWeightAreBad(t *testing.T) {
	var bad bytes.Buffer
	p := &probe{}
	data := "{\"v\":1,\"w\":2}\n{\"v\":2,\"w\":null}\n{\"v\":3,\"w\":0.5}\n{\"v\":4,\"w\":1}\n{\"v\":5}\n{\"v\":6,\"w\":2.5}\n{\"v\":0}\n"
	path := filepath.Join(t.TempDir(), "s.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
	e := engine.New(engine.Options{BadOut: &bad})
	require.NoError(t, e.AddStream("s", engine.Input{Paths: []string{path}}))
	b, err := e.Plan("SELECT v, w FROM s WHERE v > 0")
	require.NoError(t, err)
	in := &b.Plan.Inputs[0]
	in.Weighted, in.Weight = true, in.Schema.Index("w")
	p.precede(b.Plan)
	q, err := e.Attach(b, engine.Each(func(engine.Row) error { return nil }))
	require.NoError(t, err)
	require.NoError(t, e.Run(context.Background()))
	l := q.Ledger()
	require.NoError(t, l.Check())
	require.Equal(t, map[string]int64{"weight": 3}, l.BadReasons)
	require.EqualValues(t, []int64{7, 3, 1}, []int64{l.Offered, l.Used, l.Filtered})
	require.Len(t, p.batches, 1)
	var weights []float64
	for _, r := range p.batches[0].Sel {
		weights = append(weights, p.batches[0].Weight[r])
	}
	require.Equal(t, []float64{2, 1, 2.5}, weights)
	require.Contains(t, bad.String(), `"record":2,"reason":"weight"`)
}

func TestExplainSaysWhereRecordsAreDropped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(numbered(10)), 0o600))
	array := filepath.Join(t.TempDir(), "s.json")
	require.NoError(t, os.WriteFile(array, []byte(`[{"v":1},{"v":2}]`), 0o600))
	for path, want := range map[string][]string{
		path:  {"filter v > 1   [while decoding]", "drop random, keep 0.1   [raw, before decoding; sample, seed 0]", "decode s: v NUMBER"},
		array: {"drop random, keep 0.1", "filter v > 1   [while decoding]", "decode s: v NUMBER"},
	} {
		e := engine.New(engine.Options{Answers: query.Settings{Sample: []float64{0.1}}})
		require.NoError(t, e.AddStream("s", engine.Input{Paths: []string{path}}))
		b, err := e.Plan("SELECT count(*) AS n FROM s WHERE v > 1")
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(plan.Explain(b.Plan)), "\n")
		lines = lines[len(lines)-3:]
		for i, w := range want {
			assert.Contains(t, lines[i], w)
		}
	}
}

func TestWeightsThatAreShares(t *testing.T) {
	run := func(weight, data string) (n float64, notes string, err error) {
		e := engine.New(engine.Options{Workers: -1, Clock: &clock.Virtual{}, Answers: query.Settings{Weight: weight}, Note: func(s string) { notes += s + "\n" }})
		require.NoError(t, e.AddStream("s", engine.Input{Reader: strings.NewReader(data)}))
		_, err = e.Query("SELECT count(*) AS n FROM s", engine.Each(func(r engine.Row) error { n = r.Estimate("n").Value; return nil }))
		if err == nil {
			err = e.Run(context.Background())
		}
		return n, notes, err
	}
	shares := "{\"w\":0.1}\n{\"w\":0.5}\n{\"w\":1}\n"
	n, _, err := run("1/w", shares)
	require.NoError(t, err)
	require.InDelta(t, 13, n, 1e-9)
	_, notes, err := run("w", shares)
	require.NoError(t, err)
	require.Contains(t, notes, "2 of 3 records have no weight of 1 or more in w and are not in the answers: if it is the share of records that were kept, give --weight 1/w")
	for weight, c := range map[string]struct{ data, want string }{
		"w":   {"{\"w\":0.1}\n{\"w\":0.5}\n", "give --weight 1/w"},
		"1/w": {"{\"w\":10}\n{\"w\":3}\n", "give --weight w"},
	} {
		_, _, err = run(weight, c.data)
		require.ErrorContains(t, err, c.want)
	}
	_, _, err = run("w", "{\"w\":\"x\"}\n")
	require.ErrorContains(t, err, "no numbers")
}
