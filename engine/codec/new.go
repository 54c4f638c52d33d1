package codec

import (
	"fmt"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// New returns a decoder for the format in opt. It fails when the options do not suit the format.
func New(schema *tuple.Schema, opt Options) (Decoder, error) {
	switch opt.Format {
	case NDJSON, JSONArray:
		return NewJSON(schema, opt)
	case CSV, TSV:
		return NewCSV(schema, opt)
	case Logfmt:
		return NewLogfmt(schema, opt)
	case AccessLog:
		return NewAccessLog(schema, opt)
	}
	return nil, fmt.Errorf("unknown format %q: it is one of ndjson, json, csv, tsv, logfmt, accesslog", opt.Format)
}

// NewCutter returns a cutter for the format in opt; options that New accepts are assumed.
func NewCutter(opt Options) Cutter {
	switch opt.Format {
	case CSV, TSV:
		delim, _ := delimiterOf(opt)
		return NewCSVCutter(delim)
	case JSONArray:
		return NewJSONCutter(true)
	}
	return lineCutter{}
}
