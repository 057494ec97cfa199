package admin

import (
	"net/http"
	"net/url"
	"strings"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// lookedAt is how many keys one search for a text within keys looks at. No index finds
// such a text, so a search goes on from page to page and says how far it came.
const lookedAt = 2000

// findInside returns the keys that hold text among the next ones that q finds. Next and
// Prev lead on from the last one looked at, whether or not any was found.
func (d Desk) findInside(r *http.Request, q ledger.KeyQuery, text string) (ledger.KeyPage, error) {
	var found ledger.KeyPage
	q.Limit = 200
	for looked := 0; looked < lookedAt && len(found.Keys) < keysShown; looked += q.Limit {
		part, err := d.Ledger.Keys(r.Context(), q)
		if err != nil {
			return found, err
		}
		var keys []ledger.Key
		for _, k := range part.Keys {
			if strings.Contains(k.Key, text) {
				keys = append(keys, k)
			}
		}
		if q.Back {
			found.Keys = append(keys, found.Keys...)
			if found.Prev = part.Prev; looked == 0 {
				found.Next = part.Next
			}
			q.Cursor = part.Prev
		} else {
			found.Keys = append(found.Keys, keys...)
			if found.Next = part.Next; looked == 0 {
				found.Prev = part.Prev
			}
			q.Cursor = part.Next
		}
		if q.Cursor == "" {
			break
		}
	}
	return found, nil
}

// pager fills in the addresses of the pages around this one.
func (f keysFilter) pager(v *page.KeysView, found ledger.KeyPage) {
	inside := f.Query != "" && f.Match == matchInside
	if found.Next != "" {
		v.Older = f.href(func(q url.Values) { q.Set("cursor", found.Next) })
		v.Oldest = f.href(func(q url.Values) { q.Set("back", "1") })
	}
	if found.Prev != "" {
		v.Newer = f.href(func(q url.Values) { q.Set("cursor", found.Prev); q.Set("back", "1") })
	}
	if f.Cursor != "" || f.Back {
		v.Newest = f.href(nil)
	}
	if inside {
		v.Looked = "Looked through " + page.Count(lookedAt) + " keys at most for this page."
		if v.Older == "" {
			v.Looked = "Looked through to the oldest key."
		}
	}
}
