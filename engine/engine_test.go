package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/clock"
	"github.com/aurora-dsms/aurora/engine/sink"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// setup is one run: options, the stream's options, its bytes and the query.
type setup struct {
	opt  engine.Options
	in   engine.Input
	data string
	sql  string
}

// result is what came out.
type result struct {
	out    string
	ledger engine.Ledger
	notes  []string
	err    error
}

// run answers a query over a file called s.ndjson.
func (s setup) run(t *testing.T) result {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(s.data), 0o600))
	s.in.Paths = []string{path}
	return s.over(t)
}

// over answers a query over the inputs as they are.
func (s setup) over(t *testing.T) result {
	t.Helper()
	var r result
	var out bytes.Buffer
	s.opt.Note = func(text string) { r.notes = append(r.notes, text) }
	e := engine.New(s.opt)
	require.NoError(t, e.AddStream("s", s.in))
	ndjson, err := sink.New(sink.NDJSON, &out, sink.Options{})
	require.NoError(t, err)
	q, err := e.Query(s.sql, ndjson)
	require.NoError(t, err)
	r.err = e.Run(context.Background())
	r.out, r.ledger = out.String(), q.Ledger()
	return r
}

// windowed is a query with a window; times makes its records.
const windowed = `SELECT window_start, count(*) AS n FROM tumble(s, ts, '10 seconds') GROUP BY window_start`

// times makes records with event times in seconds after midnight of 2024.
func times(seconds ...int) string {
	var b strings.Builder
	for _, s := range seconds {
		fmt.Fprintf(&b, "{\"ts\":%d,\"v\":%d}\n", 1704067200+s, s)
	}
	return b.String()
}

func TestLatenessIsDecidedRecordByRecord(t *testing.T) {
	for _, c := range []struct {
		claim    string
		lateness time.Duration
		seconds  []int
		out      []int
		late     int64
	}{
		{"a row of a closed window is late", 0, []int{0, 15, 5}, []int{1, 1}, 1},
		{"a row that closes a window belongs to the next", 0, []int{0, 10}, []int{1, 1}, 0},
		{"a row out of order is not late while its window is open", 0, []int{5, 9, 3}, []int{3}, 0},
		{"lateness keeps windows open", 10 * time.Second, []int{0, 15, 5}, []int{2, 1}, 0},
		{"lateness ends to the second", 10 * time.Second, []int{0, 20, 5}, []int{1, 1}, 1},
		{"a late row does not move time", 0, []int{0, 30, 5, 31}, []int{1, 2}, 1},
	} {
		for _, chunk := range []int{1, 40, 1 << 20} {
			r := setup{
				opt:  engine.Options{ChunkSize: chunk, Workers: 2},
				in:   engine.Input{Lateness: engine.Lateness{Set: true, For: c.lateness}},
				data: times(c.seconds...), sql: windowed,
			}.run(t)
			require.NoError(t, r.err, c.claim)
			var got []int
			for _, line := range strings.Split(strings.TrimSpace(r.out), "\n") {
				var n int
				_, err := fmt.Sscanf(line[strings.Index(line, `"n":`):], `"n":%d}`, &n)
				require.NoError(t, err, line)
				got = append(got, n)
			}
			assert.Equal(t, c.out, got, "%s (chunks of %d)", c.claim, chunk)
			assert.Equal(t, c.late, r.ledger.Late, c.claim)
			assert.NoError(t, r.ledger.Check())
		}
	}
}

func TestEveryRecordIsAccountedForByItsReason(t *testing.T) {
	data := times(1, 2, 3) + "\n  \n" + "{\"ts\":\n" + `{"v":7}` + "\n" + `{"ts":null,"v":8}` + "\n[1]\n" + times(25, 4, 26)
	r := setup{
		in:   engine.Input{Lateness: engine.Lateness{Set: true}},
		data: data, sql: strings.Replace(windowed, " GROUP", " WHERE v <> 2 GROUP", 1),
	}.run(t)
	require.NoError(t, r.err)
	l := r.ledger
	assert.Equal(t, []int64{10, 4, 1, 1, 4}, []int64{l.Offered, l.Used, l.Filtered, l.Late, l.Bad})
	assert.Equal(t, map[string]int64{"syntax": 1, "time": 2, "not an object": 1}, l.BadReasons)
	assert.NoError(t, l.Check())
}

