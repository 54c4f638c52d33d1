package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
func environment(more ...string) []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "AURORA_") && !strings.HasPrefix(kv, "NO_COLOR=") && !strings.HasPrefix(kv, "PATH=") {
			env = append(env, kv)
		}
	}
	return append(append(env, "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH")), more...)
}

// patience bounds every wait of the tests. Nothing waits for it unless something is wrong.
const patience = 30 * time.Second

// process is a run of the program.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    chan string // lines of standard output; closed at its end
	stderr *lines
}

// lines collects lines as they come.
type lines struct {
	text chan string
	all  bytes.Buffer
}

// start runs the program with pipes for its input and output.
func start(t *testing.T, args ...string) *process {
	p := &process{t: t, cmd: exec.Command(binary, args...)}
	p.cmd.Dir, p.cmd.Env = t.TempDir(), environment()
	var err error
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	notes, err := p.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	p.out, p.stderr = follow(out).text, follow(notes)
	return p
}

func follow(r io.Reader) *lines {
	l := &lines{text: make(chan string, 1000)}
	go func() {
		defer close(l.text)
		data := make([]byte, 64<<10)
		rest := ""
		for {
			n, err := r.Read(data)
			l.all.Write(data[:n])
			rest += string(data[:n])
			for {
				line, more, ok := strings.Cut(rest, "\n")
				if !ok {
					break
				}
				l.text <- line
				rest = more
			}
			if err != nil {
				if rest != "" {
					l.text <- rest
				}
				return
			}
		}
	}()
	return l
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
		if line := p.line(p.stderr.text); strings.Contains(line, text) {
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
	for range p.stderr.text {
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
