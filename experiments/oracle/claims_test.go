package oracle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/tuple"
	"github.com/aurora-dsms/aurora/experiments/oracle"
)

// Answers worked out by hand, which both sides must give.
func TestClaims(t *testing.T) {
	end := engine.Lateness{Set: true, End: true}
	for _, c := range []struct {
		claim, sql, data, want string
		format                 codec.Format
		lateness               engine.Lateness
		ledger                 oracle.Ledger
	}{
		{
			claim: "the second row closes the first window, so the third is late; the fourth's window ends at the watermark",
			sql:   "SELECT window_start AS w, sum(v) AS s FROM tumble(t, ts, '10s') GROUP BY w",
			data: `{"ts":"2024-01-01T00:00:00Z","v":1}
{"ts":"2024-01-01T00:00:15Z","v":2}
{"ts":"2024-01-01T00:00:05Z","v":4}
{"ts":"2024-01-01T00:00:09.999999999Z","v":8}
{"ts":"2024-01-01T00:00:10Z","v":16}`,
			want:     `{"w":"2024-01-01T00:00:00Z","s":1} {"w":"2024-01-01T00:00:10Z","s":18}`,
			lateness: engine.Lateness{Set: true},
			ledger:   oracle.Ledger{Offered: 5, Used: 3, Late: 2},
		},
		{
			claim: "a row that WHERE refuses moves the watermark, and lateness holds it back",
			sql:   "SELECT window_start AS w, count(*) AS n FROM hop(t, ts, '5s', '10s') WHERE v > 0 GROUP BY w",
			data: `{"ts":"2024-01-01T00:00:07Z","v":1}
{"ts":"2024-01-01T00:00:13Z","v":0}
{"ts":"2024-01-01T00:00:08Z","v":1}
{"ts":"2024-01-01T00:00:01Z","v":0}`,
			want:     `{"w":"2024-01-01T00:00:00Z","n":1} {"w":"2024-01-01T00:00:05Z","n":2}`,
			lateness: engine.Lateness{Set: true, For: 3 * time.Second},
			ledger:   oracle.Ledger{Offered: 4, Used: 2, Filtered: 1, Late: 1},
		},
		{
			claim:    "records without a time are bad, and NULL is a group",
			sql:      "SELECT window_start AS w, k, count(*) AS n FROM tumble(t, ts, '1h') GROUP BY w, k",
			data:     "{\"ts\":\"2024-01-01\"}\n{\"k\":1}\nx\n\n{\"ts\":\"2024-01-01\",\"k\":null,\"k\":\"a\"}\n{\"ts\":null}\n{\"ts\":\"2024-01-01\",\"k\":null}",
			want:     `{"w":"2024-01-01T00:00:00Z","k":null,"n":2} {"w":"2024-01-01T00:00:00Z","k":"a","n":1}`,
			lateness: end,
			ledger:   oracle.Ledger{Offered: 6, Used: 3, Bad: 3, BadReasons: map[string]int64{"time": 2, "syntax": 1}},
		},
		{
			claim:  "integers are exact, sums of them need 128 bits, zeros are one, and so are 1 and 1.0",
			sql:    "SELECT v, count(*) AS n, sum(9223372036854775807) AS s FROM t GROUP BY v",
			data:   "{\"v\":9007199254740993}\n{\"v\":9007199254740992}\n{\"v\":0}\n{\"v\":-0.0}\n{\"v\":1}\n{\"v\":1.0}",
			want:   `{"v":9007199254740993,"n":1,"s":9223372036854775807} {"v":9007199254740992,"n":1,"s":9223372036854775807} {"v":0,"n":2,"s":18446744073709551614} {"v":1,"n":2,"s":18446744073709551614}`,
			ledger: oracle.Ledger{Offered: 6, Used: 6},
		},
		{
			claim:  "quantiles are at the nearest rank of the decimal fraction, ties of top k go to the first",
			sql:    "SELECT approx_quantile(v, 0.7) AS a, approx_quantile(v, [0, 0.1, 1]) AS q, approx_top_k(v // 2, 2) AS k, stddev_pop(v) AS d FROM t",
			data:   "{\"v\":10}\n{\"v\":2}\n{\"v\":3}\n{\"v\":4}\n{\"v\":5}\n{\"v\":6}\n{\"v\":7}\n{\"v\":8}\n{\"v\":9}\n{\"v\":1}",
			want:   `{"a":7,"a_lo":7,"a_hi":7,"q":[1,1,10],"q_lo":[1,1,10],"q_hi":[1,1,10],"k":[{"value":1,"count":2,"lo":2,"hi":2},{"value":2,"count":2,"lo":2,"hi":2}],"d":2.8722813232690143}`,
			ledger: oracle.Ledger{Offered: 10, Used: 10},
		},
		{
			claim:  "of CSV: CRLF in quotes stays, nothing is NULL and empty quotes are text, a stray quote spoils a line, an open one the rest",
			sql:    "SELECT * FROM t ORDER BY a",
			data:   "a,b\r\n2,\"x\r\ny\"\r\n1,\"\"\r\n3,\r\n4,x\"y\r\n5\r\n6,\"a \"\"b\"\"\"\r\n7,\"open\r\n8,z\r\n",
			want:   `{"a":1,"b":""} {"a":2,"b":"x\r\ny"} {"a":3,"b":null} {"a":6,"b":"a \"b\""}`,
			format: codec.CSV,
			ledger: oracle.Ledger{Offered: 7, Used: 4, Bad: 3, BadReasons: map[string]int64{"quote": 2, "columns": 1}},
		},
		{
			claim:    "a day has 25 hours when clocks are set back",
			sql:      "SELECT window_start AS w, window_end AS e, count(*) AS n FROM tumble(t, ts, '1 day', timezone => 'Europe/Berlin') GROUP BY w, e",
			data:     "{\"ts\":\"2024-10-26T22:00:00Z\"}\n{\"ts\":\"2024-10-27T22:59:59Z\"}\n{\"ts\":\"2024-10-27T23:00:00Z\"}",
			want:     `{"w":"2024-10-27T00:00:00+02:00","e":"2024-10-28T00:00:00+01:00","n":2} {"w":"2024-10-28T00:00:00+01:00","e":"2024-10-29T00:00:00+01:00","n":1}`,
			lateness: end,
			ledger:   oracle.Ledger{Offered: 3, Used: 3},
		},
		{
			claim:    "a date that the clock jumps over has no window",
			sql:      "SELECT window_start AS w, count(*) AS n FROM hop(t, ts, '1 day', '2 days', timezone => 'Pacific/Apia') GROUP BY w",
			data:     "{\"ts\":\"2011-12-30T09:59:59Z\"}\n{\"ts\":\"2011-12-30T10:00:00Z\"}",
			want:     `{"w":"2011-12-28T00:00:00-10:00","n":1} {"w":"2011-12-29T00:00:00-10:00","n":1} {"w":"2011-12-31T00:00:00+14:00","n":1}`,
			lateness: end,
			ledger:   oracle.Ledger{Offered: 2, Used: 2},
		},
		{
			claim:  "what has members is replaced with them, and chunks may have no row",
			sql:    "SELECT o.x AS x, o['y'] AS y FROM t",
			data:   strings.Repeat("bad\n", 100) + "{\"o\":{\"x\":1,\"y\":\"a\"},\"o\":{\"x\":2.5}}\n" + strings.Repeat("bad\n", 100),
			want:   `{"x":2.5,"y":null}`,
			ledger: oracle.Ledger{Offered: 201, Used: 1, Bad: 200, BadReasons: map[string]int64{"syntax": 200}},
		},
	} {
		t.Run(c.claim, func(t *testing.T) {
			q := question{data: []byte(c.data), queries: []string{c.sql}, in: engine.Input{Lateness: c.lateness}}
			q.from = oracle.Input{Format: codec.NDJSON, Unit: codec.UnitText, ToEnd: c.lateness.End, Lateness: c.lateness.For}
			if c.format != "" {
				q.from.Format = c.format
			}
			q.in.Format = q.from.Format
			got := q.judge(t, t.TempDir(), settings)[0]
			require.Equal(t, c.want, strings.Join(strings.Split(strings.TrimSpace(got.json.String()), "\n"), " "))
			if c.ledger.BadReasons == nil {
				c.ledger.BadReasons = map[string]int64{}
			}
			require.Equal(t, c.ledger, accountOf(got.ledger))
		})
	}
}

func TestOracleRefusesWhatItDoesNotKnow(t *testing.T) {
	schema := &tuple.Schema{Fields: []tuple.Field{{Name: "a", Path: []string{"a"}, Type: tuple.Text}}}
	q := &plan.Query{Inputs: []plan.Input{{Schema: schema, Time: -1, Where: &expr.Node{
		Kind: expr.Call, Name: "soundex", Type: tuple.Boolean, Args: []*expr.Node{{Kind: expr.Col, Type: tuple.Text}},
	}}}}
	_, err := oracle.Run(q, []byte(`{"a":"x"}`), oracle.Input{Format: codec.NDJSON})
	require.ErrorContains(t, err, "soundex")
	_, err = oracle.Run(q, nil, oracle.Input{Format: codec.Logfmt})
	require.ErrorContains(t, err, "logfmt")
	_, err = oracle.Run(q, []byte("b\n1\n"), oracle.Input{Format: codec.CSV})
	require.ErrorContains(t, err, "no column a")
	_, err = oracle.Run(&plan.Query{}, nil, oracle.Input{Format: codec.NDJSON})
	require.ErrorContains(t, err, "one stream")
}
