package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
)

// TestTranscripts runs testdata/*.txt. "file" writes the lines below it to the file that is its argument; "run" runs them as a script of the shell
// and shows standard output, then standard error behind "! ", then an exit code that is not 0. Each transcript has a folder of its own.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				switch d.Cmd {
				case "file":
					name := filepath.Join(dir, d.CmdArgs[0].Key)
					require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
					require.NoError(t, os.WriteFile(name, []byte(d.Input+"\n"), 0o600))
					return ""
				case "run":
					return transcript(script(t, dir, d.Input))
				}
				d.Fatalf(t, "unknown command %s", d.Cmd)
				return ""
			})
		})
	}
}

func transcript(r result) string {
	var b strings.Builder
	b.WriteString(r.stdout)
	if r.stdout != "" && !strings.HasSuffix(r.stdout, "\n") {
		b.WriteString("\\ no newline\n")
	}
	for line := range strings.Lines(r.stderr) {
		b.WriteString("! " + strings.TrimSuffix(line, "\n") + "\n")
	}
	if r.code != 0 {
		fmt.Fprintf(&b, "exit %d\n", r.code)
	}
	return b.String()
}
