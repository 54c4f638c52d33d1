package workload

import (
	"fmt"
	"slices"
)

// Workload is a kind of stream that can be asked for by name.
type Workload struct {
	Name     string
	Doc      string // one line
	Columns  string // the names of the columns, in order
	Formats  []Format
	Params   []Param // in the order of a help text
	Defaults func() Config
	open     func(Config) (*Generator, error)
}

// Open returns the stream of the configuration.
func (w Workload) Open(cfg Config) (*Generator, error) { return w.open(cfg) }

// Set changes the parameter named from its text, as on a command line.
func (w Workload) Set(cfg *Config, name, value string) error {
	for _, p := range w.Params {
		if p.Name == name {
			if err := p.Set(cfg, value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		}
	}
	return fmt.Errorf("%s has no parameter %q", w.Name, name)
}

// All returns every workload, by name.
func All() []Workload {
	return []Workload{
		{
			Name:     "sensors",
			Doc:      "readings of temperature, humidity and battery, partly out of order and incomplete",
			Columns:  "ts,sensor,temperature,humidity,battery",
			Formats:  []Format{NDJSON, CSV},
			Params:   slices.Concat(streamParams(), sensorsParams()),
			Defaults: SensorsDefaults,
			open:     Sensors,
		},
		{
			Name:     "weblog",
			Doc:      "requests to web servers, the reference events of the benchmarks",
			Columns:  "ts,host,user,method,path,status,bytes,latency",
			Formats:  []Format{NDJSON, CSV, Combined},
			Params:   slices.Concat(streamParams(), weblogParams()),
			Defaults: WeblogDefaults,
			open:     Weblog,
		},
	}
}

// Names returns the names of all workloads, sorted.
func Names() []string {
	var names []string
	for _, w := range All() {
		names = append(names, w.Name)
	}
	return names
}

// Lookup returns the workload of that name.
func Lookup(name string) (Workload, bool) {
	for _, w := range All() {
		if w.Name == name {
			return w, true
		}
	}
	return Workload{}, false
}
