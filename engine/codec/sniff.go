package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Sniff tells the format of a file, and the delimiter if it is CSV or TSV, from its name and first bytes. The
// name's ending decides where it is known (.ndjson, .jsonl, .json, .csv, .tsv, .log, .logfmt, a .gz or .zst behind not counting), as far as it can:
// .json is NDJSON or an array, .log is any format of lines, and the delimiter of .csv is the one that the records have in common.
// Else the bytes decide; a sample without content is NDJSON.
//
// It fails for data that no decoder reads, and the error says what to do: UTF-16, compressed archives, Parquet and
// other binary data, JSON objects of several lines, and lines of which nothing can be told.
func Sniff(sample []byte, name string) (f Format, delimiter byte, err error) {
	if err := refuse(sample); err != nil {
		return "", 0, err
	}
	sample = sample[markLength(sample):]
	base := strings.ToLower(path.Base(name))
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".gz"), ".zst")
	switch path.Ext(base) {
	case ".ndjson", ".jsonl", ".json":
		f, err = sniffJSON(sample)
		return f, 0, err
	case ".logfmt":
		return Logfmt, 0, nil
	case ".tsv":
		return TSV, '\t', nil
	case ".csv":
		return CSV, sniffDelimiter(sample), nil
	}
	return sniffContent(sample)
}

// refuse returns an error when the sample is not text in UTF-8.
func refuse(sample []byte) error {
	for _, magic := range []struct{ bytes, what, remedy string }{
		{"\xff\xfe", "UTF-16", "iconv -f utf-16 -t utf-8"},
		{"\xfe\xff", "UTF-16", "iconv -f utf-16 -t utf-8"},
		{"PAR1", "Parquet", `duckdb -c "COPY 'FILE' TO '/dev/stdout' (FORMAT csv)"`},
		{"PK\x03\x04", "a zip archive", "unzip -p"},
		{"\xfd7zXZ\x00", "xz", "xz -dc"},
		{"BZh", "bzip2", "bzip2 -dc"},
		{"\x1f\x8b", "gzip inside of gzip", "gzip -dc"},
		{"\x28\xb5\x2f\xfd", "zstd inside of zstd", "zstd -dc"},
	} {
		if bytes.HasPrefix(sample, []byte(magic.bytes)) && (magic.bytes != "BZh" || bytes.HasPrefix(sample[min(4, len(sample)):], []byte("1AY&SY"))) {
			return fmt.Errorf("the input is %s, which is not read; convert it first: %s", magic.what, magic.remedy)
		}
	}
	head := sample[:min(len(sample), 1024)]
	zero := bytes.IndexByte(head, 0)
	switch {
	case zero < 0:
		return nil
	case 3*bytes.Count(head, []byte{0}) >= len(head):
		return errors.New("the input looks like UTF-16, which is not read; convert it first: iconv -f utf-16 -t utf-8")
	}
	return fmt.Errorf("the input is binary data: byte %d is zero", zero)
}

// sniffJSON tells an array from records that follow each other. Records of several lines are refused.
func sniffJSON(sample []byte) (Format, error) {
	if p := skipSpace(sample, 0); p < len(sample) && sample[p] == '[' {
		return JSONArray, nil
	}
	if lines := firstLines(sample); len(lines) > 0 && !json.Valid(lines[0]) {
		var object json.RawMessage
		if json.NewDecoder(bytes.NewReader(sample)).Decode(&object) == nil {
			return "", errors.New("the first JSON object goes over several lines, but a record must be one line; convert it first: jq -c . FILE")
		}
	}
	return NDJSON, nil
}

// sniffContent tells the format from the bytes alone.
func sniffContent(sample []byte) (f Format, delimiter byte, err error) {
	p := skipSpace(sample, 0)
	if p == len(sample) || sample[p] == '{' {
		f, err = sniffJSON(sample)
		return f, 0, err
	}
	if sample[p] == '[' {
		if q := skipSpace(sample, p+1); q == len(sample) || sample[q] == '{' || sample[q] == ']' {
			return JSONArray, 0, nil
		}
	}
	lines := firstLines(sample)
	switch {
	case mostly(lines, isAccessLog):
		return AccessLog, 0, nil
	case mostly(lines, isLogfmt):
		return Logfmt, 0, nil
	}
	delimiter = sniffDelimiter(sample)
	switch fields, share := commonFields(sample, delimiter); {
	case fields < 2 && mostly(lines, hasSpace), fields > 1 && (share <= 0.5 || !looksLikeCells(sample, delimiter)):
		return "", 0, errors.New("the format of the lines cannot be told: give --format (csv, tsv, ndjson, logfmt, accesslog); csv reads lines as one column")
	case delimiter == '\t':
		return TSV, delimiter, nil
	}
	return CSV, delimiter, nil
}

