package engine_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/aurora-dsms/aurora/"

// allowed says which packages of ours a package may import: the direction of the house. A name
// ending in "/..." stands for everything below it.
var allowed = map[string][]string{
	"synopsis":                     nil,
	"sketch":                       {"synopsis"},
	"stats":                        {"synopsis"},
	"engine/tuple":                 nil,
	"engine/clock":                 nil,
	"engine/expr":                  {"engine/tuple"},
	"engine/op":                    {"engine/tuple", "engine/expr", "synopsis", "sketch"},
	"engine/sched":                 {"stats"},
	"engine/plan":                  {"engine/op", "engine/expr", "engine/tuple", "stats"},
	"engine/query":                 {"engine/plan", "engine/op", "engine/expr", "engine/tuple", "engine/query/..."},
	"engine/query/nearest":         nil,
	"engine/query/syntax":          {"engine/query/nearest", "engine/tuple"},
	"engine/codec":                 {"engine/codec/scan64", "engine/tuple"},
	"engine/codec/scan64":          nil,
	"engine/source":                {"engine/codec", "engine/tuple"},
	"engine/sink":                  {"engine/tuple"},
	"engine/enginetest":            {"engine/op", "engine/expr", "engine/tuple"},
	"engine":                       {"engine/...", "stats", "synopsis", "sketch"},
	"experiments/workload":         nil,
	"experiments/oracle":           {"engine/..."},
	"experiments/bench":            {"engine", "engine/...", "experiments/workload"},
	"experiments/coverage":         {"engine", "engine/..."},
	"experiments/coverage/measure": {"engine", "engine/...", "experiments/coverage"},
	"cmd/aurora":                   {"engine", "engine/...", "experiments/..."},
}

// clockUsers are the folders whose code may look at the machine's clock.
var clockUsers = []string{"engine/clock", "cmd/"}

func TestImportsFollowTheHouse(t *testing.T) {
	eachGoFile(t, func(pkg, path string, file *goFile) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		may, known := allowed[pkg]
		require.True(t, known, "%s: package %s is not in the house's plan; add it to allowed in engine/layout_test.go with what it may import", path, pkg)
		for _, imported := range file.imports {
			ours, ok := strings.CutPrefix(imported, module)
			if ok && !mayImport(may, ours) {
				t.Errorf("%s imports %s; %s may import only %v: move the code to where the direction allows it", path, ours, pkg, may)
			}
		}
	})
}

func TestOnlyTheClockReadsTheClock(t *testing.T) {
	forbidden := []string{"time.Now(", "time.Since(", "time.Sleep(", "time.After(", "time.Tick(", "time.NewTicker("}
	eachGoFile(t, func(pkg, path string, file *goFile) {
		if strings.HasSuffix(path, "_test.go") || slices.ContainsFunc(clockUsers, func(p string) bool { return strings.HasPrefix(path, p) }) {
			return
		}
		for _, f := range forbidden {
			if strings.Contains(file.text, f) {
				t.Errorf("%s calls %s); take the time as an argument, or from a clock.Clock", path, f)
			}
		}
	})
}

func TestNoChanceWithoutASeed(t *testing.T) {
	eachGoFile(t, func(pkg, path string, file *goFile) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, imported := range file.imports {
			if imported == "math/rand" || imported == "hash/maphash" {
				t.Errorf("%s imports %s; use math/rand/v2's PCG with a seed, or xxhash", path, imported)
			}
		}
	})
}

type goFile struct {
	text    string
	imports []string
}

func mayImport(may []string, pkg string) bool {
	return slices.ContainsFunc(may, func(m string) bool {
		below, tree := strings.CutSuffix(m, "/...")
		return m == pkg || tree && strings.HasPrefix(pkg, below+"/")
	})
}

// eachGoFile calls visit for the module's Go files, leaving out folders with a module of their own.
func eachGoFile(t *testing.T, visit func(pkg, path string, file *goFile)) {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	files := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if path != root && (err == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		file := &goFile{text: string(text)}
		for _, i := range parsed.Imports {
			file.imports = append(file.imports, strings.Trim(i.Path.Value, `"`))
		}
		files++
		visit(filepath.ToSlash(filepath.Dir(rel)), filepath.ToSlash(rel), file)
		return nil
	}))
	require.Greater(t, files, 20, "the walk found too few files to mean anything")
}
