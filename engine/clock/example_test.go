package clock_test

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-dsms/aurora/engine/clock"
)

// On the virtual clock work takes what it is declared to cost, and waiting takes no time.
func ExampleVirtual() {
	var c clock.Virtual
	mark := c.Begin(clock.Network)
	fmt.Println("cost", c.End(mark, 3*time.Millisecond))
	if err := c.WaitUntil(context.Background(), 10*time.Minute); err != nil {
		fmt.Println(err)
	}
	fmt.Println("now", c.Now())
	// Output:
	// cost 3ms
	// now 10m0s
}
