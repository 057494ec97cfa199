package guard

import (
	"crypto/sha256"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"dedupedesk/app/problem"
)

// PublishedRate is how many requests a second one token may send under a published
// name. As many may come at once after a second's rest. Calls from this computer
// itself are not counted.
const PublishedRate = 300

// A token that nobody knows has to be looked up in the ledger each time, and the next
// one may be another. So an address may send few of them.
const (
	strangeRate  = 5 // a second
	strangeBurst = 20
)

// The sentences of the two refusals.
const (
	tooManyCalls   = "This password sends more than 300 requests a second. Nothing was granted. Wait a second, then send this request again."
	tooManyStrange = "Too many requests without a password that is known came from this address. Nothing was granted. Wait a few seconds, then send this request again."
)

// rates counts the requests that come under a published name.
//
// A token that was right before is counted by itself and never by its address: who
// sends wrong ones through the same tunnel must not shut out those who have the right
// one.
type rates struct {
	now     func() time.Time
	tokens  *buckets[[sha256.Size]byte] // by the token's hash
	strange *buckets[netip.Addr]
}

func newRates(now func() time.Time) *rates {
	return &rates{
		now:     now,
		tokens:  newBuckets[[sha256.Size]byte](PublishedRate, PublishedRate),
		strange: newBuckets[netip.Addr](strangeRate, strangeBurst),
	}
}

// count counts a request before its token, "" for none, is looked up. It returns the refusal where
// too many came, and whether that is worth a line in the log: one in a second is.
func (c *rates) count(r *http.Request, secret string) (refusal *problem.Problem, tell bool) {
	at := c.now()
	// Only the first request of a right token is counted by its address.
	wait, tell, known := c.tokens.takeKnown(sha256.Sum256([]byte(secret)), at)
	detail := tooManyCalls
	if !known {
		wait, tell = c.strange.take(client(r), at)
		detail = tooManyStrange
	}
	if wait <= 0 {
		return nil, false
	}
	refusal = problem.New(http.StatusTooManyRequests, "too_many_requests", detail)
	refusal.RetryAfter = (wait + time.Second - 1).Truncate(time.Second)
	return refusal, tell
}

// learn says whether a token was right. One that was taken back is strange again.
func (c *rates) learn(secret string, right bool) {
	hash := sha256.Sum256([]byte(secret))
	if right {
		c.tokens.know(hash, c.now())
		return
	}
	c.tokens.forget(hash)
}

// client returns the address that a request came from; of IPv6 the network, since one
// customer has a whole one. A tunnel on this computer appends the address to what the
// caller itself may have written, so the last one counts. It is only as true as the
// tunnel, and no more depends on it than how many wrong tokens are looked up.
func client(r *http.Request) netip.Addr {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr := from.Addr()
	if values := r.Header.Values("X-Forwarded-For"); addr.Unmap().IsLoopback() && len(values) > 0 {
		last := values[len(values)-1]
		if told, err := netip.ParseAddr(strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])); err == nil {
			addr = told
		}
	}
	if addr = addr.Unmap().WithZone(""); addr.Is4() {
		return addr
	}
	network, err := addr.Prefix(64)
	if err != nil {
		return netip.Addr{}
	}
	return network.Addr()
}
