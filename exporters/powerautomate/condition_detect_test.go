package powerautomate

import (
	"fmt"
	"strings"
	"testing"

	"dedupedesk/exporters/wdl"
)

// TestDetect tells triggers by their events, by parts of them, and by their code.
func TestDetect(t *testing.T) {
	for name, tt := range map[string]struct{ pasted, trigger, generation, note string }{
		"item":                 {`{"body":{"ID":41,"Title":"x","{Identifier}":"a","{VersionNumber}":"1.0","{Path}":"Lists/Orders/","{Name}":"x","{FilenameWithExtension}":"x"}}`, SharePointItem, "", ""},
		"item, the body alone": {`{"ID":41,"ItemInternalId":"41","Title":"x"}`, SharePointItem, "", "body alone"},
		"item of old captures": {`{"headers":{},"body":{"ID":41,"Editor":{"Email":"a@b.example"}}}`, SharePointItem, "", ""},
		"item with a dot":      {`{"body":{"ID":41,"{Identifier}":"a","{Path}":"Lists/Orders/","{Name}":"v1.2","{FilenameWithExtension}":"v1.2"}}`, SharePointItem, "", ""},
		"file":                 {`{"body":{"ID":7,"{Identifier}":"a","{Path}":"Shared Documents/","{Name}":"a","{FilenameWithExtension}":"a.pdf"}}`, SharePointFile, "", ""},
		"folder":               {`{"body":{"ID":8,"{Identifier}":"a","{IsFolder}":true,"{Path}":"Shared Documents/","{Name}":"a","{FilenameWithExtension}":"a"}}`, SharePointFile, "", ""},
		"items not split":      {`{"headers":{},"body":{"value":[{"ID":41,"ItemInternalId":"41"}]}}`, SharePointItem, "", "before they are split"},
		"mail":                 {`{"body":{"id":"A","internetMessageId":"<a>","subject":"s","from":"a@b.example","body":"<p>text</p>"}}`, OutlookMail, "", ""},
		"MS44 mail of Graph":   {`{"body":{"internetMessageId":"<a>","conversationId":"c","subject":"s","from":{"emailAddress":{"address":"a@b.example"}}}}`, OutlookMail, "", "Microsoft Graph"},
		"mail, the body alone": {`{"id":"A","internetMessageId":"<a>","subject":"s","body":"text"}`, OutlookMail, "", "body alone"},
		"form":                 {`{"body":{"resourceData":{"responseId":"12"}}}`, FormsResponse, "", ""},
		"forms not split":      {`{"body":{"value":[{"resourceData":{"responseId":"12"}}]}}`, FormsResponse, "", "before they are split"},
		"dataverse":            {`{"body":{"SdkMessage":"Delete","ItemInternalId":"1"}}`, DataverseRow, "", ""},
		"teams":                {`{"body":{"id":"1","channelIdentity":{"channelId":"19:a"},"body":{"content":"x"}}}`, TeamsMessage, "", ""},
		"webhook":              {`{"headers":{"Content-Type":"application/json"},"body":{"id":"evt_1"}}`, HTTPRequest, "", ""},
		"webhook as text":      {`{"headers":{"Content-Type":"text/plain"},"body":"{\"id\":1}"}`, HTTPRequest, "", "plain text"},
		"schedule":             {`{"body":null}`, Schedule, "", ""}, "schedule without body": {`{}`, Schedule, "", ""},
		"unknown body":             {`{"id":"evt_1","type":"x"}`, "", "", "body alone"},
		"code now":                 {`{"type":"OpenApiConnection","inputs":{"host":{"operationId":"GetOnUpdatedItems"},"parameters":{}}}`, SharePointItem, current, "holds no event"},
		"code before":              {`{"type":"ApiConnection","inputs":{"path":"/datasets/x"}}`, "", classic, "holds no event"},
		"code of http":             {`{"type":"Request","kind":"Http","inputs":{"schema":{}}}`, HTTPRequest, "", "holds no event"},
		"code of days":             {`{"type":"Recurrence","recurrence":{"frequency":"Day","interval":1}}`, Schedule, "", "holds no event"},
		"an event that has a type": {`{"type":"Request","id":"evt_1","data":{}}`, "", "", "body alone"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Detect([]byte(" \n" + tt.pasted))
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(d.Notes, "\n")
			if d.Trigger != tt.trigger || d.Generation != tt.generation || !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
				t.Errorf("%q %q %q, want %q %q … %s …", d.Trigger, d.Generation, notes, tt.trigger, tt.generation, tt.note)
			}
		})
	}
	for _, pasted := range []string{"", "[]", "7", "{", "@equals(1,1)", strings.Repeat("[", 200)} {
		if d, err := Detect([]byte(pasted)); err == nil {
			t.Errorf("%q became %+v", pasted, d)
		}
	}
}

