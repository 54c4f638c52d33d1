package query

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/expr"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// refuseFunction reports a call of a function that there is not.
func (b *binder) refuseFunction(x *syntax.Call) {
	name := strings.ToLower(x.Func.Name)
	if aggregateCalled(name) != nil || isBoundFunction(name) {
		return
	}
	if why, ok := unavailable(name); ok {
		b.fail(x.Func.Span, why, "%s is not available", x.Func)
		return
	}
	if _, _, err := expr.Resolve(name, nil); !errors.Is(err, expr.ErrUnknown) {
		return
	}
	hint := foreignFunctions[name]
	if hint == "" {
		hint = quantileHint(x)
	}
	if hint == "" {
		hint = meant(x.Func.Name, functionNames, "")
	}
	b.fail(x.Func.Span, hint, "unknown function %s", x.Func)
}

// unavailable says why a function is left out on purpose.
func unavailable(name string) (why string, ok bool) {
	name = strings.ToLower(name)
	if slices.Contains(clockNames, name) {
		name = "now"
	}
	_, _, err := expr.Resolve(name, nil)
	if err == nil {
		return "", false
	}
	_, why, ok = strings.Cut(err.Error(), " is not available: ")
	return why, ok
}

// clockNames are what other systems call the time of day, beside the names that expr knows.
var clockNames = []string{
	"current_time", "localtime", "localtimestamp", "sysdate", "systimestamp", "getdate", "getutcdate", "today", "curdate", "curtime",
	"utc_timestamp", "clock_timestamp", "statement_timestamp", "transaction_timestamp", "proctime",
}

// bareClocks are those that are written without parentheses, like columns.
var bareClocks = []string{"current_timestamp", "current_date", "current_time", "localtime", "localtimestamp", "sysdate"}

var percentile = regexp.MustCompile(`^(?:p|perc|percentile)_?([0-9]{1,4})$`)

// quantileHint returns the quantile that a name such as p75 or p999 means, or "".
func quantileHint(x *syntax.Call) string {
	m := percentile.FindStringSubmatch(strings.ToLower(x.Func.Name))
	if m == nil {
		return ""
	}
	arg, q := "x", "0."+m[1]
	if len(x.Args) > 0 {
		arg = x.Args[0].Value.String()
	}
	switch {
	case m[1] == "0" || m[1] == "100":
		q = m[1][:1]
	case len(m[1]) == 1:
		q = "0.0" + m[1]
	}
	return "write approx_quantile(" + arg + ", " + q + ")"
}

// Remedies that several functions share.
const (
	startHint   = "write window_start"
	endHint     = "write window_end"
	noRowHint   = "there is none: no aggregate gives one column where another is largest or smallest"
	noListHint  = "there is none that collects values; approx_top_k(x, 10) gives the most frequent ones"
	noRankHint  = "write ORDER BY and LIMIT"
	noPaceHint  = "there is none: rows do not see each other, only aggregates see many"
	quantHint   = "write approx_quantile(x, 0.95)"
	formatHint  = "write strftime(ts, '%Y-%m-%d %H'), date_trunc('hour', ts) or CAST(ts AS TEXT)"
	castHint    = "write CAST(x AS TIMESTAMP), or strptime(x, '%d/%m/%Y')"
	dayHint     = "write date_trunc('day', ts)"
	addHint     = "write ts + INTERVAL '1 hour'"
	zoneHint    = "write tumble(ts, '1 day', timezone => 'UTC') or date_trunc('day', ts, 'UTC')"
	fieldHint   = "write column.field or column['field']"
	patternHint = "write x LIKE 'a%', or regexp_matches(x, pattern)"
	noSetsHint  = "write a query for each of the groupings"
)

// foreignFunctions are functions of other systems, with what to write instead.
var foreignFunctions = map[string]string{
	"tumble_start": startHint, "hop_start": startHint, "session_start": startHint, "window_start": startHint,
	"tumble_end": endHint, "hop_end": endHint, "session_end": endHint, "window_end": endHint,

	"percentile_cont": quantHint, "percentile_disc": quantHint, "quantile_cont": quantHint, "quantile_disc": quantHint,
	"percentile_approx": quantHint, "approx_percentile_cont": quantHint, "quantiles": "write approx_quantile(x, [0.5, 0.95])",
	"mode": "there is none; approx_top_k(x, 1) gives the most frequent value",
	"list": noListHint, "array_agg": noListHint, "string_agg": noListHint, "group_concat": noListHint, "listagg": noListHint,
	"collect_list": noListHint, "collect_set": noListHint, "json_agg": noListHint, "json_group_array": noListHint, "histogram": noListHint,
	"arg_max": noRowHint, "argmax": noRowHint, "max_by": noRowHint, "arg_min": noRowHint, "argmin": noRowHint, "min_by": noRowHint,
	"row_number": noRankHint, "rank": noRankHint, "dense_rank": noRankHint, "ntile": noRankHint, "lag": noPaceHint, "lead": noPaceHint,
	"first_value": "write first(x)", "last_value": "write last(x)", "count_distinct": "write count(DISTINCT x)",
	"sum_if": "write sum(x) FILTER (WHERE condition)", "sumif": "write sum(x) FILTER (WHERE condition)",
	"avg_if": "write avg(x) FILTER (WHERE condition)", "avgif": "write avg(x) FILTER (WHERE condition)",
	"rollup": noSetsHint, "cube": noSetsHint, "grouping": noSetsHint,

	"date_format": formatHint, "to_char": formatHint, "format_datetime": formatHint, "to_date": castHint, "str_to_date": castHint,
	"date": dayHint, "date_bin": "write time_bucket(INTERVAL '5 minutes', ts)", "dateadd": addHint, "date_add": addHint, "date_sub": addHint,
	"from_unixtime": "write to_timestamp(seconds)", "unix_timestamp": "write epoch(ts)", "timezone": zoneHint, "convert_timezone": zoneHint,

	"isnull": "write x IS NULL", "iif": "write CASE WHEN a THEN b ELSE c END",
	"convert": "write CAST(x AS type)", "try_convert": "write TRY_CAST(x AS type)", "to_number": "write CAST(x AS DOUBLE)",
	"json_extract": fieldHint, "json_extract_string": fieldHint, "json_value": fieldHint, "json_extract_path_text": fieldHint, "get_json_object": fieldHint,
	"charindex": "write strpos(text, part)", "regexp": patternHint, "rlike": patternHint, "regexp_contains": patternHint, "glob": patternHint,
	"columns": "name the columns", "any": "write x IN (a, b), or bool_or(x)",
}
