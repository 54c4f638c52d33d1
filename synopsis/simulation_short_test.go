//go:build !coverage

package synopsis

// simulationScale multiplies the number of simulated cells. Build with the tag coverage for the tables of the package's design.
const simulationScale = 1
