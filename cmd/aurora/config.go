package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addConfig adds the flag that names a file of flags.
func addConfig(set *pflag.FlagSet) {
	set.String("config", "", "YAML `file` of flags, as in 'time-unit: ms'; the environment and the command line go before it (--config aurora.yaml)")
}

// settle gives flags that are not on the command line their value from the environment, or else from the --config file.
func settle(c *cobra.Command) error {
	config, path, err := readConfig(c)
	if err != nil {
		return err
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if err != nil || f.Changed || f.Name == "config" || f.Name == "help" {
			return
		}
		name := environmentName(f.Name)
		if value := os.Getenv(name); value != "" {
			if e := f.Value.Set(value); e != nil {
				err = wrongValue(name, f, value, e)
			}
			return
		}
		for _, value := range config[f.Name] {
			if e := f.Value.Set(value); e != nil {
				err = wrongValue(path+": "+f.Name, f, value, e)
				return
			}
		}
	})
	return err
}

// environmentName returns the variable that stands for a flag.
func environmentName(flag string) string {
	return "AURORA_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// readConfig returns the values of the --config file by flag, and its path. It refuses names that are no flags of any command; those
// of another command are for that one.
func readConfig(c *cobra.Command) (values map[string][]string, path string, err error) {
	if path, err = c.Flags().GetString("config"); err != nil || path == "" {
		path = os.Getenv("AURORA_CONFIG")
	}
	if path == "" {
		return nil, "", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, path, usagef("--config %s: %w", path, cause(err))
	}
	var raw map[string]any
	if err := yaml.UnmarshalWithOptions(text, &raw, yaml.Strict()); err != nil {
		return nil, path, usagef("%s: %s", path, yaml.FormatError(err, false, false))
	}
	known := flagNames(c)
	values = map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		v := raw[name]
		switch f := c.Flags().Lookup(name); {
		case f == nil && slices.Contains(known, name):
			continue
		case f == nil || name == "config":
			return nil, path, usagef("%s: no flag is called %q%s", path, name, didYouMean(name, known))
		}
		if list, ok := v.([]any); ok {
			for _, item := range list {
				values[name] = append(values[name], fmt.Sprint(item))
			}
			if _, many := c.Flags().Lookup(name).Value.(pflag.SliceValue); !many {
				values[name] = []string{strings.Join(values[name], ",")}
			}
			continue
		}
		if v == nil {
			return nil, path, usagef("%s: %s has no value", path, name)
		}
		values[name] = []string{fmt.Sprint(v)}
	}
	return values, path, nil
}

// cause returns what the system said about a file, without the file.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// flagNames returns the flags that c and the commands beside it can have in a --config file.
func flagNames(c *cobra.Command) []string {
	known := map[string]bool{}
	add := func(f *pflag.Flag) { known[f.Name] = true }
	c.Flags().VisitAll(add)
	if c.Parent() != nil {
		for _, other := range c.Parent().Commands() {
			if other.Flags().Lookup("config") != nil {
				other.Flags().VisitAll(add)
			}
		}
	}
	return slices.Sorted(maps.Keys(known))
}

// flagError explains a flag that cobra refused.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var wrong *pflag.InvalidValueError
	var bare *pflag.ValueRequiredError
	help := fmt.Sprintf("(see %s --help)", c.CommandPath())
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		name := unknown.GetSpecifiedName()
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		return usagef("no flag of %s is called --%s%s %s", c.CommandPath(), name, didYouMean(name, names), help)
	case errors.As(err, &unknown):
		return usagef("no flag of %s is called -%s %s", c.CommandPath(), unknown.GetSpecifiedName(), help)
	case errors.As(err, &wrong):
		return wrongValue("--"+wrong.GetFlag().Name, wrong.GetFlag(), wrong.GetValue(), wrong.Unwrap())
	case errors.As(err, &bare):
		return usagef("--%s needs a value %s", bare.GetFlag().Name, help)
	}
	return usagef("%w %s", err, help)
}

// wrongValue explains a value that a flag refused, wherever it was given.
func wrongValue(where string, f *pflag.Flag, value string, err error) error {
	wanted := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0", "bool": "true or false", "duration": "a duration such as 500ms, 10s or 5m",
	}
	if want, ok := wanted[f.Value.Type()]; ok {
		return usagef("%s: %q is not %s", where, value, want)
	}
	return usagef("%s: %w", where, err)
}
