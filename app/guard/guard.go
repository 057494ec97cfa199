// Package guard holds the policies of the two listeners: who may call what.
//
// Loopback is not a wall. Any page in a browser can send requests to a port of
// this computer, a name can be rebound to 127.0.0.1, and other users and
// containers reach it too. So every request passes, in this order: the host
// allow-list, the cross-origin check, the route table, and the caller's proof (a
// token for the API, a session or the window's secret for the pages).
//
// # What it promises
//
// A request that fails a check reaches no handler and changes nothing. A route
// exists only with its access in the same table row, so none can be added bare.
//
// # Errors
//
// Refusals are problem details on the API, and plain pages or problem details on
// the admin listener.
//
// # Concurrency
//
// The handlers that this package returns may serve any number of requests at once.
package guard

import (
	"net"
	"net/http"
	"slices"
	"strings"

	"dedupedesk/app/describe"
	"dedupedesk/app/problem"
)

// A Route is one row of a listener's table.
type Route struct {
	Pattern   string // "POST /v1/claim": always with its method
	Access    Access
	Published bool  // answers under a public host name too (API only)
	MaxBody   int64 // bytes; 0 = [MaxClaimBody]
	Quiet     bool  // neither logged nor remembered where all is well; open routes never are
	Handler   http.Handler
	Operation describe.Operation // what it says of itself (API only)
}

// MaxClaimBody and MaxSampleBody bound request bodies, in bytes.
const (
	MaxClaimBody  = 256 << 10
	MaxSampleBody = 1 << 20
)

// boundBody bounds what may be read of the body, and refuses one that says it is longer.
func boundBody(w http.ResponseWriter, r *http.Request, rt Route) *problem.Problem {
	limit := rt.MaxBody
	if limit == 0 {
		limit = MaxClaimBody
	}
	if r.ContentLength > limit {
		return problem.TooLarge(limit)
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	return nil
}

// MaxHeader bounds a request's header, in bytes.
const MaxHeader = 16 << 10

// An Access says what proof a route asks for.
type Access string

// The accesses of the API, then those of the pages, each including the one before.
const (
	Open   Access = "open"   // nobody is asked
	Claim  Access = "claim"  // any token
	Admin  Access = "admin"  // a token of scope admin
	Look   Access = "look"   // a session
	Decide Access = "decide" // a session that may decide on keys
	Change Access = "change" // a session that may change rules, passwords and settings
	Window Access = "window" // the secret of engine.json
)

// Hosts is the allow-list of Host headers.
type Hosts struct {
	Port   string   // of the listener; loopback names must carry it
	Public []string // published names, matched without port
}

// loopbackNames are the spellings of this computer that a Host header may use.
var loopbackNames = []string{"127.0.0.1", "localhost", "::1"}

// kind tells what a request's Host is: local, published, or neither.
func (h Hosts) kind(r *http.Request) (local, published bool) {
	name, port := splitHost(r.Host)
	for _, public := range h.Public {
		if known, _ := splitHost(public); name == known && name != "" {
			return false, true
		}
	}
	if !slices.Contains(loopbackNames, name) || (port != h.Port && !(port == "" && h.Port == "80")) {
		return false, false
	}
	// A tunnel or proxy that forwards to loopback keeps the name but says so.
	return true, forwarded(r)
}

// proxyNames and proxyPrefixes are the headers by which proxies and tunnels say
// that a request is not from this computer.
var (
	proxyNames    = []string{"Forwarded", "Via", "X-Forwarded", "X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "True-Client-Ip"}
	proxyPrefixes = []string{"X-Forwarded-", "X-Original-", "Cf-", "Ngrok-", "Fly-", "Fastly-", "Tailscale-", "X-Azure-", "X-Envoy-"}
)

// forwarded tells whether a proxy or tunnel handed the request on.
func forwarded(r *http.Request) bool {
	for name := range r.Header {
		begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if slices.Contains(proxyNames, name) || slices.ContainsFunc(proxyPrefixes, begins) {
			return true
		}
	}
	return false
}

func splitHost(host string) (name, port string) {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, ""
	}
	return strings.ToLower(strings.Trim(name, "[]")), port
}

// wrongHost is the refusal of a Host that is not on the list.
func wrongHost(r *http.Request) *problem.Problem {
	return problem.New(http.StatusMisdirectedRequest, "wrong_host",
		"This address is not served under the name "+quoteShort(r.Host)+". Use 127.0.0.1 with the port shown on the Connect page, or publish the name with --public-host.")
}

// crossOrigin is the refusal of a request that another site's page sent.
func crossOrigin() *problem.Problem {
	return problem.New(http.StatusForbidden, "cross_origin",
		"A web page of another site sent this request. Calls come from programs, not from other pages.")
}

// quoteShort returns s in quotes, cut to 60 characters and without control characters.
func quoteShort(s string) string { return `"` + short(s) + `"` }

func short(s string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if runes := []rune(clean); len(runes) > 60 {
		clean = string(runes[:60]) + "…"
	}
	return strings.ToValidUTF8(clean, "\uFFFD")
}
