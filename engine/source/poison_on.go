//go:build invariants

package source

// poison overwrites a released buffer, so that a reader who kept it sees nonsense.
func poison(b []byte) {
	b = b[:cap(b)]
	for i := range b {
		b[i] = 0xdb
	}
}