func hasSpace(line []byte) bool { return bytes.ContainsAny(bytes.TrimSpace(line), " \t") }

// longestCell is the length from which a field of the first record is taken for prose that has delimiters in it.
const longestCell = 64

// looksLikeCells reports whether the fields of the first record are short enough for names or values.
func looksLikeCells(sample []byte, delimiter byte) bool {
	r := csvRecord{data: sample, delim: delimiter}
	p := skipEmptyLines(sample, 0)
	r.next, r.end = p, p
	cells, err := r.cells(p)
	return errors.Is(err, errColumns) || err == nil && !slices.ContainsFunc(cells, func(c string) bool { return len(c) > longestCell })
}

// sniffedLines is how many lines or records are looked at.
const sniffedLines = 32

// firstLines returns the first lines of the sample that are not blank, without a last one that is not whole if there are others.
func firstLines(sample []byte) (lines [][]byte) {
	for len(sample) > 0 && len(lines) < sniffedLines {
		end, next := lineEnd(sample, 0)
		whole := sample[next-1] == '\n'
		if !blank(sample[:end]) && (whole || len(lines) == 0) {
			lines = append(lines, sample[:end])
		}
		sample = sample[next:]
	}
	return lines
}

// mostly reports whether a test holds for more than half of the lines.
func mostly(lines [][]byte, test func([]byte) bool) bool {
	n := 0
	for _, l := range lines {
		if test(l) {
			n++
		}
	}
	return 2*n > len(lines)
}

func isAccessLog(line []byte) bool {
	var l logLine
	if l.read(line, 0) != "" {
		return false
	}
	var d logDay
	return d.parse(line[l[logTime].Off:][:l[logTime].Len]) || l[logStatus].Len == 3
}

// isLogfmt reports whether line is pairs, keys alone being rarer than keys with values.
func isLogfmt(line []byte) bool {
	pairs, equals, names := logfmtPairs{line: line}, 0, 0
	for pairs.next() {
		if pairs.equals {
			equals++
		} else {
			names++
		}
		if bytes.ContainsAny(pairs.key, ",;|") {
			return false
		}
	}
	return pairs.reason == "" && equals > names
}

// delimiters are the delimiters that are tried, the likeliest first.
var delimiters = [...]byte{',', '\t', ';', '|'}

// sniffDelimiter returns the delimiter by which the most records have the same number of fields, at least two; of equal ones that
// which makes the most fields. It is a comma if there is none.
func sniffDelimiter(sample []byte) byte {
	best, bestShare, bestFields := byte(','), 0.0, 1
	for _, delim := range delimiters {
		fields, share := commonFields(sample, delim)
		if fields > 1 && (share > bestShare || share == bestShare && fields > bestFields) {
			best, bestShare, bestFields = delim, share, fields
		}
	}
	return best
}

// commonFields returns the number of fields that most of the first records have and the share of those records.
func commonFields(sample []byte, delim byte) (fields int, share float64) {
	r := csvRecord{data: sample, delim: delim}
	var counts []int
	broken := 0
	for p := skipEmptyLines(sample, 0); p < len(sample) && len(counts)+broken < sniffedLines; p = skipEmptyLines(sample, r.next) {
		r.read(p)
		switch {
		case r.next == len(sample) && sample[len(sample)-1] != '\n' && len(counts) > 0: // may not be whole
		case r.stray:
			broken++
		default:
			counts = append(counts, r.fields)
		}
	}
	slices.Sort(counts)
	most := 0
	for i := 0; i < len(counts); {
		n := 1
		for i+n < len(counts) && counts[i+n] == counts[i] {
			n++
		}
		if n > most {
			fields, most = counts[i], n
		}
		i += n
	}
	return fields, float64(most) / float64(max(len(counts)+broken, 1))
}
