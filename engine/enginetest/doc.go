// Package enginetest holds what tests of operators share: rows written as values, batches built from
// them, a collector of what operators emit, and the conformance kit that every operator passes.
//
// # Model
//
// A [Script] is an operator's whole input: rows and marks of time in order. [Play] runs an operator over it, cutting the
// rows between marks into batches in a way that a [Cutter] decides, with columns represented as the cutter likes and
// memory scribbled over as soon as it is no longer the operator's to read. The answer is the rows emitted.
// [Conform] plays random scripts in several ways and compares the answers.
//
// # Limits
//
// Operators have one input port, and batches carry neither weights nor samples.
package enginetest
