package guard

import (
	"net/http"
	"path"
	"sort"
	"strings"

	"dedupedesk/app/problem"
)

// newMux returns a mux that serves routes, each wrapped by wrap, and answers 405
// and 404 by refuse. A path such as //v1/claim is 404 too: the mux alone would
// redirect it.
func newMux(routes []Route, wrap func(Route) http.Handler, refuse func(http.ResponseWriter, *http.Request, *problem.Problem)) http.Handler {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	for _, rt := range routes {
		method, at, ok := strings.Cut(rt.Pattern, " ")
		if !ok {
			panic("guard: route without a method: " + rt.Pattern)
		}
		methods[at] = append(methods[at], method)
		mux.Handle(rt.Pattern, wrap(rt))
	}
	for at, allowed := range methods {
		if at == "/" || at == "/{$}" {
			continue
		}
		sort.Strings(allowed)
		allow := strings.Join(allowed, ", ")
		mux.HandleFunc(at, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", allow)
			refuse(w, r, problem.New(http.StatusMethodNotAllowed, "wrong_method", "This address takes "+allow+", not "+quoteShort(r.Method)+"."))
		})
	}
	nothing := func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, problem.New(http.StatusNotFound, "no_such_address", "There is nothing at "+quoteShort(r.URL.Path)+"."))
	}
	mux.HandleFunc("/", nothing)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path.Clean(r.URL.Path) {
			nothing(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
