// Package engine runs windowed SQL over streams: it alone has time, goroutines and I/O.
//
// # Model
//
// A reader goroutine per stream takes chunks of whole records from its source. Decode workers turn chunks into
// blocks of columns, in parallel, evaluating each query's filter on the way so that the other columns are decoded for
// survivors only. One network goroutine takes the blocks in input order and pushes them through the queries:
//
//	bytes -> source -> chunk -> decode (+ filter) -> input box -> box -> ... -> sink
//	         reader             workers              network goroutine
//
// A random drop of a stream's only query acts on whole records, in the reader: it counts records, keeps some, and reads of some
// others the time alone, so that windows close. What is kept of several chunks of a file is decoded together. When a second query
// comes, and for drops of other kinds or of elements of a JSON array, the drop is a box, the first of its query.
//
// [Engine.Step] is one turn of the network: admit what was decoded, measure, let the policy pick a train, run it. Without a
// deadline nothing is dropped: a bounded number of chunks is in flight and sources wait (back-pressure).
//
// # Words
//
// One word for each idea, used in all packages:
//
//   - A box is a node of the network, an operator the code in it, an arc the way between boxes.
//   - A record is a piece of input in its format; a tuple, or row, is what it decodes to or what a box computes.
//   - A batch is a view of up to 1024 tuples, a train the batches of one arc that run in one step.
//   - The input box is the first box of every query. It decides, record by record and before any filter, what is late,
//     and tells the boxes behind it how far time has come: the watermark.
//   - A pane is a stretch of time of which windows are made.
//   - The ledger is the account of what became of every record.
//   - Cost is core-seconds per tuple, selectivity the tuples that come out per tuple that goes in, load core-seconds
//     per second, and excess the load beyond what the machine has.
//   - A drop is a place where tuples are left out on purpose (shed), keep the probability with which it lets one pass.
//   - An epoch is a time during which a drop's keep is constant; the tuples that one drop saw in one epoch are a stratum.
//   - A period is the time between two decisions of the controller, a stage one step on a record's way from source to sink.
//
// # Invariants
//
// Same input, same plan and same seed: same bytes out, whatever the chunk sizes, the batch cuts and the number of workers. What a
// drop keeps depends on its seed, its location, and the numbers of epoch and record. The ledger adds up: offered = used +
// shed + filtered + late + bad, each counted by itself. No batch spans two epochs, and the last totals of every epoch reach the query.
//
// # Limits
//
// A query reads one stream. An engine runs once.
package engine
