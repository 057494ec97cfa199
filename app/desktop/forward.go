package desktop

import (
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// A Target is where the engine's pages are, and the secret that opens them.
type Target struct {
	Admin  string // full URL
	Secret string
}

// Forward returns the window's handler. It asks find for the engine at each
// request, so that an engine that was started again is found at once. gone
// answers while there is none.
func Forward(find func() (Target, bool), header string, gone http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t, ok := find()
		if !ok {
			gone.ServeHTTP(w, r)
			return
		}
		to, err := url.Parse(t.Admin)
		if err != nil {
			gone.ServeHTTP(w, r)
			return
		}
		proxy := httputil.ReverseProxy{
			Rewrite: func(p *httputil.ProxyRequest) {
				p.SetURL(to)
				p.Out.Host = to.Host
				p.Out.Header.Set(header, t.Secret)
				// The window's own origin means nothing to the engine, and a 304
				// hangs the web view on Windows.
				for _, name := range []string{"Origin", "Referer", "If-None-Match", "If-Modified-Since", "Cookie"} {
					p.Out.Header.Del(name)
				}
			},
			ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
				log.Warn("the engine did not answer the window", "cause", err)
				gone.ServeHTTP(w, r)
			},
		}
		proxy.ServeHTTP(w, r)
	})
}
