package main

import (
	"fmt"
	"slices"
)

// checkedText is a flag's text that is checked when it is set, so that mistakes are told with the place they were made in: the
// command line, the environment or a file.
type checkedText struct {
	text  *string
	check func(string) error
}

// checked makes a flag's value of text, beginning with def.
func checked(text *string, def string, check func(string) error) *checkedText {
	*text = def
	return &checkedText{text, check}
}

// String implements pflag.Value.
func (c *checkedText) String() string {
	if c.text == nil {
		return ""
	}
	return *c.text
}

// Set implements pflag.Value.
func (c *checkedText) Set(text string) error {
	if err := c.check(text); err != nil {
		return err
	}
	*c.text = text
	return nil
}

// Type implements pflag.Value.
func (c *checkedText) Type() string { return "text" }

// parsed checks a text by parsing it.
func parsed[T any](parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		_, err := parse(text)
		return err
	}
}

// oneOf checks that a text is one of words.
func oneOf(words ...string) func(string) error {
	words = slices.Clone(words)
	return func(text string) error {
		if slices.Contains(words, text) {
			return nil
		}
		return fmt.Errorf("%q is not known%s", text, offer(text, words))
	}
}
