package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/clock"
	"github.com/aurora-dsms/aurora/engine/query"
)

// clustered returns records of which neighbours are alike: values drift, and some groups come in streaks.
func clustered(records int) (text string, counts, sums map[string]float64) {
	r := rand.New(rand.NewPCG(1, 2))
	counts, sums = map[string]float64{}, map[string]float64{}
	var b strings.Builder
	group := "g00"
	for i := range records {
		if r.IntN(3) == 0 {
			group = fmt.Sprintf("g%02d", min(r.IntN(50), r.IntN(50)))
		}
		v := 1 + r.IntN(100) + 50*(i*5/records)
		counts[group]++
		sums[group] += float64(v)
		fmt.Fprintf(&b, "{\"k\":%q,\"v\":%d,\"rest\":\"%060d\"}\n", group, v, i)
	}
	return b.String(), counts, sums
}

// portionOf answers sql from as many blocks of files as a virtual clock lets through in a time.
func portionOf(t *testing.T, sql string, in engine.Input, opt engine.Options, each func(engine.Row)) (ledger engine.Ledger, notes string) {
	t.Helper()
	opt.Clock, opt.Workers = &clock.Virtual{}, -1
	opt.Note = func(s string) { notes += s + "\n" }
	e := engine.New(opt)
	require.NoError(t, e.AddStream("s", in))
	_, err := e.Query(sql, engine.Each(func(r engine.Row) error { each(r); return nil }))
	require.NoError(t, err)
	require.NoError(t, e.Run(context.Background()))
	return e.Ledgers()[0], notes
}

func TestAPortionCovers(t *testing.T) {
	text, counts, sums := clustered(30_000)
	in := engine.Input{Paths: []string{filepath.Join(t.TempDir(), "s.ndjson")}}
	require.NoError(t, os.WriteFile(in.Paths[0], []byte(text), 0o600))
	runs := 100
	if testing.Short() {
		runs = 20
	}
	cells, missed, missedSums, shares := 0, 0, 0, 0.0
	for seed := range runs {
		opt := engine.Options{Within: 200 * time.Microsecond, Answers: query.Settings{Seed: uint64(seed)}}
		seen := 0.0
		_, notes := portionOf(t, "SELECT k, count(*) AS n, sum(v) AS v FROM s GROUP BY k", in, opt, func(r engine.Row) {
			k := r.Value("k").(string)
			cells++
			n, v := r.Estimate("n"), r.Estimate("v")
			if !n.Contains(counts[k]) {
				missed++
			}
			if !v.Contains(sums[k]) && !r.Unreliable("v") {
				missedSums++
			}
			assert.False(t, n.Exact)
			seen = r.Value("_kept").(float64)
		})
		assert.Contains(t, notes, "by chance")
		shares += seen / float64(runs)
	}
	assert.InDelta(t, 0.4, shares, 0.2, "a part was read")
	// Cells of a run are from the same blocks and hence not independent: counts of groups add up. The limit is that of a
	// binomial of a quarter of the cells at 94 % and 1e-6.
	n := float64(cells) / 4
	limit := 0.06 + 4.75*math.Sqrt(0.06*0.94/n)
	assert.Less(t, float64(missed)/float64(cells), limit, "counts, %d cells", cells)
	assert.Less(t, float64(missedSums)/float64(cells), limit, "sums, %d cells", cells)
	t.Logf("%d cells, share %.2f: counts cover %.4f, sums %.4f", cells, shares, 1-float64(missed)/float64(cells), 1-float64(missedSums)/float64(cells))
}

func TestWithTimeForAllAnswersAreExact(t *testing.T) {
	text, counts, _ := clustered(3000)
	dir := t.TempDir()
	half := len(text)/2 + strings.IndexByte(text[len(text)/2:], '\n') + 1
	in := engine.Input{Paths: []string{filepath.Join(dir, "a.ndjson"), filepath.Join(dir, "b.ndjson")}}
	require.NoError(t, os.WriteFile(in.Paths[0], []byte(text[:half]), 0o600))
	require.NoError(t, os.WriteFile(in.Paths[1], []byte(text[half:]), 0o600))
	groups := 0
	ledger, notes := portionOf(t, "SELECT k, count(*) AS n FROM s GROUP BY k", in, engine.Options{Within: time.Hour}, func(r engine.Row) {
		groups++
		e := r.Estimate("n")
		assert.True(t, e.Exact)
		assert.Equal(t, counts[r.Value("k").(string)], e.Value)
		assert.Equal(t, true, r.Value("_exact"))
		assert.Equal(t, 1.0, r.Value("_kept"))
	})
	assert.Equal(t, len(counts), groups)
	assert.EqualValues(t, 3000, ledger.Offered)
	assert.Contains(t, notes, "read whole")
}

