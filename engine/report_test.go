package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBadRecordsAreShownAsTheyAre(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":"x\n"`:               `{"a":"x\n"`,
		"tab\tand\x00zero":         `tab\tand\x00zero`,
		"\x1b[31mred":              `\x1b[31mred`,
		"größe":                    "größe",
		"half \xc3":                `half \xc3`,
		"\ufffd stands for itself": "\ufffd stands for itself",
		strings.Repeat("x", 81):    strings.Repeat("x", 80) + "...",
		"right-to-left \u202e":     `right-to-left \u202e`,
	} {
		require.Equal(t, want, head([]byte(raw)))
	}
}
