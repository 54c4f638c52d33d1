package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/query"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// answerFlags are the flags that say what answers may cost and how far off they may be.
type answerFlags struct {
	sample     string
	sampleBy   string
	seed       uint64
	confidence string
	bounds     bool
	bound      string
	ranges     []string
	weight     string
	memory     string
	within     time.Duration
	prefix     bool
	insist     bool
	qos        string
}

// defaultSeed is the run's seed where none is given: runs repeat.
const defaultSeed = 1

func (f *answerFlags) add(set *pflag.FlagSet) {
	set.Var(checked(&f.sample, "", parsed(parseKeeps)), "sample", "keep this `share` of the records, by chance and before decoding where that is possible; of several, one an epoch in turn (--sample 10%, --sample 0.5,0.05)")
	set.StringVar(&f.sampleBy, "sample-by", "", "keep or drop all records of a value of this `column` together, for counts of distinct values (--sample-by user)")
	set.Uint64Var(&f.seed, "seed", defaultSeed, "`number` that chance begins with: the same seed keeps the same records (--seed 7)")
	set.Var(checked(&f.confidence, "", parsed(parseConfidence)), "confidence", "`probability` that an interval holds the true value; by default what the query says, or 95% (--confidence 0.99)")
	set.BoolVar(&f.bounds, "bounds", false, "print the interval of every aggregate, also of exact ones (--bounds)")
	set.Var(checked(&f.bound, "", oneOf(query.Methods()...)), "bound", "`method` of the intervals of samples: transform, or hoeffding or bernstein, wide, which hold by a theorem (--bound hoeffding)")
	set.StringArrayVar(&f.ranges, "range", nil, "`column=low..high`: a promise about its values, which narrows intervals and which --bound rests on; may be repeated (--range latency=0..1000)")
	set.StringVar(&f.weight, "weight", "", "`column` that says how many records each one stands for, or 1/column of the share that was kept (--weight 1/sample_rate)")
	set.Var(checked(&f.memory, "", parsed(parseMemory)), "memory", "`size` that state may have: beyond it the lightest groups become one (--memory 64MiB)")
	set.DurationVar(&f.within, "within", 0, "`time` in which the answer is wanted, from blocks of the files by chance; 0: however long it takes (--within 2s)")
	set.BoolVar(&f.prefix, "prefix", false, "with --within, answer from the beginning of compressed files, which cannot be read in any order; write a pipe to a file first (--prefix)")
	set.Var(checked(&f.qos, "", parsed(parseQoS)), "qos", "`terms` of WITH QOS: how wide intervals may be, with what confidence\n(--qos 'error 5%, confidence 95%')")
	set.BoolVar(&f.insist, "insist", false, "answer a count of distinct values of sampled records by a lower bound, instead of an error (--insist)")
	group(set, groupAnswers, "sample", "sample-by", "seed", "confidence", "bounds", "bound", "range", "weight", "memory", "within", "prefix", "qos", "insist")
}

// complete offers words for the values of the flags that take one of a few.
func (f *answerFlags) complete(c *cobra.Command) {
	complete(c, "sample", "50%", "10%", "1%")
	complete(c, "confidence", "90%", "95%", "99%")
	complete(c, "bound", query.Methods()...)
	complete(c, "memory", "64MiB", "256MiB", "1GiB")
}

// apply puts what the flags ask for into opt.
func (f *answerFlags) apply(opt *engine.Options) error {
	if f.within < 0 {
		return usagef("--within %s: write a time, as in --within 2s", f.within)
	}
	a := query.Settings{Bounds: f.bounds, Method: f.bound, SampleBy: f.sampleBy, Seed: f.seed, Weight: f.weight, Within: f.within > 0, Prefix: f.prefix, Insist: f.insist}
	var err error
	if f.sample != "" {
		if a.Sample, err = parseKeeps(f.sample); err != nil {
			return usagef("--sample: %w", err)
		}
	}
	if f.qos != "" {
		qos, err := parseQoS(f.qos)
		if err != nil {
			return usageError{err}
		}
		a.Error, a.Confidence, a.Ranges = qos.Error, qos.Confidence, qos.Ranges
		if f.bound == "" {
			a.Method = qos.Method
		}
	}
	for _, text := range f.ranges {
		r, err := parseRange(text)
		if err != nil {
			return usagef("--range: %w", err)
		}
		a.Ranges = append(a.Ranges, r)
	}
	if f.confidence != "" {
		if a.Confidence, err = parseConfidence(f.confidence); err != nil {
			return usagef("--confidence: %w", err)
		}
	}
	if f.memory != "" {
		if a.Memory, err = parseMemory(f.memory); err != nil {
			return usagef("--memory: %w", err)
		}
	}
	switch {
	case f.sampleBy != "" && f.sample == "":
		return usagef("--sample-by %s: how much of it? Write --sample 10%% --sample-by %[1]s", f.sampleBy)
	case f.prefix && f.within == 0:
		return usagef("--prefix goes with --within, as in --within 2s --prefix")
	case f.within > 0 && f.sample != "":
		return usagef("--within and --sample: each chooses the records; give one of them")
	}
	opt.Answers, opt.Within = a, f.within
	return nil
}

