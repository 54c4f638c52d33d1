package workload

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestImpossibleConfigurationsAreRefused(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		claim  string
		change func(*Config)
		says   string
	}{
		{"a rate is needed", func(c *Config) { c.Rate = 0 }, "the rate must be"},
		{"NaN is no rate", func(c *Config) { c.Rate = nan }, "the rate must be"},
		{"no host, no record", func(c *Config) { c.Hosts = 0 }, "hosts must be"},
		{"too many users", func(c *Config) { c.Users = maxKeys + 1 }, "users must be"},
		{"negative skew", func(c *Config) { c.Skew = -1 }, "skew must be"},
		{"NaN is no skew", func(c *Config) { c.UserSkew = nan }, "user-skew must be"},
		{"NaN is no share", func(c *Config) { c.Errors = nan }, "errors is a share"},
		{"a share above one", func(c *Config) { c.Displaced = 1.1 }, "displaced is a share"},
		{"negative count", func(c *Config) { c.Count = -1 }, "must not be negative"},
		{"a start beyond nanoseconds", func(c *Config) { c.Start = time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC) }, "between 1700 and 2200"},
		{"unknown shape", func(c *Config) { c.Shape.Kind = "saw" }, `unknown shape "saw"`},
		{"no period", func(c *Config) { c.Shape.Kind, c.Shape.Period = Square, 0 }, "the period"},
		{"a peak below the mean", func(c *Config) { c.Shape.Kind, c.Shape.Peak = Sine, 0.5 }, "the peak must"},
		{"a sine below zero", func(c *Config) { c.Shape.Kind, c.Shape.Peak = Sine, 3 }, "at most 2"},
		{"a peak above the mean's budget", func(c *Config) { c.Shape.Kind, c.Shape.Peak, c.Shape.Duty = Square, 4, 0.5 }, "at most 1/peak"},
		{"Pareto times without a mean", func(c *Config) { c.Shape.Kind, c.Shape.Alpha = Pareto, 1 }, "alpha must"},
		{"a period without records", func(c *Config) { c.Shape.Kind, c.Shape.Period, c.Rate = Square, 1e6, 1 }, "too short"},
		{"unknown format", func(c *Config) { c.Format = "xml" }, `unknown format "xml"`},
	} {
		for _, w := range All() {
			cfg := w.Defaults()
			c.change(&cfg)
			_, err := w.Open(cfg)
			require.ErrorContains(t, err, c.says, c.claim)
			require.ErrorContains(t, err, w.Name+": ", c.claim)
		}
	}
	cfg := SensorsDefaults()
	cfg.Format = Combined
	_, err := Sensors(cfg)
	require.ErrorContains(t, err, `unknown format "combined"`)
}

func TestEveryParameterReadsWhatItWrites(t *testing.T) {
	for _, w := range All() {
		seen := map[string]bool{}
		for _, p := range w.Params {
			require.False(t, seen[p.Name], p.Name)
			seen[p.Name] = true
			require.NotEmpty(t, p.Doc)
			cfg := w.Defaults()
			require.NoError(t, w.Set(&cfg, p.Name, p.Value(cfg)))
			require.Equal(t, w.Defaults(), cfg, p.Name)
		}
	}
}

func TestParametersAreSetFromText(t *testing.T) {
	w, ok := Lookup("weblog")
	require.True(t, ok)
	cfg := w.Defaults()
	require.NoError(t, w.Set(&cfg, "rate", "2.5e6"))
	require.NoError(t, w.Set(&cfg, "duration", "1m30s"))
	require.NoError(t, w.Set(&cfg, "bursts", "pareto"))
	require.Equal(t, 2.5e6, cfg.Rate)
	require.Equal(t, 90*time.Second, cfg.Duration)
	require.Equal(t, Pareto, cfg.Shape.Kind)
	require.EqualError(t, w.Set(&cfg, "hosts", "many"), `hosts: "many" is not a whole number`)
	require.EqualError(t, w.Set(&cfg, "sensors", "3"), `weblog has no parameter "sensors"`)
}

func TestWorkloadsAreFoundByName(t *testing.T) {
	require.Equal(t, []string{"sensors", "weblog"}, Names())
	_, ok := Lookup("weblogs")
	require.False(t, ok)
}
