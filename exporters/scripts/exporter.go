package scripts

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"dedupedesk/exporters"
)

// New returns the exporter scripts.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

func (exporter) Name() string  { return "scripts" }
func (exporter) Title() string { return "Scripts and databases" }

func (exporter) About() string {
	return "A file in your language that does its work once per event: shell, Python, Node, PowerShell, Apps Script or PostgreSQL."
}

// Cloud is false: of the languages, Apps Script alone runs at its vendor's.
func (exporter) Cloud() bool { return false }

// Languages.
const (
	shellLanguage      = "shell"
	pythonLanguage     = "python"
	nodeLanguage       = "node"
	powershellLanguage = "powershell"
	appsScriptLanguage = "apps-script"
	postgresLanguage   = "postgres"
)

func languageQuestion() exporters.Field {
	return exporters.Field{
		Name: "language", Label: "In which language?", WithRule: true, Question: true,
		Help: "The one in which the work is done, or will be.",
		Choices: []exporters.Choice{
			{Value: shellLanguage, Text: "Shell, on Linux or a Mac"},
			{Value: pythonLanguage, Text: "Python"},
			{Value: nodeLanguage, Text: "JavaScript with Node"},
			{Value: powershellLanguage, Text: "PowerShell, on Windows"},
			{Value: appsScriptLanguage, Text: "Google Apps Script"},
			{Value: postgresLanguage, Text: "SQL in PostgreSQL"},
		},
	}
}

const (
	whereHere      = "here"
	whereElsewhere = "elsewhere"
)

func whereQuestion() exporters.Field {
	return exporters.Field{
		Name: "where", Label: "Where does the script run?", WithRule: true, Question: true, Routes: []string{exporters.RouteLedger},
		Help: "It decides under which address the script reaches this program. Apps Script always runs at Google.",
		Choices: []exporters.Choice{
			{Value: whereHere, Text: "On the computer with this program"},
			{Value: whereElsewhere, Text: "On another computer or server"},
		},
	}
}

func addressField() exporters.Field {
	f := exporters.AddressField("the script")
	f.Required = false
	f.Help = "Under which the script reaches this program. Empty means this computer's own address. Apps Script needs the https address that your tunnel, gateway or server gave it."
	return f
}

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{exporters.EffectQuestion(), exporters.TargetQuestion(), languageQuestion(), whereQuestion(), exporters.ComputerQuestion(), addressField()}
}

// languageOf returns the chosen language. A person who was led here by the question where
// the work writes first has chosen PostgreSQL.
func languageOf(s exporters.Setup) string {
	if s.Details[languageQuestion().Name] == "" &&
		(s.Answered(exporters.TargetQuestion()) == exporters.TargetDatabase || s.Details[exporters.RouteDetail] == exporters.RouteDestination) {
		return postgresLanguage
	}
	return s.Answered(languageQuestion())
}

// Ways offers what the language allows.
func (x exporter) Ways(s exporters.Setup) []exporters.Way {
	if s.Rule == "" {
		return []exporters.Way{{
			Route: exporters.RouteNone, Title: "One run at a time",
			Reason: "A script that is started by the clock does not overlap with its own last run. It stops no copy that comes later.",
			Cost:   "Nothing.",
		}}
	}
	language := languageOf(s)
	far := language == appsScriptLanguage || s.Answered(whereQuestion()) == whereElsewhere
	ledger := exporters.LedgerWay(s, far, "Two more calls for each event, and this program has to run whenever the script does.")
	switch language {
	case postgresLanguage:
		return exporters.Offer(s, x.Name(), exporters.Way{
			Route: exporters.RouteDestination, Title: "A unique key in your database",
			Reason: "The row and its key are written in one transaction, so they cannot come apart, whatever fails.",
			Cost:   "Somebody who may change the database. Only what stands in that database is guarded.",
		})
	case appsScriptLanguage:
		return exporters.Offer(s, x.Name(), exporters.Way{
			Route: exporters.RouteStore, Title: "A list of keys in the project itself",
			Reason: "Apps Script can lock all other runs of a project out while one looks a key up and notes it. No address is needed.",
			Cost:   "Room for some thousand keys, a daily clean-up, and a list that only this project sees.",
			Wants:  exporters.LeaseWant(s, longestAppsScript, "A run of Apps Script may last 6 minutes."),
		}, ledger)
	}
	return exporters.Offer(s, x.Name(), ledger)
}

