#!/usr/bin/env bash
# Runs queries twice and with one to three decode workers; the output must be the same to the byte.
set -euo pipefail
bin=${1:?usage: repeat.sh PATH_TO_AURORA}
data=$(cd "$(dirname "$0")/data" && pwd)
check() {
	local want got
	want=$("$bin" query --quiet --workers 1 -o ndjson "$@" | sha256sum)
	for workers in 1 2 3; do
		got=$("$bin" query --quiet --workers $workers -o ndjson "$@" | sha256sum)
		if [ "$want" != "$got" ]; then
			echo "not repeatable with $workers workers: $*" >&2
			exit 1
		fi
	done
	echo "repeatable: $1"
}
check "SELECT window_start, status, count(*) AS n, avg(bytes) AS mean, stddev_samp(bytes) AS sd, approx_quantile(bytes, 0.9) AS p90 FROM tumble(access, time, '10 minutes') GROUP BY window_start, status" "$data/access.log"
check "SELECT window_start, origin, count(*) AS n, avg(delay) AS mean, approx_count_distinct(destination) AS d, approx_top_k(destination, 3) AS top FROM hop(flights, time, slide => '1 hour', size => '6 hours') GROUP BY window_start, origin" "$data/flights.csv"
check "SELECT upper(origin) || '-' || destination AS route, delay * 1.5 AS d FROM flights WHERE delay > 100" "$data/flights.csv"
check "SELECT destination, avg(delay * 0.1) AS m, median(delay) AS p50 FROM flights GROUP BY destination ORDER BY m DESC LIMIT 10" "$data/flights.csv"
check "SELECT window_start, origin, count(*) AS n, avg(delay) AS mean FROM tumble(flights, time, '6 hours') WHERE delay > 0 GROUP BY window_start, origin" --sample 0.3,0.02 --seed 7 --lateness 1h "$data/flights.csv"
check "SELECT status, count(*) AS n, sum(bytes) AS total FROM access GROUP BY status" --sample 0.1 "$data/access.log"
check "SELECT count(DISTINCT ip) AS clients FROM access" --sample 0.1 --sample-by ip "$data/access.log"
check "SELECT window_start, origin, count(*) AS n, sum(delay) AS s, avg(delay) AS mean, var_samp(delay) AS v, p99(delay) AS p FROM tumble(flights, time, '6 hours') GROUP BY window_start, origin" "$data/flights.csv" --sample 0.5,0.1 --seed 7
check "SELECT status, count(*) AS n, sum(bytes) AS s, count(DISTINCT ip) AS d FROM access GROUP BY status" "$data/access.log" --sample 0.3 --sample-by ip
check "SELECT origin, count(*) AS n, sum(delay) / count(*) AS r FROM flights TABLESAMPLE BERNOULLI (20 PERCENT) REPEATABLE (42) WHERE delay > 0 GROUP BY origin ORDER BY n DESC LIMIT 9" "$data/flights.csv" --sample 0.5
check "SELECT destination, count(*) AS n, sum(distance) AS s FROM flights GROUP BY destination" "$data/flights.csv" --memory 64KiB
