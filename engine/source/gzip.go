package source

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// errGarbage says that what follows compressed data is not compressed data.
var errGarbage = errors.New("garbage after the compressed data")

// members reads the members of a gzip file one after the other. As for gzip(1), zeros may follow each, which is how tapes and
// block devices are filled up.
type members struct {
	raw  *bufio.Reader
	gzip *gzip.Reader
	next bool // the member has been read
}

func openGzip(raw *bufio.Reader) (io.Reader, error) {
	r, err := gzip.NewReader(raw)
	if err != nil {
		return nil, err
	}
	r.Multistream(false)
	return &members{raw: raw, gzip: r}, nil
}

// Read implements io.Reader. It does not wait for the next member while it has content.
func (m *members) Read(p []byte) (int, error) {
	for {
		if m.next {
			if err := m.enter(); err != nil {
				return 0, err
			}
		}
		n, err := m.gzip.Read(p)
		m.next = errors.Is(err, io.EOF)
		if !m.next {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
}

// enter begins the next member. Its error is io.EOF when there is none.
func (m *members) enter() error {
	c, err := m.raw.ReadByte()
	for ; c == 0 && err == nil; c, err = m.raw.ReadByte() {
	}
	if err != nil {
		return err
	}
	if err := m.raw.UnreadByte(); err != nil {
		return err
	}
	magic, err := m.raw.Peek(2)
	switch {
	case len(magic) == 2 && string(magic) != "\x1f\x8b", c != '\x1f':
		return errGarbage
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	case err != nil:
		return err
	}
	if err := m.gzip.Reset(m.raw); err != nil {
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	m.gzip.Multistream(false)
	return nil
}
