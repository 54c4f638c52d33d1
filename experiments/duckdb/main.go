package main

import (
	"database/sql"
	"fmt"

	_ "github.com/duckdb/duckdb-go/v2"
)

func main() {
	db, err := sql.Open("duckdb", "")
	fmt.Println(err)
	var v string
	fmt.Println(db.QueryRow("select version()").Scan(&v), v)
}
