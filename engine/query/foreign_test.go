package query

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/aurora-dsms/aurora/engine/expr"
)

func TestForeignFunctionsAreNotOurs(t *testing.T) {
	for name := range foreignFunctions {
		_, _, err := expr.Resolve(name, nil)
		assert.ErrorIs(t, err, expr.ErrUnknown, name)
		assert.Nil(t, aggregateCalled(name), name)
	}
}
