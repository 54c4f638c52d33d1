package engine_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/aurora-dsms/aurora/engine"
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