func TestBadRecordsAreShownOnceAndWrittenOut(t *testing.T) {
	var bad bytes.Buffer
	data := "{\"v\":1}\n{\"v\":\n{\"v\":2}\n{\"v\"\n{\"v\"\n"
	r := setup{opt: engine.Options{BadOut: &bad}, data: data, sql: "SELECT sum(v) AS s FROM s"}.run(t)
	require.NoError(t, r.err)
	assert.Equal(t, "{\"s\":3}\n", r.out)
	shown := strings.Join(r.notes, "\n")
	assert.Contains(t, shown, "record 2 at byte 8")
	assert.NotContains(t, shown, "record 4")
	assert.Equal(t, 1, strings.Count(shown, "3 bad records"), "summed up once")
	lines := strings.Split(strings.TrimSpace(bad.String()), "\n")
	require.Len(t, lines, 3)
	assert.Contains(t, lines[1], `"offset":22,"record":4,"reason":"syntax"`)
}

func TestTheFirstBadRecordEndsTheRunWhenAsked(t *testing.T) {
	for claim, data := range map[string]string{"syntax": "{\"ts\":1704067200}\n{\"ts\":\n", "no time": "{\"ts\":1704067200}\n{\"v\":1}\n"} {
		r := setup{opt: engine.Options{FailOnBad: true}, data: data, sql: windowed}.run(t)
		require.ErrorIs(t, r.err, engine.ErrBadRecord, claim)
		assert.ErrorContains(t, r.err, "record 2", claim)
	}
}

func TestRecordsLongerThanTheLimitAreBadOnce(t *testing.T) {
	data := "{\"v\":1}\n{\"v\":\"" + strings.Repeat("x", 5000) + "\"}\n{\"v\":2}\n"
	r := setup{opt: engine.Options{MaxLine: 1000}, data: data, sql: "SELECT count(*) AS n FROM s"}.run(t)
	require.NoError(t, r.err)
	assert.Equal(t, "{\"n\":2}\n", r.out)
	assert.Equal(t, map[string]int64{"oversize": 1}, r.ledger.BadReasons)
	assert.NoError(t, r.ledger.Check())
}

func TestAnInputThatEndsEarlyGivesItsRowsAndTheError(t *testing.T) {
	broken := errors.New("the cable was cut")
	r := setup{
		in:  engine.Input{Reader: io.MultiReader(strings.NewReader(times(1, 2)), iotest.ErrReader(broken))},
		sql: "SELECT count(*) AS n FROM s",
	}.over(t)
	require.ErrorContains(t, r.err, broken.Error())
	assert.Equal(t, "{\"n\":2,\"_final\":false}\n", r.out)
}

func TestQueriesOnOneStreamShareItsRecords(t *testing.T) {
	var alone []string
	sqls := []string{
		"SELECT count(*) AS n FROM s WHERE v > 2",
		"SELECT v, ts FROM s WHERE v % 2 = 0",
		windowed,
		"SELECT sum(v) AS s, min(ts) AS t FROM s WHERE v < 4 AND v <> 1",
	}
	data := times(1, 2, 3, 4, 15, 16) + "{\"v\":\n"
	for _, sql := range sqls {
		alone = append(alone, setup{data: data, sql: sql}.run(t).out)
	}
	path := filepath.Join(t.TempDir(), "s.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
	e := engine.New(engine.Options{ChunkSize: 50})
	require.NoError(t, e.AddStream("s", engine.Input{Paths: []string{path}}))
	outs := make([]bytes.Buffer, len(sqls))
	for i, sql := range sqls {
		out, err := sink.New(sink.NDJSON, &outs[i], sink.Options{})
		require.NoError(t, err)
		_, err = e.Query(sql, out)
		require.NoError(t, err)
	}
	require.NoError(t, e.Run(context.Background()))
	for i := range sqls {
		assert.Equal(t, alone[i], outs[i].String(), sqls[i])
		l := e.Ledgers()[i]
		assert.EqualValues(t, 7, l.Offered)
		assert.NoError(t, l.Check())
	}
}

func TestLimitEndsAnEndlessStream(t *testing.T) {
	r := setup{
		in:  engine.Input{Reader: &endless{}},
		sql: "SELECT v FROM s LIMIT 3",
	}.over(t)
	require.NoError(t, r.err)
	assert.Equal(t, "{\"v\":0}\n{\"v\":1}\n{\"v\":2}\n", r.out)
	assert.NoError(t, r.ledger.Check())
}

// endless is a stream of numbered records without end.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	line := fmt.Appendf(nil, "{\"v\":%d}\n", e.n)
	e.n++
	return copy(p, line), nil
}

