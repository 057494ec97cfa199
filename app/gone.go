package main

import (
	"log/slog"
	"net/http"

	"dedupedesk/frontend/page"
	"dedupedesk/frontend/static"
)

// gone answers the window while no engine runs: it says what that means and
// starts one when asked.
func gone(restart func() error, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /static/{file}", static.Handler())
	mux.HandleFunc("POST /window/start", func(w http.ResponseWriter, r *http.Request) {
		if err := restart(); err != nil {
			log.Error("the engine was not started", "cause", err)
			drawGone(w, r, log, err.Error())
			return
		}
		w.Header().Set("HX-Refresh", "true")
		w.WriteHeader(http.StatusOK)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		// A part of a page must not be swapped for a whole one.
		if r.Header.Get("HX-Request") != "" {
			http.Error(w, "the background helper does not answer", http.StatusServiceUnavailable)
			return
		}
		drawGone(w, r, log, "")
	})
	return mux
}

func drawGone(w http.ResponseWriter, r *http.Request, log *slog.Logger, fault string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := page.Gone(page.GoneView{Fault: fault}).Render(r.Context(), w); err != nil {
		log.Error("the window was not told", "cause", err)
	}
}
