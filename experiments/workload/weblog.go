package workload

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// WeblogDefaults returns the configuration of the reference stream: 100 hosts,
// 100,000 users, 5 % errors, NDJSON lines of 194 bytes on average.
func WeblogDefaults() Config {
	c := defaults()
	c.Skew, c.Hosts = 1, 100
	c.UserSkew, c.Users = 0.8, 100_000
	c.Errors = 0.05
	return c
}

const weblogHeader = "ts,host,user,method,path,status,bytes,latency\n"

// Weblog returns a stream of requests to web servers with eight columns:
//
//	ts       event time, whole milliseconds since the epoch
//	host     zipf over Hosts, host 0 the busiest
//	user     zipf over Users
//	method   GET, POST, PUT or DELETE
//	path     zipf over 1,000 paths
//	status   at least 500 with the share Errors
//	bytes    lognormal, median 8,000, sigma 1.3
//	latency  milliseconds with three decimals, lognormal, median 25, sigma 0.9
//
// The combined log format has seconds instead of ts, the host in the referer,
// an address made from the user, and no latency.
func Weblog(cfg Config) (*Generator, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("weblog: %w", err)
	}
	w := newWeblog(cfg)
	switch cfg.Format {
	case NDJSON:
		return newGenerator(cfg, "", w.ndjson), nil
	case CSV:
		return newGenerator(cfg, weblogHeader, w.csv), nil
	case Combined:
		return newGenerator(cfg, "", w.combined), nil
	}
	return nil, fmt.Errorf("weblog: unknown format %q: ndjson, csv or combined", cfg.Format)
}

const (
	latencyMedian, latencySigma = 25_000, 0.9 // microseconds
	bytesMedian, bytesSigma     = 8_000, 1.3
)

// weblog draws the columns and writes them.
type weblog struct {
	host, user, method, path, status column
	bytes, latency                   *lognormal
	bytesRnd, latencyRnd             *rand.PCG
	agentRnd                         *rand.PCG
	methods, paths, statuses         []string
	hostDigits, userDigits           int
	clf                              clfTime
}

// column is a distribution over indexes with its random stream.
type column struct {
	of  alias
	rnd *rand.PCG
}

func (c *column) draw() int { return c.of.draw(c.rnd.Uint64()) }

// request is one record. Host, method, path and status are indexes.
type request struct {
	ms                               int64
	host, user, method, path, status int
	bytes, micros                    int64
}

func newWeblog(cfg Config) *weblog {
	methods, methodShares := []string{"GET", "POST", "PUT", "DELETE"}, []float64{84, 11, 3, 2}
	statuses, statusShares := statusTable(cfg.Errors)
	return &weblog{
		host:       column{zipf(cfg.Hosts, cfg.Skew), cfg.stream("host")},
		user:       column{zipf(cfg.Users, cfg.UserSkew), cfg.stream("user")},
		method:     column{newAlias(methodShares), cfg.stream("method")},
		path:       column{zipf(pathCount, 0.9), cfg.stream("path")},
		status:     column{newAlias(statusShares), cfg.stream("status")},
		bytes:      newLognormal(bytesMedian, bytesSigma),
		latency:    newLognormal(latencyMedian, latencySigma),
		bytesRnd:   cfg.stream("bytes"),
		latencyRnd: cfg.stream("latency"),
		agentRnd:   cfg.stream("agent"),
		methods:    methods,
		paths:      pathTable(),
		statuses:   statuses,
		hostDigits: digits(cfg.Hosts, 3),
		userDigits: digits(cfg.Users, 6),
	}
}

// statusTable returns the status codes and their shares, those from 500 up
// adding up to the share given.
func statusTable(errors float64) (codes []string, shares []float64) {
	for _, s := range []struct {
		code  string
		share float64
	}{
		{"200", 0.80},
		{"201", 0.04},
		{"204", 0.03},
		{"301", 0.02},
		{"304", 0.06},
		{"400", 0.01},
		{"403", 0.01},
		{"404", 0.03},
	} {
		codes = append(codes, s.code)
		shares = append(shares, mul(s.share, 1-errors))
	}
	for _, s := range []struct {
		code  string
		share float64
	}{{"500", 0.5}, {"502", 0.2}, {"503", 0.25}, {"504", 0.05}} {
		codes = append(codes, s.code)
		shares = append(shares, mul(s.share, errors))
	}
	return codes, shares
}

func (w *weblog) draw(ns int64) request {
	return request{
		ms:     floorDiv(ns, 1e6),
		host:   w.host.draw(),
		user:   w.user.draw(),
		method: w.method.draw(),
		path:   w.path.draw(),
		status: w.status.draw(),
		bytes:  w.bytes.draw(w.bytesRnd.Uint64()),
		micros: w.latency.draw(w.latencyRnd.Uint64()),
	}
}

func (w *weblog) appendHost(dst []byte, host int) []byte {
	dst = append(dst, "web-"...)
	dst = appendPadded(dst, host, w.hostDigits)
	return append(dst, ".eu-west-1.example.net"...)
}

func (w *weblog) appendUser(dst []byte, user int) []byte {
	return appendPadded(append(dst, "user-"...), user, w.userDigits)
}

func (w *weblog) ndjson(dst []byte, ns int64) []byte {
	r := w.draw(ns)
	dst = strconv.AppendInt(append(dst, `{"ts":`...), r.ms, 10)
	dst = w.appendHost(append(dst, `,"host":"`...), r.host)
	dst = w.appendUser(append(dst, `","user":"`...), r.user)
	dst = append(append(dst, `","method":"`...), w.methods[r.method]...)
	dst = append(append(dst, `","path":"`...), w.paths[r.path]...)
	dst = append(append(dst, `","status":`...), w.statuses[r.status]...)
	dst = strconv.AppendInt(append(dst, `,"bytes":`...), r.bytes, 10)
	dst = appendFixed(append(dst, `,"latency":`...), r.micros, 3)
	return append(dst, "}\n"...)
}

func (w *weblog) csv(dst []byte, ns int64) []byte {
	r := w.draw(ns)
	dst = append(strconv.AppendInt(dst, r.ms, 10), ',')
	dst = append(w.appendHost(dst, r.host), ',')
	dst = append(w.appendUser(dst, r.user), ',')
	dst = append(append(dst, w.methods[r.method]...), ',')
	dst = append(append(dst, w.paths[r.path]...), ',')
	dst = append(append(dst, w.statuses[r.status]...), ',')
	dst = append(strconv.AppendInt(dst, r.bytes, 10), ',')
	return append(appendFixed(dst, r.micros, 3), '\n')
}