func TestBlocksHaveTheHeaderOfTheirFile(t *testing.T) {
	dir := t.TempDir()
	var a, b strings.Builder
	a.WriteString("k,v\n")
	b.WriteString("v,k\n")
	for i := range 3000 {
		fmt.Fprintf(&a, "x,%d\n", i)
		fmt.Fprintf(&b, "%d,x\n", i)
	}
	in := engine.Input{Paths: []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")}}
	require.NoError(t, os.WriteFile(in.Paths[0], []byte(a.String()), 0o600))
	require.NoError(t, os.WriteFile(in.Paths[1], []byte(b.String()), 0o600))
	portionOf(t, "SELECT k, sum(v) AS v FROM s GROUP BY k", in, engine.Options{Within: time.Hour}, func(r engine.Row) {
		assert.Equal(t, "x", r.Value("k"))
		assert.EqualValues(t, 2*2999*3000/2, r.Value("v"))
	})
}

func TestWhatCannotBeReadInParts(t *testing.T) {
	text, _, _ := clustered(1000)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	for _, c := range []struct{ claim, name, data, sql, want string }{
		{"compressed files", "s.ndjson.gz", packed.String(), "SELECT count(*) FROM s", "cannot seek: unpack it first, or give --prefix"},
		{"arrays", "s.json", "[{\"v\":1},\n{\"v\":2}]", "SELECT count(*) FROM s", "one JSON array"},
		{"quoted line breaks", "s.csv", "k,v\n\"a\nb\",1\n", "SELECT count(*) FROM s", "line breaks inside quotes"},
		{"samples", "s.ndjson", text, "SELECT count(*) FROM s TABLESAMPLE BERNOULLI (10 PERCENT)", "leave TABLESAMPLE out"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		require.NoError(t, os.WriteFile(path, []byte(c.data), 0o600))
		e := engine.New(engine.Options{Within: time.Second, Answers: query.Settings{Within: true}})
		require.NoError(t, e.AddStream("s", engine.Input{Paths: []string{path}}))
		_, err := e.Query(c.sql, engine.Each(func(engine.Row) error { return nil }))
		assert.ErrorContains(t, err, c.want, c.claim)
	}
}

func TestTheBeginningOfACompressedFile(t *testing.T) {
	text, _, _ := clustered(20_000)
	in := engine.Input{Paths: []string{filepath.Join(t.TempDir(), "s.ndjson.gz")}}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(in.Paths[0], packed.Bytes(), 0o600))
	opt := engine.Options{Within: 100 * time.Microsecond, ChunkSize: 8 << 10, Answers: query.Settings{Prefix: true}}
	rows := 0
	_, notes := portionOf(t, "SELECT count(*) AS n, sum(v) AS v FROM s", in, opt, func(r engine.Row) {
		rows++
		assert.True(t, r.Unreliable("n"))
		assert.True(t, r.Unreliable("v"))
		assert.Equal(t, false, r.Value("_exact"))
	})
	assert.Equal(t, 1, rows)
	assert.Contains(t, notes, "nothing is known of the rest")
}

func TestTheBeginningOfACompressedCSVFile(t *testing.T) {
	in := engine.Input{Paths: []string{filepath.Join(t.TempDir(), "s.csv.gz")}}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := io.WriteString(w, "k,v\na,1\nb,2\na,3\n")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(in.Paths[0], packed.Bytes(), 0o600))
	opt := engine.Options{Within: time.Hour, Answers: query.Settings{Prefix: true}}
	ledger, _ := portionOf(t, "SELECT sum(v) AS v FROM s", in, opt, func(r engine.Row) {
		assert.EqualValues(t, 6, r.Value("v"))
	})
	assert.EqualValues(t, 3, ledger.Used)
}

