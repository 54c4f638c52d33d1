package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// webEvents makes n records like those of the reference query: 8 fields, 194 bytes, lengths that vary.
func webEvents(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for i := range n {
		b = fmt.Appendf(b, `{"ts":%d,"host":"web-%03d.eu-west-1.example.net","user":"user-%05d","method":"%s","path":"/api/v1/catalogue/items/%d/%s","status":%d,"bytes":%d,"latency":%.3f}`+"\n",
			1772452800123+i*7, rng.IntN(200), rng.IntN(100000), []string{"GET", "GET", "GET", "POST", "DELETE"}[rng.IntN(5)],
			rng.IntN(100000), "reviews/images"[:rng.IntN(15)], []int{200, 200, 200, 301, 404, 500}[rng.IntN(6)], rng.IntN(50000), rng.ExpFloat64()*20)
	}
	return b
}

// webFields are the fields of webEvents, those of the reference query first.
var webFields = []tuple.Field{
	field("ts", tuple.Timestamp), field("status", tuple.Number), field("host", tuple.Text), field("latency", tuple.Number),
	field("user", tuple.Text), field("bytes", tuple.Number), field("method", tuple.Text), field("path", tuple.Text),
}

func webDecoder(tb testing.TB, wanted int) Decoder {
	d, err := NewJSON(&tuple.Schema{Fields: webFields[:wanted]}, Options{Format: NDJSON, Unit: UnitMillis})
	require.NoError(tb, err)
	return d
}

// scanAll scans data to its end and calls each after each Scan.
func scanAll(d Decoder, data []byte, each func(rows int)) (total int) {
	for p := 0; p < len(data); {
		p += d.Scan(data[p:], false)
		rows, _ := d.Found()
		total += rows
		if each != nil {
			each(rows)
		}
	}
	return total
}

func TestJSONDecodingDoesNotAllocate(t *testing.T) {
	plain := webEvents(5000)
	escaped := bytes.ReplaceAll(plain, []byte("/"), []byte(`\/`))
	d := webDecoder(t, len(webFields))
	cols := make([]tuple.Column, len(webFields))
	for _, data := range [][]byte{plain, escaped} {
		total, unfit := 0, 0
		decode := func() {
			total = scanAll(d, data, func(rows int) {
				for i := range cols {
					unfit += d.Column(i, tuple.All(rows), &cols[i])
				}
			})
		}
		decode()
		require.Equal(t, 5000, total)
		require.Zero(t, unfit)
		require.Zero(t, testing.AllocsPerRun(5, decode))
	}
}

func perRecord(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
}

func BenchmarkJSONScan(b *testing.B) {
	const n = 20000
	data := webEvents(n)
	for _, wanted := range []int{0, 2, 4, 5, 8} {
		b.Run(fmt.Sprintf("wanted=%d", wanted), func(b *testing.B) {
			d := webDecoder(b, wanted)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				scanAll(d, data, nil)
			}
			perRecord(b, n)
		})
	}
	b.Run("optional", func(b *testing.B) {
		d := webDecoder(b, 5)
		rng := rand.New(rand.NewPCG(5, 6))
		var mixed []byte
		for line := range bytes.Lines(data) {
			if rng.IntN(2) == 0 {
				line = bytes.Replace(line, []byte(`"method":"GET",`), nil, 1)
			}
			if rng.IntN(4) == 0 {
				line = bytes.Replace(line, []byte(`"status":200,`), []byte(`"status":null,`), 1)
			}
			mixed = append(mixed, line...)
		}
		b.SetBytes(int64(len(mixed)))
		for b.Loop() {
			scanAll(d, mixed, nil)
		}
		perRecord(b, n)
	})
	b.Run("grammar", func(b *testing.B) {
		d := webDecoder(b, 5)
		d.(*jsonDecoder).layout.full, d.(*jsonDecoder).layout.pause = true, 1<<60
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			scanAll(d, data, nil)
		}
		perRecord(b, n)
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			var event struct {
				TS      int64   `json:"ts"`
				Status  int     `json:"status"`
				Host    string  `json:"host"`
				User    string  `json:"user"`
				Latency float64 `json:"latency"`
			}
			for line := range bytes.Lines(data) {
				if err := json.Unmarshal(line, &event); err != nil {
					b.Fatal(err)
				}
			}
		}
		perRecord(b, n)
	})
}

func BenchmarkJSONColumn(b *testing.B) {
	data := webEvents(tuple.MaxRows)
	d := webDecoder(b, len(webFields))
	require.Equal(b, tuple.MaxRows, scanAll(d, data, nil))
	var col tuple.Column
	for i, f := range webFields {
		b.Run(f.Name+"="+f.Type.String(), func(b *testing.B) {
			for b.Loop() {
				d.Column(i, tuple.All(tuple.MaxRows), &col)
			}
			perRecord(b, tuple.MaxRows)
		})
	}
}

func BenchmarkJSONCutter(b *testing.B) {
	const n = 20000
	data := bytes.ReplaceAll(webEvents(n), []byte("}\n"), []byte("},\n"))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		NewJSONCutter(true).Cut(data, 0)
	}
	perRecord(b, n)
}
