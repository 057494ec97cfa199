package flowdef

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"dedupedesk/exporters/wdl"
)

// TestC1ToC9IsThisFailureADuplicate: the function and the expression agree on the cases
// of the reference. The expression is made for SharePoint and Dataverse, which c9 is not.
func TestC1ToC9IsThisFailureADuplicate(t *testing.T) {
	for _, tt := range []struct {
		id     string
		status int
		body   string
		want   bool
	}{
		{"c1", 500, `{"odata.error":{"code":"-2130575169, Microsoft.SharePoint.SPDuplicateValuesFoundException","message":{"value":"The list item could not be added or updated because duplicate values were found in the following field(s) in the list: [DedupeKey]."}}}`, true},
		{"c1 in another language", 500, `{"odata.error":{"code":"-2130575169, Microsoft.SharePoint.SPDuplicateValuesFoundException","message":{"value":"Es wurden doppelte Werte gefunden."}}}`, true},
		{"c2", 400, `{"status":400,"message":"The item could not be added because duplicate values were found in the list.\r\nclientRequestId: 0000"}`, true},
		{"c3", 412, `{"error":{"code":"0x80060892","message":"Entity Key Dedupe Key violated. A record with the same value for Dedupe Key already exists."}}`, true},
		{"c4", 412, `{"error":{"code":"0x80040237","message":"A record with matching key values already exists."}}`, true},
		{"c5", 412, `{"error":{"code":"0x80060882","message":"The version of the existing record doesn't match the RowVersion property provided."}}`, false},
		{"c6", 500, `{"odata.error":{"code":"-2147024860, Microsoft.SharePoint.SPQueryThrottledException","message":{"value":"The attempted operation is prohibited because it exceeds the list view threshold."}}}`, false},
		{"c7", 429, `{"message":"Rate limit is exceeded."}`, false},
		{"c8", 400, `{"status":400,"message":"The specified user could not be found."}`, false},
		{"c9", 409, `{"granted":false,"state":"done"}`, true},
		{"c9 in the words of today", 409, `{"status":"in_progress","run":false}`, true},
		{"c9 a closed key", 409, `{"status":409,"code":"stale"}`, false},
	} {
		t.Run(tt.id, func(t *testing.T) {
			if got := IsDuplicate(tt.status, tt.body); got != tt.want {
				t.Errorf("IsDuplicate %v, want %v", got, tt.want)
			}
			if tt.id[:2] == "c9" {
				return
			}
			failed, err := json.Marshal(map[string]any{"statusCode": tt.status, "body": json.RawMessage(tt.body)})
			if err != nil {
				t.Fatal(err)
			}
			got, err := wdl.Evaluate(failed, DuplicateTest("triggerOutputs()", append(SharePointCopy(), DataverseCopy()...)), wdl.Options{Now: time.Unix(0, 0)})
			if err != nil || got.Kind != "boolean" || (got.Text == "True") != tt.want {
				t.Errorf("expression %+v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

// TestAThrottledCopyIsNoCopy: whatever its text, 429 says only that nobody looked.
func TestAThrottledCopyIsNoCopy(t *testing.T) {
	if IsDuplicate(429, "duplicate values were found") {
		t.Error("429 is taken for a copy")
	}
}

// TestADuplicateOfAnotherColumnIsNoCopy: a list or a table may refuse other values too.
func TestADuplicateOfAnotherColumnIsNoCopy(t *testing.T) {
	const sharePoint = `{"code":"-2130575169, Microsoft.SharePoint.SPDuplicateValuesFoundException","message":"duplicate values were found in the following field(s) in the list: [%]."}`
	for _, tt := range []struct {
		body  string
		texts []string
		names []string
		want  string
	}{
		{strings.Replace(sharePoint, "%", "EventKey", 1), SharePointCopy(), []string{"[EventKey]", "[EventKey,"}, "True"},
		{strings.Replace(sharePoint, "%", "EventKey, InvoiceNo", 1), SharePointCopy(), []string{"[EventKey]", "[EventKey,"}, "True"},
		{strings.Replace(sharePoint, "%", "InvoiceNo", 1), SharePointCopy(), []string{"[EventKey]", "[EventKey,"}, "False"},
		{strings.Replace(sharePoint, "%", "EventKey2", 1), SharePointCopy(), []string{"[EventKey]", "[EventKey,"}, "False"},
		{`{"code":"0x80060892","message":"Entity Key Event key violated."}`, DataverseCopy(), []string{"Event key", "new_eventkey"}, "True"},
		{`{"code":"0x80060892","message":"Entity Key Invoice violated."}`, DataverseCopy(), []string{"Event key", "new_eventkey"}, "False"},
		{`{"code":"0x80060882","message":"Event key"}`, DataverseCopy(), []string{"Event key"}, "False"},
	} {
		got, err := wdl.Evaluate([]byte(`{"statusCode":500,"body":`+tt.body+`}`), DuplicateTest("triggerOutputs()", tt.texts, tt.names...), wdl.Options{Now: time.Unix(0, 0)})
		if err != nil || got.Text != tt.want {
			t.Errorf("%s: %+v, %v, want %s", tt.body, got, err, tt.want)
		}
	}
}
