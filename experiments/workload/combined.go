package workload

import (
	"strconv"
	"time"
)

var agents = [...]string{
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
	"Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
	"curl/8.5.0",
}

// clfTime writes event times as the log formats do, and remembers the last
// second it wrote.
type clfTime struct {
	second int64
	text   []byte
}

func (c *clfTime) append(dst []byte, ms int64) []byte {
	second := floorDiv(ms, 1000)
	if c.text == nil || second != c.second {
		c.second = second
		c.text = time.Unix(second, 0).UTC().AppendFormat(c.text[:0], "02/Jan/2006:15:04:05 -0700")
	}
	return append(dst, c.text...)
}

// appendAddress appends a private address that belongs to the user.
func appendAddress(dst []byte, user int) []byte {
	dst = strconv.AppendInt(append(dst, "10."...), int64(user>>16&255), 10)
	dst = strconv.AppendInt(append(dst, '.'), int64(user>>8&255), 10)
	return strconv.AppendInt(append(dst, '.'), int64(user&255), 10)
}

func (w *weblog) combined(dst []byte, ns int64) []byte {
	r := w.draw(ns)
	dst = append(appendAddress(dst, r.user), " - "...)
	dst = append(w.appendUser(dst, r.user), " ["...)
	dst = append(w.clf.append(dst, r.ms), `] "`...)
	dst = append(append(dst, w.methods[r.method]...), ' ')
	dst = append(append(dst, w.paths[r.path]...), ` HTTP/1.1" `...)
	dst = append(append(dst, w.statuses[r.status]...), ' ')
	dst = append(strconv.AppendInt(dst, r.bytes, 10), ` "https://`...)
	dst = append(w.appendHost(dst, r.host), `/" "`...)
	dst = append(dst, agents[w.agentRnd.Uint64()%uint64(len(agents))]...)
	return append(dst, "\"\n"...)
}
