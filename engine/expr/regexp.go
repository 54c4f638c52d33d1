package expr

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// regexpWays are the ways of calling f(s, pattern[, extra...]) with the result t.
func regexpWays(t tuple.Type, extra ...kinds) []overload {
	return []overload{takes(yields(t), append([]kinds{isText, isText}, extra...)...).optional(len(extra))}
}

// regexpOptions turns DuckDB's option letters into RE2 flags: c case sensitive, i not, s and m, n: . matches a newline or
// ^ and $ match at lines, l literal, g global (which only regexp_replace takes).
func regexpOptions(options string) (flags string, literal, global bool, err error) {
	for _, o := range options {
		switch o {
		case 'c':
			flags = strings.ReplaceAll(flags, "i", "")
		case 'i', 's':
			flags += string(o)
		case 'm', 'n', 'p':
			flags += "m"
		case 'l':
			literal = true
		case 'g':
			global = true
		default:
			return "", false, false, fmt.Errorf("unknown regular expression option %q: there are c, g, i, l, m and s", o)
		}
	}
	return flags, literal, global, nil
}

// compileRegexp compiles pattern with the option letters.
func compileRegexp(pattern, options string, whole bool) (*regexp.Regexp, error) {
	flags, literal, _, err := regexpOptions(options)
	if err != nil {
		return nil, err
	}
	if literal {
		pattern = regexp.QuoteMeta(pattern)
	}
	if whole {
		pattern = `\A(?:` + pattern + `)\z`
	}
	if flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err == nil {
		return re, nil
	}
	var bad *syntax.Error
	if errors.As(err, &bad) {
		return nil, fmt.Errorf("bad regular expression: %s: '%s'", bad.Code, bad.Expr)
	}
	return nil, fmt.Errorf("bad regular expression: %w", err)
}

// optionsAt returns the option letters that argument i of a call holds, which must be a literal; none if there is no such
// argument.
func optionsAt(args []*Node, i int) (string, error) {
	if i >= len(args) {
		return "", nil
	}
	s, ok := constantText(args[i])
	if !ok {
		return "", errors.New("regular expression options must be a literal")
	}
	_, _, _, err := regexpOptions(string(s))
	return string(s), err
}

// checkRegexp returns the check of a function whose options are argument at.
func checkRegexp(at int) func([]*Node) error {
	return func(args []*Node) error {
		options, err := optionsAt(args, at)
		if err != nil {
			return err
		}
		if pattern, ok := constantText(args[1]); ok {
			_, err = compileRegexp(string(pattern), options, false)
		}
		return err
	}
}

// expressions compiles the regular expression of a call, once if it is constant, else whenever it changes.
type expressions struct {
	options string
	whole   bool
	fixed   *regexp.Regexp
	last    []byte
	current *regexp.Regexp
	bad     error
}

func newExpressions(args []*Node, at int, whole bool) (*expressions, error) {
	options, err := optionsAt(args, at)
	if err != nil {
		return nil, err
	}
	e := &expressions{options: options, whole: whole}
	if pattern, ok := constantText(args[1]); ok {
		e.fixed, err = compileRegexp(string(pattern), options, whole)
		return e, err
	}
	return e, nil
}

// at returns the expression in row r of c, or nil after counting a bad one.
func (e *expressions) at(f *frame, c *tuple.Column, r uint16, out *tuple.Column) *regexp.Regexp {
	if e.fixed != nil {
		return e.fixed
	}
	pattern := c.Str(int(r))
	if e.current == nil && e.bad == nil || !bytes.Equal(pattern, e.last) {
		e.last = append(e.last[:0], pattern...)
		e.current, e.bad = compileRegexp(string(pattern), e.options, e.whole)
	}
	if e.bad != nil {
		f.fail(out, r, domain)
		return nil
	}
	return e.current
}

func buildRegexpMatches(c *compiler, n *Node) (kernel, error) {
	e, err := newExpressions(n.Args, 2, n.Name == "regexp_full_match")
	if err != nil {
		return nil, err
	}
	if e.fixed != nil {
		return c.textPredicate(n.Args[0], regexpMatcher(e.fixed))
	}
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		if re := e.at(f, args[1], r, out); re != nil {
			out.B[r] = re.Match(args[0].Str(int(r)))
		}
	})
}

// regexpMatcher returns re.Match, or a search for a text where re is just that. (LiteralPrefix calls ^a$ complete, too.)
func regexpMatcher(re *regexp.Regexp) func([]byte) bool {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil || tree.Op != syntax.OpLiteral || tree.Flags&syntax.FoldCase != 0 {
		return re.Match
	}
	literal := []byte(string(tree.Rune))
	return func(s []byte) bool { return bytes.Contains(s, literal) }
}

// buildRegexpExtract is regexp_extract(s, pattern[, group[, options]]): the group's text in the first match, empty
// if there is none.
func buildRegexpExtract(c *compiler, n *Node) (kernel, error) {
	e, err := newExpressions(n.Args, 3, false)
	if err != nil {
		return nil, err
	}
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		re := e.at(f, args[1], r, out)
		if re == nil {
			return
		}
		group, ok := int64(0), true
		if len(args) > 2 {
			group, ok = integerAt(args[2], r)
		}
		if !ok || group < 0 || group > int64(re.NumSubexp()) {
			f.fail(out, r, domain)
			return
		}
		s := args[0].Str(int(r))
		at := re.FindSubmatchIndex(s)
		if at == nil || at[2*group] < 0 {
			f.setText(out, r, nil)
			return
		}
		f.setText(out, r, s[at[2*group]:at[2*group+1]])
	})
}

// buildRegexpReplace is regexp_replace(s, pattern, replacement[, options]): the first match, or all with option g. In the
// replacement \1 to \9 are groups, \0 is the match and \\ a backslash.
func buildRegexpReplace(c *compiler, n *Node) (kernel, error) {
	e, err := newExpressions(n.Args, 3, false)
	if err != nil {
		return nil, err
	}
	_, _, global, err := regexpOptions(e.options)
	if err != nil {
		return nil, err
	}
	return c.rowwise(n, func(f *frame, args []*tuple.Column, r uint16, out *tuple.Column) {
		re := e.at(f, args[1], r, out)
		if re == nil {
			return
		}
		start := len(out.Buf)
		out.Buf = appendReplaced(out.Buf, re, args[0].Str(int(r)), args[2].Str(int(r)), global)
		f.endText(out, r, start)
	})
}

func appendReplaced(dst []byte, re *regexp.Regexp, s, with []byte, global bool) []byte {
	limit := 1
	if global {
		limit = -1
	}
	end := 0
	for _, at := range re.FindAllSubmatchIndex(s, limit) {
		dst = append(dst, s[end:at[0]]...)
		dst = appendExpanded(dst, s, with, at)
		end = at[1]
	}
	return append(dst, s[end:]...)
}

// appendExpanded appends a replacement with its group references filled in.
func appendExpanded(dst, s, with []byte, at []int) []byte {
	for i := 0; i < len(with); i++ {
		if with[i] != '\\' || i+1 == len(with) {
			dst = append(dst, with[i])
			continue
		}
		i++
		group := int(with[i] - '0')
		switch {
		case group > 9:
			dst = append(dst, with[i])
		case 2*group < len(at) && at[2*group] >= 0:
			dst = append(dst, s[at[2*group]:at[2*group+1]]...)
		}
	}
	return dst
}
