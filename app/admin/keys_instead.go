package admin

import (
	"net/http"
	"net/url"
	"strings"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// maxInstead bounds the searches that are tried where one found nothing.
const maxInstead = 12

// instead returns the searches that find keys where f finds none: the same text
// after the fixed text that a rule's keys begin with, since people look for the id
// that they see at the sender and a key begins with the sender's name.
func (d Desk) instead(r *http.Request, f keysFilter, list []ledger.Rule) []page.InsteadView {
	var found []page.InsteadView
	tried := map[string]bool{}
	for _, rule := range list {
		start := startOfKeys(rule)
		if f.Query == "" || start == "" || tried[start] || len(tried) == maxInstead {
			continue
		}
		if f.Rule != "" && f.Rule != rule.Name || strings.HasPrefix(f.Query, start) {
			continue
		}
		tried[start] = true
		other := f
		other.Query, other.Cursor = start+f.Query, ""
		keys, err := d.findKeys(r, other)
		if err != nil {
			return found // the list itself tells of trouble
		}
		if len(keys.Keys) > 0 {
			href := f.href(func(q url.Values) { q.Set("q", other.Query) })
			found = append(found, page.InsteadView{Href: href, Text: other.Query})
		}
	}
	return found
}

// startOfKeys returns the text that every key of a rule begins with, as it stands in
// the key: "stripe:". It is "" where the rule has none.
func startOfKeys(rule ledger.Rule) string {
	file, err := ruleFile(rule)
	if err != nil {
		return ""
	}
	parts, ok := rules.Parts(file.Key)
	if !ok || len(parts) < 2 || parts[0].Path != nil {
		return ""
	}
	return strings.NewReplacer("%", "%25", ":", "%3A").Replace(parts[0].Literal) + ":"
}
