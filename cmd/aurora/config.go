package main

import (
	"fmt"
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
	config, err := readConfig(c)
	if err != nil {
		return err
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if err != nil || f.Changed || f.Name == "config" || f.Name == "help" {
			return
		}
		name := "AURORA_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value, ok := os.LookupEnv(name); ok {
			if e := f.Value.Set(value); e != nil {
				err = usagef("%s=%q: %w", name, value, e)
			}
			return
		}
		for _, value := range config[f.Name] {
			if e := f.Value.Set(value); e != nil {
				err = usagef("config: %s: %w", f.Name, e)
			}
		}
	})
	return err
}

// readConfig returns the values of the --config file by flag, refusing names that are no flags.
func readConfig(c *cobra.Command) (map[string][]string, error) {
	path, err := c.Flags().GetString("config")
	if err != nil || path == "" {
		path = os.Getenv("AURORA_CONFIG")
	}
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError{err}
	}
	var raw map[string]any
	if err := yaml.UnmarshalWithOptions(text, &raw, yaml.Strict()); err != nil {
		return nil, usagef("%s: %w", path, err)
	}
	values := map[string][]string{}
	for name, v := range raw {
		if f := c.Flags().Lookup(name); f == nil || name == "config" {
			return nil, usagef("%s: no flag of %q is called %q%s", path, c.CommandPath(), name, didYouMean(name, flagNames(c)))
		}
		if list, ok := v.([]any); ok {
			for _, item := range list {
				values[name] = append(values[name], fmt.Sprint(item))
			}
			continue
		}
		values[name] = []string{fmt.Sprint(v)}
	}
	return values, nil
}

func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	slices.Sort(names)
	return names
}

// laterFlags are flags of the interface that this version does not have yet.
var laterFlags = []string{"qos", "within", "memory", "sample", "confidence", "bounds", "weight", "seed"}

// flagError explains a flag that cobra refused.
func flagError(c *cobra.Command, err error) error {
	text := err.Error()
	if _, name, ok := strings.Cut(text, "unknown flag: --"); ok {
		if slices.Contains(laterFlags, name) {
			return usagef("--%s is not yet supported: answers are exact, and nothing is shed", name)
		}
		return usagef("%s%s (see %s --help)", text, didYouMean(name, flagNames(c)), c.CommandPath())
	}
	return usagef("%w (see %s --help)", err, c.CommandPath())
}
