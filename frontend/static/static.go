// Package static holds the built assets of the pages: a script for all of them,
// one for the formula editor, one stylesheet, two fonts and the mark. They are made
// by build/assets from frontend/src and committed, so that a Go toolchain alone
// builds the program.
//
// File names are stable; what changes is the query: [URL] adds ?v= and a short
// hash over all files, so a browser may keep an answer for good and still gets the
// new file after an update.
//
// # Concurrency
//
// Everything here may be used by any number of goroutines at once.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"sync"
)

// files holds the assets by name, without folders. LICENSES.md names what in them
// is not our own.
//
//go:embed *.js *.css *.woff2 *.svg *.txt *.md
var files embed.FS

// Version returns the first 12 hex digits of a SHA-256 over names and contents of
// all files. It is computed once.
var Version = sync.OnceValue(func() string {
	sum := sha256.New()
	names, err := fs.Glob(files, "*")
	if err != nil {
		panic("static: " + err.Error()) // the pattern is ours and valid
	}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			panic("static: " + err.Error()) // embedded files are always readable
		}
		sum.Write([]byte(name + "\x00"))
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
})

// URL returns the address of an asset below /static/ with its version.
func URL(name string) string {
	return "/static/" + name + "?v=" + Version()
}

// types names what the handler serves; http.DetectContentType cannot tell scripts.
var types = map[string]string{
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".woff2": "font/woff2",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".md":    "text/plain; charset=utf-8",
}

// Handler answers GET /static/{name}. It never answers 304, which hangs a WebView2
// window, and never with a range: every answer is the whole file. The current
// version may be kept for a year. The stylesheet names the fonts without a version,
// so those are kept for a day.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.URL.Path)
		data, err := files.ReadFile(name)
		if err != nil || r.URL.Path != "/static/"+name {
			http.Error(w, "no such asset", http.StatusNotFound)
			return
		}
		kept := "no-cache"
		switch {
		case r.URL.Query().Get("v") == Version():
			kept = "public, max-age=31536000, immutable"
		case path.Ext(name) == ".woff2":
			kept = "public, max-age=86400"
		}
		w.Header().Set("Cache-Control", kept)
		w.Header().Set("Content-Type", types[path.Ext(name)])
		w.Header().Set("X-Content-Type-Options", "nosniff")
		// A browser that went away is nobody's fault, and there is no one left to tell.
		_, _ = w.Write(data)
	})
}
