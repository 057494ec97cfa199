package sharepoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"strings"

	"dedupedesk/exporters"
)

// Types of a column, as FieldTypeKind counts them.
const (
	textKind = 2
	dateKind = 4
)

// boundary parts the requests of a batch. It stands in the header and in the body.
const boundary = "batch_dedupe_desk"

type listBody struct {
	Metadata     metadata `json:"__metadata"`
	BaseTemplate int      `json:"BaseTemplate"` // 100 = a custom list
	Title        string   `json:"Title"`
	Description  string   `json:"Description"`
}

type plainColumn struct {
	Metadata      metadata `json:"__metadata"`
	Title         string   `json:"Title"`
	FieldTypeKind int      `json:"FieldTypeKind"`
	Indexed       bool     `json:"Indexed"`
}

type uniqueTitle struct {
	Metadata            metadata `json:"__metadata"`
	EnforceUniqueValues bool     `json:"EnforceUniqueValues"`
	Indexed             bool     `json:"Indexed"`
}

func (l store) columns() []plainColumn {
	column := func(name string, kind int, indexed bool) plainColumn {
		return plainColumn{metadata{"SP.Field"}, name, kind, indexed}
	}
	return []plainColumn{column(statusColumn, textKind, true), column(runColumn, textKind, false), column(sinceColumn, dateKind, true), column(resultColumn, textKind, false)}
}

// batch adds the columns in one call: a change set of one request for each.
func (l store) batch() (string, error) {
	var set bytes.Buffer
	w := multipart.NewWriter(&set)
	if err := w.SetBoundary("changeset_dedupe_desk"); err != nil {
		return "", fmt.Errorf("batch: %w", err)
	}
	for _, column := range l.columns() {
		body, err := json.Marshal(column)
		if err != nil {
			return "", fmt.Errorf("batch: %w", err)
		}
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Type": {"application/http"}, "Content-Transfer-Encoding": {"binary"}})
		if err != nil {
			return "", fmt.Errorf("batch: %w", err)
		}
		fmt.Fprintf(part, "POST %s/_api/web/lists/getbytitle(%s)/fields HTTP/1.1\r\nContent-Type: application/json;odata=verbose\r\nAccept: application/json;odata=verbose\r\n\r\n%s\r\n", l.site, urlText(l.list), body)
	}
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("batch: %w", err)
	}
	var out bytes.Buffer
	outer := multipart.NewWriter(&out)
	if err := outer.SetBoundary(boundary); err != nil {
		return "", fmt.Errorf("batch: %w", err)
	}
	part, err := outer.CreatePart(textproto.MIMEHeader{"Content-Type": {"multipart/mixed; boundary=" + w.Boundary()}})
	if err != nil {
		return "", fmt.Errorf("batch: %w", err)
	}
	if _, err := part.Write(set.Bytes()); err != nil {
		return "", fmt.Errorf("batch: %w", err)
	}
	if err := outer.Close(); err != nil {
		return "", fmt.Errorf("batch: %w", err)
	}
	// People paste it, and a page hands line ends on as one character.
	return strings.ReplaceAll(out.String(), "\r\n", "\n"), nil
}

func (l store) listStep() exporters.Step {
	return exporters.Step{
		ID: "list", Title: "Make the list of keys",
		Where: "In the site: Settings (the wheel) > Site contents > New > List > Blank list > Name: paste > Create. Add column > Text, three times: " + statusColumn + ", " + runColumn + ", " + resultColumn + ". Add column > Date and time > " + sinceColumn + ", Include time: Yes. " +
			"Then Settings > List settings > Title > Enforce unique values: Yes > OK > OK when asked for an index. Last: List settings > Indexed columns > Create a new index > " + sinceColumn + ".",
		Value: l.list, ValueLabel: "Name of the list", Details: []string{claimsField.Name},
		Warning:  "Make it before the first event, while it is empty: over 5,000 rows an index may be refused. Nobody should edit Title by hand; a changed key lets its event run again. Title is the one column with unique values here: a second one would make copies of events that are none.",
		Why:      "Title holds the event key, and the list refuses the same title a second time. The other columns say who holds the key, since when, and what came of it.",
		NotFixed: "Capitals do not count in it, and a title has at most 255 characters; the step before checks your keys against both.",
		Sources:  []exporters.Source{uniquePage, thresholdPage}, Tried: exporters.NotTried,
	}
}

// restSteps make the list from inside a flow.
func (l store) restSteps() ([]exporters.Step, error) {
	list, err := json.MarshalIndent(listBody{metadata{"SP.List"}, 100, l.list, "Event keys. A flow writes one row for each event."}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("list: %w", err)
	}
	batch, err := l.batch()
	if err != nil {
		return nil, err
	}
	unique, err := json.MarshalIndent(uniqueTitle{metadata{"SP.Field"}, true, true}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("unique: %w", err)
	}
	const action = "Add an action > Send an HTTP request to SharePoint. Site Address: the site. "
	const verbose = "Headers: Accept application/json;odata=verbose, Content-Type application/json;odata=verbose. "
	columns := exporters.Step{
		ID: "rest-columns", Title: "The same from inside a flow: its columns",
		Where: "In the same flow: " + action + "Method: POST. Uri: _api/$batch. Headers: Content-Type multipart/mixed; boundary=" + boundary + ". Body: paste.",
		Value: batch, ValueLabel: "Body", Details: []string{claimsField.Name, siteField.Name},
		Why:      "One call adds all four columns. Times are indexed, so that the clean-up finds old rows in a long list.",
		NotFixed: "A batch is not one act: if one column fails, the others are there. Look at the list afterwards.",
		Sources:  []exporters.Source{batchPage, restPage}, Tried: "Read back here as a batch. Not sent to SharePoint by us.",
	}
	if l.site == "" {
		columns.Blocked = "Type the address of the site first. Each request in a batch names it."
	}
	return []exporters.Step{
		{
			ID: "rest-list", Title: "The same from inside a flow: the list",
			Where: "In place of the step before: a new Instant cloud flow. " + action + "Method: POST. Uri: _api/web/lists. " + verbose + "Body: paste.",
			Value: string(list), ValueLabel: "Body", Details: []string{claimsField.Name},
			Why:      "The action belongs to the ordinary SharePoint connector, so no administrator's tool is needed.",
			NotFixed: "Your account still needs the right to make lists.",
			Sources:  []exporters.Source{restPage}, Tried: exporters.NotTried,
		},
		columns,
		{
			ID: "rest-unique", Title: "The same from inside a flow: one row per key",
			Where: "In the same flow: " + action + "Method: POST. Uri: _api/web/lists/getbytitle(" + urlText(l.list) + ")/fields/getbyinternalnameortitle('Title'). " + verbose + "Also X-HTTP-Method MERGE and If-Match *. Body: paste. Then Save, Test > Manually, and delete the flow when it went well.",
			Value: string(unique), ValueLabel: "Body",
			Why:      "It switches on unique values for Title, with the index that they need.",
			NotFixed: "Look into List settings > Title afterwards: Enforce unique values must stand at Yes. Without it nothing is refused.",
			Sources:  []exporters.Source{restPage, uniquePage}, Tried: exporters.NotTried,
		},
	}, nil
}
