package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const perSecond = "SELECT window_start, count(*) AS n FROM tumble(stdin, ts, '1s') GROUP BY window_start"

// record is an event of a live stream, some time from now.
func record(after time.Duration) string {
	return fmt.Sprintf(`{"ts":"%s","v":1}`, time.Now().Add(after).UTC().Format(time.RFC3339Nano))
}

// second returns the beginning of the present second as windows print it, and how far it is from now.
func second() (string, time.Duration) {
	now := time.Now().UTC()
	start := now.Truncate(time.Second)
	return start.Format(time.RFC3339), start.Sub(now)
}

type row struct {
	Start string `json:"window_start"`
	N     int    `json:"n"`
	Final *bool  `json:"_final"`
}

func parseRow(t *testing.T, line string) row {
	var r row
	require.NoError(t, json.Unmarshal([]byte(line), &r), line)
	return r
}

// TestWindowsArePrintedWhenTheyClose also shows that rows do not wait for the end of the input, nor for a full buffer.
func TestWindowsArePrintedWhenTheyClose(t *testing.T) {
	t.Parallel()
	p := start(t, "query", perSecond, "--lateness", "1s")
	name, begin := second()
	p.send(record(begin), record(begin), record(begin+3*time.Second))
	require.Equal(t, row{Start: name, N: 2}, parseRow(t, p.line(p.out)))
	p.send(record(begin + 5*time.Second))
	require.Equal(t, 1, parseRow(t, p.line(p.out)).N)
	require.NoError(t, p.in.Close())
	rest, code := p.end()
	require.Len(t, rest, 1, "the end closes every window")
	require.Nil(t, parseRow(t, rest[0]).Final)
	require.Zero(t, code)
}

func TestProjectionsAreAsFastAsTheirInput(t *testing.T) {
	t.Parallel()
	p := start(t, "query", "SELECT v + 1 AS w FROM stdin WHERE v > 1")
	p.send(`{"v":1}`, `{"v":2}`)
	require.JSONEq(t, `{"w":3}`, p.line(p.out))
	p.send(`{"v":3}`)
	require.JSONEq(t, `{"w":4}`, p.line(p.out))
	require.NoError(t, p.in.Close())
	_, code := p.end()
	require.Zero(t, code)
}

func TestAGrowingFileIsFollowed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.ndjson")
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	p := startScript(t, "tail -f "+path+" | aurora query \""+perSecond+"\" --lateness 0s")
	_, begin := second()
	fmt.Fprintln(file, record(begin))
	fmt.Fprintln(file, record(begin+time.Second))
	require.Equal(t, 1, parseRow(t, p.line(p.out)).N)
	fmt.Fprintln(file, record(begin+2*time.Second))
	require.Equal(t, 1, parseRow(t, p.line(p.out)).N)
}

func TestSilentStreamsCloseTheirWindows(t *testing.T) {
	t.Parallel()
	p := start(t, "query", perSecond, "--lateness", "0s", "--idle", "100ms")
	_, begin := second()
	p.send(record(begin))
	require.Equal(t, 1, parseRow(t, p.line(p.out)).N)
}

func TestAFIFOIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, unix.Mkfifo(path, 0o600))
	p := start(t, "query", "SELECT v FROM f", "-i", "f="+path)
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	fmt.Fprintln(w, `{"v":1}`)
	require.JSONEq(t, `{"v":1}`, p.line(p.out))
	fmt.Fprintln(w, `{"v":2}`)
	require.JSONEq(t, `{"v":2}`, p.line(p.out))
	require.NoError(t, w.Close())
	_, code := p.end()
	require.Zero(t, code)
}

func TestTheFirstSignalDrains(t *testing.T) {
	for sig, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p := start(t, "query", perSecond, "--lateness", "0s", "--stats")
			_, begin := second()
			p.send(record(begin), record(begin+time.Second), record(begin+time.Second))
			require.Nil(t, parseRow(t, p.line(p.out)).Final, "a window that ended is final")
			require.NoError(t, p.cmd.Process.Signal(sig))
			p.note("stopping")
			open := parseRow(t, p.line(p.out))
			require.Equal(t, 2, open.N)
			require.NotNil(t, open.Final)
			require.False(t, *open.Final)
			l := ledger(t, p.note(`"source"`))
			require.Equal(t, []int64{3, 3}, []int64{l.Offered, l.Used})
			rest, code := p.end()
			require.Empty(t, rest)
			require.Equal(t, want, code)
		})
	}
}

