package main

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"dedupedesk/frontend/page"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing")

func html(t *testing.T, s sample) string {
	t.Helper()
	var b strings.Builder
	if err := s.render("").Render(t.Context(), &b); err != nil {
		t.Fatalf("render %s: %v", s.Name, err)
	}
	return b.String()
}

var version = regexp.MustCompile(`\?v=[0-9a-f]{12}`)

// golden is what the golden file of a sample holds, with one tag a line. Of a page
// it is what stands in main, since the frame is the same around each: the samples
// of components keep that, without the hash of the assets, which changes with every
// rule of the stylesheet. An icon stands there by its name.
func golden(t *testing.T, s sample) string {
	t.Helper()
	h := html(t, s)
	if s.Page != nil && !strings.HasPrefix(s.Name, "component/") {
		h = inMain(t, h)
	}
	h = version.ReplaceAllString(h, "?v=VERSION")
	h = named(t, h)
	return strings.ReplaceAll(h, "><", ">\n<") + "\n"
}

var drawing = regexp.MustCompile(`<svg class="(icon[^"]*)"[^>]*>(.*?)</svg>`)

// named puts the name of each icon in the place of its drawing.
func named(t *testing.T, h string) string {
	t.Helper()
	return drawing.ReplaceAllStringFunc(h, func(svg string) string {
		parts := drawing.FindStringSubmatch(svg)
		name, ok := iconNames()[parts[2]]
		if !ok {
			t.Errorf("a drawing without a name: %s", svg)
		}
		return `<svg class="` + parts[1] + `" name="` + name + `">`
	})
}

// iconNames tells the names of the drawings.
var iconNames = sync.OnceValue(func() map[string]string {
	files, err := filepath.Glob("../page/icons/*.svg")
	if err != nil {
		panic(err)
	}
	names := map[string]string{}
	for _, file := range files {
		lines, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		names[string(lines)] = strings.TrimSuffix(filepath.Base(file), ".svg")
	}
	return names
})

var mainStart = regexp.MustCompile(`<main[^>]*>`)

// inMain returns what stands in the one main of a page.
func inMain(t *testing.T, h string) string {
	t.Helper()
	start, end := mainStart.FindAllStringIndex(h, -1), strings.Index(h, "</main>")
	if len(start) != 1 || end < start[0][1] {
		t.Fatalf("%d main elements, the first ends at %d", len(start), end)
	}
	return h[start[0][1]:end]
}

// file is the name of a sample's golden file: page.state.html.
func file(s sample) string { return strings.ReplaceAll(s.Name, "/", ".") + ".html" }

func TestGolden(t *testing.T) {
	wanted := map[string]bool{}
	for _, s := range all() {
		name := filepath.Join("testdata", file(s))
		wanted[name] = true
		t.Run(s.Name, func(t *testing.T) {
			got := golden(t, s)
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("HTML differs from %s (-want +got), or run with -update:\n%s", name, diff)
			}
		})
	}
	files, err := filepath.Glob("testdata/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if !wanted[name] {
			t.Errorf("%s belongs to no sample", name)
		}
	}
}

// forbidden is what no page may hold: the policy blocks it, or a window breaks on it.
var forbidden = map[string]*regexp.Regexp{
	"inline style":     regexp.MustCompile(`(?i)\sstyle=|<style`),
	"inline script":    regexp.MustCompile(`(?i)<script(?:[^>]*)>[^<]|<script>`),
	"script attribute": regexp.MustCompile(`(?i)\shx-on|\son[a-z]+=|["']js:|javascript:`),
	"multipart":        regexp.MustCompile(`(?i)multipart|type="file"`),
	"trigger filter":   regexp.MustCompile(`hx-trigger="[^"]*\[`),
	"placeholder text": regexp.MustCompile(`(?i)lorem|todo|%!`),
}

func TestHouseRulesOfPages(t *testing.T) {
	for _, s := range all() {
		t.Run(s.Name, func(t *testing.T) {
			h := html(t, s)
			for rule, pattern := range forbidden {
				if found := pattern.FindString(h); found != "" {
					t.Errorf("%s: %q", rule, found)
				}
			}
			checkLinks(t, h)
			checkIDs(t, h)
		})
	}
}

var (
	foreign = regexp.MustCompile(`<a[^>]*href="https://[^>]*>`)
	absURL  = regexp.MustCompile(`(?:href|src|action|hx-[a-z]+)="(?:https?:)?//`)
)

// checkLinks lets only help links of vendors lead away, and those without a trace.
func checkLinks(t *testing.T, h string) {
	t.Helper()
	for _, a := range foreign.FindAllString(h, -1) {
		if !strings.Contains(a, `target="_blank"`) || !strings.Contains(a, `rel="noreferrer"`) {
			t.Errorf("help link without target or rel: %s", a)
		}
	}
	if found := absURL.FindString(foreign.ReplaceAllString(h, "")); found != "" {
		t.Errorf("absolute address: %s", found)
	}
}

var (
	idAttr  = regexp.MustCompile(`\sid="([^"]*)"`)
	refAttr = regexp.MustCompile(`\s(?:for|aria-labelledby|aria-describedby|aria-controls)="([^"]*)"`)
)

// checkIDs wants every id once and every reference to lead to one.
func checkIDs(t *testing.T, h string) {
	t.Helper()
	ids := map[string]bool{}
	for _, m := range idAttr.FindAllStringSubmatch(h, -1) {
		if ids[m[1]] {
			t.Errorf("id %q stands twice", m[1])
		}
		ids[m[1]] = true
	}
	for _, m := range refAttr.FindAllStringSubmatch(h, -1) {
		for _, id := range strings.Fields(m[1]) {
			if !ids[id] {
				t.Errorf("%s leads to no element", strings.TrimSpace(m[0]))
			}
		}
	}
}

var iconName = regexp.MustCompile(`(?:Icon(?:Small|Large)?\(|Icon: +)"([a-z0-9-]+)"|BadgeView\{"[a-z]*", "([a-z0-9-]+)"`)

// A name without a drawing would leave a hole that nobody sees in HTML.
func TestEveryNamedIconExists(t *testing.T) {
	found := 0
	for _, pattern := range []string{"../page/*.templ", "../page/*.go", "*.go", "*.templ"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range iconName.FindAllStringSubmatch(string(data), -1) {
				found++
				if icon := m[1] + m[2]; !page.HasIcon(icon) {
					t.Errorf("%s names the icon %q, which icons.txt does not", name, icon)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no icon found in the templates: the pattern is out of date")
	}
}

func TestServerShowsEachSampleUnderThePolicy(t *testing.T) {
	h := handler()
	for _, s := range all() {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/sample/"+s.Name, nil))
		if w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") != policy {
			t.Errorf("%s: status %d, policy %q", s.Name, w.Code, w.Header().Get("Content-Security-Policy"))
		}
	}
}
