//go:build invariants

package main

func init() { buildArgs = append(buildArgs, "-tags", "invariants") }
