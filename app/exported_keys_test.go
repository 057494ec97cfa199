package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/exporters"
	"dedupedesk/exporters/scripts"
	"dedupedesk/ledger/postgres/pgtest"
	"dedupedesk/rules"
)

// keyedSetup is a rule whose parts languages that make the key themselves can say, and its
// formula.
func keyedSetup(language string) (exporters.Setup, string) {
	none := "it's \"none\" \\ 😀"
	return exporters.Setup{
		Rule: "paid-orders", Lease: 10 * time.Minute, Expressible: true, Details: map[string]string{"language": language},
		Parts: []exporters.Part{
			{Literal: "it's: \"so\" \\ 100%"}, {Path: []string{"body", "id"}}, {Path: []string{"body", "name"}, Steps: []string{"lower"}},
			{Path: []string{"body", "odd \"name\"", "[0]"}, Default: &none},
		},
	}, `key("it's: \"so\" \\ 100%", body.id, lower(body.name), either(body["odd \"name\""][0], "it's \"none\" \\ 😀"))`
}

// keyedEvents are events with what is hard to write alike in several languages.
var keyedEvents = []string{
	`{"id":1,"name":"a","odd \"name\"":["x"]}`, `{"id":"1","name":"A"}`, `{"id":19.90,"name":"Ab"}`, `{"id":-0.5,"name":"Ab"}`, `{"id":1e3,"name":"x"}`, `{"id":true,"name":"x"}`,
	`{"id":" a  b\t\n c ","name":"\u00a0É\u2003È\u3000"}`, `{"id":"e\u0301","name":"E\u0301"}`, `{"id":"a:b%c","name":"100%"}`, `{"id":"it's \"so\" \\","name":"{{x}}"}`,
	`{"id":"😀","name":"😀"}`, `{"id":"العربية","name":"עברית"}`, `{"id":"x","name":"y","odd \"name\"":[" "]}`, `{"id":"x","name":"y","odd \"name\"":[null]}`, `{"id":"x","name":"y","odd \"name\"":[0]}`,
	`{"id":"x","name":"y","odd \"name\"":[false]}`, `{"id":0,"name":"y"}`, `{"id":"","name":"y"}`, `{"id":"  ","name":"y"}`, `{"id":null,"name":"y"}`, `{"name":"y"}`, `{"id":[1],"name":"y"}`,
	`{"id":{"a":1},"name":"y"}`, `{"id":"x","name":""}`, `{"id":"x","name":"\u200e"}`, `{"id":"a\u0007b","name":"y"}`, `{"id":"a\u202eb","name":"y"}`, `{"id":"x","name":"y","odd \"name\"":["z\u200b"]}`,
	`{"id":"` + strings.Repeat("long ", 60) + `","name":"y"}`, `{}`, `{"id":9007199254740991,"name":"y"}`,
}

// refused stands in the place of a key for an event without one.
const refused = "(refused)"

