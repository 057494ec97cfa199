// Command gallery shows every page and component with sample views, for the eye
// while drawing and for golden tests:
//
//	go run ./frontend/gallery            then open the address it prints
//	go test ./frontend/gallery -update   after a change that was meant
//
// It serves on loopback under the policy of the real pages. Forms go nowhere here:
// a POST is answered 404. ?theme=dark or ?theme=light overrides the system's wish.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"

	"dedupedesk/frontend/static"
)

// policy is what the admin pages send with every answer.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func main() {
	address := flag.String("address", "127.0.0.1:47830", "where to listen")
	flag.Parse()
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/\n", listener.Addr())
	server := &http.Server{Handler: handler(), ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(server.Serve(listener))
}

// handler serves the list of samples, each sample, and what they load.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /static/", static.Handler())
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, r *http.Request) {
		draw(w, r, sample{Name: "status", Part: statusBar()})
	})
	mux.HandleFunc("GET /sample/{page}/{state}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("page") + "/" + r.PathValue("state")
		for _, s := range all() {
			if s.Name == name {
				draw(w, r, s)
				return
			}
		}
		http.NotFound(w, r)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		draw(w, r, sample{Name: "index", Page: index(all()), Title: "Gallery"})
	})
	return mux
}

func draw(w http.ResponseWriter, r *http.Request, s sample) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	if err := s.render(r.URL.Query().Get("theme")).Render(r.Context(), w); err != nil {
		log.Printf("draw %s: %v", s.Name, err)
	}
}