// TestDetectedFieldsCanBeClicked hands each field of each example back as a pick.
func TestDetectedFieldsCanBeClicked(t *testing.T) {
	for _, trigger := range Triggers() {
		d, err := Detect(trigger.Example)
		if err != nil || d.Trigger != trigger.Name || len(d.Notes) > 0 {
			t.Errorf("%s was taken for %q: %v %v", trigger.Name, d.Trigger, d.Notes, err)
		}
		for _, f := range d.Fields {
			path, err := readPath(fieldName, f.Path)
			if err != nil {
				t.Errorf("%s: %v", f.Path, err)
				continue
			}
			kind, _ := kindAt(d.Outputs, path)
			if kind == "" {
				kind = "null"
			}
			if kind != f.Kind {
				t.Errorf("%s %s is shown as %s, but reads as %s", trigger.Name, f.Path, f.Kind, kind)
			}
		}
	}
}

func TestManyFieldsAreCut(t *testing.T) {
	var b strings.Builder
	for i := range maxFields + 1 {
		fmt.Fprintf(&b, `"f%d":1,`, i)
	}
	d, err := Detect([]byte(`{"body":{` + strings.TrimSuffix(b.String(), ",") + `}}`))
	if err != nil || len(d.Fields) != maxFields || len(d.Notes) != 1 {
		t.Errorf("%d fields, notes %q, %v", len(d.Fields), d.Notes, err)
	}
}

func TestDetectedFieldsSayWhatToTake(t *testing.T) {
	d, err := Detect([]byte(`{"statusCode":200,"headers":{"X":"1"},"body":{"Status":{"Id":0,"Value":"New"},"Editor":{"Email":"a@b.example"},"o":{"x":{"Value":1}},"Tags":[{"Value":"A"}],"Note":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	hints := map[string]string{}
	for _, f := range d.Fields {
		hints[f.Name] = f.Hint
	}
	for name, want := range map[string]string{
		"Status": "click its Value", "Editor": "click its Email", "o": "click what lies inside", "Tags": "whether it is empty", "Note": "kind is not known", "Status/Value": "", "headers/X": "",
	} {
		if got, ok := hints[name]; !ok || !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, want)
		}
	}
	if _, shown := hints["statusCode"]; shown {
		t.Error("the status is offered as a field")
	}
}

// TestLinesOnWhatWasPasted: a body pasted alone made each line a silent skip.
func TestLinesOnWhatWasPasted(t *testing.T) {
	lines := []string{"@equals(triggerBody()?['Title'],'x')"}
	for pasted, warnings := range map[string]int{`{"ID":1,"ItemInternalId":"1","Title":"x"}`: 1, `{"body":{"Title":"x"}}`: 0} {
		r, err := Test([]byte(pasted), lines, wdl.Options{})
		if err != nil || r.Outcome != wdl.Run || len(r.Warnings) != warnings {
			t.Errorf("%s: %+v, %v", pasted, r, err)
		}
	}
	if _, err := Test([]byte(`{"type":"Request","kind":"Http","inputs":{}}`), lines, wdl.Options{}); err == nil || !strings.Contains(err.Error(), "holds no event") {
		t.Errorf("the trigger's code was taken: %v", err)
	}
}
