package syntax_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// TestTranscripts runs testdata: "parse", "expr" and "qos" print the canonical text and, with the argument tree,
// the tree; an error is rendered as users see it.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/transcripts", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			src := syntax.NewSource("", unescape(d))
			node, err := parseAs(d.Cmd, src)
			if err != nil {
				var e *syntax.Error
				require.ErrorAs(t, err, &e)
				return e.Render() + "\n"
			}
			again, err := parseAs(d.Cmd, syntax.NewSource("", node.String()))
			require.NoError(t, err, "canonical text: %s", node)
			require.Equal(t, dump(node), dump(again))
			if d.HasArg("tree") {
				return strings.TrimSpace(node.String()) + "\n" + dump(node) + "\n"
			}
			return strings.TrimSpace(node.String()) + "\n"
		})
	})
}

// unescape lets a case with the argument go-string hold tabs and other invisible characters as Go escapes.
func unescape(d *datadriven.TestData) string {
	if !d.HasArg("go-string") {
		return d.Input
	}
	var s string
	if _, err := fmt.Sscanf(d.Input, "%q", &s); err != nil {
		panic(err)
	}
	return s
}

func parseAs(command string, src *syntax.Source) (fmt.Stringer, error) {
	switch command {
	case "parse":
		return unnil(syntax.Parse(src))
	case "expr":
		return unnil(syntax.ParseExpr(src))
	case "qos":
		return unnil(syntax.ParseQoS(src))
	}
	return nil, errors.New("unknown command " + command)
}

func unnil[N fmt.Stringer](n N, err error) (fmt.Stringer, error) { return n, err }
