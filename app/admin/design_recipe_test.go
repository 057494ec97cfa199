package admin

import (
	"net/http"
	"net/url"
	"testing"
)

func TestRecipeStartsARule(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"recipe"}, "recipe": {"supplier-order"}})
	dr.wants("Create the supplier order, line by line", "Add a sample of the event that starts it.", `value="ask" checked`)
	dr.do(http.StatusOK, "samples/add", "text", `{"order_id":7,"line_items":[{"id":1,"sku":"A"},{"id":2,"sku":"B"}]}`)
	dr.wants("Once for each item of <code>body.line_items</code>", `key("supplier-order", body.order_id, item.id)`)
	dr.wants("Take this key")
	dr.do(http.StatusOK, "suggest", "formula", `key("supplier-order", body.order_id, item.id)`, "each", "body.line_items")
	dr.wants("This is the key now.", "supplier-order:7:1", "supplier-order:7:2")
	dr.do(http.StatusOK, "recipe/drop")
	dr.lacks("This is the key now.")
	if got := keptDraft(t, d, dr.draft).Rule; got.Each != "body.line_items" || got.OnExpiry != "ask" {
		t.Errorf("kept is %+v", got)
	}
}

func TestRecipeNamesWhatIsMissing(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"recipe"}, "recipe": {"refund"}})
	dr.do(http.StatusOK, "samples/add", "text", `{"total":7}`)
	dr.wants("Not found by its name. Click it in the fields.", "ask the payment service what was refunded already")
	dr.lacks("Take this key")
	w := dr.post("/design/new", url.Values{"start": {"recipe"}, "recipe": {"nothing"}})
	wantStatus(t, w, http.StatusBadRequest)
}
