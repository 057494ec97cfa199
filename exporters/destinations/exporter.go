package destinations

import (
	"regexp"
	"slices"
	"strings"

	"dedupedesk/exporters"
)

// New returns the exporter destinations.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

func (exporter) Name() string  { return "destinations" }
func (exporter) Title() string { return "Stripe, HubSpot, Salesforce, Airtable, sheets" }
func (exporter) About() string {
	return "What the place that is written to can do against a copy: Stripe's key for one request, a unique field, or nothing."
}
func (exporter) Cloud() bool { return true }

const (
	stripe     = "stripe"
	hubspot    = "hubspot"
	salesforce = "salesforce"
	airtable   = "airtable"
	sheets     = "google-sheets"
	excel      = "excel"
)

func destinationField() exporters.Field {
	return exporters.Field{
		Name: "destination", Label: "Where does it write?", Question: true,
		Help: "Choose the place where a copy does harm: the charge, the deal, the row.",
		Choices: []exporters.Choice{
			{Value: stripe, Text: "Stripe"},
			{Value: hubspot, Text: "HubSpot"},
			{Value: salesforce, Text: "Salesforce"},
			{Value: airtable, Text: "Airtable"},
			{Value: sheets, Text: "Google Sheets"},
			{Value: excel, Text: "Excel"},
		},
	}
}

const defaultName = "EventKey"

// named are the destinations that have a field for the event key.
func named() []string { return []string{hubspot, salesforce, airtable} }

func nameField() exporters.Field {
	return exporters.Field{
		Name: "field", Label: "Name of the field for the event key",
		Help:    "Letters and digits without spaces.",
		Example: defaultName,
		Only:    map[string][]string{destinationField().Name: named()},
	}
}

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{destinationField(), nameField()}
}

// Ways offers what the chosen destination can do. A destination refuses a copy whatever
// the effect, so the other first questions are not asked.
func (exporter) Ways(s exporters.Setup) []exporters.Way {
	w := exporters.Way{Route: exporters.RouteDestination}
	switch s.Answered(destinationField()) {
	case stripe:
		w.Title = "Stripe's key for one request"
		w.Reason = "Stripe answers a request with a key that it knows with the first answer, and charges nothing again."
		w.Cost = "A step that can set a header. Stripe forgets the key after 24 hours."
	case hubspot:
		w.Title = "A unique property in HubSpot"
		w.Reason = "HubSpot refuses a second record with the same value of that property."
		w.Cost = "A new property, one of 10 that an object may have. The record has to be created before any other step that must not happen twice."
	case salesforce:
		w.Title = "A unique field in Salesforce"
		w.Reason = "Salesforce refuses a second record with the same value, at whatever moment it comes."
		w.Cost = "The right to add a field. The record has to be created before any other step that must not happen twice."
	case airtable:
		w.Title = "Create or update in Airtable (partial)"
		w.Reason = "Airtable looks for the event key and updates the record that has it. It does not refuse a second one."
		w.Cost = "A step that can send a PATCH request. Two runs at one moment can both create a record."
	default:
		w.Route = exporters.RouteNone
		w.Title = "A sheet cannot refuse a copy"
		w.Reason = "It has no field that must be unique for what programs write. These steps make copies visible and lead to a way that stops them."
		w.Cost = "Nothing. It stops no copy."
	}
	return []exporters.Way{w}
}

// A target is what the steps are about.
type target struct {
	kind, name string
}

var fieldName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]{0,31}$`)

func readTarget(s exporters.Setup) (target, error) {
	kind, err := s.Detail(destinationField())
	if err != nil {
		return target{}, err
	}
	t := target{kind: kind, name: strings.TrimSpace(s.Details[nameField().Name])}
	if t.name == "" {
		t.name = defaultName
	}
	if slices.Contains(named(), kind) && !fieldName.MatchString(t.name) {
		return target{}, &exporters.InputError{Field: nameField().Name, Msg: "Use a letter first, then letters and digits, at most 32 in all."}
	}
	return t, nil
}

// Build makes the checklist of the chosen destination.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	way, err := exporters.Chosen(x, s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	t, err := readTarget(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	c := exporters.Checklist{Platform: x.Name(), Title: way.Title, About: way.Reason, Route: way.Route}
	switch t.kind {
	case stripe:
		c.Steps, c.Covers = stripeSteps(s), stripeCovers()
	case hubspot:
		c.Steps, c.Covers = hubspotSteps(s, t), fieldCovers("HubSpot")
	case salesforce:
		c.Steps, c.Covers = salesforceSteps(s, t), fieldCovers("Salesforce")
	case airtable:
		c.Steps, c.Covers = airtableSteps(s, t), airtableCovers()
	default:
		c.Title = map[string]string{sheets: "Google Sheets", excel: "Excel"}[t.kind] + ": it cannot refuse a copy"
		c.Steps, c.Covers = sheetSteps(t.kind), sheetCovers()
	}
	when := s.WhenSteps("In your tool, before the write: a filter or a condition. Where this program is asked first and is sent the event itself, it has looked at the condition already.", sourceOf(t.kind))
	c.Steps = append(when, c.Steps...)
	return c, nil
}

// sourceOf is the page that a destination's steps rely on most.
func sourceOf(kind string) exporters.Source {
	switch kind {
	case stripe:
		return stripePage
	case hubspot:
		return hubspotUnique
	case salesforce:
		return salesforceField
	case airtable:
		return airtableUpsert
	}
	return sheetsRule
}