func TestDrainEmitsOpenWindowsAsPartial(t *testing.T) {
	in, out := io.Pipe()
	var text bytes.Buffer
	e := engine.New(engine.Options{})
	require.NoError(t, e.AddStream("s", engine.Input{Reader: in, Lateness: engine.Lateness{Set: true}}))
	go func() {
		_, _ = io.WriteString(out, times(1, 2, 11))
	}()
	rows := 0
	q, err := e.Query(windowed, engine.Each(func(r engine.Row) error {
		fmt.Fprintln(&text, r.Value("n"), r.Final())
		if rows++; rows == 1 {
			e.Drain()
		}
		return nil
	}))
	require.NoError(t, err)
	require.NoError(t, e.Run(context.Background()))
	require.NoError(t, in.Close())
	assert.Equal(t, "2 true\n1 false\n", text.String())
	assert.NoError(t, new(q.Ledger()).Check())
}

func TestSilentLiveStreamsCloseTheirWindows(t *testing.T) {
	in, out := io.Pipe()
	e := engine.New(engine.Options{})
	require.NoError(t, e.AddStream("s", engine.Input{Reader: in, Idle: 50 * time.Millisecond, Lateness: engine.Lateness{Set: true, For: 100 * time.Millisecond}}))
	now := time.Now().Truncate(time.Second)
	go func() {
		fmt.Fprintf(out, "{\"ts\":%q}\n", now.Add(-time.Minute).UTC().Format(time.RFC3339))
		fmt.Fprintf(out, "{\"ts\":%q}\n", now.UTC().Format(time.RFC3339))
	}()
	var final []bool
	sql := "SELECT window_start, count(*) AS n FROM tumble(s, ts, '100ms') GROUP BY window_start"
	_, err := e.Query(sql, engine.Each(func(r engine.Row) error {
		if final = append(final, r.Final()); len(final) == 2 {
			e.Drain()
		}
		return nil
	}))
	require.NoError(t, err)
	require.NoError(t, e.Run(context.Background()))
	require.NoError(t, in.Close())
	assert.Equal(t, []bool{true, true}, final, "both windows close though no record follows the second")
}

func TestWallAndVirtualRunsGiveTheSameBytes(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		b.WriteString(times(i/7 - i%13))
	}
	sql := "SELECT window_start, v % 3 AS k, count(*) AS n, avg(v) AS m FROM hop(s, ts, slide => '2s', size => '4s') WHERE v % 5 <> 0 GROUP BY window_start, k"
	var want string
	for _, opt := range []engine.Options{
		{Workers: 1}, {Workers: 2, ChunkSize: 100}, {Workers: 4, ChunkSize: 5000}, {Workers: -1, Clock: &clock.Virtual{}}, {Workers: -1, Clock: &clock.Virtual{}, ChunkSize: 333},
	} {
		r := setup{opt: opt, in: engine.Input{Lateness: engine.Lateness{Set: true, For: 5 * time.Second}}, data: b.String(), sql: sql}.run(t)
		require.NoError(t, r.err)
		assert.Positive(t, r.ledger.Late)
		if want == "" {
			want = r.out
		}
		assert.Equal(t, want, r.out, "%+v", opt)
	}
}

func TestACancelledRunStopsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in := &endless{}
	e := engine.New(engine.Options{})
	require.NoError(t, e.AddStream("s", engine.Input{Reader: in}))
	rows := 0
	_, err := e.Query("SELECT v FROM s", engine.Each(func(engine.Row) error {
		if rows++; rows == 10 {
			cancel()
		}
		return nil
	}))
	require.NoError(t, err)
	require.ErrorIs(t, e.Run(ctx), context.Canceled)
}

func TestMistakesAreFoundBeforeAnyInputIsOpened(t *testing.T) {
	e := engine.New(engine.Options{})
	require.NoError(t, e.AddStream("s", engine.Input{Paths: []string{"/nowhere/at/all"}}))
	_, err := e.Query("SELECT approx_quantile(v, 95) FROM s", engine.Each(nil))
	require.ErrorContains(t, err, "0.95")
}

