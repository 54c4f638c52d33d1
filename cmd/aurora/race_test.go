//go:build race

package main

func init() { buildArgs = append(buildArgs, "-race") }