// ruleKeys are the keys of the rule itself.
func ruleKeys(t *testing.T, rule rules.Rule) []string {
	t.Helper()
	engine, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	p, issues := engine.Compile(&rule)
	if p == nil {
		t.Fatal(issues)
	}
	var keys []string
	for _, text := range keyedEvents {
		e, err := rules.DecodeEvent("application/json", []byte(text), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		made, err := p.Keys(t.Context(), e)
		if err != nil || made[0].Err != nil {
			keys = append(keys, refused)
			continue
		}
		keys = append(keys, made[0].Key)
	}
	return keys
}

func compareKeys(t *testing.T, rule rules.Rule, printed []byte) {
	t.Helper()
	var got []string
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatalf("%v in %s", err, printed)
	}
	rule.Rule = "paid-orders"
	want := ruleKeys(t, rule)
	for i, text := range keyedEvents {
		if i < len(got) && got[i] != want[i] {
			t.Errorf("%s: the key %q, and the rule's %q", text, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d keys, want %d", len(got), len(want))
	}
}

// checklistOf builds the checklist of a setup.
func checklistOf(t *testing.T, s exporters.Setup) exporters.Checklist {
	t.Helper()
	list, err := scripts.New().Build(s)
	if err != nil || len(list.Files) != 1 {
		t.Fatalf("%v, %d files: %s", err, len(list.Files), list.Text())
	}
	return list
}

// valueOf returns what a step offers to copy.
func valueOf(t *testing.T, list exporters.Checklist, id string) string {
	t.Helper()
	for _, s := range list.Steps {
		if s.ID == id && s.Value != "" {
			return s.Value
		}
	}
	t.Fatalf("no step %s with a value", id)
	return ""
}

// psql runs a script as a person would and returns what it printed.
func psql(t *testing.T, url, script string) []byte {
	t.Helper()
	cmd := exec.Command("psql", url, "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-1", "-f", "-")
	cmd.Stdin = strings.NewReader(script)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("psql, which build/test installs: %v\n%s", err, &errs)
	}
	return out
}

// TestExportedSQLMakesTheRulesKeys, and may be run again.
func TestExportedSQLMakesTheRulesKeys(t *testing.T) {
	url := pgtest.New(t)
	for _, fold := range []bool{false, true} {
		s, formula := keyedSetup("postgres")
		s.FoldCase = fold
		file := string(checklistOf(t, s).Files[0].Data)
		compareKeys(t, rules.Rule{Key: formula, FoldCase: fold}, psql(t, url, file+file+keysInSQL(t, file)))
	}
}

func keysInSQL(t *testing.T, file string) string {
	return `
CREATE OR REPLACE FUNCTION pg_temp.try(b jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN RETURN dedupe.` + nameOfKey(t, file) + `(b); EXCEPTION WHEN invalid_parameter_value THEN RETURN '` + refused + `'; END $$;
SELECT json_agg(pg_temp.try(b) ORDER BY n) FROM jsonb_array_elements($dd$[` + strings.Join(keyedEvents, ",") + `]$dd$) WITH ORDINALITY AS e(b, n);
`
}

// TestExportedSQLWritesOneRow: copies side by side, then claim, done and release.
func TestExportedSQLWritesOneRow(t *testing.T) {
	s, _ := keyedSetup("postgres")
	s.Parts = append(s.Parts[:2:2], exporters.Part{Path: []string{"headers", "x-shop"}})
	list := checklistOf(t, s)
	url := pgtest.New(t)
	psql(t, url, string(list.Files[0].Data)+"CREATE TABLE orders (event_key text NOT NULL CHECK (event_key NOT LIKE '%bad%'));")
	row := strings.ReplaceAll(valueOf(t, list, "row"), "your_table", "orders")
	var side sync.WaitGroup
	for range 8 {
		side.Go(func() { pgtest.Exec(t, url, row, `{"id":"o'1"}`, shopHeader) })
	}
	side.Wait()
	if n := pgtest.Number(t, url, "SELECT count(*) FROM orders"); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
	if key := pgtest.Text(t, url, "SELECT key FROM dedupe.keys"); key != `it's%3A "so" \ 100%25:o'1:eu` {
		t.Errorf("key %s", key)
	}
	// A row that fails takes its key with it.
	psql(t, url, "DO $$ BEGIN EXECUTE "+dollar(row)+" USING '{\"id\":\"bad\"}', '"+shopHeader+"'; RAISE 'written'; EXCEPTION WHEN check_violation THEN NULL; END $$;")
	if n := pgtest.Number(t, url, "SELECT count(*) FROM dedupe.keys"); n != 1 {
		t.Errorf("%d keys, want 1", n)
	}
	driveLongSQL(t, url, valueOf(t, list, "long"))
	if n := pgtest.Number(t, url, strings.TrimSuffix(valueOf(t, list, "alert"), ";")); n != 0 {
		t.Errorf("%d keys are stuck", n)
	}
	pgtest.Exec(t, url, "UPDATE dedupe.keys SET done_at = now() - interval '36 days' WHERE state = 'done'")
	pgtest.Exec(t, url, valueOf(t, list, "clean"))
	if n := pgtest.Number(t, url, "SELECT count(*) FROM dedupe.keys WHERE state = 'done'"); n != 0 {
		t.Errorf("%d finished keys are left", n)
	}
}

const shopHeader = `{"x-shop":"eu"}`

func dollar(text string) string { return "$statement$" + text + "$statement$" }

// driveLongSQL walks through the statements for work outside of the database.
func driveLongSQL(t *testing.T, url, statements string) {
	t.Helper()
	lines := strings.Split(statements, "\n")
	claim, done, release := lines[0], lines[1], lines[2]
	short := strings.Replace(claim, "600 seconds", "0.05 seconds", 1)
	for _, step := range []struct{ statement, id, owner, want string }{
		{claim, "l1", "a", "claimed"}, {claim, "l1", "a", "claimed"}, {claim, "l1", "b", "in_progress"},
		{release, "l1", "b", "false"}, {release, "l1", "a", "true"}, {claim, "l1", "b", "claimed"},
		{done, "l1", "a", "false"}, {done, "l1", "b", "true"}, {done, "l1", "b", "true"}, {done, "l1", "a", "false"}, {claim, "l1", "a", "done"},
		{short, "l2", "a", "claimed"}, {"SELECT pg_sleep(0.1)::text || left($1::text || $2::text || $3::text, 0)", "", "", ""},
		{strings.Replace(claim, ");", ", ask => true);", 1), "l2", "b", "held"}, {claim, "l2", "b", "claimed"}, {done, "l2", "a", "false"}, {done, "l2", "b", "true"},
	} {
		query := "SELECT (" + strings.TrimSuffix(strings.TrimPrefix(step.statement, "SELECT "), ";") + ")::text"
		if got := pgtest.Text(t, url, query, `{"id":"`+step.id+`"}`, shopHeader, step.owner); got != step.want {
			t.Errorf("%s of %s by %s: %s, want %s", step.statement, step.id, step.owner, got, step.want)
		}
	}
}

// TestExportedSQLGoesThroughLines: each item is a row of its own.
func TestExportedSQLGoesThroughLines(t *testing.T) {
	s := exporters.Setup{Rule: "lines", Expressible: true, Each: []string{"body", "lines"}, Details: map[string]string{"language": "postgres"},
		Parts: []exporters.Part{{Path: []string{"body", "id"}}, {Path: []string{"item", "sku"}}}}
	list := checklistOf(t, s)
	url := pgtest.New(t)
	psql(t, url, string(list.Files[0].Data)+"CREATE TABLE order_lines (event_key text);")
	row := strings.ReplaceAll(valueOf(t, list, "row"), "your_table", "order_lines")
	pgtest.Exec(t, url, row, `{"id":7,"lines":[{"sku":"b"},{"sku":"a"},{"sku":"b"}]}`)
	pgtest.Exec(t, url, row, `{"id":7,"lines":[{"sku":"a"},{"sku":"c"}]}`)
	if got := pgtest.Text(t, url, "SELECT string_agg(event_key, ' ' ORDER BY event_key) FROM order_lines"); got != "7:a 7:b 7:c" {
		t.Errorf("rows %s", got)
	}
}

// appsScriptStub stands in for what Google gives a script.
const appsScriptStub = `
const kept = new Map();
const PropertiesService = { getScriptProperties: () => ({
  getProperty: (name) => (kept.has(name) ? kept.get(name) : null), setProperty: (name, value) => kept.set(name, value),
  deleteProperty: (name) => kept.delete(name), getProperties: () => Object.fromEntries(kept) }) };
let taken = false;
const LockService = { getScriptLock: () => ({
  tryLock: () => { if (taken) return false; taken = true; return true; }, releaseLock: () => { taken = false; } }) };
let ids = 0;
const Utilities = { getUuid: () => String(++ids) };
const mails = [];
const MailApp = { sendEmail: (to, subject, text) => mails.push(subject + " " + text) };
const Session = { getEffectiveUser: () => ({ getEmail: () => "me@example.com" }) };
`

// appsScript runs a file with the stub before it and a script behind it, and returns what
// that printed.
func appsScript(t *testing.T, file []byte, script string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "project.js")
	if err := os.WriteFile(path, []byte(appsScriptStub+string(file)+script), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", path)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node, which build/test installs: %v\n%s", err, &errs)
	}
	return out
}

