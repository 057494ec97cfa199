package main

import (
	"github.com/a-h/templ"

	"dedupedesk/frontend/page"
)

// designFileSamples are the states of the page that tests a file.
func designFileSamples() []sample {
	state := func(name string, change func(*page.FileTestView)) sample {
		v := page.FileTestView{Draft: "rule.paid-invoices", Title: "Paid invoices", May: true, Most: 20 << 20}
		change(&v)
		return sample{Name: "design/" + name, Title: "Test with a file · Paid invoices", Active: "design", Page: page.FileTest(v)}
	}
	found := func(name string, c templ.Component) sample {
		return state(name, func(v *page.FileTestView) { v.Found = c })
	}
	return []sample{
		state("file", func(*page.FileTestView) {}),
		state("file-off", func(v *page.FileTestView) {
			v.Off = "The key has no part yet. Make it from one or two samples first; then test it with a file."
		}),
		state("file-look", func(v *page.FileTestView) { v.May = false }),
		found("file-found", page.FileFound(designFileFound())),
		found("file-fine", page.FileFound(page.FileFoundView{
			Draft: "rule.paid-invoices", Name: "orders.xlsx", Kind: "a spreadsheet", Column: "payload", Window: true,
			Deliveries: "3", Keys: "2", Copies: "1", Ignored: "0", Refused: "0", Suspicious: "0", Any: true,
			Groups: []page.FileGroupView{{Key: "stripe:evt_1001", Count: "2", Where: "row 2, row 3"}, {Key: "stripe:evt_1002", Count: "1", Where: "row 4"}},
		})),
		found("file-split", page.FileFound(page.FileFoundView{
			Draft: "rule.paid-invoices", Name: "orders.xlsx", Kind: "a spreadsheet",
			Deliveries: "6,000", Keys: "6,000", Copies: "0", Ignored: "0", Refused: "0", Suspicious: "0", Any: true,
			Split: &page.FileSplitView{
				Why:  "This key stops nothing, though 3,000 deliveries have the `order_id` of an earlier one, and another key. If row 2 and row 3 are copies, take `created` out of the key.",
				Pair: [2]string{"row 2", "row 3"},
			},
			Groups: []page.FileGroupView{{Key: "shop:ord_0:2026-11-01T10%3A00%3A00Z", Count: "1", Where: "row 2"}, {Key: "shop:ord_0:2026-11-01T10%3A00%3A01Z", Count: "1", Where: "row 3"}},
		})),
		found("file-lacks", page.FileFound(page.FileFoundView{
			Draft: "rule.paid-invoices", Name: "orders.csv", Kind: "a table",
			Deliveries: "6,000", Keys: "0", Copies: "0", Ignored: "0", Refused: "6,000", Suspicious: "0",
			Lacks:    "No delivery of this file has `body.id`, which the key reads. The first one has `Order ID`, `attempt`, `created`, `email`, `number` and `total`. Did you mean `body[\"Order ID\"]`?",
			Refusals: []page.FileRefusalView{{Count: "6,000", Why: "Part 2 (body.id) is missing in this event. Use a field that every event has.", Where: "row 2, row 3, row 4, row 5 and 5,996 more"}},
		})),
		found("file-fault", page.FileFault("The spreadsheet has no sheet \"May\". It has Sheet1, June.")),
		found("file-table", page.FileTable(page.FileTableView{Name: "orders-keys.csv", Text: "key,deliveries,suspicion,reason,places\nstripe:evt_1001,2,,,\"row 2, row 3\"\n"})),
	}
}

func designFileFound() page.FileFoundView {
	return page.FileFoundView{
		Draft: "rule.paid-invoices", Name: "deliveries-of-november.jsonl", Kind: "JSON lines", Items: true,
		Deliveries: "10,000", Keys: "9,204", Copies: "712", Ignored: "61", Refused: "23", Suspicious: "2", Any: true, More: "9,004",
		Groups: []page.FileGroupView{
			{Key: "stripe:invoice.paid:2026-11-12", Count: "31", Where: "line 4, line 19, line 26, line 77 and 27 more", Suspect: "merged", Why: "In line 19 `data.object.id` is another than in line 4, and the key is the same: probably different events.", Pair: [2]string{"line 4", "line 19"}},
			{Key: "stripe:evt_1001:1760000060", Count: "1", Where: "line 812", Suspect: "missed", Why: "Line 812 holds the same as line 811 apart from what each try changes, and the keys differ: probably a copy.", Pair: [2]string{"line 811", "line 812"}},
			{Key: "stripe:evt_1002", Count: "4", Where: "line 6, line 7, line 9, line 31"},
			{Key: "stripe:evt_1003_with_a_name_that_is_as_long_as_some_senders_make_theirs_00112233445566778899aabbccddeeff", Count: "1", Where: "line 8"},
		},
		Refusals: []page.FileRefusalView{
			{Count: "22", Why: "Part 2, `body.data.object.id`, is missing. Use another field, or say what stands in for it.", Where: "line 40, line 41, line 42, line 43 and 18 more"},
			{Count: "1", Why: "Line 9999 cannot be read: a comma or } is missing.", Where: "line 9999"},
		},
	}
}
