package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/aurora-dsms/aurora/engine"
	"github.com/aurora-dsms/aurora/engine/query/syntax"
)

// statement is the SQL of a command and the files that stand behind it.
type statement struct {
	sql   string
	name  string // of the file that the SQL is from, or ""
	files []string
}

// readStatement takes the SQL from file, if there is one, or else from the first argument.
func readStatement(c *cobra.Command, file string, args []string) (statement, error) {
	if file == "" {
		if err := misplaced(c, args); err != nil {
			return statement{}, err
		}
		return statement{sql: args[0], files: args[1:]}, nil
	}
	for _, arg := range args {
		if isSQL(arg) {
			return statement{}, usagef("there are two texts of SQL: %s, and the file %s of -f", quoteArg(arg), file)
		}
	}
	text, err := readText(file)
	if err != nil {
		return statement{}, usagef("-f %s: %w", file, cause(err))
	}
	return statement{strings.TrimPrefix(string(text), "\ufeff"), file, args}, nil
}

// longestText is the size from which a file cannot be meant as SQL.
const longestText = 16 << 20

func readText(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, longestText+1))
	if err == nil && len(text) > longestText {
		return nil, errors.New("this is longer than SQL can be (16 MiB); is it data? Name it with -i, or behind the SQL")
	}
	return text, err
}

// blame marks an error that was found before any record was processed, and names the file that its place is in.
func (s statement) blame(err error) error {
	var mistake *syntax.Error
	if errors.As(err, &mistake) {
		mistake.Name = s.name
	}
	return usageError{err}
}

// misplaced explains arguments of which the first is not SQL.
func misplaced(c *cobra.Command, args []string) error {
	usage := c.CommandPath() + " 'SELECT ...' [FILE...]"
	if len(args) == 0 {
		return usagef("no SQL: write %s, or -f FILE with SQL in it", usage)
	}
	first := args[0]
	if isSQL(first) {
		return nil
	}
	for i, arg := range args[1:] {
		if isSQL(arg) {
			files := append([]string{first}, args[1:1+i]...)
			files = append(files, args[2+i:]...)
			return usagef("the SQL comes before the files: %s %s %s", c.CommandPath(), quoteArg(arg), strings.Join(files, " "))
		}
	}
	_, err := os.Stat(first)
	switch {
	case len(args) > 1 && startsSQL(first):
		return usagef("put the SQL in quotes, so that it is one argument: %s", usage)
	case strings.EqualFold(filepath.Ext(first), ".sql"):
		return usagef("to run the SQL in a file write -f: %s -f %s", c.CommandPath(), strings.Join(args, " "))
	case err == nil || first == "-":
		name := engine.StreamName(first)
		return usagef("no SQL, only the file %s: write for example %s 'SELECT * FROM %s' %s", first, c.CommandPath(), name, first)
	}
	return nil
}

// startsSQL reports whether a word is one that statements begin with.
func startsSQL(word string) bool {
	switch strings.ToUpper(word) {
	case "SELECT", "CREATE", "EXPLAIN", "WITH", "FROM":
		return true
	}
	return false
}

// isSQL reports whether an argument looks like a statement rather than a file.
func isSQL(arg string) bool {
	if strings.HasPrefix(strings.TrimSpace(arg), "--") {
		return true
	}
	words := strings.Fields(arg)
	return len(words) > 1 && startsSQL(words[0])
}

// quoteArg writes an argument the way a shell reads it, shortened where it is long.
func quoteArg(arg string) string {
	const most = 60
	if r := []rune(arg); len(r) > most {
		arg = string(r[:most]) + "..."
	}
	if strings.Contains(arg, "'") {
		return `"` + arg + `"`
	}
	return "'" + arg + "'"
}
