package workload

import "strconv"

// pathCount is the number of distinct paths: too many for a dictionary of one
// byte, few enough for a web server.
const pathCount = 1000

// pathTable returns distinct paths with query strings, in the order of their
// popularity. Bytes that JSON, CSV or a quoted log field would escape do not
// occur in them.
func pathTable() []string {
	sections := []string{"catalogue", "accounts", "search", "orders", "media", "api/v2/inventory", "support"}
	pages := []string{"items", "reviews", "recommendations", "history", "overview"}
	sorts := []string{"newest", "price-ascending", "relevance"}
	paths := make([]string, pathCount)
	for i := range paths {
		path := "/" + sections[i%len(sections)] + "/" + pages[i%len(pages)] + "/" + strconv.Itoa(10_000+i*7919%90_000)
		if i%6 != 5 {
			path += "?page=" + strconv.Itoa(1+i%12) + "&sort=" + sorts[i%len(sorts)]
		}
		paths[i] = path
	}
	return paths
}
