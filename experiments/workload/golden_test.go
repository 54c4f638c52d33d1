package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

// The hashes are of the first 1,000 records of the defaults with their header.
// A change of one of them is a change of every published figure.
func TestDefaultsGiveTheSameBytesOnEveryMachine(t *testing.T) {
	golden := map[string]string{
		"sensors/ndjson":  "4c31788904a670735717c15ab11c9c7e56d00ed63f8917e873007032267fddf9",
		"sensors/csv":     "eaca9d184bbbcd34c4c25e0a51cf552d1d5e664369de92e943708ff10706a0e6",
		"weblog/ndjson":   "39a21cea3fed770ba1b92383b61b667aa5033dbdd51ab4fb1ba8ad739afa4396",
		"weblog/csv":      "2f7f07257488b2cc07029fe97f8a120cda6029f4e95215df079d9db5b1b48816",
		"weblog/combined": "4b4041aa0ef2d2c6a1cfcefa356e12ffe186ab292f2ba1b5d732ca6728c4289a",
	}
	seen := 0
	for _, w := range All() {
		for _, format := range w.Formats {
			cfg := w.Defaults()
			cfg.Format, cfg.Count = format, 1000
			sum := sha256.Sum256(text(t, w, cfg))
			name := w.Name + "/" + string(format)
			require.Equal(t, golden[name], hex.EncodeToString(sum[:]), name)
			seen++
		}
	}
	require.Len(t, golden, seen)
}

// A shape computes exp, ln and sine: the hash guards those too.
func TestShapesGiveTheSameBytesOnEveryMachine(t *testing.T) {
	golden := map[ShapeKind]string{
		Constant: "7a41f28dc751e533de3468f94d8b8d597cbe67ac7413ef0225facc38c754ce45",
		Sine:     "b2758081f403988fc5fe2c1e51cb478d4da400d1ac934f8b1b2115fab209f60f",
		Square:   "395f21a1394c591a7042e47a222c800658a67fb76bb9009c12252b348db246ed",
		Pareto:   "bbcf4c9b3b827b2a85f96c1a03ca01c7a5568672ceaf471cfe50559c58c193fe",
	}
	for _, kind := range []ShapeKind{Constant, Sine, Square, Pareto} {
		cfg := WeblogDefaults()
		cfg.Shape.Kind, cfg.Shape.Period = kind, 10_000_000
		cfg.Disorder, cfg.Displaced = 1e9, 0.5
		cfg.Count, cfg.Skew = 1000, 1.3
		w, _ := Lookup("weblog")
		sum := sha256.Sum256(text(t, w, cfg))
		require.Equal(t, golden[kind], hex.EncodeToString(sum[:]), string(kind))
	}
}
