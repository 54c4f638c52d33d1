package synopsis

// Unseen returns the largest count that a group without any kept row may have, at the confidence of q: the same for all
// of them, so that a window needs it once. d is sealed.
func Unseen(d *Design, q Question) float64 {
	q.Domain = true
	return new(Count).Estimate(d, 0, q).High
}
