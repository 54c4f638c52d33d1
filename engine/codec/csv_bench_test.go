package codec

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// webCSV returns n web events of eight columns, 120 bytes each on average, below their header.
func webCSV(n int) []byte {
	r := rand.New(rand.NewPCG(1, 1))
	b := []byte("ts,host,user,method,path,status,bytes,latency\n")
	for i := range n {
		b = fmt.Appendf(b, "2026-03-02T12:%02d:%02d.%03dZ,web-%02d.eu-west.example.org,user-%06d,%s,/api/v1/items/%d/details?page=%d,%d,%d,%.3f\n",
			i/60000%60, i/1000%60, i%1000, r.IntN(20), r.IntN(100000), []string{"GET", "GET", "GET", "POST"}[r.IntN(4)],
			r.IntN(10000), r.IntN(50), []int{200, 200, 200, 404, 500}[r.IntN(5)], r.IntN(50000), r.ExpFloat64()*30)
	}
	return b
}

// flightsCSV returns n records like those of the flights data, below their header.
func flightsCSV(n int) []byte {
	r := rand.New(rand.NewPCG(2, 2))
	airports := []string{"LAS", "PHL", "ATL", "SAV", "ORD", "DFW", "LAX", "PHX"}
	b := []byte("time,delay,distance,origin,destination\n")
	for i := range n {
		b = fmt.Appendf(b, "2001-01-01T%02d:%02d:00Z,%d,%d,%s,%s\n", i/600%24, i/10%60, r.IntN(200)-20, 100+r.IntN(2500),
			airports[r.IntN(8)], airports[r.IntN(8)])
	}
	return b
}

// quotedCSV returns n web events with the host and the path in quotes, some of them with doubled quotes.
func quotedCSV(n int) []byte {
	lines := bytes.Split(webCSV(n), []byte{'\n'})
	for i, l := range lines[1:n] {
		f := bytes.Split(l, []byte{','})
		f[1] = fmt.Appendf(nil, "%q", f[1])
		f[4] = fmt.Appendf(nil, "\"%s\"", f[4])
		if i%8 == 0 {
			f[4] = fmt.Appendf(nil, "\"say \"\"%s\"\"\"", f[4][1:9])
		}
		lines[i+1] = bytes.Join(f, []byte{','})
	}
	return bytes.Join(lines, []byte{'\n'})
}

type csvWork struct {
	name   string
	data   []byte
	fields []tuple.Field
}

func csvWorks(n int) []csvWork {
	web := []tuple.Field{
		{Name: "ts", Type: tuple.Timestamp},
		{Name: "host", Type: tuple.Text},
		{Name: "user", Type: tuple.Text},
		{Name: "status", Type: tuple.Number},
		{Name: "latency", Type: tuple.Number},
	}
	return []csvWork{
		{"web", webCSV(n), web},
		{"flights", flightsCSV(n), []tuple.Field{
			{Name: "time", Type: tuple.Timestamp},
			{Name: "delay", Type: tuple.Number},
			{Name: "origin", Type: tuple.Text},
		}},
		{"quoted", quotedCSV(n), append(web[:len(web):len(web)], tuple.Field{Name: "path", Type: tuple.Text})},
	}
}

func (w csvWork) decoder(t testing.TB) Decoder {
	opt := Options{Format: CSV, Unit: UnitText}
	var err error
	opt.Header, err = HeaderOf(w.data, opt)
	require.NoError(t, err)
	dec, err := NewCSV(&tuple.Schema{Fields: w.fields}, opt)
	require.NoError(t, err)
	return dec
}

// decodeAll scans data and converts the first columns of cols. It returns the number of rows.
func decodeAll(dec Decoder, data []byte, cols []tuple.Column) (total int) {
	for first := true; len(data) > 0; first = false {
		data = data[dec.Scan(data, first):]
		rows, _ := dec.Found()
		for i := range cols {
			dec.Column(i, tuple.All(rows), &cols[i])
		}
		total += rows
	}
	return total
}

// cpuTime returns the processor time that the process has used: unlike elapsed time it does not count what others
// do on the machine.
func cpuTime(tb testing.TB) int64 {
	var u syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Utime.Nano() + u.Stime.Nano()
}

// cpuPerRecord runs work, which handles the given number of records, and reports the processor time of each.
func cpuPerRecord(b *testing.B, records int, work func()) {
	b.ReportAllocs()
	begin := cpuTime(b)
	for b.Loop() {
		work()
	}
	b.ReportMetric(float64(cpuTime(b)-begin)/float64(b.N)/float64(records), "cpu-ns/record")
}

func BenchmarkCSV(b *testing.B) {
	const rows = 20_000
	for _, w := range csvWorks(rows) {
		for _, wanted := range []int{0, 1, len(w.fields)} {
			b.Run(fmt.Sprintf("%s/columns-%d", w.name, wanted), func(b *testing.B) {
				dec, cols := w.decoder(b), make([]tuple.Column, wanted)
				cpuPerRecord(b, rows, func() { decodeAll(dec, w.data, cols) })
			})
		}
		b.Run(w.name+"/cut", func(b *testing.B) {
			cut := NewCSVCutter(',')
			cpuPerRecord(b, rows, func() {
				for p := 0; p < len(w.data); {
					p += cut.Cut(w.data[p:min(len(w.data), p+256<<10)], 0)
				}
			})
		})
		b.Run(w.name+"/encoding-csv", func(b *testing.B) {
			cpuPerRecord(b, rows, func() {
				rd := csv.NewReader(bytes.NewReader(w.data))
				rd.ReuseRecord = true
				for {
					if _, err := rd.Read(); err == io.EOF {
						break
					}
				}
			})
		})
	}
}

func TestCSVDecodesWithoutAllocating(t *testing.T) {
	for _, w := range csvWorks(5000) {
		dec, cols := w.decoder(t), make([]tuple.Column, len(w.fields))
		header := bytes.IndexByte(w.data, '\n') + 1
		require.Equal(t, 5000, decodeAll(dec, w.data, cols))
		body := w.data[header:]
		n := testing.AllocsPerRun(10, func() {
			for p := 0; p < len(body); {
				p += dec.Scan(body[p:], false)
				rows, _ := dec.Found()
				for i := range cols {
					dec.Column(i, tuple.All(rows), &cols[i])
				}
			}
		})
		require.Zero(t, n, w.name)
	}
}