func TestQueriesComeAndGoAtChunkBoundaries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("{\"v\":1}\n", 3000)), 0o600))
	e := engine.New(engine.Options{Workers: -1, ChunkSize: 800, Clock: &clock.Virtual{}})
	require.NoError(t, e.AddStream("s", engine.Input{Paths: []string{path}}))
	counts := map[string][]any{}
	attach := func(name string) *engine.Query {
		q, err := e.Query("SELECT count(*) AS n FROM s", engine.Each(func(r engine.Row) error {
			counts[name] = append(counts[name], r.Value("n"), r.Final())
			return nil
		}))
		require.NoError(t, err)
		return q
	}
	steps := func(n int) {
		for range n {
			_, err := e.Step()
			require.NoError(t, err)
		}
	}
	first := attach("first")
	steps(6)
	second := attach("second")
	steps(6)
	e.Detach(first)
	require.NoError(t, e.Run(context.Background()))
	a, b := first.Ledger(), second.Ledger()
	assert.Greater(t, a.Offered, int64(0))
	assert.Less(t, a.Offered, int64(3000), "it left early")
	assert.Less(t, b.Offered, int64(3000), "it came late")
	assert.Greater(t, a.Offered+b.Offered, int64(3000), "they overlapped")
	assert.Equal(t, []any{a.Used, false}, counts["first"])
	assert.Equal(t, []any{b.Used, true}, counts["second"])
	assert.NoError(t, a.Check())
	assert.NoError(t, b.Check())
	s := e.Stats()
	require.NotEmpty(t, s.Boxes)
	assert.Equal(t, a.Used, s.Boxes[0].In)
	selectivity, known := s.Boxes[0].Selectivity()
	assert.True(t, known)
	assert.InDelta(t, 1/float64(a.Used), selectivity, 1e-12)
}

func TestValuesThatCannotBeComputedAreSaid(t *testing.T) {
	r := setup{data: "{\"v\":-1,\"k\":\"x\"}\n{\"v\":4,\"k\":\"7\"}\n", sql: "SELECT sqrt(v) AS r, CAST(k AS BIGINT) AS k, v + 9223372036854775807 AS o FROM s"}.run(t)
	require.NoError(t, r.err)
	assert.Equal(t, map[string]int64{"cast": 1, "domain": 1, "overflow": 1}, r.ledger.BadValues)
	notes := strings.Join(r.notes, "\n")
	for _, said := range []string{"1 could not be converted", "square root", "64 bits"} {
		assert.Contains(t, notes, said)
	}
}

func TestBadRecordsAreToldInTheOrderOfTheInput(t *testing.T) {
	var data strings.Builder
	for i := range 20_000 {
		switch {
		case i%7 == 3:
			data.WriteString("{\"ts\":\"nope\"}\n")
		case i%5 == 1:
			data.WriteString("x\xff\n")
		default:
			fmt.Fprintf(&data, "{\"ts\":%d}\n", 1704067200+i/100)
		}
	}
	var want string
	for _, opt := range []engine.Options{{Workers: 1}, {Workers: 2, ChunkSize: 1000}, {Workers: -1, ChunkSize: 300}} {
		var out bytes.Buffer
		opt.BadOut = &out
		r := setup{opt: opt, in: engine.Input{Unit: "s"}, data: data.String(), sql: windowed}.run(t)
		require.NoError(t, r.err)
		last := int64(0)
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			var bad struct {
				Record, Offset int64
				Raw            string
				Bytes          []byte `json:"raw_base64"`
				Reason         string
			}
			require.NoError(t, json.Unmarshal([]byte(line), &bad))
			require.Greater(t, bad.Record, last, "records in order")
			last = bad.Record
			if bad.Reason == "syntax" {
				require.Equal(t, "x\xff", string(bad.Bytes))
			} else {
				require.Equal(t, `{"ts":"nope"}`, bad.Raw)
			}
			require.True(t, strings.HasPrefix(data.String()[bad.Offset:], bad.Raw[:1]))
		}
		got := regexp.MustCompile(`"file":"[^"]*",`).ReplaceAllString(out.String(), "")
		if want == "" {
			want = got
		}
		assert.True(t, want == got, "the same lines for %+v", opt)
		assert.EqualValues(t, r.ledger.Bad, strings.Count(got, "\n"))
	}
}

func TestTheFirstOfMixedBadRecordsEndsTheRun(t *testing.T) {
	data := times(1) + "{\"ts\":\"nope\"}\nx\n"
	r := setup{opt: engine.Options{FailOnBad: true}, in: engine.Input{Unit: "s"}, data: data, sql: windowed}.run(t)
	require.ErrorIs(t, r.err, engine.ErrBadRecord)
	assert.ErrorContains(t, r.err, "record 2")
	assert.NoError(t, r.ledger.Check())
}

func TestAFullDiskForLateRecordsEndsTheRun(t *testing.T) {
	full := errors.New("no space left")
	r := setup{
		opt:  engine.Options{LateOut: writerFunc(func([]byte) (int, error) { return 0, full })},
		in:   engine.Input{Lateness: engine.Lateness{Set: true}},
		data: times(1, 30, 2, 3, 4), sql: windowed,
	}.run(t)
	require.ErrorIs(t, r.err, full)
	assert.Equal(t, 1, strings.Count(r.err.Error(), "no space left"))
	assert.NoError(t, r.ledger.Check())
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
