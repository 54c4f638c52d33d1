package oracle_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/experiments/oracle"
)

// large is where the whole data sets are, of which the repository has the beginnings.
const large = "../../../shared/data"

// unpacked returns the content of a compressed file, and skips the test where it is not there.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.Open(filepath.Join(large, name))
	if os.IsNotExist(err) {
		t.Skipf("%s is not here", name)
	}
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	return data
}

func shipped(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../data", name))
	require.NoError(t, err)
	return data
}

var accessQueries = []string{
	"SELECT window_start, status, count(*) AS n, sum(bytes) AS b FROM tumble(t, time, '1 hour') GROUP BY window_start, status",
	"SELECT window_start, count(*) AS n, count(DISTINCT ip) AS d, approx_quantile(bytes, [0.5, 0.9]) AS q FROM tumble(t, time, '10 seconds') WHERE method = 'GET' GROUP BY window_start HAVING n > 1",
	"SELECT window_start, window_end, avg(bytes) AS m, approx_top_k(path, 2) AS top FROM hop(t, time, '20 minutes', '1 hour') GROUP BY window_start, window_end",
	"SELECT window_start, user, protocol, min(path) AS p, last(agent) AS a, stddev_samp(bytes) AS s FROM tumble(t, time, '1 day', timezone => 'America/New_York') GROUP BY window_start, user, protocol ORDER BY s DESC, p LIMIT 3",
	"SELECT upper(substr(agent, 1, 7)) AS a, count(*) AS n, count(referer) AS r FROM t GROUP BY a ORDER BY n DESC, a",
	"SELECT time, status, path FROM t WHERE status NOT IN (200, 304) AND path LIKE '%.php%' ORDER BY path, time",
}

var flightQueries = []string{
	"SELECT window_start, origin, count(*) AS n, avg(delay) AS m, max(distance) AS far FROM tumble(t, time, '1 day') GROUP BY window_start, origin",
	"SELECT window_start, count(*) AS n, approx_quantile(delay, 0.95) AS q, var_pop(delay) AS v FROM hop(t, time, '15 minutes', '1 hour') WHERE distance > 500 GROUP BY window_start",
	"SELECT window_start, origin, destination, sum(delay) AS s FROM tumble(t, time, '6 hours', timezone => 'America/Chicago') GROUP BY window_start, origin, destination HAVING s > 100 ORDER BY s DESC, origin LIMIT 5",
	"SELECT origin, count(*) FILTER (WHERE delay > 15) / count(*) AS share, min(delay) AS lo FROM t GROUP BY origin ORDER BY share DESC",
}

// lateness are the ways in which time passes.
var lateness = []engine.Lateness{{Set: true, End: true}, {Set: true}, {Set: true, For: 30 * time.Second}}

func judgeAll(t *testing.T, data []byte, format codec.Format, queries []string, ways []engine.Lateness) {
	dir := t.TempDir()
	for i, sql := range queries {
		for _, l := range ways {
			t.Run(fmt.Sprintf("%d %v %v", i, l.End, l.For), func(t *testing.T) {
				from := oracle.Input{Format: format, Unit: codec.UnitText, ToEnd: l.End, Lateness: l.For}
				q := question{data, []string{sql}, engine.Input{Lateness: l}, from}
				q.judge(t, dir, few)
			})
		}
	}
}

func TestAccessLog(t *testing.T) {
	judgeAll(t, shipped(t, "access.log"), codec.AccessLog, accessQueries, lateness)
}

func TestFlights(t *testing.T) {
	judgeAll(t, shipped(t, "flights.csv"), codec.CSV, flightQueries, lateness[:2])
}

func TestWholeAccessLog(t *testing.T) {
	data := unpacked(t, "access.log.gz")
	judgeAll(t, data, codec.AccessLog, accessQueries[:2], lateness)
	path := filepath.Join(t.TempDir(), "access.log")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	got, err := ask(t, path, []string{"SELECT count(*) AS n FROM t"}, engine.Input{}, setting{workers: 2})
	require.NoError(t, err)
	require.EqualValues(t, 10_000, got[0].ledger.Offered)
	require.EqualValues(t, 9_999, got[0].ledger.Used)
	require.Equal(t, map[string]int64{"quote": 1}, got[0].ledger.BadReasons, "record 8,899 has a quote that does not close")
}

// The oracle sees the first 40,000 flights, which is what it has time for; whether settings matter is told from all.
func TestWholeFlights(t *testing.T) {
	data := unpacked(t, "flights-1m.csv.gz")
	end := 0
	for range 40_001 {
		end += bytes.IndexByte(data[end:], '\n') + 1
	}
	in := engine.Input{Lateness: engine.Lateness{Set: true, For: time.Minute}}
	q := question{data[:end], flightQueries, in, oracle.Input{Format: codec.CSV, Unit: codec.UnitText, Lateness: time.Minute}}
	q.judge(t, t.TempDir(), few[:1])

	path := filepath.Join(t.TempDir(), "flights.csv")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	want, err := ask(t, path, flightQueries, in, few[0])
	require.NoError(t, err)
	got, err := ask(t, path, flightQueries, in, few[1])
	require.NoError(t, err)
	for i, o := range got {
		require.Equal(t, want[i].json.String(), o.json.String(), o.sql)
		require.Equal(t, want[i].ledger, o.ledger, o.sql)
	}
}
