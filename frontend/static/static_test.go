package static

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func get(t *testing.T, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w
}

func TestHandler(t *testing.T) {
	for _, tt := range []struct {
		name, target, contentType, kept string
		status                          int
	}{
		{"script of this version", URL("core.js"), "text/javascript; charset=utf-8", "immutable", 200},
		{"script of another version", "/static/core.js?v=old", "text/javascript; charset=utf-8", "no-cache", 200},
		{"font as the stylesheet names it", "/static/inter-latin-wght-normal.woff2", "font/woff2", "86400", 200},
		{"mark", URL("mark.svg"), "image/svg+xml", "immutable", 200},
		{"no such file", "/static/none.js", "text/plain; charset=utf-8", "", 404},
		{"folder", "/static/", "text/plain; charset=utf-8", "", 404},
		{"deeper path", "/static/x/core.js", "text/plain; charset=utf-8", "", 404},
		{"way out", "/static/../core.js", "text/plain; charset=utf-8", "", 404},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := get(t, tt.target)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
			if got := w.Header().Get("Content-Type"); got != tt.contentType {
				t.Errorf("content type %q, want %q", got, tt.contentType)
			}
			if got := w.Header().Get("Cache-Control"); !strings.Contains(got, tt.kept) {
				t.Errorf("cache control %q, want %q in it", got, tt.kept)
			}
		})
	}
}

func TestHandlerNeverAnswers304OrPart(t *testing.T) {
	whole := get(t, URL("core.js")).Body.Len()
	w := get(t, URL("core.js"), "If-None-Match", "*", "If-Modified-Since", "Mon, 30 Nov 2026 10:00:00 GMT", "Range", "bytes=0-9")
	if w.Code != http.StatusOK || w.Body.Len() != whole {
		t.Errorf("status %d with %d bytes, want 200 with all %d", w.Code, w.Body.Len(), whole)
	}
}

// Nothing that the page loads may come from elsewhere. The SVG name space is a name
// and no address.
func TestNoForeignAddresses(t *testing.T) {
	address := regexp.MustCompile(`https?://[^\s"'` + "`" + `)]+`)
	for _, name := range []string{"core.js", "formula.js", "app.css", "mark.svg"} {
		data, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range address.FindAllString(string(data), -1) {
			if found != "http://www.w3.org/2000/svg" {
				t.Errorf("%s names %s", name, found)
			}
		}
		if strings.Contains(string(data), "sourceMappingURL") {
			t.Errorf("%s names a source map", name)
		}
	}
}

// The guard against the language "C" must run before any part that formats dates.
func TestLanguageGuardComesFirst(t *testing.T) {
	data, err := files.ReadFile("core.js")
	if err != nil {
		t.Fatal(err)
	}
	guard := strings.Index(string(data), "getCanonicalLocales")
	if guard < 0 || guard > 200 {
		t.Fatalf("the guard stands at byte %d, want it within the first 200", guard)
	}
	if format := strings.Index(string(data), "DateTimeFormat"); format < guard {
		t.Errorf("a date format at byte %d comes before the guard at %d", format, guard)
	}
}

// TestBothDarkSchemesAreOne: the system's choice and the person's own have a list
// each, as older webviews have no light-dark().
func TestBothDarkSchemesAreOne(t *testing.T) {
	css, err := os.ReadFile("../src/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	list := func(selector string) []string {
		_, rest, ok := strings.Cut(string(css), selector+" {\n")
		if !ok {
			t.Fatalf("no %s", selector)
		}
		rest, _, _ = strings.Cut(rest, "}")
		return strings.Fields(rest)
	}
	system, own := list(`:root:not([data-theme="light"])`), list(`:root[data-theme="dark"]`)
	if len(own) < 30 || !slices.Equal(system, own) {
		t.Errorf("the two differ:\n%v\n%v", system, own)
	}
}

// TestPagesKeepTheirClassesApart: there is one stylesheet, so a class that the files of
// two pages give a look to has, on each, the look of the other as well.
func TestPagesKeepTheirClassesApart(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile("../src/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var pages []string
	for _, m := range regexp.MustCompile(`"\./(\w+)\.css" layer\(pages\)`).FindAllStringSubmatch(read("app.css"), -1) {
		pages = append(pages, m[1])
	}
	if len(pages) < 5 {
		t.Fatalf("app.css names the pages %v", pages)
	}
	selectors := regexp.MustCompile(`(?m)^\s*([^{}@/*]+)\{`)
	first := regexp.MustCompile(`^[a-z]*\.([\w-]+)`)
	owners, looked := map[string]string{}, 0
	names, _ := fs.Glob(os.DirFS("../src"), "*.css")
	for _, name := range names {
		page, _, _ := strings.Cut(strings.TrimSuffix(name, ".css"), "_")
		if !slices.Contains(pages, page) {
			continue
		}
		for _, list := range selectors.FindAllStringSubmatch(read(name), -1) {
			for selector := range strings.SplitSeq(list[1], ",") {
				m := first.FindStringSubmatch(strings.TrimSpace(selector))
				if m == nil {
					continue
				}
				looked++
				if owner := owners[m[1]]; owner != "" && owner != page {
					t.Errorf("%s gives .%s a look, and so do the files of %s", name, m[1], owner)
				}
				owners[m[1]] = page
			}
		}
	}
	if looked < 300 {
		t.Errorf("%d selectors read", looked)
	}
}
