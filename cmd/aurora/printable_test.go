package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMessagesCannotControlATerminal(t *testing.T) {
	for in, want := range map[string]string{
		"no column is called größe\n 1 | x\ty": "no column is called größe\n 1 | x\ty",
		"\x1b]0;pwned\x07":                     `\x1b]0;pwned\a`,
		"a\u009b31mb":                          `a\u009b31mb`,
		"txt\u202egnp":                         `txt\u202egnp`,
	} {
		assert.Equal(t, want, printable(in))
	}
}

func TestSQLMayBeginWithAComment(t *testing.T) {
	args := commentedSQL([]string{"query", "-- errors\nSELECT 1", "--stats", "--"})
	assert.Equal(t, []string{"query", " -- errors\nSELECT 1", "--stats", "--"}, args)
}
