package engine_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/sink"
)

func TestNotesSayWhatWasDecidedAboutTime(t *testing.T) {
	for _, c := range []struct {
		claim, data, window string
		in                  engine.Input
		want                string
	}{
		{
			"times in text have no unit, and history waits for its end", `{"ts":"2024-01-01T00:00:00Z"}`, "tumble(s, ts, '1m')",
			engine.Input{},
			"time: ts; windows in UTC close at the end of the input: this is history; on overload the input waits, nothing is dropped",
		},
		{
			"a unit that was guessed is said to be", `{"ts":1700000000000}`, "tumble(s, ts, '1m')",
			engine.Input{},
			"time: ts in ms, as the first records show; windows in UTC close at the end of the input: this is history; on overload the input waits, nothing is dropped",
		},
		{
			"what was given is not explained", `{"ts":17}`, "tumble(s, ts, '1 day', timezone => 'Europe/Berlin')",
			engine.Input{Unit: "s", Lateness: engine.Lateness{Set: true, For: 5 * time.Second}},
			"time: ts in s; windows in Europe/Berlin close 5s after their end (lateness); on overload the input waits, nothing is dropped",
		},
		{
			"text that is no time has no unit either", `{"host":"a","at":1700000000000}`, "tumble(s, host, '1m')",
			engine.Input{Lateness: engine.Lateness{Set: true, End: true}},
			"time: host; windows in UTC close at the end of the input; on overload the input waits, nothing is dropped",
		},
	} {
		t.Run(c.claim, func(t *testing.T) {
			c.in.Reader = strings.NewReader(c.data + "\n")
			e := engine.New(engine.Options{})
			require.NoError(t, e.AddStream("s", c.in))
			out, err := sink.New(sink.None, nil, sink.Options{})
			require.NoError(t, err)
			q, err := e.Query("SELECT count(*) AS n FROM "+c.window, out)
			require.NoError(t, err)
			notes := q.Notes()
			require.Equal(t, c.want, notes[len(notes)-1])
			require.NoError(t, e.Run(t.Context()))
		})
	}
}

func TestALiveStreamWithoutATimeHasThatOfArrival(t *testing.T) {
	in, out := io.Pipe()
	e := engine.New(engine.Options{})
	require.NoError(t, e.AddStream("s", engine.Input{Reader: in}))
	go func() { _, _ = io.WriteString(out, "{\"v\":17}\n") }()
	q, err := e.Query("SELECT count(*) AS n FROM tumble(s, size => '1m')", engine.Each(func(engine.Row) error { return nil }))
	require.NoError(t, err)
	notes := q.Notes()
	require.Equal(t, "time: arrival: no column has times (--time names one); windows in UTC close as they end, or when the stream is silent for 10s; "+
		"on overload the input waits, nothing is dropped", notes[len(notes)-1])
	require.NoError(t, out.Close())
	require.NoError(t, e.Run(t.Context()))
}

func TestAnUnknownStreamIsToldWhatThereIs(t *testing.T) {
	e := engine.New(engine.Options{})
	require.NoError(t, e.AddStream("access", engine.Input{Paths: []string{"access.log"}}))
	_, err := e.Plan("SELECT count(*) FROM other")
	require.EqualError(t, err, `1:22: no stream is called "other": there are access (access.log), stdin; name a file with -i other=PATH, or write FROM 'PATH'`)
}

func TestExplainIsNotRun(t *testing.T) {
	e := engine.New(engine.Options{})
	require.NoError(t, e.AddStream("s", engine.Input{Reader: strings.NewReader("{\"v\":1}\n")}))
	out, err := sink.New(sink.None, nil, sink.Options{})
	require.NoError(t, err)
	_, err = e.Query("EXPLAIN SELECT v FROM s", out)
	require.ErrorContains(t, err, "EXPLAIN has a plan and no rows")
}

func TestStreamsAreNamedByTheStemsOfFiles(t *testing.T) {
	for path, want := range map[string]string{
		"logs/access.log":       "access",
		"events.ndjson.gz":      "events",
		"EVENTS.CSV.zst":        "EVENTS",
		"events.dat":            "events",
		"events.dat.gz":         "events",
		"my log-2024.01.ndjson": "my_log_2024_01",
		"access.log.1":          "access_log_1",
		"2024.csv":              "_2024",
		"größe.csv":             "größe",
		".csv":                  "_csv",
		"/dev/fd/63":            "_63",
		"-":                     "stdin",
	} {
		require.Equal(t, want, engine.StreamName(path), path)
	}
}
