package api_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dedupedesk/app/api"
	"dedupedesk/app/guard"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing")

// TestEveryRouteIsListedWithItsAccess: whoever adds a route, or opens one to
// more people, has to say so in the golden file.
func TestEveryRouteIsListedWithItsAccess(t *testing.T) {
	var b strings.Builder
	known := map[guard.Access]bool{guard.Open: true, guard.Claim: true, guard.Admin: true}
	for _, rt := range append(api.Routes(nil, nil, nil, nil), api.Metrics(http.NotFoundHandler())) {
		reach, limit := "here only", int64(guard.MaxClaimBody)
		if rt.Published {
			reach = "published"
		}
		if rt.MaxBody != 0 {
			limit = rt.MaxBody
		}
		if !known[rt.Access] || rt.Handler == nil {
			t.Errorf("%s has the access %q", rt.Pattern, rt.Access)
		}
		fmt.Fprintf(&b, "%-27s %-6s %-10s %4d KB\n", rt.Pattern, rt.Access, reach, limit>>10)
	}
	path := filepath.Join("testdata", "routes.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the routes are\n%s\nwant, from %s,\n%s", b.String(), path, want)
	}
}
