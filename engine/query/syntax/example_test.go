package syntax_test

import (
	"errors"
	"fmt"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

func ExampleParse() {
	src := syntax.NewSource("", "select host, count(*) n from tumble(logs, ts, '1 minute') group by host")
	script, err := syntax.Parse(src)
	if err != nil {
		fmt.Println(err)
		return
	}
	query := script.Statements[0].(*syntax.Query)
	window := query.Arms[0].From.(*syntax.Window)
	fmt.Println(query)
	fmt.Println(src.Errorf(window.Args[0].Where(), "did you mean ts2?", "unknown column %s", window.Args[0]).Render())
	// Output:
	// SELECT host, count(*) AS n FROM tumble(logs, ts, '1 minute') GROUP BY host
	// 1:43: unknown column ts; did you mean ts2?
	//  1 | select host, count(*) n from tumble(logs, ts, '1 minute') group by host
	//    |                                           ^^
}

func ExampleError() {
	_, err := syntax.Parse(syntax.NewSource("", "SELEC 1"))
	var mistake *syntax.Error
	if errors.As(err, &mistake) {
		fmt.Println(mistake.Render())
	}
	// Output:
	// 1:1: expected a statement, found "SELEC"; did you mean SELECT?
	//  1 | SELEC 1
	//    | ^^^^^
}
