// Package tuple holds the data that flows through the query network: typed
// columns, immutable blocks of decoded rows, batches (views of a block) and the
// sample header that says how a batch's rows were chosen.
//
// # Model
//
// A decoder fills a Block: at most [MaxRows] rows, one [Column] per field of its
// [Schema]. Queries never copy rows; each works on a [Batch], a view that adds a
// selection vector to the shared block. Operators that compute new columns make
// blocks of their own and lend them downstream.
//
// # Ownership
//
// A batch handed to Operator.Process or Emitter.Emit is borrowed: it is valid
// until the call returns, and neither the block nor the selection may be changed
// or kept. Who needs rows for longer copies them. Decoded blocks are counted
// references; the engine alone calls [Block.Retain] and [Block.Release]. With the
// build tag "invariants" a released block is scribbled over, so that a reader who
// kept it fails at once.
//
// # Limits
//
// Row numbers inside a block fit in 16 bits and text offsets in 32 bits.
package tuple
