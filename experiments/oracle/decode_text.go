package oracle

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aurora-dsms/aurora/engine/codec"
	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/tuple"
)

// decodeCSV reads a file with a header.
func decodeCSV(schema *tuple.Schema, data []byte, in Input) ([]record, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	switch {
	case in.Delimiter != 0:
		r.Comma = rune(in.Delimiter)
	case in.Format == codec.TSV:
		r.Comma = '\t'
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	var header []int // the column of each field
	width := 0
	var records []record
	for {
		cells, err := r.Read()
		var broken *csv.ParseError
		switch {
		case err == io.EOF:
			return records, nil
		case errors.As(err, &broken) && header != nil:
			records = append(records, record{bad: "quote"})
		case err != nil:
			return nil, err
		case header == nil:
			if header, err = places(schema, cells); err != nil {
				return nil, err
			}
			width = len(cells)
		case len(cells) != width:
			records = append(records, record{bad: "columns"})
		default:
			records = append(records, record{row: csvRow(schema, header, rawCells(r, lines, cells), in.Unit)})
		}
	}
}

// csvCell is a field, without its quotes if it had some.
type csvCell struct {
	text   string
	quoted bool
}

// rawCells looks at the fields of the record just read once more, for encoding/csv does not tell which had quotes, and turns
// CRLF inside of them into LF.
func rawCells(r *csv.Reader, lines [][]byte, cells []string) []csvCell {
	out := make([]csvCell, len(cells))
	for i, s := range cells {
		line, column := r.FieldPos(i)
		rest := lines[line-1][column-1:]
		if len(rest) == 0 || rest[0] != '"' {
			out[i].text = s
			continue
		}
		for _, more := range lines[line:min(line+strings.Count(s, "\n"), len(lines))] {
			rest = append(slices.Clip(rest), more...)
		}
		out[i] = csvCell{unquote(string(rest[1:])), true}
		if strings.ReplaceAll(out[i].text, "\r\n", "\n") != s {
			panic(fmt.Sprintf("oracle: %q is not %q", out[i].text, s))
		}
	}
	return out
}

var insideQuotes = regexp.MustCompile(`^([^"]|"")*`)

// unquote returns the text up to the quote that closes it.
func unquote(s string) string {
	return strings.ReplaceAll(insideQuotes.FindString(s), `""`, `"`)
}

// places returns where in the header the fields are.
func places(schema *tuple.Schema, header []string) ([]int, error) {
	at := make([]int, len(schema.Fields))
	for i, f := range schema.Fields {
		name := strings.Join(f.Path, ".")
		at[i] = slices.IndexFunc(header, func(s string) bool { return strings.TrimSpace(s) == name })
		if at[i] < 0 {
			return nil, fmt.Errorf("oracle: the header has no column %s", name)
		}
	}
	return at, nil
}

func csvRow(schema *tuple.Schema, header []int, cells []csvCell, unit codec.Unit) Row {
	row := make(Row, len(schema.Fields))
	for i, f := range schema.Fields {
		c := cells[header[i]]
		switch {
		case f.Type != tuple.Text:
			row[i] = as(cell(c.text, f.Type, unit), f.Type)
		case c.text == "" && !c.quoted:
			row[i] = as(null, f.Type)
		default:
			row[i] = text(c.text)
		}
	}
	return row
}

// logText is the common and the combined format of access logs, the parts in the order of logNames.
var (
	logText = regexp.MustCompile(`^(\S+) (\S+) (.+?) \[([^\]]*)\] "((?:[^"\\]|\\.)*)" (\S+) (\S+)` +
		`(?: "((?:[^"\\]|\\.)*)"(?: "((?:[^"\\]|\\.)*)")?)?$`)
	logRequest = regexp.MustCompile(`^([A-Za-z_-]+) (.*?)(?: (HTTP/\S*))?$`)
	logNames   = []string{"", "ip", "ident", "user", "time", "request", "status", "bytes", "referer", "agent"}
)

func decodeLog(schema *tuple.Schema, data []byte, in Input) []record {
	var records []record
	for _, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSuffix(line, "\r")
		m := logText.FindStringSubmatch(line)
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case m == nil && strings.Count(strings.ReplaceAll(line, `\"`, ""), `"`)%2 == 1:
			records = append(records, record{bad: "quote"})
			continue
		case m == nil:
			records = append(records, record{bad: "syntax"})
			continue
		}
		parts := map[string]string{}
		for i, name := range logNames {
			parts[name] = m[i]
		}
		parts["path"] = parts["request"]
		if q := logRequest.FindStringSubmatch(parts["request"]); q != nil {
			parts["method"], parts["path"], parts["protocol"] = q[1], q[2], q[3]
		}
		row := make(Row, len(schema.Fields))
		for i, f := range schema.Fields {
			row[i] = as(logValue(parts[strings.Join(f.Path, ".")], f.Type, in.Unit), f.Type)
		}
		records = append(records, record{row: row})
	}
	return records
}

var logEscapes = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\x22`, `"`, `\x5C`, `\`, `\x5c`, `\`)

func logValue(s string, t tuple.Type, unit codec.Unit) expr.Value {
	if s == "" || s == "-" {
		return null
	}
	if t == tuple.Text {
		return text(logEscapes.Replace(s))
	}
	if at, err := time.Parse("02/Jan/2006:15:04:05 -0700", s); err == nil && t == tuple.Timestamp {
		return expr.Value{Type: t, I: at.UnixNano()}
	}
	return cell(s, t, unit)
}