// TestASignalBeforeTheFirstRecordEndsTheWait is about the time in which the schema is still unknown.
func TestASignalBeforeTheFirstRecordEndsTheWait(t *testing.T) {
	t.Parallel()
	p := start(t, "query", perSecond)
	_, err := fmt.Fprint(p.in, `{"ts":`)
	require.NoError(t, err)
	waitUntilRead(t, p.cmd)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGUSR1))
	p.note("waiting for the first records")
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGINT))
	rest, code := p.end()
	require.Empty(t, rest)
	require.Equal(t, 130, code)
}

func TestTheSecondSignalStopsAtOnce(t *testing.T) {
	t.Parallel()
	// Nobody reads the rows, so that draining cannot end.
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	p := startTo(t, w, "query", "SELECT * FROM stdin")
	require.NoError(t, w.Close())
	filler := strings.Repeat("x", 1000)
	go func() {
		for range 2000 {
			if _, err := fmt.Fprintf(p.in, "{\"v\":\"%s\"}\n", filler); err != nil {
				return
			}
		}
	}()
	waitUntilFull(t, r)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	p.note("stopping")
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGINT))
	_, code := p.end()
	require.Equal(t, 143, code, "the first signal counts")
}

// waitUntilRead waits until a program has read what was written to its standard input.
func waitUntilRead(t *testing.T, cmd *exec.Cmd) {
	pipe, err := os.Open(fmt.Sprintf("/proc/%d/fd/0", cmd.Process.Pid))
	if err != nil {
		t.Skip("this system does not show the files of a process")
	}
	defer pipe.Close()
	for until := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		n, err := unix.IoctlGetInt(int(pipe.Fd()), unix.TIOCINQ)
		require.NoError(t, err)
		if n == 0 {
			return
		}
		require.True(t, time.Now().Before(until), "nothing was read")
	}
}

// waitUntilFull waits until a pipe holds so much that its writer must wait.
func waitUntilFull(t *testing.T, r *os.File) {
	for last, until := -1, time.Now().Add(patience); ; {
		n, err := unix.IoctlGetInt(int(r.Fd()), unix.TIOCINQ)
		require.NoError(t, err)
		if n == last && n >= 32<<10 {
			return
		}
		last = n
		require.True(t, time.Now().Before(until), "the pipe never filled")
		time.Sleep(50 * time.Millisecond)
	}
}

func TestAStatusLineOnDemand(t *testing.T) {
	t.Parallel()
	p := start(t, "query", "SELECT v FROM stdin", "-q")
	p.send(`{"v":1}`, `{"v":2}`)
	p.line(p.out)
	p.line(p.out)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGUSR1))
	require.Regexp(t, `^aurora: \d.*s, 2 records \(\d+/s\), 16 B$`, p.note("records"))
	require.NoError(t, p.in.Close())
	_, code := p.end()
	require.Zero(t, code)
}

func TestATimeLimit(t *testing.T) {
	t.Parallel()
	p := start(t, "query", perSecond, "--lateness", "end", "--duration", "1s")
	p.send(record(0))
	open := parseRow(t, p.line(p.out))
	require.Equal(t, 1, open.N)
	require.False(t, *open.Final)
	_, code := p.end()
	require.Zero(t, code)
}

func TestATimeLimitBeforeTheFirstRecord(t *testing.T) {
	t.Parallel()
	p := start(t, "query", perSecond, "--duration", "100ms")
	p.note("no record came in time")
	rest, code := p.end()
	require.Empty(t, rest)
	require.Zero(t, code)
}

// TestGeneratedEventsAreLive sends events that are made in real time through a query.
func TestGeneratedEventsAreLive(t *testing.T) {
	t.Parallel()
	p := startScript(t, `aurora generate weblog --live --rate 200 --duration 1500ms |
		aurora query "SELECT window_start, count(*) AS n FROM tumble(stdin, ts, '500ms') GROUP BY window_start" --lateness 0s`)
	require.Contains(t, p.note("time:"), "or when the stream is silent")
	total := 0
	rest, code := p.end()
	for _, line := range rest {
		total += parseRow(t, line).N
	}
	require.Equal(t, 300, total)
	require.GreaterOrEqual(t, len(rest), 3)
	require.Zero(t, code)
}
