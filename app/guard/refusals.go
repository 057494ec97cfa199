package guard

import (
	"net/http"
	"strings"

	"dedupedesk/app/describe"
)

// Refusals returns what the guard itself may answer in place of an API route's
// handler. The network layer answers 431, without problem details.
func Refusals(rt Route) []describe.Answer {
	foreign := describe.Problem(http.StatusForbidden, "A page of another site sent the call.", "cross_origin")
	if rt.Access == Admin {
		foreign = describe.Problem(http.StatusForbidden, "The password is of scope claim, or a page of another site sent the call.", "cross_origin", "not_allowed")
	}
	all := []describe.Answer{
		foreign,
		describe.Problem(http.StatusRequestEntityTooLarge, "The body is too large.", "too_large"),
		describe.Problem(http.StatusMisdirectedRequest, "The Host header is none that is served.", "wrong_host"),
		{Status: http.StatusRequestHeaderFieldsTooLarge, Text: "The header is larger than 16 KB. The answer has no JSON."},
	}
	if rt.Access != Open {
		all = append(all,
			describe.Problem(http.StatusUnauthorized, "The password is missing, unknown, or was replaced.", "no_token", "wrong_token"),
			describe.Problem(http.StatusServiceUnavailable, "The password could not be checked.", "busy"))
	}
	if rt.Published && rt.Access != Open {
		all = append(all, describe.Problem(http.StatusTooManyRequests, "Too many calls came under a public name: of this password, or of unknown ones from this address.", "too_many_requests"))
	}
	if !rt.Published {
		all = append(all, describe.Problem(http.StatusNotFound, "The call came under a public name, where this address is not served.", "no_such_address"))
	}
	if queryIsWhole(rt) {
		all = append(all, describe.Problem(http.StatusBadRequest, "A name in the address is not one that is described.", "invalid"))
	}
	if !strings.HasPrefix(rt.Pattern, http.MethodGet+" ") {
		all = append(all, describe.Problem(http.StatusUnsupportedMediaType, "The body is of a type that is not read.", "wrong_type"))
	}
	return all
}
