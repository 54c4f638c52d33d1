package sink_test

import (
	"fmt"
	"os"

	"github.com/aurora-dsms/aurora/engine/sink"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// The formats write the same rows.
func ExampleNew() {
	schema := &tuple.Schema{Fields: []tuple.Field{{Name: "host", Type: tuple.Text}, {Name: "mean", Type: tuple.Double}}}
	block := &tuple.Block{Schema: schema, N: 2, Cols: make([]tuple.Column, 2)}
	block.Cols[0].Reset(tuple.Text, 2)
	block.Cols[0].SetStr(0, []byte("a,b"))
	block.Cols[0].SetStr(1, []byte("c"))
	block.Cols[1].Reset(tuple.Double, 2)
	copy(block.Cols[1].F, []float64{3, 0.25})
	for _, format := range []sink.Format{sink.NDJSON, sink.CSV} {
		out, err := sink.New(format, os.Stdout, sink.Options{})
		if err == nil {
			err = out.Begin(schema)
		}
		if err == nil {
			err = out.Write(&tuple.Batch{Block: block, Sel: tuple.All(2)})
		}
		if err == nil {
			err = out.Close()
		}
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// {"host":"a,b","mean":3.0}
	// {"host":"c","mean":0.25}
	// host,mean
	// "a,b",3.0
	// c,0.25
}
