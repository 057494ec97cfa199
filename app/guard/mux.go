package guard

import (
	"net/http"
	"sort"
	"strings"

	"dedupedesk/app/problem"
)

// newMux returns a mux that serves routes, each wrapped by wrap, and answers 405
// and 404 by refuse.
func newMux(routes []Route, wrap func(Route) http.Handler, refuse func(http.ResponseWriter, *http.Request, *problem.Problem)) *http.ServeMux {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	for _, rt := range routes {
		method, path, ok := strings.Cut(rt.Pattern, " ")
		if !ok {
			panic("guard: route without a method: " + rt.Pattern)
		}
		methods[path] = append(methods[path], method)
		mux.Handle(rt.Pattern, wrap(rt))
	}
	for path, allowed := range methods {
		if path == "/" || path == "/{$}" {
			continue
		}
		sort.Strings(allowed)
		allow := strings.Join(allowed, ", ")
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", allow)
			refuse(w, r, problem.New(http.StatusMethodNotAllowed, "wrong_method", "This address takes "+allow+", not "+quoteShort(r.Method)+"."))
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, problem.New(http.StatusNotFound, "no_such_address", "There is nothing at "+quoteShort(r.URL.Path)+"."))
	})
	return mux
}
