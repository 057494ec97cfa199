package houserules

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "dedupedesk/"

// arrows says what each part of the house may import of the house. A name that
// ends in a slash means all below it. A part that is not listed may import
// nothing of it. The main package, app, makes everything and is not checked.
var arrows = map[string][]string{
	// The leaves know only themselves.
	"ledger/": {"ledger", "ledger/"},
	"rules/":  {"rules", "rules/"},

	// Each platform knows what all share, and of another one only what is named here.
	"exporters":                  {},
	"exporters/wdl":              {},
	"exporters/destinations":     {"exporters"},
	"exporters/exporttest":       {"exporters"},
	"exporters/makecom":          {"exporters"},
	"exporters/flowdef":          {"exporters", "exporters/wdl"},
	"exporters/flowdef/flowtest": {"exporters/flowdef", "exporters/wdl"},
	"exporters/powerautomate":    {"exporters", "exporters/flowdef", "exporters/wdl"},
	"exporters/sharepoint":       {"exporters", "exporters/flowdef", "exporters/powerautomate"},
	"exporters/dataverse":        {"exporters", "exporters/flowdef", "exporters/powerautomate"},
	"exporters/n8n":              {"exporters"},
	"exporters/scripts":          {"exporters"},
	"exporters/zapier":           {"exporters"},
	"exporters/catalog":          {"exporters", "exporters/destinations", "exporters/dataverse", "exporters/flowdef", "exporters/makecom", "exporters/n8n", "exporters/powerautomate", "exporters/scripts", "exporters/sharepoint", "exporters/zapier"},

	"frontend/static":  {},
	"frontend/page":    {"frontend/static"},
	"frontend/gallery": {"frontend/page", "frontend/static"},

	// Where two leaves meet.
	"app/intake": {"ledger", "rules", "rules/presets"},
	"app/setup":  {"app/intake", "rules", "exporters"},

	// For how long keys are kept.
	"app/keeping": {"app/setup", "ledger", "rules", "rules/presets"},

	// Keys in files.
	"app/transfer":   {"ledger", "rules"},
	"app/deliveries": {"rules"},
	"app/reconcile":  {"app/deliveries", "ledger", "rules"},
	"app/elsewhere":  {"app/deliveries", "rules"},

	// What people and senders meet.
	"app/catch": {},
	"app/cause": {"rules", "rules/presets"},
	"app/kept":  {"app/catch"},
	// Alerts tell people elsewhere, and know no page.
	"app/alerts": {"ledger"},
	// Triage decides on many keys for a person, and knows no page.
	"app/triage": {"ledger"},
	"app/body":   {"app/problem", "ledger"},
	// A throwaway endpoint is the real one, so it is made of the same.
	"app/scratch": {"app/api", "app/body", "app/calls", "app/catch", "app/guard", "app/intake", "app/kept", "app/problem", "ledger", "rules"},
	"app/lab":     {"app/body", "app/scratch", "ledger", "ledger/lab", "rules"},
	"app/drill":   {"app/body", "app/scratch", "ledger", "rules"},
	"app/api":     {"app/body", "app/describe", "app/intake", "app/calls", "app/catch", "app/kept", "app/guard", "app/problem", "ledger", "rules"},
	"app/admin":   {"app/body", "app/deliveries", "app/transfer", "app/describe", "app/describe/openapi", "app/intake", "app/setup", "app/keeping", "app/calls", "app/catch", "app/kept", "app/guard", "app/problem", "app/session", "app/triage", "app/reconcile", "app/elsewhere", "app/alerts", "app/lab", "app/drill", "app/cause", "ledger", "ledger/lab", "rules", "rules/", "exporters", "exporters/", "frontend/"},
	"app/cli":     {"app/intake", "app/setup", "app/keeping", "app/transfer", "app/deliveries", "app/reconcile", "app/body", "app/datafolder", "app/problem", "ledger", "ledger/lab", "rules", "rules/", "exporters", "exporters/"},

	// What the routes say of themselves, and the documents made of it.
	"app/describe":                     {},
	"app/describe/openapi":             {"app/describe", "app/guard", "app/problem"},
	"app/describe/openapi/openapitest": {},

	// What an engine tells of itself.
	"app/metrics": {"app/calls", "ledger"},

	// Transport is handed its handlers and knows no leaf.
	"app/guard":  {"app/calls", "app/describe", "app/problem", "app/session"},
	"app/serve":  {"app/guard"},
	"app/launch": {"app/datafolder"},

	// What measures the house opens its ledger and its rules as the program does.
	"build/bench": {"app/deliveries", "app/reconcile", "ledger", "ledger/sqlite", "rules"},
}

