package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// Error is a mistake in a text, with its place and, where one is known, the remedy.
type Error struct {
	// Msg says what is wrong, Hint what to do about it; Hint may be empty.
	Msg, Hint string
	// Name is the source's name; empty for text from the command line.
	Name string
	// Line and Col are the place, both counted from 1, in characters.
	Line, Col int
	// Len is the number of characters of Text from Col on that the error is about; it may be 0 at the end of a line.
	Len int
	// Text is the source line.
	Text string
}

// Error returns the error on one line: "1:1: expected a statement, found "SELEC"; did you mean SELECT?".
func (e *Error) Error() string {
	var b strings.Builder
	if e.Name != "" {
		b.WriteString(e.Name + ":")
	}
	fmt.Fprintf(&b, "%d:%d: %s", e.Line, e.Col, e.Msg)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// The picture of a long line is cut to lineCells terminal cells, of which at most leadCells stand before the place: a
// wrapped line would part the carets from their text.
const (
	lineCells = 100
	leadCells = 60
)

// cells measures text as terminals show it, whatever the environment says of ambiguous characters: output must not
// depend on the locale.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// Render returns the error followed by the source line and carets under the place, without a final newline. Tabs are
// widened, characters that would disturb a terminal are replaced, and carets allow for characters that are two cells wide.
func (e *Error) Render() string {
	if strings.TrimSpace(e.Text) == "" {
		return e.Error()
	}
	runes := []rune(e.Text)
	from := min(max(e.Col-1, 0), len(runes))
	to := min(from+max(e.Len, 0), len(runes))
	before := visible(runes[:from], 0)
	lead := cells.StringWidth(before)
	at := visible(runes[from:to], lead)
	after := visible(runes[to:], lead+cells.StringWidth(at))
	if cells.StringWidth(before+at+after) > lineCells {
		if lead > leadCells {
			before = cells.TruncateLeft(before, lead-leadCells, "…")
		}
		at = cells.Truncate(at, lineCells-cells.StringWidth(before), "…")
		after = cells.Truncate(after, lineCells-cells.StringWidth(before+at), "…")
	}
	number := strconv.Itoa(e.Line)
	return fmt.Sprintf("%s\n %s | %s%s%s\n %s | %s%s", e.Error(), number, before, at, after, strings.Repeat(" ", len(number)),
		strings.Repeat(" ", cells.StringWidth(before)), strings.Repeat("^", max(1, cells.StringWidth(at))))
}

const tabCells = 4

// visible returns what is printed for runes that begin at a cell of the line.
func visible(runes []rune, cell int) string {
	var b strings.Builder
	for _, r := range runes {
		switch {
		case r == '\t':
			n := tabCells - cell%tabCells
			b.WriteString(strings.Repeat(" ", n))
			cell += n
			continue
		case unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp):
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
		cell += cells.RuneWidth(r)
	}
	return b.String()
}
