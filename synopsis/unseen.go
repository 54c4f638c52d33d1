package synopsis

import "math"

// Unseen returns the largest count that a group without any kept row may have, at the confidence of q.
func Unseen(d *Design, q Question) float64 {
	return math.Ceil(d.Largest() * math.Log(2/(1-q.Confidence)))
}