func TestReadingStopsWhenTheErrorIsMet(t *testing.T) {
	text, counts, _ := clustered(60_000)
	in := engine.Input{Paths: []string{filepath.Join(t.TempDir(), "s.ndjson")}}
	require.NoError(t, os.WriteFile(in.Paths[0], []byte(text), 0o600))
	total := 0.0
	for _, n := range counts {
		total += n
	}
	sql := "SELECT count(*) AS n, avg(v) AS v FROM s WITH QOS (error 4%)"
	_, notes := portionOf(t, sql, in, engine.Options{Within: time.Hour}, func(r engine.Row) {
		for _, name := range []string{"n", "v"} {
			e := r.Estimate(name)
			assert.False(t, e.Exact)
			assert.LessOrEqual(t, max(e.High-e.Value, e.Value-e.Low)/e.Value, 0.04, name)
		}
		assert.True(t, r.Estimate("n").Contains(total))
		assert.Less(t, r.Value("_kept"), 0.8)
	})
	assert.Contains(t, notes, "the error that was asked for is met")
}

func TestWhatCannotBeMeasuredIsNoErrorMet(t *testing.T) {
	text, _, _ := clustered(100_000)
	in := engine.Input{Paths: []string{filepath.Join(t.TempDir(), "s.ndjson")}}
	require.NoError(t, os.WriteFile(in.Paths[0], []byte(text), 0o600))
	for _, what := range []string{"min(k) AS x", "approx_top_k(k, 3) AS x", "bool_or(v > 20) AS x"} {
		sql := "SELECT count(*) AS n, " + what + " FROM s WITH QOS (error 50%)"
		_, notes := portionOf(t, sql, in, engine.Options{Within: time.Hour}, func(engine.Row) {})
		assert.NotContains(t, notes, "is met", what)
		assert.Contains(t, notes, "read whole", what)
		assert.NotContains(t, notes, "not met", "all was read: %s", what)
	}
	_, notes := portionOf(t, "SELECT min(k) AS x FROM s WITH QOS (error 50%)", in, engine.Options{Within: 100 * time.Microsecond}, func(engine.Row) {})
	assert.Contains(t, notes, "the error that was asked for, 50 %, is not met: some answers are estimates whose error is not known")
}

func TestAnErrorThatIsNotMetIsTold(t *testing.T) {
	text, _, _ := clustered(5_000)
	in := engine.Input{Paths: []string{filepath.Join(t.TempDir(), "s.ndjson")}}
	require.NoError(t, os.WriteFile(in.Paths[0], []byte(text), 0o600))
	for ask, want := range map[string]string{"0.1%": `the error that was asked for, 0.1 %, is not met: that of the answers is \d+(\.\d+)? %`, "99%": `^$`} {
		notes := ""
		e := engine.New(engine.Options{Workers: -1, Clock: &clock.Virtual{}, Answers: query.Settings{Sample: []float64{0.5}}, Note: func(s string) { notes += s }})
		require.NoError(t, e.AddStream("s", in))
		_, err := e.Query("SELECT k, count(*) AS n FROM s GROUP BY k WITH QOS (error "+ask+")", engine.Each(func(engine.Row) error { return nil }))
		require.NoError(t, err)
		require.NoError(t, e.Run(context.Background()))
		assert.Regexp(t, want, notes)
	}
}

func TestReadingStopsWhenAllQueriesAreContent(t *testing.T) {
	text, _, _ := clustered(30_000)
	in := engine.Input{Paths: []string{filepath.Join(t.TempDir(), "s.ndjson")}}
	require.NoError(t, os.WriteFile(in.Paths[0], []byte(text), 0o600))
	notes := ""
	e := engine.New(engine.Options{
		Workers: -1, Clock: &clock.Virtual{}, Within: time.Hour, Answers: query.Settings{Within: true}, Note: func(s string) { notes += s + "\n" },
	})
	require.NoError(t, e.AddStream("s", in))
	for _, ask := range []string{"90%", "0.001%"} {
		_, err := e.Query("SELECT count(*) AS n FROM s WITH QOS (error "+ask+")", engine.Each(func(r engine.Row) error {
			assert.EqualValues(t, 30_000, r.Value("n"))
			return nil
		}))
		require.NoError(t, err)
	}
	require.NoError(t, e.Run(context.Background()))
	assert.Contains(t, notes, "read whole")
}
