package codec

// maxJSONData is the first size of data for which a span would not do.
const maxJSONData = 1 << 29

// span is where a value lies in the data and what it is: 32 bits offset, 29 bits length, 3 bits form.
// The zero span is a missing value.
type span uint64

// form is what a value looks like, as far as converting it depends on that.
type form uint8

const (
	formMissing form = iota
	formInt          // an integer literal
	formReal         // another number
	formASCII        // a string that means itself
	formUTF8         // a string without escapes that may have to be checked for bad UTF-8
	formEscaped      // any other string
	formWord         // true, false or null
	formNested       // an object or a list
)

func makeSpan(p, end int, f form) span {
	return span(uint32(p)) | span(end-p)<<32 | span(f)<<61
}

func (s span) form() form { return form(s >> 61) }
func (s span) off() int   { return int(uint32(s)) }
func (s span) end() int   { return s.off() + s.size() }
func (s span) size() int  { return int(s >> 32 & (maxJSONData - 1)) }

// of returns the bytes of the value, quotes included.
func (s span) of(data []byte) []byte { return data[s.off() : s.off()+s.size()] }

// inner returns the bytes of a string between its quotes.
func (s span) inner(data []byte) []byte { return data[s.off()+1 : s.off()+s.size()-1] }
