package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// terminal is a pseudo terminal, and what a program wrote to it.
type terminal struct {
	t     *testing.T
	slave *os.File
	mu    sync.Mutex
	text  strings.Builder
	ended chan struct{}
}

// openTerminal makes a terminal of 80 columns.
func openTerminal(t *testing.T) *terminal {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("this system has no pseudo terminals:", err)
	}
	fd := int(master.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	term := &terminal{t: t, slave: slave, ended: make(chan struct{})}
	go func() {
		defer close(term.ended)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			term.mu.Lock()
			term.text.Write(buf[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { _ = master.Close() })
	return term
}

// run starts the program in the terminal, with input from a pipe.
func (term *terminal) run(env []string, args ...string) *process {
	cmd := exec.Command(binary, args...)
	cmd.Stdout, cmd.Stderr = term.slave, term.slave
	cmd.Env = append(environment(), env...)
	cmd.Dir = term.t.TempDir()
	in, err := cmd.StdinPipe()
	require.NoError(term.t, err)
	require.NoError(term.t, cmd.Start())
	term.t.Cleanup(func() { _ = cmd.Process.Kill() })
	require.NoError(term.t, term.slave.Close())
	return &process{t: term.t, cmd: cmd, in: in, out: closed(), stderr: closed()}
}

// wait waits until the program wrote text.
func (term *terminal) wait(text string) {
	for until := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		all := term.all()
		if strings.Contains(all, text) {
			return
		}
		require.True(term.t, time.Now().Before(until), "%q was not written, only %q", text, all)
	}
}

func (term *terminal) all() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.text.String()
}

func TestATerminalGetsTables(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.csv")
	require.NoError(t, os.WriteFile(path, []byte("k,v\n"+strings.Repeat("long ", 30)+",1\nb,\n"), 0o600))
	for _, c := range []struct {
		claim string
		env   []string
		args  []string
		color bool
	}{
		{"in colour", nil, nil, true},
		{"not where NO_COLOR says so", []string{"NO_COLOR=1"}, nil, false},
		{"not with --color never", nil, []string{"--color", "never"}, false},
		{"--color always goes before NO_COLOR", []string{"NO_COLOR=1"}, []string{"--color", "always"}, true},
	} {
		t.Run(c.claim, func(t *testing.T) {
			term := openTerminal(t)
			p := term.run(c.env, append([]string{"query", "SELECT k, v FROM t", path}, c.args...)...)
			_, code := p.end()
			require.Zero(t, code)
			<-term.ended
			text := term.all()
			require.Equal(t, c.color, strings.Contains(text, "\x1b[1m"), "%q", text)
			require.Contains(t, text, "(2 rows)")
			for line := range strings.SplitSeq(text, "\r\n") {
				plain := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "").Replace(line)
				require.LessOrEqual(t, len([]rune(plain)), 80, "%q", line)
			}
		})
	}
}

// TestRowsGoAboveTheBar also shows that nothing is left of the bar at the end.
func TestRowsGoAboveTheBar(t *testing.T) {
	t.Parallel()
	term := openTerminal(t)
	p := term.run(nil, "query", "SELECT v, v * 2 AS w FROM stdin")
	p.send(`{"v":1}`)
	term.wait("1 record  8 B")
	p.send(`{"v":20}`)
	term.wait("20  40\r\n")
	p.send(`{"v":`)
	term.wait("bad record")
	term.wait("3 records")
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGINT))
	_, code := p.end()
	require.Equal(t, 130, code)
	<-term.ended
	shown := screen(term.all())
	require.Equal(t, []string{
		"v  w", "-  -", "1  2", "20  40",
		`aurora: bad record: stdin: record 3 at byte 17: syntax: {"v":`,
		"aurora: stopping; once more to stop at once",
		"(2 rows)",
	}, shown)
}

// screen returns the lines that a terminal shows that understands what a bar needs: going up, and clearing what is below.
func screen(text string) []string {
	var lines []string
	row, col := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\r':
			col = 0
		case '\n':
			row++
		case '\x1b':
			end := i + strings.IndexAny(text[i:], "AJmK")
			switch text[end] {
			case 'A':
				var n int
				_, _ = fmt.Sscanf(text[i+2:end], "%d", &n)
				row -= n
			case 'J':
				lines = lines[:min(len(lines), row+1)]
				if row < len(lines) {
					lines[row] = lines[row][:min(col, len(lines[row]))]
				}
			}
			i = end
		default:
			for len(lines) <= row {
				lines = append(lines, "")
			}
			line := []byte(lines[row] + strings.Repeat(" ", max(0, col+1-len(lines[row]))))
			line[col] = c
			lines[row] = string(line)
			col++
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func TestAPersonWhoHasToTypeIsTold(t *testing.T) {
	t.Parallel()
	term := openTerminal(t)
	cmd := exec.Command(binary, "query", "SELECT v FROM stdin")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = term.slave, term.slave, term.slave
	cmd.Env = environment()
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	term.wait("Ctrl-D ends the input")
	require.NoError(t, term.slave.Close())
}