// onlyIn names what one place alone may import.
var onlyIn = map[string][]string{
	"github.com/wailsapp/wails":     {"app/desktop"},
	"github.com/google/cel-go":      {"rules"},
	"cel.dev/":                      {"rules"},
	"modernc.org/sqlite":            {"ledger/sqlite", "ledger/lab"},
	"github.com/jackc/pgx":          {"ledger/postgres", "ledger/postgres/pgtest"},
	"dedupedesk/ledger/sqlite":      {"app", "build/bench"},
	"dedupedesk/ledger/postgres":    {"app"},
	"github.com/alecthomas/kong":    {"app/cli"},
	"github.com/danielgtaylor/huma": {"app/describe/openapi"},
	"github.com/prometheus":         {"app/metrics"},
	"golang.org/x/time":             {"app/guard"},
}

type listed struct {
	ImportPath, Name, Doc string
	Imports               []string
	TestImports           []string
	XTestImports          []string
	GoFiles               []string
}

// packages returns all packages of the house, with the window's files too.
func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Doc,Imports,TestImports,XTestImports,GoFiles", "-tags", "desktop,production,webkit2_41", "./...")
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module)
		all = append(all, p)
	}
	if len(all) < 15 {
		t.Fatalf("go list found %d packages; the house has more", len(all))
	}
	return all
}

// partOf returns the row of arrows that rules a package, "" for none.
func partOf(path string) string {
	for part := range arrows {
		if path == strings.TrimSuffix(part, "/") || (strings.HasSuffix(part, "/") && strings.HasPrefix(path, part)) {
			return part
		}
	}
	return ""
}

func allowed(list []string, path string) bool {
	return slices.ContainsFunc(list, func(a string) bool {
		return path == a || (strings.HasSuffix(a, "/") && strings.HasPrefix(path, a))
	})
}

func TestImportsPointDownwards(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath == "app" {
			continue
		}
		may := arrows[partOf(p.ImportPath)]
		for _, imp := range p.Imports {
			house, ok := strings.CutPrefix(imp, module)
			if ok && !allowed(may, house) {
				t.Errorf("%s imports %s, which its row in arrows does not allow", p.ImportPath, house)
			}
			if ok && strings.HasSuffix(house, "test") {
				t.Errorf("%s ships the test package %s", p.ImportPath, house)
			}
		}
	}
}

func TestDriversAndEnginesHaveOneImporter(t *testing.T) {
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			for prefix, places := range onlyIn {
				if strings.HasPrefix(imp, prefix) && !slices.Contains(places, p.ImportPath) {
					t.Errorf("%s imports %s; only %v may", p.ImportPath, imp, places)
				}
			}
		}
	}
}

func TestLedgerRootIsStandardLibraryOnly(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != "ledger" {
			continue
		}
		for _, imp := range p.Imports {
			if strings.Contains(strings.Split(imp, "/")[0], ".") || strings.HasPrefix(imp, module) {
				t.Errorf("ledger imports %s; it is standard library only", imp)
			}
		}
	}
}

// TestArrowsBite plants a forbidden arrow in the table's own terms, so that a
// change which blunts the check is noticed.
func TestArrowsBite(t *testing.T) {
	for _, tt := range []struct{ from, to string }{
		{"ledger", "rules"}, {"ledger/sqlite", "app/intake"}, {"exporters/makecom", "rules"},
		{"frontend/page", "ledger"}, {"app/guard", "ledger"}, {"app/api", "frontend/page"}, {"app/problem", "ledger"},
		{"exporters", "exporters/wdl"}, {"exporters/wdl", "exporters"}, {"exporters/makecom", "exporters/wdl"}, {"exporters/powerautomate", "exporters/makecom"},
		{"frontend/page", "frontend/gallery"}, {"frontend/static", "frontend/page"},
	} {
		if allowed(arrows[partOf(tt.from)], tt.to) {
			t.Errorf("%s may import %s", tt.from, tt.to)
		}
	}
}
