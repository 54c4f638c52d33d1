package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// headSize is more than any magic number's length.
const headSize = 512

// input is one file being read. After start, read returns its content: decompressed and without a byte order mark.
type input struct {
	place
	tap     *tap
	raw     *bufio.Reader // between the file and its decompressor; nil when it is plain
	packed  *container    // nil when it is plain
	rd      io.Reader     // where content comes from: tap, or a decompressor
	started bool

	replay []byte        // content that was read already and comes first
	at     time.Duration // when it was
	size   int64         // of a regular file from where reading begins, when it was opened
	mark   int64         // bytes of the byte order mark
	pos    int64         // content bytes that came out of rd
	err    error         // comes after replay: io.EOF or what went wrong
}

// open opens the input's file without waiting for it.
func (in *input) open(stdin *os.File) (err error) {
	in.tap.file, in.tap.live, in.rd = stdin, in.live, in.tap
	if !in.std {
		flag := os.O_RDONLY
		if in.live {
			flag |= syscall.O_NONBLOCK // else opening a FIFO waits for its writer
		}
		if in.tap.file, err = os.OpenFile(in.path, flag, 0); err != nil {
			return missing(in.path, err)
		}
	}
	in.tap.fd = int(in.tap.file.Fd())
	if in.live {
		return nil
	}
	sequential(in.tap.fd)
	if in.size, err = left(in.tap.file); err != nil {
		return &fault{fmt.Sprintf("%s: cannot be read: %v", in.name, err), err}
	}
	return nil
}

// left returns how many bytes a regular file has from its offset on.
func left(file *os.File) (int64, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	at, err := file.Seek(0, io.SeekCurrent)
	return max(info.Size()-at, 0), err
}

// shrunk reports whether a regular file that ended early is smaller than it was. Those of /sys say that they are larger
// than they are.
func (in *input) shrunk() bool {
	if in.live || in.pos >= in.size {
		return false
	}
	rest, err := left(in.tap.file)
	return err == nil && in.pos+rest < in.size
}

// close closes the file, unless it is standard input, which belongs to the process.
func (in *input) close() error {
	in.tap.close()
	if in.std || in.tap.file == nil {
		return nil
	}
	return in.tap.file.Close()
}

// start reads the first bytes and decides what they are. It may be called again after a context's error.
func (in *input) start(ctx context.Context) error {
	in.tap.ctx = ctx
	if err := in.peek(); err != nil {
		return err
	}
	c, _ := recognise(in.replay)
	if p := promised(in.name); p != nil && c != p {
		if len(in.replay) == 0 && errors.Is(in.err, io.EOF) {
			return p.spoilt(in.name, 0, io.EOF)
		}
		return &fault{text: fmt.Sprintf("%s: is not %s, in spite of its name; rename it", in.name, p.name)}
	}
	if c != nil {
		if err := in.unpack(c); err != nil {
			return err
		}
	}
	if bytes.HasPrefix(in.replay, []byte(byteOrderMark)) {
		in.mark = int64(len(byteOrderMark))
		in.replay = in.replay[in.mark:]
	}
	in.started = true
	return nil
}

// unpack puts a decompressor between the file and the content.
func (in *input) unpack(c *container) (err error) {
	if c.open == nil {
		return c.refuse(in.name)
	}
	in.packed = c
	in.raw = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(in.replay), in.tap), readAhead)
	in.replay, in.err, in.pos = nil, nil, 0
	if in.rd, err = c.open(in.raw); err != nil {
		return in.explain(err)
	}
	if err := in.peek(); err != nil {
		return err
	}
	if inner, _ := recognise(in.replay); inner != nil {
		return inner.refuse(in.name + " (unpacked)")
	}
	return nil
}

// peek reads content into replay until it is clear what it is.
func (in *input) peek() error {
	for in.err == nil {
		if _, unsure := recognise(in.replay); !unsure {
			return nil
		}
		var head [headSize]byte
		n, err := in.pull(head[:])
		in.replay = append(in.replay, head[:n]...)
		if err != nil && in.err == nil {
			return err
		}
	}
	return nil
}

// read returns content, waiting for at least one byte of it.
func (in *input) read(ctx context.Context, p []byte) (int, error) {
	if len(in.replay) > 0 {
		n := copy(p, in.replay)
		in.replay = in.replay[n:]
		return n, nil
	}
	if in.err != nil {
		return 0, in.err
	}
	in.tap.ctx = ctx
	return in.pull(p)
}

// pull reads content from the file. Errors stay, except that a plain input can be read on after its context ended.
func (in *input) pull(p []byte) (int, error) {
	n, err := in.rd.Read(p)
	in.pos += int64(n)
	if err == nil {
		return n, nil
	}
	if end := in.tap.ctx.Err(); end != nil && errors.Is(err, end) && in.packed == nil {
		return n, err
	}
	in.err = in.explain(err)
	if n > 0 {
		return n, nil
	}
	return 0, in.err
}

func (in *input) explain(err error) error {
	end := in.tap.ctx.Err()
	switch {
	case end != nil && errors.Is(err, end):
		return err
	case in.packed != nil && (!errors.Is(err, io.EOF) || in.rd == nil):
		return in.packed.spoilt(in.name, in.pos, err)
	case errors.Is(err, io.EOF) && in.packed == nil && in.shrunk():
		return &fault{fmt.Sprintf("%s: was cut off while it was read: %d of %d bytes", in.name, in.pos, in.size), io.ErrUnexpectedEOF}
	case errors.Is(err, io.EOF):
		return io.EOF
	}
	return &fault{fmt.Sprintf("%s: cannot be read beyond byte %d: %v", in.name, in.pos, err), err}
}

// ready reports whether read would return at once.
func (in *input) ready() bool { return len(in.replay) > 0 || in.fresh(0) }

// fresh reports whether pull would return at once, after giving a live input the given number of milliseconds. It may be
// wrong for a compressed live input whose writer stopped inside a compressed block.
func (in *input) fresh(millis int) bool {
	return !in.live || in.err != nil || in.raw != nil && in.raw.Buffered() > 0 || in.tap.ready(millis)
}
