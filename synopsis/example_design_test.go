package synopsis_test

import (
	"fmt"

	"github.com/aurora-dsms/aurora/synopsis"
)

// A drop kept 1,000 of 10,000 rows; 100 of them are in the group, with values from 0 to 9.
func ExampleDesign() {
	stratum := &synopsis.Stratum{Keep: 0.1, Offered: 10_000, Kept: 1_000}
	var design synopsis.Design
	var count synopsis.Count
	var cell synopsis.Cell
	i := design.Enter(stratum)
	design.Rows(i, 1_000)
	count.Add(&design, i, 100)
	for row := range 100 {
		cell.Add(&design, i, float64(row%10))
	}
	design.Seal()

	q := synopsis.Question{Confidence: 0.95, Domain: true}
	n := count.Estimate(&design, 0, q)
	mean, reliable := cell.Mean(&design, synopsis.Known{}, q)
	fmt.Printf("COUNT %.0f, from %.0f to %.0f\n", n.Value, n.Low, n.High)
	fmt.Printf("AVG %.1f, from %.1f to %.1f, reliable: %t\n", mean.Value, mean.Low, mean.High, reliable)
	fmt.Printf("a group not seen has at most %.0f rows\n", synopsis.Unseen(&design, q))
	// Output:
	// COUNT 1000, from 832 to 1192
	// AVG 4.5, from 3.9 to 5.1, reliable: true
	// a group not seen has at most 29 rows
}
