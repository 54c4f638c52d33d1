package stats_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/aurora-dsms/aurora/stats"
)

func TestCostAndSelectivityOfABox(t *testing.T) {
	var c stats.Counter
	_, known := stats.Box{Counter: c}.Cost()
	assert.False(t, known, "no tuple: the cost is unknown, not 0")
	_, known = stats.Box{Counter: c}.Selectivity()
	assert.False(t, known)

	c.Observe(1000, 250, 2*time.Millisecond)
	c.Observe(3000, 750, 2*time.Millisecond)
	cost, known := stats.Box{Counter: c}.Cost()
	assert.True(t, known)
	assert.InDelta(t, 1e-6, cost, 1e-15, "core-seconds per tuple")
	selectivity, _ := stats.Box{Counter: c}.Selectivity()
	assert.InDelta(t, 0.25, selectivity, 1e-15)
	assert.EqualValues(t, 2, c.Trains)
}
