package sharepoint

import (
	"encoding/json"
	"fmt"
	"strings"

	"dedupedesk/exporters"
)

// restSteps set the column up from inside a flow, for people without rights or
// patience for the list's settings page.
func restSteps(t target) ([]exporters.Step, error) {
	headers, err := json.MarshalIndent(restHeaders{"application/json;odata=verbose", "application/json;odata=verbose"}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("headers: %w", err)
	}
	body, err := json.MarshalIndent(newColumn(t.column), "", "  ")
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	graph, err := graphStep(t)
	if err != nil {
		return nil, err
	}
	uri := exporters.Step{
		ID:         "rest-uri",
		Title:      "The same from inside a flow: where to",
		Where:      "In place of the step before: a new Instant cloud flow > Add an action > Send an HTTP request to SharePoint. Site Address: the list's site. Method: POST. Uri: paste.",
		ValueLabel: "Uri",
		Why:        "The action belongs to the ordinary SharePoint connector, so no administrator's tool is needed.",
		NotFixed:   "Your account still needs the right to change the list.",
		Sources:    []exporters.Source{restPage},
		Tried:      exporters.NotTried,
		Details:    []string{listField.Name},
	}
	if t.list == "" {
		uri.Blocked = "Type the title of the list first."
	} else {
		uri.Value = "_api/web/lists/getbytitle(" + urlText(t.list) + ")/fields"
	}
	return []exporters.Step{
		uri,
		{
			ID: "rest-headers", Title: "The same from inside a flow: headers",
			Where: "Headers > switch to text mode (the small T) > paste.",
			Value: string(headers), ValueLabel: "Headers",
			Why:      "Both say in which form the body is sent and the answer comes.",
			NotFixed: "They change nothing in the list by themselves.",
			Sources:  []exporters.Source{restPage}, Tried: exporters.NotTried,
		},
		{
			ID: "rest-body", Title: "The same from inside a flow: body",
			Where: "Body > paste. Then Save, Test > Manually, and delete the flow when it went well.",
			Value: string(body), ValueLabel: "Body", Details: []string{columnField.Name},
			Why:      "It adds a single line of text (type 2) that is indexed and unique in one go. For a column that is there already, add /getbyinternalnameortitle('" + t.column + "') to the Uri, add the headers X-HTTP-Method: MERGE and If-Match: *, and leave Title and FieldTypeKind out.",
			NotFixed: "It fails while the column holds a value twice, and where the list has 20 indexes or very many rows.",
			Sources:  []exporters.Source{restPage, uniquePage}, Tried: exporters.NotTried,
		},
		graph,
	}, nil
}

// A graphColumn is a new column as Microsoft Graph takes it.
type graphColumn struct {
	Name                string    `json:"name"`
	Text                graphText `json:"text"`
	EnforceUniqueValues bool      `json:"enforceUniqueValues"`
	Indexed             bool      `json:"indexed"`
}

type graphText struct {
	AllowMultipleLines bool `json:"allowMultipleLines"`
	MaxLength          int  `json:"maxLength"`
}

// graphStep does the same for administrators who work with Microsoft Graph.
func graphStep(t target) (exporters.Step, error) {
	body, err := json.MarshalIndent(graphColumn{Name: t.column, Text: graphText{MaxLength: maxKey}, EnforceUniqueValues: true, Indexed: true}, "", "  ")
	if err != nil {
		return exporters.Step{}, fmt.Errorf("graph body: %w", err)
	}
	return exporters.Step{
		ID: "graph", Title: "The same by Microsoft Graph, for administrators",
		Where: "In place of the steps before, in Graph Explorer: Method POST, v1.0, https://graph.microsoft.com/v1.0/sites/{site-id}/lists/{list-id}/columns > Request body > paste > Run query. The ids: GET /sites?search=name of the site, then GET /sites/{site-id}/lists.",
		Value: string(body), ValueLabel: "Request body", Details: []string{columnField.Name},
		Why:      "One call adds the column with its index and its unique values.",
		NotFixed: "It needs the permission Sites.Manage.All, which an administrator has to grant.",
		Sources:  []exporters.Source{graphPage}, Tried: exporters.NotTried,
	}, nil
}

type restHeaders struct {
	Accept      string `json:"Accept"`
	ContentType string `json:"Content-Type"`
}

// A fieldBody is a new column as the REST page writes it.
type fieldBody struct {
	Metadata            metadata `json:"__metadata"`
	Title               string   `json:"Title"`
	FieldTypeKind       int      `json:"FieldTypeKind"` // 2 = single line of text
	EnforceUniqueValues bool     `json:"EnforceUniqueValues"`
	Indexed             bool     `json:"Indexed"`
}

type metadata struct {
	Type string `json:"type"`
}

func newColumn(name string) fieldBody {
	return fieldBody{Metadata: metadata{"SP.Field"}, Title: name, FieldTypeKind: 2, EnforceUniqueValues: true, Indexed: true}
}

// urlText writes a title as a text in an OData address: apostrophes doubled, and
// all that means something in an address written as %XX.
func urlText(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, c := range []byte(strings.ReplaceAll(s, "'", "''")) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-_.~'()", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
