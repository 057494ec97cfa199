package flowdef

import (
	"encoding/json"
	"net/http"
	"strings"

	"dedupedesk/exporters/wdl"
)

// Texts by which a place tells that a value is there already, in small letters. Seen in
// public reports, read 2026-10-31: pnp/pnpcore #1280 and nittygritty-uk/Atvero-Issues
// #135 for SharePoint, whose name of the fault is the same in every language of a site;
// microsoft/coe-starter-kit #6944 and public tests for Dataverse.
const (
	sharePointWords = "duplicate values were found"
	sharePointFault = "spduplicatevaluesfoundexception"
	dataverseKey    = "0x80060892" // an alternate key
	dataverseRow    = "0x80040237" // the id of a row, or a key by upsert
)

// SharePointCopy returns the texts that tell a copy in SharePoint from other failures.
func SharePointCopy() []string { return []string{sharePointWords, sharePointFault} }

// DataverseCopy returns those of Dataverse.
func DataverseCopy() []string { return []string{dataverseKey, dataverseRow} }

// IsDuplicate reports whether a failure says that the event is there already: at
// SharePoint, at Dataverse, or at this program. No status is enough by itself: SharePoint
// answers a copy with 500, and 412 also means that somebody else changed the row.
func IsDuplicate(status int, body string) bool {
	if status == http.StatusTooManyRequests {
		return false
	}
	small := strings.ToLower(body)
	for _, text := range append(SharePointCopy(), DataverseCopy()...) {
		if strings.Contains(small, text) {
			return true
		}
	}
	var ours struct{ Run, Granted *bool }
	refused := func(yes *bool) bool { return yes != nil && !*yes }
	return status == http.StatusConflict && json.Unmarshal([]byte(body), &ours) == nil && (refused(ours.Run) || refused(ours.Granted))
}

// DuplicateTest is the expression that tells the same of what a failed step gave: it is
// true where one of texts stands in it, and one of names where there are any. names tell
// the column of the key from others that refuse a value too: an event with a key of its
// own is no copy because its invoice number is there.
func DuplicateTest(outputs string, texts []string, names ...string) string {
	whole := "toLower(string(" + outputs + "))"
	oneOf := func(texts []string) string {
		tests := make([]string, len(texts))
		for i, text := range texts {
			tests[i] = "contains(" + whole + "," + wdl.Quote(strings.ToLower(text)) + ")"
		}
		return "or(" + strings.Join(tests, ",") + ")"
	}
	if len(names) == 0 {
		return oneOf(texts)
	}
	return "and(" + oneOf(texts) + "," + oneOf(names) + ")"
}
