// Package syntax reads aurora's SQL: text in, syntax tree or a helpful error out.
//
// # Model
//
// [Parse] reads a file of statements, [ParseQoS] the text of --qos, [ParseExpr] one expression; all take a
// [Source]. The tree says what was written, not what it means: names are not looked up, types of expressions are
// not known, and everything that the language has is accepted, also what no engine runs yet. The binder refuses
// that with the position that the tree gives it.
//
//	Script
//	  *Query          Arms joined by UNION ALL, then ORDER BY, LIMIT, OFFSET, EMIT, WITH QOS for all of them together
//	    *Select       DISTINCT, items, FROM, WHERE, GROUP BY, HAVING
//	      Relation    *Table, *Window (tumble, hop, session), *Subquery, *Join
//	      Expr        see Expr
//	  *CreateStream   columns, options
//	  *Explain        a Query
//
// The same meaning has one form in the tree: == and = are one operator, x::t and CAST(x AS t) one node, x IS TRUE is
// x IS NOT DISTINCT FROM TRUE, position(a IN b) is strpos(b, a), -5 is a literal, and parentheses are not kept.
// String methods print that form on one line, with the fewest parentheses; parsing what they print gives the same
// tree but for positions, unless the parentheses it needs nest too deep.
//
// # Positions and errors
//
// Every node embeds a [Span] of the source, without parentheses around it. [Source.Errorf] makes an [Error] about a
// span, which renders as
//
//	1:1: expected a statement, found "SELEC"; did you mean SELECT?
//	 1 | SELEC 1
//	   | ^^^^^
//
// The binder is meant to use it for its own errors. The first mistake in the text is the one reported.
//
// # Invariants
//
//   - No input makes the package panic or recurse without limit: expressions nest 200 deep, and no tree is higher than 2000.
//   - A tree returned with a nil error is complete: no field that the documentation does not call optional is nil.
//   - Trees are not shared: the caller may change them.
//
// # Words
//
// Keywords are read in any case. Few are reserved; the rest are names wherever a name can stand, so that fields called
// timestamp, value, left or offset need no quotes. Names keep the case in which they are written.
package syntax
