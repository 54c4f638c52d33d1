package workload

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// SensorsDefaults returns the configuration of 200 sensors that report evenly,
// 5 % of the readings up to 2 s out of order and 1 % of the values missing.
func SensorsDefaults() Config {
	c := defaults()
	c.Rate = 1000
	c.Sensors = 200
	c.Disorder, c.Displaced = 2e9, 0.05
	c.Missing = 0.01
	return c
}

const sensorsHeader = "ts,sensor,temperature,humidity,battery\n"

// Sensors returns a stream of readings with five columns:
//
//	ts           event time, whole milliseconds since the epoch
//	sensor       zipf over Sensors
//	temperature  degrees Celsius with two decimals, a walk around a mean per
//	             sensor between -10 and 30
//	humidity     per cent with one decimal, a walk around a mean per sensor
//	battery      whole per cent, falls by one in every 512 readings of the
//	             sensor and is full again after 0
//
// A missing value is an absent key in NDJSON and an empty cell in CSV.
func Sensors(cfg Config) (*Generator, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("sensors: %w", err)
	}
	s := newSensors(cfg)
	switch cfg.Format {
	case NDJSON:
		return newGenerator(cfg, "", s.ndjson), nil
	case CSV:
		return newGenerator(cfg, sensorsHeader, s.csv), nil
	}
	return nil, fmt.Errorf("sensors: unknown format %q: ndjson or csv", cfg.Format)
}

// sensors holds the state of every sensor.
type sensors struct {
	sensor  column
	noise   *rand.PCG
	missing *rand.PCG
	share   chance
	width   int
	state   []sensorState
}

// sensorState is what one sensor reads next: temperature in hundredths of a
// degree, humidity in tenths of a per cent, battery in 512ths of a per cent.
type sensorState struct{ temperature, mean, humidity, humid, battery int32 }

// reading is one record; the flags say which values are present.
type reading struct {
	ms                                   int64
	sensor                               int
	temperature, humidity, battery       int64
	hasTemperature, hasHumidity, hasLeft bool
}

const batteryFull = 100 * 512

func newSensors(cfg Config) *sensors {
	s := &sensors{
		sensor:  column{zipf(cfg.Sensors, cfg.Skew), cfg.stream("sensor")},
		noise:   cfg.stream("noise"),
		missing: cfg.stream("missing"),
		share:   newChance(cfg.Missing),
		width:   digits(cfg.Sensors, 4),
		state:   make([]sensorState, cfg.Sensors),
	}
	rnd := cfg.stream("place")
	for i := range s.state {
		u := rnd.Uint64()
		mean, humid := int32(u%4001)-1000, int32(u>>16%401)+300
		s.state[i] = sensorState{mean, mean, humid, humid, int32(u >> 32 % batteryFull)}
	}
	return s
}

// draw takes the next reading. Each walk is x += e - (x-mean)/16, where e is
// the difference of two even draws.
func (s *sensors) draw(ns int64) reading {
	i := s.sensor.draw()
	at := &s.state[i]
	u := s.noise.Uint64()
	at.temperature += int32(u&63) - int32(u>>6&63) - (at.temperature-at.mean)/16
	at.humidity += int32(u>>12&15) - int32(u>>16&15) - (at.humidity-at.humid)/16
	at.battery--
	if at.battery < 0 {
		at.battery = batteryFull
	}
	r := reading{
		ms: floorDiv(ns, 1e6), sensor: i,
		temperature: int64(at.temperature), humidity: int64(at.humidity), battery: int64(at.battery / 512),
		hasTemperature: true, hasHumidity: true, hasLeft: true,
	}
	if s.share > 0 {
		r.hasTemperature = !s.share.hit(s.missing.Uint64())
		r.hasHumidity = !s.share.hit(s.missing.Uint64())
		r.hasLeft = !s.share.hit(s.missing.Uint64())
	}
	return r
}

func (s *sensors) appendName(dst []byte, sensor int) []byte {
	return appendPadded(append(dst, "sensor-"...), sensor, s.width)
}

func (s *sensors) ndjson(dst []byte, ns int64) []byte {
	r := s.draw(ns)
	dst = strconv.AppendInt(append(dst, `{"ts":`...), r.ms, 10)
	dst = append(s.appendName(append(dst, `,"sensor":"`...), r.sensor), '"')
	if r.hasTemperature {
		dst = appendFixed(append(dst, `,"temperature":`...), r.temperature, 2)
	}
	if r.hasHumidity {
		dst = appendFixed(append(dst, `,"humidity":`...), r.humidity, 1)
	}
	if r.hasLeft {
		dst = strconv.AppendInt(append(dst, `,"battery":`...), r.battery, 10)
	}
	return append(dst, "}\n"...)
}

func (s *sensors) csv(dst []byte, ns int64) []byte {
	r := s.draw(ns)
	dst = append(strconv.AppendInt(dst, r.ms, 10), ',')
	dst = append(s.appendName(dst, r.sensor), ',')
	if r.hasTemperature {
		dst = appendFixed(dst, r.temperature, 2)
	}
	dst = append(dst, ',')
	if r.hasHumidity {
		dst = appendFixed(dst, r.humidity, 1)
	}
	dst = append(dst, ',')
	if r.hasLeft {
		dst = strconv.AppendInt(dst, r.battery, 10)
	}
	return append(dst, '\n')
}
