package workload

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rowsOfNDJSON returns the values as text by the columns given, absent ones
// empty; numbers stay as they were written.
func rowsOfNDJSON(t require.TestingT, data []byte, columns []string) [][]string {
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		require.True(t, json.Valid([]byte(line)), line)
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		fields := map[string]any{}
		require.NoError(t, d.Decode(&fields))
		row := make([]string, len(columns))
		for i, c := range columns {
			switch v := fields[c].(type) {
			case string:
				row[i] = v
			case json.Number:
				row[i] = v.String()
			}
			delete(fields, c)
		}
		require.Empty(t, fields)
		rows = append(rows, row)
	}
	return rows
}

func TestTheCSVTwinHasTheValuesOfTheNDJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(All()).Draw(t, "workload")
		cfg := anyConfig(t, w, 300)
		columns := strings.Split(w.Columns, ",")
		cfg.Format = NDJSON
		want := rowsOfNDJSON(t, text(t, w, cfg), columns)
		cfg.Format = CSV
		r := csv.NewReader(bytes.NewReader(text(t, w, cfg)))
		got, err := r.ReadAll()
		require.NoError(t, err)
		require.Equal(t, columns, got[0])
		require.Equal(t, want, got[1:])
		require.Len(t, want, int(cfg.Count))
	})
}

func TestOfAWeblogEveryFieldIsInEveryRecordAndOfItsType(t *testing.T) {
	cfg := WeblogDefaults()
	cfg.Count = 2000
	w, _ := Lookup("weblog")
	for line := range bytes.Lines(text(t, w, cfg)) {
		var r struct {
			TS                       *int64
			Host, User, Method, Path *string
			Status, Bytes            *int64
			Latency                  *float64
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		require.NoError(t, d.Decode(&r))
		for _, present := range []bool{
			r.TS != nil, r.Host != nil, r.User != nil, r.Method != nil,
			r.Path != nil, r.Status != nil, r.Bytes != nil, r.Latency != nil,
		} {
			require.True(t, present, string(line))
		}
	}
}

func TestTheCombinedLogHasTheValuesOfTheNDJSON(t *testing.T) {
	form := regexp.MustCompile(`^10(?:\.\d{1,3}){3} - (\S+) \[([^]]+)\] "(\w+) (\S+) HTTP/1\.1" (\d{3}) (\d+) "https://([^/]+)/" "[^"]+"\n$`)
	cfg := WeblogDefaults()
	cfg.Count, cfg.Rate, cfg.Disorder = 1000, 50, 90*time.Second
	cfg.Start = time.Unix(-3, 0)
	w, _ := Lookup("weblog")
	columns := []string{"user", "method", "path", "status", "bytes", "host", "ts"}
	other := []string{"latency"}
	rows := rowsOfNDJSON(t, text(t, w, cfg), append(columns, other...))
	cfg.Format = Combined
	i := 0
	for line := range strings.Lines(string(text(t, w, cfg))) {
		m := form.FindStringSubmatch(line)
		require.NotNil(t, m, line)
		require.Equal(t, rows[i][:6], []string{m[1], m[3], m[4], m[5], m[6], m[7]})
		at, err := time.Parse("02/Jan/2006:15:04:05 -0700", m[2])
		require.NoError(t, err)
		var ms int64
		require.NoError(t, json.Unmarshal([]byte(rows[i][6]), &ms))
		require.Equal(t, time.UnixMilli(ms).Truncate(time.Second).Unix(), at.Unix())
		i++
	}
	require.Equal(t, 1000, i)
}
