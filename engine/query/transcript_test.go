package query_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"github.com/aurora-dsms/aurora/engine/op"
	"github.com/aurora-dsms/aurora/engine/plan"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// TestTranscripts runs testdata. "stream" adds to the catalog: its arguments are the name and of open (there may be
// more fields), declared, live, time=NAME; its lines are fields with their types, dots for nesting, and what a mixture is of. "bind" prints
// the plan of a query, what it reads and warns of, or the error, and with the argument push moves filters into the
// input, with columns lists what comes out in full; settings are arguments like the flags of the command. "parse" only
// checks it.
func TestTranscripts(t *testing.T) {
	for _, folder := range []string{"testdata/bind", "testdata/errors"} {
		datadriven.Walk(t, folder, transcript)
	}
}

func transcript(t *testing.T, path string) {
	catalog := streams{}
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "stream":
			catalog.add(t, d)
			return ""
		case "parse":
			s, err := query.Parse(d.Input)
			if err != nil {
				return rendered(t, err)
			}
			return fmt.Sprintf("%d queries, %d streams\n%s", len(s.Queries), len(s.Streams), declarations(s))
		case "bind":
			return bound(t, catalog, d)
		}
		t.Fatalf("unknown command %s", d.Cmd)
		return ""
	})
}

func bound(t *testing.T, c query.Catalog, d *datadriven.TestData) string {
	s, err := query.Parse(d.Input)
	if err != nil {
		return "before any input is opened\n" + rendered(t, err)
	}
	s.Settings = settingsOf(t, d)
	b, err := s.Bind(0, c)
	if err != nil {
		return rendered(t, err)
	}
	require.NoError(t, b.Plan.Validate())
	if d.HasArg("push") {
		b.Plan = plan.PushFilters(b.Plan)
		require.NoError(t, b.Plan.Validate())
	}
	var out strings.Builder
	out.WriteString(plan.Explain(b.Plan))
	if b.Explain {
		out.WriteString("explain\n")
	}
	if b.Plan.Sorted {
		out.WriteString("sorted\n")
	}
	if d.HasArg("columns") {
		out.WriteString(columnsOf(b.Plan))
	}
	if b.Error > 0 {
		fmt.Fprintf(&out, "error %g, confidence %g\n", b.Error, b.Confidence)
	}
	for _, w := range b.Warnings {
		fmt.Fprintf(&out, "warning: %s\n", w)
	}
	return out.String()
}

// settingsOf reads settings from the arguments of a command.
func settingsOf(t *testing.T, d *datadriven.TestData) query.Settings {
	var s query.Settings
	for _, a := range d.CmdArgs {
		number := func(value string) float64 {
			v, err := strconv.ParseFloat(value, 64)
			require.NoError(t, err)
			return v
		}
		switch a.Key {
		case "sample":
			for _, v := range a.Vals {
				s.Sample = append(s.Sample, number(v))
			}
		case "sample-by":
			s.SampleBy = a.Vals[0]
		case "weight":
			s.Weight = a.Vals[0]
		case "confidence":
			s.Confidence = number(a.Vals[0])
		case "seed":
			s.Seed = uint64(number(a.Vals[0]))
		case "bound":
			s.Method = a.Vals[0]
		case "range":
			for _, text := range a.Vals {
				column, ends, _ := strings.Cut(text, "=")
				low, high, _ := strings.Cut(ends, "..")
				s.Ranges = append(s.Ranges, query.Range{Path: []string{column}, Low: number(low), High: number(high)})
			}
		case "memory":
			s.Memory = int64(number(a.Vals[0]))
		case "limit":
			s.Limit = int64(number(a.Vals[0]))
		case "bounds":
			s.Bounds = true
		case "within":
			s.Within = true
		case "insist":
			s.Insist = true
		case "unsifted":
			s.Unsifted = true
		case "push", "columns":
		default:
			t.Fatalf("unknown argument %s", a.Key)
		}
	}
	return s
}

var roleNames = [...]string{
	tuple.Plain: "", tuple.Low: "low of ", tuple.High: "high of ", tuple.Unreliable: "label of ", tuple.Kept: "kept", tuple.Exact: "exact",
	tuple.Unseen: "unseen", tuple.Other: "other",
}

// columnsOf lists the columns that come out of a plan and what they are.
func columnsOf(q *plan.Query) string {
	var out strings.Builder
	var project *op.Project
	for _, b := range q.Boxes {
		if p, ok := b.Spec.(*op.Project); ok {
			project = p
		}
	}
	for i, f := range q.Output.Fields {
		role := roleNames[f.Role]
		if strings.HasSuffix(role, " ") {
			role += q.Output.Fields[f.Of].Name
		}
		fmt.Fprintf(&out, "%s %s = %s", f.Name, f.Type, project.Exprs[i])
		if role != "" {
			fmt.Fprintf(&out, "   [%s]", role)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func rendered(t *testing.T, err error) string {
	var e *syntax.Error
	require.ErrorAs(t, err, &e)
	return e.Render() + "\n"
}

func declarations(s *query.Script) string {
	var out strings.Builder
	for _, d := range s.Streams {
		fmt.Fprintf(&out, "%+v\n", *d)
	}
	return out.String()
}

// streams is a catalog.
type streams map[string]*query.Stream

// Stream implements query.Catalog.
func (c streams) Stream(name string, quoted bool) (*query.Stream, error) {
	if quoted {
		name = strings.TrimSuffix(name, ".ndjson")
	}
	if s, ok := c[name]; ok {
		return s, nil
	}
	return nil, errors.New("no stream is called " + name)
}

func (c streams) add(t *testing.T, d *datadriven.TestData) {
	s := &query.Stream{Name: d.CmdArgs[0].Key, Closed: true}
	for _, a := range d.CmdArgs[1:] {
		switch a.Key {
		case "open":
			s.Closed = false
		case "declared":
			s.Declared = true
		case "live":
			s.Live = true
		case "time":
			s.Time = a.Vals[0]
		default:
			t.Fatalf("unknown argument %s", a.Key)
		}
	}
	for _, line := range strings.Split(d.Input, "\n") {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		path := pathWritten(t, words[0])
		s.Fields = append(s.Fields, query.Field{
			Name: strings.Join(path, "."), Path: path, Type: typeCalled(t, words[1]), Mixture: strings.Join(words[2:], " "),
		})
	}
	c[s.Name] = s
}

// pathWritten returns the path that a dotted name writes, with quotes around elements that hold dots.
func pathWritten(t *testing.T, name string) []string {
	x, err := syntax.ParseExpr(syntax.NewSource("", name))
	require.NoError(t, err)
	var path []string
	for _, p := range x.(*syntax.Name).Parts {
		path = append(path, p.Name)
	}
	return path
}

func typeCalled(t *testing.T, name string) tuple.Type {
	for k := tuple.Null; k <= tuple.JSON; k++ {
		if k.String() == name {
			return k
		}
	}
	t.Fatalf("unknown type %s", name)
	return tuple.Null
}
