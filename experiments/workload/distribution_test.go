package workload

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// falseAlarm is the chance that a correct distribution fails one claim.
const falseAlarm = 1e-6

// requireShare fails if hits of n draws contradict the probability p. The bound
// is Bernstein's: P(|X - np| >= t) <= 2 exp(-t^2 / (2 (np(1-p) + t/3))). Of
// several claims of one family each gets an equal part of falseAlarm.
func requireShare(t require.TestingT, hits, n int, p float64, claims int) {
	l := math.Log(2 * float64(claims) / falseAlarm)
	v := float64(n) * p * (1 - p)
	tolerance := l/3 + math.Sqrt(l*l/9+2*v*l)
	require.InDelta(t, float64(n)*p, hits, tolerance, "n=%d p=%v", n, p)
}

func TestAnAliasTableHoldsItsWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 300).Draw(t, "weights")
		weights[0] += 0.5
		a, n, sum := newAlias(weights), float64(len(weights)), 0.0
		share := make([]float64, len(weights))
		for i, c := range a {
			share[i] += float64(c.cut) / (1 << 32) / n
			share[c.other] += (1 - float64(c.cut)/(1<<32)) / n
			sum += weights[i]
		}
		for i, w := range weights {
			require.InDelta(t, w/sum, share[i], 1e-9)
		}
	})
}

// csvColumn returns one column of the CSV of a configuration as text.
func csvColumn(t *testing.T, w Workload, cfg Config, name string) []string {
	cfg.Format = CSV
	var values []string
	index := -1
	for line := range bytes.Lines(text(t, w, cfg)) {
		cells := strings.Split(strings.TrimSuffix(string(line), "\n"), ",")
		if index < 0 {
			for index = 0; cells[index] != name; index++ {
				continue
			}
			continue
		}
		values = append(values, cells[index])
	}
	return values
}

func TestHostsAreZipf(t *testing.T) {
	const n, hosts = 100_000, 100
	w, _ := Lookup("weblog")
	for _, skew := range []float64{0, 0.7, 1, 2} {
		cfg := WeblogDefaults()
		cfg.Count, cfg.Skew, cfg.Hosts = n, skew, hosts
		counts, sum := map[string]int{}, 0.0
		for _, h := range csvColumn(t, w, cfg, "host") {
			counts[h]++
		}
		for k := 1; k <= hosts; k++ {
			sum += math.Pow(float64(k), -skew)
		}
		for k := range hosts {
			name := string(appendPadded([]byte("web-"), k, 3)) + ".eu-west-1.example.net"
			requireShare(t, counts[name], n, math.Pow(float64(k+1), -skew)/sum, hosts)
			delete(counts, name)
		}
		require.Empty(t, counts)
	}
}

// requireLognormal checks the shares below quantiles of the distribution.
func requireLognormal(t *testing.T, values []string, median, sigma float64) {
	quantiles := []float64{-4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4}
	below := make([]int, len(quantiles))
	for _, v := range values {
		x, err := strconv.ParseFloat(v, 64)
		require.NoError(t, err)
		for i, z := range quantiles {
			if x < median*math.Exp(sigma*z) {
				below[i]++
			}
		}
	}
	for i, z := range quantiles {
		requireShare(t, below[i], len(values), 0.5*math.Erfc(-z/math.Sqrt2), len(quantiles))
	}
}

func TestWeblogColumnsAreDistributedAsDocumented(t *testing.T) {
	const n = 50_000
	w, _ := Lookup("weblog")
	cfg := WeblogDefaults()
	cfg.Count = n
	requireLognormal(t, csvColumn(t, w, cfg, "latency"), 25, 0.9)
	requireLognormal(t, csvColumn(t, w, cfg, "bytes"), 8000, 1.3)
	for _, errors := range []float64{0, 0.05, 0.5, 1} {
		cfg.Errors = errors
		failed := 0
		for _, s := range csvColumn(t, w, cfg, "status") {
			if s[0] == '5' {
				failed++
			}
		}
		requireShare(t, failed, n, errors, 1)
	}
	paths := map[string]bool{}
	for _, p := range csvColumn(t, w, cfg, "path") {
		paths[p] = true
	}
	require.Len(t, paths, pathCount)
}

func TestALineOfTheReferenceStreamHas194Bytes(t *testing.T) {
	w, _ := Lookup("weblog")
	cfg := WeblogDefaults()
	cfg.Count = 100_000
	require.InDelta(t, 194, float64(len(text(t, w, cfg)))/1e5, 0.5)
}

func TestColumnsDrawFromStreamsOfTheirOwn(t *testing.T) {
	w, _ := Lookup("weblog")
	cfg := WeblogDefaults()
	cfg.Count = 1000
	other := cfg
	other.Skew, other.Hosts, other.Errors = 0, 7, 0.9
	for _, name := range []string{"ts", "user", "method", "path", "bytes", "latency"} {
		require.Equal(t, csvColumn(t, w, cfg, name), csvColumn(t, w, other, name), name)
	}
	other.Seed++
	require.NotEqual(t, csvColumn(t, w, cfg, "user"), csvColumn(t, w, other, "user"))
}

func TestSensorReadingsStayInTheirRangesAndLoseTheirShare(t *testing.T) {
	const n = 50_000
	w, _ := Lookup("sensors")
	cfg := SensorsDefaults()
	cfg.Count, cfg.Missing, cfg.Sensors = n, 0.2, 5
	for name, bounds := range map[string][2]float64{
		"temperature": {-20, 40}, "humidity": {20, 80}, "battery": {0, 100},
	} {
		missing := 0
		for _, v := range csvColumn(t, w, cfg, name) {
			if v == "" {
				missing++
				continue
			}
			x, err := strconv.ParseFloat(v, 64)
			require.NoError(t, err)
			require.True(t, x >= bounds[0] && x <= bounds[1], "%s %v", name, x)
		}
		requireShare(t, missing, n, 0.2, 3)
	}
}

func TestTheShareDisplacedIsKept(t *testing.T) {
	const n = 100_000
	d := newDisorder(1e9, 0.05, rand.NewPCG(1, 2))
	moved, half := 0, 0
	for range n {
		if back := -d.displace(0); back > 0 {
			moved++
			if back > 5e8 {
				half++
			}
		}
	}
	requireShare(t, moved, n, 0.05, 2)
	requireShare(t, half, moved, 0.5, 2)
}
