package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// write makes a file of three requests, one of them no failure.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func ndjson(t *testing.T) string {
	const line = `{"ts":%d,"host":"a","user":"%s","method":"GET","path":"/","status":%d,"bytes":1,"latency":%s}` + "\n"
	return write(t, "w.ndjson", fmt.Sprintf(line, 60_001, "u", 500, "1.5")+
		fmt.Sprintf(line, 119_999, "u", 503, "2.5")+fmt.Sprintf(line, 61_000, "v", 200, "9.0"))
}

func csv(t *testing.T) string {
	return write(t, "w.csv", "ts,host,user,method,path,status,bytes,latency\n"+
		"60001,a,u,GET,/,500,1,1.5\n119999,a,u,GET,/,503,1,2.5\n61000,a,v,GET,/,200,1,9.0\n")
}

func TestDuckDBAnswersTheReferenceQuery(t *testing.T) {
	const want = `{"window_start":"1970-01-01T00:01:00Z","host":"a","n":2,"mean":2,"p99":2.5,"users":1}` + "\n"
	for _, file := range []string{ndjson(t), csv(t)} {
		got, err := duckDB(questions()[0].duckSQL(file, false))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := got.writeNDJSON(&out); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%s: got %swant %s", file, out.String(), want)
		}
	}
}

func TestEveryCaseIsSQLThatDuckDBAccepts(t *testing.T) {
	flights := write(t, "f.csv", "time,delay,distance,origin,destination\n2001-01-01T00:01:00Z,33,2176,LAS,PHL\n")
	for _, c := range append(weblogCases(csv(t)), flightsCases(flights)...) {
		got, err := duckDB(c.duck)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if differences := c.differences(got, got); len(differences) > 0 {
			t.Errorf("%s differs from itself: %v", c.name, differences)
		}
	}
}

func TestEqual(t *testing.T) {
	n := func(s string) any { return json.Number(s) }
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		claim     string
		got, want any
		tolerance float64
		equal     bool
	}{
		{"whole numbers are exact beyond 2^53", n("9007199254740993"), n("9007199254740992"), sumTolerance, false},
		{"an estimate of a whole number may err", n("101"), n("100"), 0.02, true},
		{"but not beyond its bound", n("103"), n("100"), 0.02, false},
		{"sums of doubles differ in the last digits", n("37.107392646314665"), n("37.10739264631467"), sumTolerance, true},
		{"not in the sixth", n("37.1074"), n("37.1073"), sumTolerance, false},
		{"a whole double is a number", n("2"), n("2.0"), sumTolerance, true},
		{"NULL is NULL", nil, nil, sumTolerance, true},
		{"NULL is not 0", nil, n("0"), sumTolerance, false},
		{"text is not a number", "1", n("1"), sumTolerance, false},
		{"times are instants", noon, noon.In(time.FixedZone("", 3600)), sumTolerance, true},
		{"another time", noon, noon.Add(1), sumTolerance, false},
	} {
		if got := equal(c.got, c.want, c.tolerance); got != c.equal {
			t.Errorf("%s: %v", c.claim, got)
		}
	}
}

func TestDifferencesNameTheRows(t *testing.T) {
	columns := []string{"window_start", "n"}
	parse := func(text string) *table {
		got, err := parseNDJSON([]byte(text), columns)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	want := parse(`{"window_start":"2026-03-02T12:01:00Z","n":2}{"window_start":"2026-03-02T12:00:00Z","n":1}`)
	got := parse(`{"window_start":"2026-03-02T12:00:00Z","n":3}{"window_start":"2026-03-02T12:02:00Z","n":2}`)
	differences := strings.Join(checkCase{keys: 1}.differences(got, want), "\n")
	const text = "2026-03-02T12:00:00Z: n is 3, not 1\nmissing: 2026-03-02T12:01:00Z\nnot in DuckDB's answer: 2026-03-02T12:02:00Z"
	if differences != text {
		t.Errorf("got\n%s", differences)
	}
	if _, err := parseNDJSON([]byte(`{"n":1}`), columns); err == nil {
		t.Error("a missing column is accepted")
	}
}

func TestMedianIsTheLowerMiddle(t *testing.T) {
	if m := median([]float64{9, 1, 5, 3}); m != 3 {
		t.Errorf("got %v", m)
	}
}
