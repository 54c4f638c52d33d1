package syntax

import (
	"strconv"
	"strings"
)

// qosClause reads QOS (...) after the WITH that began at start.
func (p *parser) qosClause(start int) *QoS {
	if t := p.tok(); !p.accept("QOS") {
		hint := "write " + qosExample
		if t.key == "(" {
			hint = "WITH (...) belongs to CREATE STREAM; in a query write WITH QOS (...)"
		}
		p.expected("QOS after WITH", hint)
	}
	opening := p.open("(", "requirements are in parentheses: write "+qosExample)
	q := p.qosTerms()
	p.close(")", opening)
	q.Span = p.since(start)
	return q
}

// qosTerms reads requirements with commas between them.
func (p *parser) qosTerms() *QoS {
	q := &QoS{}
	start := p.tok().Start
	seen := map[string]bool{}
	for {
		t := p.qosTerm()
		about := t.Kind.String()
		if t.Column != nil {
			about += " " + t.Column.String()
		}
		if seen[about] {
			p.fail(t.Span, "keep one of them", "%s is given twice", about)
		}
		seen[about] = true
		q.Terms = append(q.Terms, t)
		if !p.more() {
			break
		}
	}
	q.Span = p.since(start)
	return q
}

var qosKinds = map[string]QoSKind{
	"LATENCY": QoSLatency, "ERROR": QoSError, "LOSS": QoSLoss, "VALUE": QoSValue, "WEIGHT": QoSWeight, "CONFIDENCE": QoSConfidence, "ON": QoSViolation,
	"BOUND": QoSBound, "RANGE": QoSRange,
}

const qosExample = "WITH QOS (error 5%, confidence 95%)"

// qosOffered are the kinds that queries may use today, and so the ones that messages suggest.
var qosOffered = []string{"error", "confidence", "bound", "range"}

const qosHint = "requirements are error, confidence, bound and range"

// qosFlags are words that are no requirements but flags of the command line.
var qosFlags = map[string]string{"WITHIN": "--within 1s", "MEMORY": "--memory 64MiB", "SAMPLE": "--sample 10%", "BOUNDS": "--bounds"}

func (p *parser) qosTerm() QoSTerm {
	t := p.tok()
	kind, ok := qosKinds[t.key]
	if !ok {
		hint := qosHint
		if flag := qosFlags[t.key]; flag != "" && t.kind == word {
			hint = "that is a flag, as in " + flag + "; " + qosHint
		} else if t.kind == word {
			hint = p.meant(t.val, qosOffered, p.meant(t.val, qosWords[:], qosHint))
		}
		p.expected("a requirement", hint)
		return QoSTerm{Span: t.Span}
	}
	p.next()
	term := QoSTerm{Kind: kind}
	switch kind {
	case QoSViolation:
		term.Action = p.violation()
	case QoSBound:
		term.Bound = p.bound()
	case QoSRange:
		term.Column = p.qosColumn(kind)
		term.Low, term.High = p.ends()
	case QoSValue:
		term.Column = p.qosColumn(kind)
		term.Graph = p.qosGraph(kind)
	case QoSWeight, QoSConfidence:
		m := p.measure(kind)
		term.Scalar = &m
	default:
		if p.is("(") {
			term.Graph = p.qosGraph(kind)
		} else {
			m := p.measure(kind)
			term.Scalar = &m
		}
	}
	term.Span = p.since(t.Start)
	return term
}

func (p *parser) violation() Violation {
	if t := p.tok(); !p.accept("VIOLATION") {
		hint := "write on violation keep, null or fail"
		if t.kind == word {
			hint = p.meant(t.val, []string{"violation"}, hint)
		}
		p.expected("violation after on", hint)
	}
	switch {
	case p.accept("KEEP"):
		return ViolationKeep
	case p.accept("NULL"):
		return ViolationNull
	case p.accept("FAIL"):
		return ViolationFail
	}
	hint := ""
	if t := p.tok(); t.kind == word {
		hint = p.meant(t.val, violationWords[1:], "")
	}
	p.expected("keep, null or fail", hint)
	return ViolationUnset
}

// bound reads the name of a method, in quotes or not.
func (p *parser) bound() Bound {
	t := p.tok()
	if t.kind == text || t.kind == word {
		for b := BoundTransform; b <= BoundBernstein; b++ {
			if strings.EqualFold(t.val, b.String()) {
				p.next()
				return b
			}
		}
		p.fail(t.Span, p.meant(t.val, boundWords[1:], "methods are 'transform', 'hoeffding' and 'bernstein'"), "unknown method %s", p.src.Slice(t.Span))
		return BoundUnset
	}
	p.expected("a method", "write for example "+qosExamples[QoSBound])
	return BoundUnset
}

