package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// binary is the program under test: built once, run as a process.
var binary string

// buildArgs are added to go build, so that the program is built the way its tests are.
var buildArgs []string

func TestMain(m *testing.M) { os.Exit(withBinary(m)) }

func withBinary(m *testing.M) int {
	dir, err := os.MkdirTemp("", "aurora-cmd-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "aurora")
	build := exec.Command("go", append(append([]string{"build", "-o", binary, "-ldflags", "-X main.version=v1.2.3"}, buildArgs...), ".")...)
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building aurora:", err)
		return 1
	}
	return m.Run()
}

// environment is that of the tests without what would change the program's behaviour.
func environment() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "AURORA_") && !strings.HasPrefix(kv, "NO_COLOR=") && !strings.HasPrefix(kv, "PATH=") {
			env = append(env, kv)
		}
	}
	// A program under the race detector otherwise sleeps for a second before it ends.
	return append(env, "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0")
}

// patience bounds every wait of the tests. Nothing waits for it unless something is wrong.
const patience = 30 * time.Second

// process is a run of the program.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    chan string // lines of standard output; closed at its end
	stderr chan string
}

// start runs the program with pipes for its input and output.
func start(t *testing.T, args ...string) *process { return startTo(t, nil, args...) }

// startScript runs a script of the shell like start.
func startScript(t *testing.T, text string) *process {
	return startCommand(t, nil, exec.Command("sh", "-c", text))
}

// startTo is start with a standard output of the caller's.
func startTo(t *testing.T, out *os.File, args ...string) *process {
	return startCommand(t, out, exec.Command(binary, args...))
}

func startCommand(t *testing.T, out *os.File, cmd *exec.Cmd) *process {
	p := &process{t: t, cmd: cmd}
	cmd.Dir, cmd.Env = t.TempDir(), environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that a script's processes can be ended together
	var err error
	p.in, err = cmd.StdinPipe()
	require.NoError(t, err)
	notes, err := cmd.StderrPipe()
	require.NoError(t, err)
	if out != nil {
		cmd.Stdout = out
		p.out = closed()
	} else {
		pipe, err := cmd.StdoutPipe()
		require.NoError(t, err)
		defer func() { p.out = follow(pipe) }()
	}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	p.stderr = follow(notes)
	return p
}

func closed() chan string {
	c := make(chan string)
	close(c)
	return c
}

// follow returns the lines of r as they come.
func follow(r io.Reader) chan string {
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(r)
		for in.Scan() {
			lines <- in.Text()
		}
	}()
	return lines
}

// send writes lines to the program's standard input.
func (p *process) send(text ...string) {
	_, err := io.WriteString(p.in, strings.Join(text, "\n")+"\n")
	require.NoError(p.t, err)
}

// line waits for the next line of a stream of output.
func (p *process) line(from <-chan string) string {
	select {
	case line, ok := <-from:
		require.True(p.t, ok, "the output ended")
		return line
	case <-time.After(patience):
		require.FailNow(p.t, "no line came")
		return ""
	}
}

// note waits for a line of standard error that contains text.
func (p *process) note(text string) string {
	for {
		if line := p.line(p.stderr); strings.Contains(line, text) {
			return line
		}
	}
}

// end waits for the program to end and returns what is left of its standard output and its exit code.
func (p *process) end() (rest []string, code int) {
	timer := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	for line := range p.out {
		rest = append(rest, line)
	}
	for range p.stderr {
	}
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(p.t, err)
	}
	return rest, p.cmd.ProcessState.ExitCode()
}

// result is what a program that ended left behind.
type result struct {
	stdout, stderr string
	code           int
}

// script runs a script of the shell, with the program in its path.
func script(t *testing.T, dir, text string) result {
	cmd := exec.Command("sh", "-c", text)
	cmd.Dir, cmd.Env = dir, environment()
	var out, notes bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &notes
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return result{out.String(), notes.String(), cmd.ProcessState.ExitCode()}
}