// longestAppsScript is how long one run may last, by the page on quotas.
const longestAppsScript = 6 * time.Minute

// defaultLease is what a rule allows that says nothing.
const defaultLease = 15 * time.Minute

// wish is what the person chose, checked.
type wish struct{ language, where, address string }

func readWish(s exporters.Setup, route string) (wish, error) {
	if _, err := s.Detail(languageQuestion()); err != nil {
		return wish{}, err
	}
	where, err := s.Detail(whereQuestion())
	if err != nil {
		return wish{}, err
	}
	w := wish{language: languageOf(s), where: where}
	if route == exporters.RouteLedger {
		w.address, err = addressOf(s, w)
	}
	return w, err
}

// defaultHere is where this program listens unless it is told otherwise.
const defaultHere = "http://127.0.0.1:47821"

func addressOf(s exporters.Setup, w wish) (string, error) {
	if w.language == appsScriptLanguage {
		return s.PublicAddress("Apps Script")
	}
	typed, err := s.NearAddress()
	if err == nil && typed == "" && w.where == whereHere {
		typed = cmp.Or(s.Here, defaultHere)
	}
	return typed, err
}

// far tells that calls come from outside of this computer.
func (w wish) far() bool { return w.language == appsScriptLanguage || w.where == whereElsewhere }

// Build makes the file of the language with its steps, or without a rule how one run at a
// time is had.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	way, err := exporters.Chosen(x, s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	if way.Route == exporters.RouteNone {
		c := oneAtATime(x.Name())
		c.NoKey = way.NoKey
		return c, nil
	}
	s.Lease = cmp.Or(s.Lease, defaultLease)
	w, err := readWish(s, way.Route)
	if err != nil {
		return exporters.Checklist{}, err
	}
	var file exporters.File
	blocked := missing(s, w, way.Route)
	if blocked == "" {
		file, err = fileOf(s, w, way.Route)
		if _, cannot := err.(exporters.Inexpressible); cannot {
			blocked, err = err.Error(), nil
		}
		if err != nil {
			return exporters.Checklist{}, err
		}
	}
	c := exporters.Checklist{Platform: x.Name(), Route: way.Route}
	switch way.Route {
	case exporters.RouteStore:
		c.Title, c.About = "Apps Script: run once per event", "The project keeps a list of event keys, and one run at a time may look into it. A copy finds its key and stops."
		c.Steps, c.Covers = append(whenSteps(s), storeSteps(s, file, blocked)...), storeCovers()
	case exporters.RouteDestination:
		c.Title, c.About = "PostgreSQL: one row per event", "The database refuses a second row with the same event key, in the transaction that writes the row."
		c.Steps, c.Covers = append(whenSteps(s), postgresSteps(s, file, blocked)...), postgresCovers()
	default:
		c.Title = nameOf(w.language) + ": run once per event"
		c.About = "The script asks this program for the event key before it works, and reports the end. A copy is told that the key is taken and stops."
		c.Steps, c.Covers = ledgerSteps(s, w, file, blocked), ledgerCovers()
	}
	if blocked == "" {
		c.Files = []exporters.File{file}
	}
	return c, nil
}

// whenSteps are for a language that makes the key itself and knows nothing of a condition.
func whenSteps(s exporters.Setup) []exporters.Step {
	if languageOf(s) == appsScriptLanguage {
		return s.WhenSteps("In the file: at the top of handleEvent, an if that returns.", webAppPage)
	}
	return s.WhenSteps("In your program: an if around the statements below.", insertPage)
}

// nameOf is what people call a language.
func nameOf(language string) string {
	switch language {
	case shellLanguage:
		return "Shell"
	case pythonLanguage:
		return "Python"
	case nodeLanguage:
		return "Node"
	case powershellLanguage:
		return "PowerShell"
	}
	return "Apps Script"
}

// missing says what has to be known or changed before a file can be made, "" for nothing.
func missing(s exporters.Setup, w wish, route string) string {
	switch {
	case route == exporters.RouteLedger && w.address == "" && w.language == appsScriptLanguage:
		return "Type the public address of the endpoint first. " + exporters.NotReachable("Apps Script")
	case route == exporters.RouteLedger && w.address == "":
		return "Type the address first under which the other computer reaches this program."
	}
	if route == exporters.RouteLedger && w.language == appsScriptLanguage && readsHeaders(s) {
		return "The key reads a header, and a web app of Apps Script is not told the headers of a call. Use a field of the body."
	}
	if route == exporters.RouteStore {
		if label, digits, lost := s.LostDigits(); lost {
			return fmt.Sprintf("%s has the number %s, and Apps Script keeps no more than some 16 digits of a number: two different events could get one key. Use a field that carries it as text.", label, digits)
		}
	}
	return ""
}

