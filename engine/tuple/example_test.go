package tuple_test

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// A batch is a selection of the rows of a block, here those that are not NULL.
func ExampleBatch() {
	schema := &tuple.Schema{Fields: []tuple.Field{{Name: "host", Type: tuple.Text}}}
	block := &tuple.Block{Schema: schema, N: 3, Cols: make([]tuple.Column, 1)}
	host := &block.Cols[0]
	host.Reset(tuple.Text, block.N)
	host.SetStr(0, []byte("web-1"))
	host.SetNull(1, block.N)
	host.SetStr(2, []byte("web-2"))

	batch := tuple.Batch{Block: block}
	for _, r := range tuple.All(block.N) {
		if !host.IsNull(int(r)) {
			batch.Sel = append(batch.Sel, r)
		}
	}
	for _, r := range batch.Sel {
		fmt.Printf("%d %s\n", r, batch.Cols[0].Str(int(r)))
	}
	// Output:
	// 0 web-1
	// 2 web-2
}

// Times are read in many spellings and written in one.
func ExampleParseTime() {
	ns, ok := tuple.ParseTime([]byte("2024-03-31 02:30 +01:00"))
	fmt.Println(string(tuple.AppendTime(nil, ns, nil)), ok)
	// Output: 2024-03-31T01:30:00Z true
}
