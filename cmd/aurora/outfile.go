package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// outFile is a file that is made only when a run begins, so that a mistake in the SQL destroys nothing.
type outFile struct {
	path string
	file *os.File
}

// Write implements io.Writer between open and close.
func (o *outFile) Write(p []byte) (int, error) { return o.file.Write(p) }

func (o *outFile) open() (err error) {
	if o.path != "" {
		// Not os.Create: a pipe opened for reading too would never say that its reader is gone.
		o.file, err = os.OpenFile(o.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	}
	return err
}

func (o *outFile) close() error {
	if o.file == nil {
		return nil
	}
	return o.file.Close()
}

// openOutputs makes the files of --bad-out and --late-out, unless that would destroy an input.
func (f *queryFlags) openOutputs() error {
	for _, o := range []struct {
		flag string
		file *outFile
	}{{"--bad-out", &f.badOut}, {"--late-out", &f.lateOut}} {
		if o.file.path == "" {
			continue
		}
		for _, path := range f.paths {
			if sameFile(o.file.path, path) {
				return usagef("%s %s: this is an input of the query", o.flag, o.file.path)
			}
		}
		if o.file == &f.lateOut && (f.badOut.path == f.lateOut.path || sameFile(f.badOut.path, f.lateOut.path)) {
			return usagef("--bad-out and --late-out name the same file %s", o.file.path)
		}
		if err := o.file.open(); err != nil {
			return usagef("%s: %w", o.flag, err)
		}
	}
	return nil
}

func (f *queryFlags) closeOutputs() error {
	if err := errors.Join(f.badOut.close(), f.lateOut.close()); err != nil {
		return fmt.Errorf("writing bad and late records: %w", err)
	}
	return nil
}

// sameFile reports whether path is an existing regular file that the pattern matches.
func sameFile(path, pattern string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	names, _ := filepath.Glob(pattern)
	for _, name := range append(names, pattern) {
		if other, err := os.Stat(name); err == nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}
