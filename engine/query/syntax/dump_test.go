package syntax_test

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// dump prints a tree in full but for positions: (Type field=value ...), leaving out zero fields.
func dump(x any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(x))
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(" ")
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteString("]")
	case reflect.Struct:
		dumpStruct(b, v)
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func dumpStruct(b *strings.Builder, v reflect.Value) {
	switch x := v.Interface().(type) {
	case syntax.Ident:
		b.WriteString(x.Name)
		if x.Quoted {
			b.WriteString("\"")
		}
		return
	case syntax.Type:
		b.WriteString(x.Of.String())
		return
	case syntax.Duration:
		fmt.Fprintf(b, "%dd+%v", x.Days, x.Rest)
		return
	case syntax.Name:
		for i, part := range x.Parts {
			if i > 0 {
				b.WriteString(".")
			}
			dumpValue(b, reflect.ValueOf(part))
		}
		return
	case syntax.Int:
		fmt.Fprint(b, x.Value)
		return
	}
	b.WriteString("(" + v.Type().Name())
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Type == reflect.TypeFor[syntax.Span]() || f.Type == reflect.TypeFor[*syntax.Source]() || absent(v.Field(i)) {
			continue
		}
		b.WriteString(" " + f.Name + "=")
		dumpValue(b, v.Field(i))
	}
	b.WriteString(")")
}

// absent reports whether a field is left out: zero, and without a place in the text of its own.
func absent(v reflect.Value) bool {
	return v.IsZero() && (v.Kind() != reflect.Struct || v.Type() == reflect.TypeFor[syntax.Duration]())
}
