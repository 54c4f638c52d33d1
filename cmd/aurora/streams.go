package main

import (
	"os"
	"strings"

	"github.com/aurora-dsms/aurora/engine"
)

// namedInputs are the streams of a command line, in order.
type namedInputs struct {
	names   []string
	streams map[string]*engine.Input
	files   map[string]string // the FILE argument that gave a stream its name
}

// at returns the stream called name with one more path.
func (n *namedInputs) at(name, path string) *engine.Input {
	in := n.streams[name]
	if in == nil {
		in = &engine.Input{}
		n.streams[name] = in
		n.names = append(n.names, name)
	}
	in.Paths = append(in.Paths, path)
	return in
}

// option adds the stream of one -i.
func (n *namedInputs) option(text string) error {
	parts := strings.Split(text, ";")
	name, path, ok := strings.Cut(parts[0], "=")
	name = strings.TrimSpace(name)
	switch {
	case !ok && parts[0] != "":
		return usagef("-i %q: write name=path, as in -i %s=%s", text, engine.StreamName(parts[0]), text)
	case !ok || name == "" || path == "":
		return usagef("-i %q: write name=path, as in -i logs=access.log", text)
	}
	in := n.at(name, path)
	for i := 1; i < len(parts); i++ {
		key, value, ok := strings.Cut(parts[i], "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok {
			return usagef("-i %q: write options as key=value after ';', as in -i 'logs=x.csv;format=csv'", text)
		}
		if key == "delimiter" && value == "" && i+1 < len(parts) && parts[i+1] == "" {
			value = ";"
			i++
		}
		if err := setInput(in, key, value); err != nil {
			return usagef("-i %q: %s: %w", text, key, err)
		}
	}
	return nil
}

// file adds the stream of one FILE argument.
func (n *namedInputs) file(path string) error {
	name := engine.StreamName(path)
	_, missing := os.Stat(path)
	switch {
	case path == "":
		return usagef("a FILE argument is empty")
	case missing == nil || path == "-":
	case isSQL(path):
		return usagef("%s: one text of SQL at a time", quoteArg(path))
	case strings.ContainsAny(path, "*?["):
		return usagef("%s: a pattern has no name: write -i NAME=%s, or FROM '%s'", path, quoteArg(path), path)
	case strings.Contains(path, "="):
		return usagef("%s: no such file; a stream is given by -i, as in -i %s", path, path)
	}
	if first, ok := n.files[name]; ok {
		return usagef("two files give the stream %[1]s its name, %[2]s and %[3]s: name them apart with -i, as in -i a=%[2]s -i b=%[3]s, or make them one with -i %[1]s=%[2]s -i %[1]s=%[3]s",
			name, first, path)
	}
	if n.streams[name] != nil {
		return usagef("the stream %s is given by -i and by the file %s: name the file with -i, too", name, path)
	}
	n.files[name] = path
	n.at(name, path)
	return nil
}

// named returns the streams of -i and of the FILE arguments.
func (f *inputFlags) named(files []string) (*namedInputs, error) {
	n := &namedInputs{streams: map[string]*engine.Input{}, files: map[string]string{}}
	for _, text := range f.inputs {
		if err := n.option(text); err != nil {
			return nil, err
		}
	}
	for _, path := range files {
		if err := n.file(path); err != nil {
			return nil, err
		}
	}
	for _, name := range n.names {
		f.paths = append(f.paths, n.streams[name].Paths...)
	}
	return n, nil
}

// addStreams makes the streams of -i and of the FILE arguments known to e.
func (f *inputFlags) addStreams(e *engine.Engine, files []string) error {
	n, err := f.named(files)
	if err != nil {
		return err
	}
	for _, name := range n.names {
		if err := e.AddStream(name, *n.streams[name]); err != nil {
			return usageError{err}
		}
	}
	return nil
}
