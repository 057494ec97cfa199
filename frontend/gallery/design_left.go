package main

import "dedupedesk/frontend/page"

func designSample(n, name, group string, groups ...string) page.SampleView {
	v := page.SampleView{Sample: n + "-0badc0ffee0badc", Number: n, Name: name, Size: "1.2 KB", Shown: n == "1"}
	for _, g := range groups {
		v.Choice = append(v.Choice, page.OptionView{Value: g, Text: "Event " + g, Chosen: g == group})
	}
	v.Choice = append(v.Choice, page.OptionView{Value: "+", Text: "Another event"})
	return v
}

func designField(path, name string, depth int, value string, badges ...string) page.FieldRowView {
	v := page.FieldRowView{ID: "field-" + path, Path: path, Name: name, Depth: depth, Value: value}
	for _, code := range badges {
		v.Badges = append(v.Badges, page.FieldBadge(code, "3"))
	}
	return v
}

func designBranch(name string, depth int, kind string) page.FieldRowView {
	return page.FieldRowView{ID: "field-" + name, Path: "body." + name, Name: name, Depth: depth, Branch: true, Open: true, Kind: kind}
}

// designFields is what three samples hold.
func designFields(badges bool) page.FieldsView {
	rows := []page.FieldRowView{
		designField("body.id", "id", 0, "evt_1001", "good"),
		designField("body.type", "type", 0, "invoice.paid", "same"),
		designField("body.created", "created", 0, "1760000000", "changes"),
		designBranch("data", 0, "1 field"),
		designBranch("object", 1, "4 fields"),
		designField("body.data.object.id", "id", 2, "in_77", "good"),
		designField("body.data.object.customer_email", "customer_email", 2, "robin@example.com", "personal"),
		designField("body.data.object.number", "number", 2, "A-0041", "good", "missing"),
		designBranch("lines", 2, "2 items"),
		designField("body.data.object.lines[0].id", "id", 3, "il_1", "list_position"),
		designField(`headers["stripe-signature"]`, "stripe-signature", 0, "t=1760000000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd", "changes"),
	}
	if !badges {
		for i := range rows {
			rows[i].Badges = nil
		}
	}
	return page.FieldsView{Draft: "new-00112233aabbccdd", May: true, Any: true, Version: "0badc0ffee0badc0", Sample: "sample 1", Rows: rows}
}

func designStarts() []page.StartView {
	return []page.StartView{
		{Sender: "stripe", Title: "Stripe", About: "Stripe events", First: true},
		{Sender: "shopify", Title: "Shopify", About: "Shopify events", First: true},
		{Sender: "github", Title: "GitHub", About: "GitHub deliveries", First: true},
		{Sender: "github/push", Title: "GitHub", About: "GitHub pushes"},
		{Sender: "sharepoint", Title: "SharePoint", About: "SharePoint list, every edit, not confirmed", First: true},
	}
}

func designBadPaste() page.PasteView {
	return page.PasteView{
		ID: "paste-0", Text: "{\n  \"id\": \"evt_1001\",\n  \"type\": \"invoice.paid\"\n  \"created\": 1760000000\n}",
		Fault: &page.PlaceView{Text: "We could not read this sample. A comma or } is missing here.", Line: 4, Column: 3, Length: 1, Before: "  ", Marked: "\"", After: "created\": 1760000000"},
		Fix:   &page.FixView{Lines: []page.FixLineView{{Line: 3, Before: `"type": "invoice.paid"`, After: `"type": "invoice.paid",`}}, More: 2},
	}
}

func designSeveral() page.PasteView {
	return page.PasteView{ID: "paste-0", Text: `[{"id": "evt_1"}, {"id": "evt_2"}]`, Several: &page.SeveralView{
		Count: 12, List: true, Most: 200, First: []string{`{"id": "evt_1", "type": "invoice.paid"}`, `{"id": "evt_2", "type": "invoice.paid"}`, `{"id": "evt_3", "type": "invoice.paid", "data": {"object": {…`},
	}}
}

func designListOfSender() page.PasteView {
	v := designSeveral()
	v.Several.Of = "SendGrid"
	return v
}

// designLarge is the tree of a large event: the upper levels stand open.
func designLarge() page.DesignView {
	v := designOneSample()
	v.Fields = designFields(false)
	rows := v.Fields.Rows[:3:3]
	for _, name := range []string{"customer", "lines", "shipping"} {
		row := designBranch(name, 0, "1,204 fields")
		row.Open = false
		rows = append(rows, row)
	}
	rows = append(rows, page.FieldRowView{ID: "field-more", Path: "", Rest: 240})
	v.Fields.Rows, v.Fields.More = rows, "1,200 more are not listed. Type their path into the formula."
	return v
}

// designFound is what a search in the tree found.
func designFound() page.DesignView {
	v := designGood()
	v.Fields.Find, v.Fields.Left = "id", true
	v.Fields.Rows = []page.FieldRowView{designField("body.id", "id", 0, "evt_1001", "good"), designField("body.data.object.id", "data.object.id", 0, "in_77", "good")}
	return v
}

// designCatching waits for a real event.
func designCatching() page.DesignView {
	v := designNoSample()
	v.Catch.Minutes = 10
	return v
}

func designShared() page.SharedView {
	return page.SharedView{Text: "rule: paid-invoices\nkey: key(body.id)\nleese: 9\n", Fault: &page.PlaceView{
		Text: "A rule has no member leese. Did you mean lease?", Line: 3, Column: 1, Length: 8, Marked: "leese: 9",
	}}
}

func designShare(samples int) page.ShareView {
	v := page.ShareView{Draft: "rule.paid-invoices", Title: "Paid invoices", File: "paid-invoices.yaml", Samples: samples,
		Text: "rule: paid-invoices\ntitle: Paid invoices\nkey: key(\"stripe\", body.id)\n"}
	if samples > 0 {
		v.Text += "samples:\n  - group: A\n    body: |-\n      {\"id\": \"kqx_7302\", \"type\": \"invoice.paid\"}\n"
	} else {
		v.Left = "The samples are left out: the formula reads letters or digits that masking changes, so masked samples would not show what yours show."
	}
	return v
}

func designRecipes() []page.StartView {
	return []page.StartView{
		{Sender: "supplier-order", Title: "Create the supplier order, line by line", About: "Each line of an order is ordered from a supplier once, and a line that is added later still is.", First: true},
		{Sender: "refund", Title: "Refund the customer", About: "Money goes back once for each refund that was decided.", First: true},
	}
}

func designRecipe(found bool) page.DesignView {
	v := designOneSample()
	r := &page.RecipeView{
		Title: "Create the supplier order, line by line", About: designRecipes()[0].About, List: true, Samples: found,
		Parts:    []page.RecipePartView{{Title: "order id", Help: "The id or number of the order."}, {Title: "line id", Help: "What names the line inside the order: its id, else the article number."}},
		Warnings: []string{"An article number names a line only if an order never has it twice."},
	}
	if found {
		r.Each, r.Formula = "body.line_items", `key("supplier-order", body.order_id, item.id)`
		r.Parts[0].Name, r.Parts[1].Name = "order_id", "item.id"
	} else {
		v = designNoSample()
	}
	v.Recipe = r
	return v
}
