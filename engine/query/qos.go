package query

import (
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// QoS is what a user asks of the quality of answers, as far as it is supported. Zero fields were not named.
type QoS struct {
	// Error is the relative half-width of intervals that suffices.
	Error float64
	// Confidence is that of the intervals.
	Confidence float64
	// Method is the way to the intervals of sums and means, one of Methods.
	Method string
	// Ranges are those of columns.
	Ranges []Range
}

// ParseQoS reads the text of --qos: what stands between the parentheses of WITH QOS (...), or the whole clause. The
// error is a [*syntax.Error].
func ParseQoS(text string) (QoS, error) {
	src := syntax.NewSource("", text)
	tree, err := syntax.ParseQoS(src)
	if err != nil {
		return QoS{}, err
	}
	q, problem := readQoS(src, tree)
	if problem != nil {
		return QoS{}, problem
	}
	return q, nil
}

// readQoS returns what the terms ask for.
func readQoS(src *syntax.Source, tree *syntax.QoS) (q QoS, problem *syntax.Error) {
	for _, t := range tree.Terms {
		switch {
		case t.Kind == syntax.QoSError && t.Scalar != nil:
			q.Error = t.Scalar.Share()
			if !(q.Error > 0 && q.Error < 1) {
				return q, src.Errorf(t.Scalar.Span, "write for example error 5%", "an error is greater than 0 and less than 100%%")
			}
		case t.Kind == syntax.QoSConfidence:
			q.Confidence = t.Scalar.Share()
			if !(q.Confidence > 0 && q.Confidence < 1) {
				return q, src.Errorf(t.Scalar.Span, "write for example confidence 95%", "a confidence is greater than 0 and less than 100%%")
			}
		case t.Kind == syntax.QoSBound:
			q.Method = t.Bound.String()
		case t.Kind == syntax.QoSRange:
			q.Ranges = append(q.Ranges, Range{Path: namesOf(t.Column.Parts), Low: t.Low.Number, High: t.High.Number, at: t.Span})
		case t.Kind == syntax.QoSError:
			return q, src.Errorf(t.Span, "write one error, as in error 5%", "not yet supported: a graph of errors")
		case t.Kind == syntax.QoSLatency:
			return q, src.Errorf(t.Span, "for an answer from a file in a given time give --within 2s; error, confidence, bound and range are supported", "not yet supported: %s", t.Kind)
		default:
			return q, src.Errorf(t.Span, "error, confidence, bound and range are", "not yet supported: %s", t.Kind)
		}
	}
	return q, nil
}
