GO      ?= go
BIN     := bin/aurora
SHARED  ?= ../shared
DATA    ?= $(or $(TMPDIR),/tmp)/aurora-bench
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
CASES   := windows numbers input cli bounds
RACY    := ./engine ./engine/source ./engine/sink ./cmd/...
FUZZTIME ?= 3s
# Property tests draw the same cases in every run; make explore draws others.
SEED    ?= 20261130
tests    = $(sort $(patsubst ./%/,./%,$(dir $(shell grep -rlE '$(1)' --include='*_test.go' --exclude-dir=duckdb .))))
FUZZ    := $(call tests,^func Fuzz)
RAPID   := $(call tests,pgregory.net/rapid)

.PHONY: help build test lint fmt unit explore race fuzz cases repeat bench coverage duckdb golden clean

help: ## show this help
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/aurora
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-X main.version=$(VERSION)' -o $(BIN) ./cmd/aurora

test: lint build cases repeat fuzz race unit ## everything that must hold: the command that CI runs

lint: ## go vet, staticcheck, gofumpt
	$(GO) vet ./... && $(GO) vet -tags invariants ./...
	$(GO) tool staticcheck -tags invariants ./...
	@out=$$($(GO) tool gofumpt -l $$(git ls-files '*.go')); test -z "$$out" || { echo "run make fmt; gofumpt would change:"; echo "$$out"; exit 1; }

fmt: ## format the code
	$(GO) tool gofumpt -w $$(git ls-files '*.go')

unit: ## unit, property, statistical, golden and layout tests
	$(GO) test -tags invariants -count=1 $(RAPID) -rapid.seed=$(SEED)
	$(GO) test -tags invariants -count=1 $(filter-out $(RAPID),$(patsubst github.com/aurora-dsms/aurora/%,./%,$(shell $(GO) list ./...)))

explore: ## property tests with cases that were not drawn before
	$(GO) test -tags invariants -count=1 $(RAPID)

race: ## the race detector where goroutines are (needs cgo)
	CGO_ENABLED=1 $(GO) test -race -short -count=1 $(RACY)

fuzz: ## every fuzz target for FUZZTIME
	@for p in $(FUZZ); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		echo "fuzz $$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; done; done

cases: build ## the acceptance cases, where they are
	@if [ -x $(SHARED)/cases/run ]; then .ci/cases $(SHARED)/cases/run --bin $(BIN) $(CASES:%=$(SHARED)/cases/%.toml); else echo "no $(SHARED)/cases: skipped"; fi

repeat: build ## the same query twice and with other worker counts: bytes must be equal
	./experiments/repeat.sh $(BIN)

bench: ## Go benchmarks of the hot paths
	$(GO) test -run '^$$' -bench . -benchmem ./engine/codec ./engine/expr ./engine/op ./sketch ./synopsis

coverage: ## how often intervals hold the true value, on distributions, rates and queries of many kinds: five minutes on two cores
	@mkdir -p $(DATA)
	$(GO) run ./experiments/coverage/measure -csv $(DATA)/coverage.csv

duckdb: build ## compare with DuckDB on 2.6 million generated events (own module, needs cgo)
	@mkdir -p $(DATA)
	@for f in ndjson csv; do test -f $(DATA)/weblog.$$f || $(BIN) generate weblog --count 2600000 --format $$f -o $(DATA)/weblog.$$f; done
	cd experiments/duckdb && $(GO) run . check --aurora ../../$(BIN) --file $(DATA)/weblog.ndjson --csv $(DATA)/weblog.csv
	cd experiments/duckdb && $(GO) run . compare --aurora ../../$(BIN) --file $(DATA)/weblog.ndjson --csv $(DATA)/weblog.csv --runs 9

golden: ## rewrite the transcripts
	$(GO) test ./engine/query/... ./cmd/aurora -rewrite

clean: ## remove what was built
	rm -rf bin
