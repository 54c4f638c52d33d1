package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
)

// ledger reads a line of --stats, which must add up.
func ledger(t *testing.T, line string) engine.Ledger {
	var l engine.Ledger
	require.NoError(t, json.Unmarshal([]byte(line), &l), line)
	require.NoError(t, l.Check())
	return l
}

// TestReadersThatGoAwayEndTheRun is about pipes into head.
func TestReadersThatGoAwayEndTheRun(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&text, "{\"k\":%d}\n", i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "t.ndjson"), []byte(text.String()), 0o600))
	for claim, sql := range map[string]string{
		"rows":   "SELECT k FROM t",
		"groups": "SELECT k, count(*) AS n FROM t GROUP BY k",
		"sorted": "SELECT k FROM t ORDER BY k DESC",
	} {
		for _, o := range []string{"ndjson", "json", "csv", "table", "markdown"} {
			t.Run(claim+" as "+o, func(t *testing.T) {
				t.Parallel()
				r := script(t, dir, `(aurora query "`+sql+`" t.ndjson -o `+o+`; echo "exit $?" >&2) | head -n 1`)
				require.Equal(t, 1, strings.Count(r.stdout, "\n"))
				require.Equal(t, "exit 0\n", r.stderr)
			})
		}
	}
}

func TestUnreadableFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.ndjson")
	require.NoError(t, os.WriteFile(path, []byte("{\"v\":1}\n"), 0))
	if f, err := os.Open(path); err == nil {
		require.NoError(t, f.Close())
		t.Skip("this user may read every file")
	}
	r := script(t, dir, "aurora query 'SELECT v FROM t' t.ndjson")
	require.Equal(t, 2, r.code)
	require.Contains(t, r.stderr, "t.ndjson: permission denied")
}

// TestDamageBehindTheSampleIsARunTimeFailure has rows before the damage, and an account of them.
func TestDamageBehindTheSampleIsARunTimeFailure(t *testing.T) {
	dir := t.TempDir()
	r := script(t, dir, `aurora generate weblog --count 30000 | gzip -1 > w.ndjson.gz
		head -c 600000 w.ndjson.gz > cut.ndjson.gz
		aurora query "SELECT count(*) AS n FROM cut" cut.ndjson.gz --stats`)
	require.Equal(t, 1, r.code)
	require.Contains(t, r.stderr, "cut.ndjson.gz: the gzip data ends too early")
	require.Contains(t, r.stdout, `"_final":false`)
	for line := range strings.Lines(r.stderr) {
		if strings.HasPrefix(line, "{") {
			require.Positive(t, ledger(t, line).Used)
		}
	}
}

func TestManyFilesBecomeOneStreamInOrder(t *testing.T) {
	r := script(t, t.TempDir(), `for i in 1 2 3; do echo "{\"v\":$i}" > $i.ndjson; done
		aurora query -o csv 'SELECT v FROM all_of_them' -i 'all_of_them=[123].ndjson'`)
	require.Equal(t, result{stdout: "v\n1\n2\n3\n"}, r)
}

func TestStatsAddUp(t *testing.T) {
	r := script(t, t.TempDir(), `aurora generate weblog --count 50000 --disorder 5s --displaced 0.5 |
		aurora query -q "SELECT window_start, count(*) AS n FROM tumble(stdin, ts, '1s') WHERE status >= 500 GROUP BY window_start" --lateness 0s --stats -o none`)
	require.Zero(t, r.code)
	require.Empty(t, r.stdout)
	l := ledger(t, r.stderr)
	require.Equal(t, "stdin", l.Source)
	require.EqualValues(t, 50000, l.Offered)
	require.Positive(t, l.Used)
	require.Positive(t, l.Filtered)
	require.Positive(t, l.Late)
}

func TestZstandardByNameAndByContent(t *testing.T) {
	dir := t.TempDir()
	z, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	packed := z.EncodeAll([]byte("{\"v\":1}\n{\"v\":2}\n"), nil)
	for _, name := range []string{"t.ndjson.zst", "u"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), packed, 0o600))
	}
	r := script(t, dir, `aurora query 'SELECT sum(v) AS v FROM t' t.ndjson.zst
		aurora query 'SELECT sum(v) AS v FROM u' u
		cat u | aurora query 'SELECT sum(v) AS v FROM stdin'`)
	require.Equal(t, result{stdout: strings.Repeat("{\"v\":3}\n", 3)}, r)
}
