package source_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/aurora-dsms/aurora/engine/source"
)

// A stream is opened, shown in a sample, told how its records end, and read to its end.
func Example() {
	if err := readAll(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// sample of 14 bytes, complete: true
	// at 0: "a,1\nb,2\nc,345\n"
}

func readAll() (err error) {
	dir, err := os.MkdirTemp("", "source")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "a.csv")
	if err := os.WriteFile(path, []byte("a,1\nb,2\nc,345\n"), 0o600); err != nil {
		return err
	}

	ctx := context.Background()
	s, err := source.Open([]string{path}, source.Options{Now: func() time.Duration { return 0 }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	sample, err := s.Sample(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("sample of %d bytes, complete: %v\n", len(sample.Data), sample.Complete)
	s.SetCutter(lines{})
	for {
		chunk, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		fmt.Printf("at %d: %q\n", chunk.Pos, chunk.Data)
		chunk.Release()
	}
}