// leastKeep is the smallest probability of keeping a record: so few tell little about the others, and an epoch has to last until some were kept.
const leastKeep = 1.0 / 1024

// parseKeeps reads probabilities of keeping a record.
func parseKeeps(text string) ([]float64, error) {
	var all []float64
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		p, err := parseShare(part)
		switch {
		case err != nil:
			return nil, err
		case !(p > 0):
			return nil, fmt.Errorf("%s keeps nothing, of which nothing can be said: write a share such as 0.1 or 10%%", part)
		case p > 1 && p <= 100 && !strings.HasSuffix(part, "%"):
			return nil, fmt.Errorf("%s is more than all records: write a share of at most 1; did you mean %[1]s%%?", part)
		case p > 1:
			return nil, fmt.Errorf("%s is more than all records: write a share of at most 1 or 100%%", part)
		case p < leastKeep:
			return nil, fmt.Errorf("%s is too little to say something of the rest: write at least 1/1024, as in 0.001", part)
		}
		all = append(all, p)
	}
	return all, nil
}

// parseConfidence reads the probability that intervals hold the true value.
func parseConfidence(text string) (float64, error) {
	p, err := parseShare(text)
	switch {
	case err != nil:
		return 0, err
	case p == 1:
		return 0, errors.New("no interval is certain: write less than 1, as in 0.99")
	case p > 1 && p < 100 && !strings.HasSuffix(text, "%"):
		return 0, fmt.Errorf("a probability is less than 1; did you mean %s or %s%%?", strconv.FormatFloat(p/100, 'g', 6, 64), text)
	case !(p > 0 && p < 1):
		return 0, fmt.Errorf("%q is not between 0 and 1: write 0.95 or 95%%", text)
	}
	return p, nil
}

// parseQoS reads the terms of --qos.
func parseQoS(text string) (query.QoS, error) {
	q, err := query.ParseQoS(text)
	var mistake *syntax.Error
	if errors.As(err, &mistake) {
		mistake.Name = "--qos"
	}
	return q, err
}

// parseRange reads column=low..high.
func parseRange(text string) (query.Range, error) {
	column, ends, _ := strings.Cut(text, "=")
	from, to, _ := strings.Cut(ends, "..")
	low, lowErr := strconv.ParseFloat(strings.TrimSpace(from), 64)
	high, highErr := strconv.ParseFloat(strings.TrimSpace(to), 64)
	switch {
	case column == "" || lowErr != nil || highErr != nil || low-low != 0 || high-high != 0:
		return query.Range{}, fmt.Errorf("%q is not a column and its range: write for example latency=0..1000", text)
	case !(low < high):
		return query.Range{}, fmt.Errorf("%s: a range goes from a number to a greater one", text)
	}
	return query.Range{Path: []string{strings.TrimSpace(column)}, Low: low, High: high}, nil
}

// parseShare reads a number, of which "%" behind it makes hundredths.
func parseShare(text string) (float64, error) {
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	p, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || math.IsNaN(p) {
		return 0, fmt.Errorf("%q is not a share such as 0.1 or 10%%", text)
	}
	if percent {
		p /= 100
	}
	return p, nil
}

// parseMemory reads a size that has to have a unit: nobody means 64 bytes of memory.
func parseMemory(text string) (int64, error) {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return 0, fmt.Errorf("%s of what? Write a unit, as in %[1]sMiB", text)
	}
	size, err := parseSize(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a size: write 64MiB or 1GiB", text)
	}
	return size, nil
}
