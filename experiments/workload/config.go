package workload

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Format names how a record is written.
type Format string

// The formats. CSV has a header line.
const (
	NDJSON   Format = "ndjson"
	CSV      Format = "csv"
	Combined Format = "combined" // combined log format of web servers
)

// Config describes a stream. There are no hidden defaults: start from
// [WeblogDefaults] or [SensorsDefaults]. Shares are in [0,1].
type Config struct {
	Format   Format
	Seed     uint64
	Start    time.Time     // event time of the first record
	Rate     float64       // records per second of event time, in the long run
	Count    int64         // records; 0: no bound
	Duration time.Duration // of event time; 0: no bound
	Shape    Shape

	Disorder  time.Duration // bound on how far back an event time may lie
	Displaced float64       // share of records moved back, evenly within Disorder

	Skew float64 // zipf exponent over hosts or sensors; 0: uniform

	Hosts    int     // weblog: distinct hosts
	Users    int     // weblog: distinct users
	UserSkew float64 // weblog: zipf exponent over users
	Errors   float64 // weblog: share of records with status >= 500

	Sensors int     // sensors: distinct sensors
	Missing float64 // sensors: share of readings left out, value by value
}

// maxKeys bounds the tables of the zipf distributions to 128 MiB.
const maxKeys = 1 << 24

// leastPerPeriod bounds the stretches of a shape that are walked without a
// record to 6,400 of a sine.
const leastPerPeriod = 0.01

func defaults() Config {
	return Config{
		Format: NDJSON,
		Seed:   1,
		Start:  time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC),
		Rate:   10_000,
		Shape: Shape{
			Kind: Constant, Period: 10 * time.Second, Peak: 2, Duty: 0.2, Alpha: 1.5,
		},
		Displaced: 0.1,
		Hosts:     1,
		Users:     1,
		Sensors:   1,
	}
}

// Validate returns what makes the stream impossible, or nil.
func (c Config) Validate() error {
	for _, s := range []struct {
		name  string
		value float64
	}{{"displaced", c.Displaced}, {"errors", c.Errors}, {"missing", c.Missing}} {
		if !(s.value >= 0 && s.value <= 1) {
			return fmt.Errorf("%s is a share in [0,1], not %v", s.name, s.value)
		}
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"hosts", c.Hosts}, {"users", c.Users}, {"sensors", c.Sensors}} {
		if n.value < 1 || n.value > maxKeys {
			return fmt.Errorf("%s must be between 1 and %d, not %d", n.name, maxKeys, n.value)
		}
	}
	for _, s := range []struct {
		name  string
		value float64
	}{{"skew", c.Skew}, {"user-skew", c.UserSkew}} {
		if !(s.value >= 0 && s.value <= 10) {
			return fmt.Errorf("%s must be between 0 and 10, not %v", s.name, s.value)
		}
	}
	if !(c.Rate >= 1e-3 && c.Rate <= 1e9) {
		return fmt.Errorf("the rate must be between 0.001 and 1e9 records per second, not %v", c.Rate)
	}
	if c.Count < 0 || c.Duration < 0 || c.Disorder < 0 {
		return errors.New("count, duration and disorder must not be negative")
	}
	if y := c.Start.Year(); y < 1700 || y > 2200 {
		return fmt.Errorf("the start must be between 1700 and 2200, not %d", y)
	}
	if err := c.Shape.Validate(); err != nil {
		return err
	}
	if c.Shape.Kind != Constant && !(c.Rate*c.Shape.Period.Seconds() >= leastPerPeriod) {
		return fmt.Errorf("a period of %v is too short for %v records per second: a shape needs %v records a period",
			c.Shape.Period, c.Rate, leastPerPeriod)
	}
	return nil
}

// stream returns the random stream of a column: the seed and the FNV-1a hash of
// the column's name.
func (c Config) stream(column string) *rand.PCG {
	h := uint64(14695981039346656037)
	for i := range len(column) {
		h = (h ^ uint64(column[i])) * 1099511628211
	}
	return rand.NewPCG(c.Seed, h)
}

// limit returns the bound on due times, in ns since the start.
func (c Config) limit() int64 {
	if c.Duration == 0 {
		return math.MaxInt64
	}
	return int64(c.Duration)
}
