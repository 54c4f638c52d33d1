package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

// ErrUnknown is what Resolve's error wraps when no function has the name asked for.
var ErrUnknown = errors.New("unknown function")

// kinds is a set of types.
type kinds uint16

const (
	isBool     kinds = 1 << tuple.Boolean
	isNum      kinds = 1<<tuple.Bigint | 1<<tuple.Double | 1<<tuple.Number
	isText     kinds = 1<<tuple.Text | 1<<tuple.JSON
	isTime     kinds = 1 << tuple.Timestamp
	isInterval kinds = 1 << tuple.Interval
	isAny      kinds = 1<<16 - 1
)

// has reports whether t is in the set. NULL literals are in every set.
func (k kinds) has(t tuple.Type) bool { return t == tuple.Null || k>>t&1 != 0 }

func (k kinds) String() string {
	switch k {
	case isNum:
		return "a number"
	case isText:
		return "TEXT"
	case isAny:
		return "anything"
	}
	for t := tuple.Boolean; t <= tuple.JSON; t++ {
		if k == 1<<t {
			return t.String()
		}
	}
	return fmt.Sprintf("kinds(%b)", uint16(k))
}

// overload is one way of calling a function.
type overload struct {
	in   []kinds // by position
	min  int     // arguments that must be given; the others may be left out
	more bool    // the last position repeats
	out  func(args []*Node) (tuple.Type, error)
}

// takes returns an overload whose arguments must all be given.
func takes(out func([]*Node) (tuple.Type, error), in ...kinds) overload {
	return overload{in: in, min: len(in), out: out}
}

// optional makes the last n arguments optional.
func (o overload) optional(n int) overload {
	o.min -= n
	return o
}

// repeated lets the last argument repeat.
func (o overload) repeated() overload {
	o.more = true
	return o
}

// yields is the result type of functions that always have the same.
func yields(t tuple.Type) func([]*Node) (tuple.Type, error) {
	return func([]*Node) (tuple.Type, error) { return t, nil }
}

func (o overload) accepts(args []*Node) bool {
	if len(args) < o.min || len(args) > len(o.in) && !o.more {
		return false
	}
	for i, a := range args {
		if !o.in[min(i, len(o.in)-1)].has(a.Type) {
			return false
		}
	}
	return true
}

func (o overload) String() string {
	var b strings.Builder
	b.WriteByte('(')
	for i, k := range o.in {
		switch {
		case i >= o.min && i > 0:
			b.WriteString("[, ")
		case i >= o.min:
			b.WriteByte('[')
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(k.String())
		if i >= o.min {
			b.WriteByte(']')
		}
	}
	if o.more {
		b.WriteString(", ...")
	}
	b.WriteByte(')')
	return b.String()
}

// function is an entry of the catalogue.
type function struct {
	name    string
	aliases []string
	ways    []overload
	// internal says that it is no function of the language, but one that the binder expresses others by.
	internal bool
	// check looks at arguments that are constants; nil accepts all.
	check func(args []*Node) error
	// build makes the kernel of a call.
	build func(c *compiler, n *Node) (kernel, error)
}

// functions holds the catalogue by name and by alias. It is filled by init, because builders of functions
// look others up in it.
var functions = map[string]*function{}

// refused names functions that are left out on purpose, with the reason.
var refused = map[string]string{
	"now":               "an answer must follow from the input alone, so there is no wall clock in expressions",
	"current_timestamp": "an answer must follow from the input alone, so there is no wall clock in expressions",
	"current_date":      "an answer must follow from the input alone, so there is no wall clock in expressions",
	"random":            "an answer must follow from the input alone, so there is no chance in expressions",
	"rand":              "an answer must follow from the input alone, so there is no chance in expressions",
	"uuid":              "an answer must follow from the input alone, so there is no chance in expressions",
}

func init() {
	for _, family := range [][]*function{
		arithmeticFunctions, comparisonFunctions, logicFunctions, choiceFunctions, mathFunctions,
		stringFunctions, characterFunctions, patternFunctions, timeFunctions, clockFunctions, formatFunctions, boundsFunctions,
	} {
		for _, f := range family {
			functions[f.name] = f
			for _, alias := range f.aliases {
				functions[alias] = f
			}
		}
	}
}

// Names returns the names and aliases of all functions that are called by name (not by an operator's sign or
// keyword), sorted. Functions that only a binder calls are left out.
func Names() []string {
	var names []string
	for name, f := range functions {
		if binds[name] == 0 && name[0] >= 'a' && !f.internal {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Resolve finds the function or operator called name (in any case, aliases included) for arguments of the given
// types, and returns its canonical name and the type of its result. Arguments that are Const nodes are checked too:
// a regular expression that does not compile or an unknown unit is an error here. The error is for users: it names
// what the function takes, and wraps ErrUnknown when there is no such function, so that the caller can suggest
// another.
func Resolve(name string, args []*Node) (canonical string, result tuple.Type, err error) {
	name = strings.ToLower(name)
	f, ok := functions[name]
	if !ok {
		if reason, ok := refused[name]; ok {
			return "", tuple.Null, fmt.Errorf("%s is not available: %s", name, reason)
		}
		return "", tuple.Null, fmt.Errorf("%w %s", ErrUnknown, name)
	}
	result, err = f.resolve(args)
	if err != nil {
		return "", tuple.Null, err
	}
	return f.name, result, nil
}

func (f *function) resolve(args []*Node) (tuple.Type, error) {
	for _, way := range f.ways {
		if !way.accepts(args) {
			continue
		}
		if f.check != nil {
			if err := f.check(args); err != nil {
				return tuple.Null, err
			}
		}
		return way.out(args)
	}
	return tuple.Null, f.mismatch(args)
}

// mismatch says why no overload takes args.
func (f *function) mismatch(args []*Node) error {
	types := make([]string, len(args))
	for i, a := range args {
		types[i] = a.Type.String()
	}
	if _, operator := binds[f.name]; operator && len(args) == 2 {
		return fmt.Errorf("%s has no meaning between %s and %s%s", strings.ToUpper(f.name), types[0], types[1], hint(args))
	}
	ways := make([]string, len(f.ways))
	for i, way := range f.ways {
		ways[i] = way.String()
	}
	return fmt.Errorf("%s takes %s, not (%s)%s", f.name, strings.Join(ways, " or "), strings.Join(types, ", "), hint(args))
}

// hint suggests a conversion where text met something else.
func hint(args []*Node) string {
	var text, other bool
	var target tuple.Type
	for _, a := range args {
		if isText.has(a.Type) {
			text = true
		} else {
			other, target = true, a.Type
		}
	}
	if !text || !other || len(args) != 2 {
		return ""
	}
	if target == tuple.Number {
		target = tuple.Double
	}
	return fmt.Sprintf("; convert with CAST(... AS %s)", target)
}
