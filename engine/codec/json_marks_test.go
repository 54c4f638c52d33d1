package codec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// longRecords makes records that are wide, deep, escaped or long enough to reach over the edges of windows.
func longRecords(rng *rand.Rand, n int) []byte {
	var b []byte
	for range n {
		switch rng.IntN(8) {
		case 0:
			b = fmt.Appendf(b, `{"a":%d,"host":"%s","msg":"tab\t%d"}`, rng.IntN(1000)-500, strings.Repeat("h", rng.IntN(200)), rng.IntN(9))
		case 1:
			b = fmt.Appendf(b, `{"a":%.3f,"a key of more than thirty-two bytes for one":%d,"v":-0.%d}`, rng.NormFloat64(), rng.IntN(9), rng.IntN(1000))
		case 2:
			b = fmt.Appendf(b, `{"http":{"path":"/%d","list":[%s0]},"ok":true}`, rng.IntN(9), strings.Repeat(`"x",`, rng.IntN(40)))
		case 3:
			b = fmt.Appendf(b, `{"v":%s,"msg":"é%d"}`, strings.Repeat("7", 1+rng.IntN(80)), rng.IntN(9))
		case 4:
			b = append(b, `{"msg":"`+strings.Repeat("m", rng.IntN(3000))+`","ok":null}`...)
		default:
			b = fmt.Appendf(b, `{"ts":%d,"host":"web-%d","ok":%t,"v":%d.%d,"x":{"y":{"z":%d,"w":"%d"}}}`,
				1772452800000+rng.IntN(1e6), rng.IntN(100), rng.IntN(2) == 0, rng.IntN(300), rng.IntN(1000), rng.IntN(9), rng.IntN(1e6))
		}
		b = append(b, '\n')
	}
	return b
}

func TestRecordsAcrossWindows(t *testing.T) {
	data := longRecords(rand.New(rand.NewPCG(7, 8)), 3000)
	want := decodeJSON(fuzzDecoder(t, NDJSON, false), NewJSONCutter(false), data, len(data))
	require.Len(t, want.rows, 3000)
	array := append(append([]byte("["), bytes.ReplaceAll(bytes.TrimSpace(data), []byte("\n"), []byte(","))...), ']')
	eachKernel(t, func(t *testing.T) {
		d, e := fuzzDecoder(t, NDJSON, true), fuzzDecoder(t, JSONArray, true)
		for _, size := range []int{len(data), 100_000, 4096, 900} {
			require.Equal(t, want, decodeJSON(d, NewJSONCutter(false), data, size), "size %d", size)
			require.Equal(t, want.rows, decodeJSON(e, NewJSONCutter(true), array, size).rows, "size %d", size)
		}
	})
}

func TestWindowsGrowForLongRecords(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, `,"k%d":%d`, i%100, i)
	}
	record := "{" + b.String()[1:] + "}\n"
	d := fuzzDecoder(t, NDJSON, true).(*jsonDecoder)
	data := []byte(strings.Repeat(`{"a":1}`+"\n"+record, 3))
	want := decodeJSON(fuzzDecoder(t, NDJSON, false), NewJSONCutter(false), data, len(data))
	require.Equal(t, want, decodeJSON(d, NewJSONCutter(false), data, len(data)))
	require.LessOrEqual(t, len(d.marks.at), maxMarks)
}
