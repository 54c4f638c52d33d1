package engine_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/query"
)

const events = `{"ts":"2026-03-02T12:00:01Z","host":"a","latency":12}
{"ts":"2026-03-02T12:00:02Z","host":"b","latency":30}
{"ts":"2026-03-02T12:00:41Z","host":"a","latency":14}
{"ts":"2026-03-02T12:01:05Z","host":"a","latency":9}
`

func Example() {
	e := engine.New(engine.Options{})
	if err := e.AddStream("logs", engine.Input{Reader: strings.NewReader(events)}); err != nil {
		log.Fatal(err)
	}
	sql := `SELECT window_start, host, count(*) AS n, avg(latency) AS mean
		FROM tumble(logs, ts, INTERVAL '1 minute') GROUP BY window_start, host`
	_, err := e.Query(sql, engine.Each(func(r engine.Row) error {
		_, err := fmt.Println(r.Value("window_start"), r.Value("host"), r.Value("n"), r.Value("mean"))
		return err
	}))
	if err != nil {
		log.Fatal(err)
	}
	if err := e.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2026-03-02 12:00:00 +0000 UTC a 2 13
	// 2026-03-02 12:00:00 +0000 UTC b 1 30
	// 2026-03-02 12:01:00 +0000 UTC a 1 9
}

// A sampled answer has an interval for every aggregate. What is kept depends on the seed alone, so that runs repeat.
func Example_bounds() {
	var requests strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&requests, "{\"host\":\"%c\",\"latency\":%d}\n", "aab"[i%3], i%100)
	}
	e := engine.New(engine.Options{Answers: query.Settings{Sample: []float64{0.1}, Seed: 1, Confidence: 0.99}})
	if err := e.AddStream("logs", engine.Input{Reader: strings.NewReader(requests.String())}); err != nil {
		log.Fatal(err)
	}
	sql := "SELECT host, count(*) AS n, max(latency) AS worst FROM logs GROUP BY host ORDER BY host"
	_, err := e.Query(sql, engine.Each(func(r engine.Row) error {
		n := r.Estimate("n")
		fmt.Printf("%s: %.0f requests, from %.0f to %.0f with confidence %.0f %%\n", r.Value("host"), n.Value, n.Low, n.High, 100*n.Confidence)
		if r.Unreliable("worst") {
			fmt.Printf("   the worst latency is at least %.0f: a sample knows no more\n", r.Estimate("worst").Low)
		}
		return nil
	}))
	if err != nil {
		log.Fatal(err)
	}
	if err := e.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// a: 13430 requests, from 12898 to 13930 with confidence 99 %
	//    the worst latency is at least 99: a sample knows no more
	// b: 6570 requests, from 6070 to 7102 with confidence 99 %
	//    the worst latency is at least 99: a sample knows no more
}
