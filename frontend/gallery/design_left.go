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
