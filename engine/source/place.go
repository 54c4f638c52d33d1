package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// place is where an input is found.
type place struct {
	name string // for messages and Chunk.File
	path string
	std  bool  // standard input
	live bool  // not a regular file
	size int64 // of a regular file
}

// fault is a message for the user that keeps its cause for errors.Is.
type fault struct {
	text  string
	cause error
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.cause }

// find turns what the user wrote into places: one, or the sorted matches of a pattern. A file whose name
// looks like a pattern is itself.
func find(path string, stdin *os.File) ([]place, error) {
	switch {
	case path == "-" || path == "stdin":
		p, err := standard(stdin)
		return []place{p}, err
	case strings.Contains(path, "://"):
		return nil, &fault{text: fmt.Sprintf("%s: URLs cannot be read; fetch it and read standard input, as in: curl -sN %s | aurora query '... FROM stdin'", path, path)}
	}
	info, err := os.Stat(path)
	if err != nil && strings.ContainsAny(path, "*?[") {
		return match(path)
	}
	if err != nil {
		return nil, missing(path, err)
	}
	p, err := inspect(path, info)
	return []place{p}, err
}

func standard(stdin *os.File) (place, error) {
	p := place{name: "stdin", std: true, live: true}
	info, err := stdin.Stat()
	switch {
	case err != nil:
		return p, &fault{"standard input is closed; redirect it from a file or a pipe", err}
	case info.IsDir():
		return p, &fault{text: "standard input is a folder; redirect it from a file or a pipe"}
	case info.Mode().IsRegular():
		p.live, p.size = false, info.Size()
	}
	return p, nil
}

func match(pattern string) ([]place, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, &fault{fmt.Sprintf("%s: not a pattern: a '[' is not closed", pattern), err}
	}
	sort.Strings(names)
	var found []place
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, missing(name, err)
		}
		if info.IsDir() {
			continue
		}
		p, err := inspect(name, info)
		if err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	if found == nil {
		return nil, &fault{fmt.Sprintf("%s: no file matches this pattern", pattern), fs.ErrNotExist}
	}
	return found, nil
}

// inspect refuses what cannot be read, before anything is.
func inspect(path string, info fs.FileInfo) (place, error) {
	p := place{name: path, path: path}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return p, &fault{text: fmt.Sprintf("%s: is a folder; name its files, as in '%s'", path, inside(path))}
	case mode&fs.ModeSocket != 0:
		return p, &fault{text: fmt.Sprintf("%s: is a socket; connect to it and read standard input, as in: nc -U %s | aurora query '... FROM stdin'", path, path)}
	case mode&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0:
		// Opening may wait for a writer, so it is left for later.
		p.live = true
		return p, nil
	}
	p.size = info.Size()
	file, err := os.Open(path)
	if err != nil {
		return p, missing(path, err)
	}
	return p, file.Close()
}

// missing explains why a file cannot be opened and what to do about it.
func missing(path string, err error) error {
	text := fmt.Sprintf("%s: %v", path, errors.Unwrap(err))
	switch {
	case errors.Is(err, fs.ErrPermission):
		text = path + ": permission denied; make it readable with chmod, or run as its owner"
	case errors.Is(err, fs.ErrNotExist):
		text = path + ": no such file"
		folder := filepath.Dir(path)
		if _, bad := os.Stat(folder); bad != nil {
			text += fmt.Sprintf(": there is no folder %s", folder)
		} else if other := near(path); other != "" {
			text += fmt.Sprintf("; did you mean %s?", other)
		}
	}
	return &fault{text, err}
}

// inside returns a pattern for the files of a folder: those of its first file's kind.
func inside(folder string) string {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if !e.IsDir() && filepath.Ext(e.Name()) != "" {
			return filepath.Join(folder, "*"+filepath.Ext(e.Name()))
		}
	}
	return filepath.Join(folder, "*")
}
