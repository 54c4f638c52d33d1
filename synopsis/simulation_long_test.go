//go:build coverage

package synopsis

// simulationScale multiplies the number of simulated cells.
const simulationScale = 10