// ends reads low..high.
func (p *parser) ends() (low, high *Measure) {
	example := "write for example " + qosExamples[QoSRange]
	from := p.plain("the least value", example)
	if !p.accept("..") {
		p.expected(".. and the greatest value", example)
		return &from, &from
	}
	to := p.plain("the greatest value", example)
	if !(from.Number < to.Number) {
		p.fail(Span{Start: from.Start, End: to.End}, "", "a range goes from a number to a greater one")
	}
	return &from, &to
}

// qosColumn reads the column that a term is about.
func (p *parser) qosColumn(kind QoSKind) *Name {
	n := &Name{Parts: []Ident{p.ident("a column after " + kind.String())}}
	for p.accept(".") {
		n.Parts = append(n.Parts, p.part())
	}
	n.Span = p.since(n.Parts[0].Start)
	return n
}

var qosExamples = [...]string{
	QoSLatency: "latency (0s 1, 500ms 1, 2s 0)", QoSError: "error (0% 1, 5% 1, 20% 0)", QoSLoss: "loss (100% 1, 50% 0.7, 0% 0)",
	QoSValue: "value col (0..10 0.2, 10.. 1)", QoSWeight: "weight 3", QoSConfidence: "confidence 95%", QoSViolation: "on violation keep",
	QoSBound: "bound 'hoeffding'", QoSRange: "range col 0..1000",
}

func (p *parser) qosGraph(kind QoSKind) []QoSPoint {
	opening := p.open("(", "write for example "+qosExamples[kind])
	var points []QoSPoint
	for {
		points = append(points, p.qosPoint(kind))
		if !p.more() {
			break
		}
	}
	p.close(")", opening)
	return points
}

// qosPoint reads x y, or from..to y where kind has ranges.
func (p *parser) qosPoint(kind QoSKind) QoSPoint {
	start := p.tok().Start
	pt := QoSPoint{}
	if !p.is("..") || kind != QoSValue {
		m := p.measure(kind)
		pt.X = &m
	}
	if dots := p.tok(); p.accept("..") {
		pt.Range = true
		if kind != QoSValue {
			p.fail(dots.Span, "write for example "+qosExamples[kind], "%s has points, not ranges", kind)
		}
		// An open range is followed by its utility alone: 10.. 1.
		if t := p.tok(); t.Start == dots.End && (t.kind == number || t.key == "-") {
			m := p.measure(kind)
			pt.To = &m
		}
		if pt.X == nil && pt.To == nil {
			p.expected("a number after ..", "write for example "+qosExamples[kind])
		}
	}
	if t := p.tok(); t.key == "," || t.key == ")" {
		p.expected("the utility, from 0 to 1, of this point", "write for example "+qosExamples[kind])
	}
	pt.Y = p.share("a utility")
	pt.Span = p.since(start)
	return pt
}

// measure reads the kind of measure that a kind of requirement takes.
func (p *parser) measure(kind QoSKind) Measure {
	switch kind {
	case QoSLatency:
		t := p.tok()
		if t.kind == number && t.val != "0" {
			p.fail(t.Span, "write for example "+t.val+"ms", "a latency needs a unit of time")
		}
		switch t.kind {
		case text, quantity, number:
			p.next()
		case quoted:
			p.str("a duration", "")
		default:
			p.expected("a duration", "write for example "+qosExamples[kind])
		}
		d := p.duration(t)
		if d.Nanos() < 0 {
			p.fail(t.Span, "", "a latency cannot be negative")
		}
		return Measure{Span: t.Span, Unit: UnitDuration, Duration: d}
	case QoSValue, QoSWeight:
		return p.plain("a number", "write for example "+qosExamples[kind])
	}
	return p.share("a share such as 5%")
}

// plain reads a number with its sign.
func (p *parser) plain(what, hint string) Measure {
	start := p.tok().Start
	sign := ""
	if p.accept("-") {
		sign = "-"
	}
	t := p.tok()
	if t.kind != number {
		p.expected(what, hint)
		return Measure{Span: t.Span}
	}
	p.next()
	f, err := strconv.ParseFloat(sign+t.val, 64)
	if err != nil {
		p.fail(t.Span, "", "the number is too large")
	}
	return Measure{Span: p.since(start), Number: f}
}

// share reads a number from 0 to 1, or a percentage.
func (p *parser) share(what string) Measure {
	m := p.plain(what, "")
	if p.accept("%") {
		m.Unit = UnitPercent
		m.Span = p.since(m.Start)
	}
	if s := m.Share(); !(s >= 0 && s <= 1) {
		hint := ""
		if m.Unit == UnitNone && m.Number <= 100 {
			hint = "did you mean " + m.String() + "%?"
		}
		p.fail(m.Span, hint, "expected %s, from 0 to 1 or in percent", what)
	}
	return m
}
