package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// readAhead is the buffer between a file and its decompressor.
const readAhead = 64 << 10

// container is a way of packing bytes, told by the first of them.
type container struct {
	name   string
	magic  string
	suffix string
	remedy string // for those that are not read; %s is the file
	open   func(*bufio.Reader) (io.Reader, error)
}

var containers = []container{
	{name: "gzip", magic: "\x1f\x8b", suffix: ".gz", open: openGzip},
	{name: "zstd", magic: "\x28\xb5\x2f\xfd", suffix: ".zst", open: openZstd},
	{name: "xz", magic: "\xfd7zXZ\x00", remedy: "xz -dc %s | aurora query '... FROM stdin'"},
	{name: "bzip2", magic: "BZh91AY&SY", remedy: "bzip2 -dc %s | aurora query '... FROM stdin'"},
	{name: "lz4", magic: "\x04\x22\x4d\x18", remedy: "lz4 -dc %s | aurora query '... FROM stdin'"},
	{name: "zip", magic: "PK\x03\x04", remedy: "unzip -p %s | aurora query '... FROM stdin'"},
	{name: "Parquet", magic: "PAR1\x15", remedy: "duckdb -csv -c \"FROM '%s'\" | aurora query '... FROM stdin'"},
	{name: "UTF-16", magic: "\xff\xfe", remedy: "iconv -f UTF-16 -t UTF-8 %s | aurora query '... FROM stdin'"},
	{name: "UTF-16", magic: "\xfe\xff", remedy: "iconv -f UTF-16 -t UTF-8 %s | aurora query '... FROM stdin'"},
}

const byteOrderMark = "\xef\xbb\xbf"

// recognise returns the container that head begins, nil for plain bytes. unsure says that more bytes are needed.
func recognise(head []byte) (c *container, unsure bool) {
	for i := range containers {
		switch magic := containers[i].magic; {
		case bytes.HasPrefix(head, []byte(magic)):
			return &containers[i], false
		case strings.HasPrefix(magic, string(head)):
			unsure = true
		}
	}
	return nil, unsure || len(head) < len(byteOrderMark) && strings.HasPrefix(byteOrderMark, string(head))
}

// promised returns the container that a file's name tells of, nil when it tells of none.
func promised(name string) *container {
	for i := range containers {
		if c := &containers[i]; c.suffix != "" && strings.EqualFold(filepath.Ext(name), c.suffix) {
			return c
		}
	}
	return nil
}

// openZstd decodes in the reader's own goroutine.
func openZstd(r *bufio.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
}

// refuse explains that the container is not read and what to do about it.
func (c *container) refuse(name string) error {
	if c.open != nil {
		return &fault{text: fmt.Sprintf("%s: is %s once more; unpack it first", name, c.name)}
	}
	return &fault{text: fmt.Sprintf("%s: %s is not read; convert it first, as in: %s", name, c.name, fmt.Sprintf(c.remedy, name))}
}

// spoilt explains a failure to read the content of a packed file, of which pos bytes were good.
func (c *container) spoilt(name string, pos int64, err error) error {
	if errors.Is(err, errGarbage) || errors.Is(err, zstd.ErrMagicMismatch) && pos > 0 {
		return &fault{fmt.Sprintf("%s: there is %v (%s), after %d bytes of content", name, errGarbage, c.name, pos), err}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &fault{fmt.Sprintf("%s: the %s data ends too early, after %d bytes of content: the file was cut off, or is still being written", name, c.name, pos), io.ErrUnexpectedEOF}
	}
	return &fault{fmt.Sprintf("%s: the %s data is damaged after %d bytes of content: %v", name, c.name, pos, err), err}
}