// TestExportedAppsScriptFoldsCapitals as the rule does, those of the escapes too.
func TestExportedAppsScriptFoldsCapitals(t *testing.T) {
	s, formula := keyedSetup("apps-script")
	s.FoldCase = true
	out := appsScript(t, checklistOf(t, s).Files[0].Data, `
console.log(JSON.stringify([`+strings.Join(keyedEvents, ",")+`].map((event) => { try { return keyOf(event); } catch (error) { return "`+refused+`"; } })));
`)
	compareKeys(t, rules.Rule{Key: formula, FoldCase: true}, out)
}

// TestExportedAppsScriptMakesTheRulesKeys, and keeps its list as it promises. Google's lock
// itself is stood in for.
func TestExportedAppsScriptMakesTheRulesKeys(t *testing.T) {
	s, formula := keyedSetup("apps-script")
	file := checklistOf(t, s).Files[0].Data
	out := appsScript(t, file, `
const keys = [`+strings.Join(keyedEvents, ",")+`].map((event) => { try { return keyOf(event); } catch (error) { return "`+refused+`"; } });
const told = [];
const event = { id: 7, name: "x" };
let fails = true, did = 0;
work = () => { did++; if (fails) throw new Error("closed"); return "rec"; };
var ContentService = { MimeType: {}, createTextOutput: () => ({ setMimeType: () => null }) };
const turn = (what) => { try { what(); told.push("ok " + did); } catch (error) { told.push(error.message + " " + did); } };
turn(() => handleEvent(event));
fails = false;
turn(() => doPost({ postData: { contents: JSON.stringify(event) } }));
turn(() => handleEvent(event));
told.push(claimKey("k", "a"), claimKey("k", "b"));
LEASE_MS = -1;
told.push(claimKey("late", "a"), String(stuckKeys().length));
alertStuckKeys();
told.push(String(mails.length), claimKey("late", "b"));
ASK = true;
told.push(claimKey("late", "c"));
change("late", "a", () => null); // no longer its owner
told.push(claimKey("late", "c"));
finishKey("late");
told.push(claimKey("late", "c"));
KEEP_DAYS = -1;
cleanUpKeys();
told.push(String(kept.size));
console.log(JSON.stringify({ keys, told }));
`)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var made struct {
		Keys json.RawMessage
		Told []string
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &made); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	compareKeys(t, rules.Rule{Key: formula}, made.Keys)
	want := []string{"closed 1", "ok 2", "ok 2", "claimed", "in_progress", "claimed", "1", "1", "claimed", "held", "held", "done", "1"}
	if diff := cmp.Diff(want, made.Told); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
}
