package engine_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/clock"
	"github.com/aurora-dsms/aurora/engine/codec"
)

func TestWindowsByArrivalCloseInSilence(t *testing.T) {
	in, out := io.Pipe()
	e := engine.New(engine.Options{})
	require.NoError(t, e.AddStream("s", engine.Input{Reader: in, Idle: 50 * time.Millisecond}))
	go func() { _, _ = io.WriteString(out, "{\"v\":1}\n{\"v\":2}\n") }()
	var rows []any
	_, err := e.Query("SELECT count(*) AS n FROM tumble(s, '100ms') GROUP BY window_start", engine.Each(func(r engine.Row) error {
		rows = append(rows, r.Value("n"), r.Final())
		e.Drain()
		return nil
	}))
	require.NoError(t, err)
	require.NoError(t, e.Run(context.Background()))
	require.NoError(t, in.Close())
	assert.Equal(t, []any{int64(2), true}, rows, "the window ends though no record follows it")
}

func TestManyLateRecordsAreMentioned(t *testing.T) {
	for _, c := range []struct {
		claim   string
		seconds []int
		note    string
	}{
		{"one of four", []int{0, 15, 5, 16}, "s: 1 of 4 records (25.0 %) came late"},
		{"one of two hundred is not worth a word", append([]int{0, 15, 5}, slices.Repeat([]int{16}, 197)...), ""},
	} {
		r := setup{in: engine.Input{Lateness: engine.Lateness{Set: true}}, data: times(c.seconds...), sql: windowed}.run(t)
		require.NoError(t, r.err)
		assert.EqualValues(t, 1, r.ledger.Late, c.claim)
		notes := strings.Join(r.notes, "\n")
		if c.note == "" {
			assert.NotContains(t, notes, "came late", c.claim)
		} else {
			assert.Contains(t, notes, c.note, c.claim)
		}
	}
}

func TestColumnsAreFoundByNameInEveryFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("a.csv", "host,v\na,1\n")
	write("b.csv", "v,extra,host\n2,x,b\n")
	query := setup{in: engine.Input{Paths: []string{filepath.Join(dir, "*.csv")}}, sql: "SELECT host, v FROM s"}
	r := query.over(t)
	require.NoError(t, r.err)
	assert.Equal(t, "{\"host\":\"a\",\"v\":1}\n{\"host\":\"b\",\"v\":2}\n", r.out)

	write("c.csv", "v\n3\n")
	r = query.over(t)
	require.ErrorContains(t, r.err, `c.csv: its header has no column "host"`)
	assert.Contains(t, r.out, `"host":"b"`, "the files before it are answered")
}

func TestTimesThatCannotBeRightAreBad(t *testing.T) {
	midnight := &clock.Virtual{Epoch: 1704067200e9}
	r := setup{
		opt: engine.Options{Workers: -1, Clock: midnight}, in: engine.Input{MaxFuture: 10 * time.Second},
		data: times(0, 10, 11), sql: windowed,
	}.run(t)
	require.NoError(t, r.err)
	assert.Equal(t, map[string]int64{"future": 1}, r.ledger.BadReasons, "ten seconds ahead of the clock are allowed")

	// The unit is settled by the first 10,000 records.
	data := strings.Repeat(times(0), 10_000) + "{\"ts\":8000000000}\n"
	r = setup{data: data, sql: windowed}.run(t)
	require.NoError(t, r.err)
	assert.Equal(t, map[string]int64{"unit": 1}, r.ledger.BadReasons, "the year 2223: another unit than the first records showed")

	r = setup{in: engine.Input{Unit: codec.UnitSeconds}, data: data, sql: windowed}.run(t)
	require.NoError(t, r.err)
	assert.Empty(t, r.ledger.BadReasons, "a unit that the user named is not doubted")
}

func TestTheDelimiterIsTakenFromTheHeader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.csv")
	require.NoError(t, os.WriteFile(path, []byte("host;v\na,b;1\n"), 0o600))
	r := setup{in: engine.Input{Paths: []string{path}}, sql: "SELECT host, v FROM s"}.over(t)
	require.NoError(t, r.err)
	assert.Equal(t, "{\"host\":\"a,b\",\"v\":1}\n", r.out)
}

func TestChunksOfBlankLinesHaveNoRecords(t *testing.T) {
	blank := strings.Repeat("\n", 5000)
	for _, c := range []struct {
		claim, data, want string
	}{
		{"nothing else", "\n", "{\"n\":0}\n"},
		{"a chunk of them before records", blank + "{\"v\":1}\n", "{\"n\":1}\n"},
		{"between them, and behind", "{\"v\":1}\n" + blank + "{\"v\":2}\n" + blank, "{\"n\":2}\n"},
	} {
		for _, workers := range []int{-1, 2} {
			opt := engine.Options{Workers: workers, ChunkSize: 1000}
			r := setup{opt: opt, data: c.data, sql: "SELECT count(*) AS n FROM s"}.run(t)
			require.NoError(t, r.err)
			assert.Equal(t, c.want, r.out, c.claim)
		}
	}
}
