package syntax

import "strconv"

// QoS is a WITH QOS clause or the text of --qos. No kind occurs twice, except QoSValue and QoSRange for different columns.
type QoS struct {
	Span
	// Terms are in the order written; at least one.
	Terms []QoSTerm
}

// QoSTerm is one requirement: latency '500ms', loss (100% 1, 0% 0), value col (0..10 0.2, 10.. 1),
// bound 'hoeffding', range col 0..1000.
type QoSTerm struct {
	Span
	Kind QoSKind
	// Column is what QoSValue and QoSRange are about; nil in other kinds.
	Column *Name
	// Scalar is the single value of latency, error, loss, weight or confidence; nil where a graph is given.
	Scalar *Measure
	// Graph is the points of latency, error, loss or value as written: order and shape are not checked.
	Graph []QoSPoint
	// Low and High are the ends of QoSRange; nil in other kinds.
	Low, High *Measure
	// Bound is the method that QoSBound names.
	Bound Bound
	// Action is what on violation says.
	Action Violation
}

// QoSKind is the first word of a QoS term.
type QoSKind uint8

// The kinds of QoS terms and the measures they take: QoSLatency durations; QoSError, QoSLoss and QoSConfidence
// shares (5%, 0.05); QoSValue, QoSWeight and QoSRange plain numbers.
const (
	QoSLatency QoSKind = iota
	QoSError
	QoSLoss
	QoSValue
	QoSWeight
	QoSConfidence
	QoSViolation
	QoSBound
	QoSRange
)

var qosWords = [...]string{"latency", "error", "loss", "value", "weight", "confidence", "on violation", "bound", "range"}

// String returns the term's first word.
func (k QoSKind) String() string { return qosWords[k] }

// QoSPoint is a point of a graph: at X, or from X to To, the utility is Y.
type QoSPoint struct {
	Span
	// X is nil in a range without a beginning (..10); only value has ranges.
	X *Measure
	// Range says that X is the beginning of a range.
	Range bool
	// To is the end of a range; nil where it is open (10..).
	To *Measure
	Y  Measure
}

// Bound is the method by which intervals of sums and means are made.
type Bound uint8

// The methods of QoSBound; BoundUnset in terms of other kinds.
const (
	BoundUnset Bound = iota
	BoundTransform
	BoundHoeffding
	BoundBernstein
)

var boundWords = [...]string{"", "transform", "hoeffding", "bernstein"}

// String returns the method's word.
func (b Bound) String() string { return boundWords[b] }

// Violation is what happens to an answer whose QoS is not met.
type Violation uint8

// The actions of on violation; ViolationUnset in terms of other kinds.
const (
	ViolationUnset Violation = iota
	ViolationKeep
	ViolationNull
	ViolationFail
)

var violationWords = [...]string{"", "keep", "null", "fail"}

// String returns the action's word.
func (v Violation) String() string { return violationWords[v] }

// Measure is a number with a unit.
type Measure struct {
	Span
	Unit Unit
	// Number is what was written before the unit: 5 for 5%. It is zero for durations.
	Number float64
	// Duration is the value of a UnitDuration.
	Duration Duration
}

// Unit is the unit of a Measure.
type Unit uint8

// The units.
const (
	UnitNone Unit = iota
	UnitPercent
	UnitDuration
)

// Share returns the value as a fraction of 1: 0.05 for 5% and for 0.05. It is zero for durations.
func (m Measure) Share() float64 {
	if m.Unit == UnitPercent {
		return m.Number / 100
	}
	return m.Number
}

// String prints the measure as it is written.
func (m Measure) String() string {
	switch m.Unit {
	case UnitPercent:
		return strconv.FormatFloat(m.Number, 'g', -1, 64) + "%"
	case UnitDuration:
		return quote(m.Duration.String(), '\'')
	}
	return strconv.FormatFloat(m.Number, 'g', -1, 64)
}