// fileOf makes the file, or returns an [exporters.Inexpressible].
func fileOf(s exporters.Setup, w wish, route string) (exporters.File, error) {
	f, err := fillingOf(s, w, route)
	if err != nil {
		return exporters.File{}, err
	}
	template, end, about := "", "", ""
	switch {
	case route == exporters.RouteDestination:
		template, end, about = "keys.sql", ".sql", "The table of keys with its functions, for psql."
	case route == exporters.RouteStore:
		template, end, about = "store.gs", ".gs", "The file of an Apps Script project. Holds no password."
	case w.language == shellLanguage:
		template, end, about = "once.sh", ".sh", "A shell script that needs curl. Holds no password."
	case w.language == pythonLanguage:
		template, end, about = "once.py", ".py", "A Python script that needs nothing else. Holds no password."
	case w.language == nodeLanguage:
		template, end, about = "once.mjs", ".mjs", "A Node script that needs nothing else. Holds no password."
	case w.language == powershellLanguage:
		template, end, about = "once.ps1", ".ps1", "A PowerShell script. Holds no password."
	default:
		template, end, about = "ledger.gs", ".gs", "The file of an Apps Script project. Holds no password."
	}
	data, err := fill(template, f)
	if err == nil && w.language == powershellLanguage {
		data = append([]byte("\ufeff"), data...) // without it Windows PowerShell 5.1 reads another encoding
	}
	return exporters.File{Name: exporters.FileName("once-", s.Rule, end), Data: data, About: about}, err
}

func fillingOf(s exporters.Setup, w wish, route string) (filling, error) {
	f := filling{
		Rule: s.Rule, Address: w.address, IfUnreachable: cmp.Or(s.IfUnreachable, "stop"), GoOn: s.IfUnreachable == "go_on", Ask: s.OnExpiry == "ask", Headers: asksHeaders(s),
		Beat: beat(s.Lease), LeaseMS: s.Lease.Milliseconds(), KeepDays: s.KeepDays(1), Each: len(s.Each) > 0,
	}
	if err := eachOf(s, w, route, &f); err != nil {
		return f, err
	}
	if route == exporters.RouteLedger {
		if err := s.Unsent("the script", func(path []string) bool { return path[0] == "headers" && w.language != appsScriptLanguage }); err != nil {
			return f, err
		}
	}
	switch route {
	case exporters.RouteStore:
		parts, err := keyParts(s, appsScript())
		f.Key = "[" + strings.Join(parts, ", ") + "].join(':')"
		if s.FoldCase {
			f.Key += ".toLowerCase()"
		}
		return f, err
	case exporters.RouteDestination:
		parts, err := keyParts(s, postgres())
		f.Function, f.Key = functionName(s.Rule), strings.Join(parts, " || ':' || ")
		if s.FoldCase {
			f.Key = "lower(" + f.Key + ")"
		}
		return f, err
	}
	return f, nil
}

// eachOf fills in the list. A rule with one whose path is not known has samples of its
// items.
func eachOf(s exporters.Setup, w wish, route string, f *filling) error {
	hidden := s.Splits
	for _, one := range s.Samples {
		hidden = hidden || one.Item != nil
	}
	switch {
	case !f.Each && !hidden:
		return nil
	case !f.Each, s.Each[0] != "body" || len(s.Each) == 1:
		return exporters.Cannot("The rule makes a key for each item of a list that is no field of the body, so a script cannot go through it.")
	case route == exporters.RouteLedger && (w.language == shellLanguage || w.language == powershellLanguage):
		return exporters.Cannot("The rule makes a key for each item of a list. A script in %s cannot go through it safely; choose Python or Node.", nameOf(w.language))
	}
	f.EachPath, f.ItemsPath = s.Each[1:], s.Each
	var err error
	f.List, err = sqlPath(f.EachPath)
	return err
}

// beat is how many seconds lie between two requests for more time: a third of the time
// allowed, and half a minute at most, as dedupe run does it.
func beat(lease time.Duration) int {
	return int(min(max(lease/3, time.Second), 30*time.Second) / time.Second)
}
