package query

import (
	_ "embed"
	"strings"
)

// zoneList is the names of the IANA time zone database, a line each. It serves to find the zone that was meant;
// which zones there are is the business of package time.
//
//go:embed zones.txt
var zoneList string

func zoneNames() []string { return strings.Fields(zoneList) }
