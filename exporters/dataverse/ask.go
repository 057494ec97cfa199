package dataverse

import (
	"regexp"
	"strings"

	"dedupedesk/exporters"
)

const (
	guardRow   = "row"
	guardOther = "other"
)

// guardQuestion asks what must not come twice.
func guardQuestion() exporters.Field {
	return exporters.Field{
		Name: "guard", Label: "What must not come twice?", WithRule: true, Question: true,
		Help: "A row is refused by its own table. For all else a table of event keys says whose turn it is.",
		Choices: []exporters.Choice{
			{Value: guardRow, Text: "A row of a table that the flow writes"},
			{Value: guardOther, Text: "Something else: a mail, an invoice, a call"},
		},
	}
}

// Names as addresses have them: the publisher's prefix, then small letters and digits.
var (
	tableField = exporters.Field{
		Name: "table", Label: "Set name of the table", Required: true, Routes: []string{exporters.RouteDestination},
		Help:    "Power Apps > Tables > the table > Properties > Advanced options, or three dots > Tools > Copy set name. It is the plural, with the prefix.",
		Example: "new_orders",
	}
	columnField = exporters.Field{
		Name: "column", Label: "Logical name of the key column", Routes: []string{exporters.RouteDestination},
		Help:    "With the prefix of your publisher, which stands before the names of your own columns.",
		Example: defaultColumn,
	}
	claimsField = exporters.Field{
		Name: "claims", Label: "Logical name of the table of keys", WithRule: true, Routes: []string{exporters.RouteStore},
		Help:    "A new table for this alone, in the singular, with the prefix of your publisher.",
		Example: defaultClaims,
	}
)

const (
	defaultColumn = "new_eventkey"
	defaultClaims = "new_eventclaim"
)

var logicalName = regexp.MustCompile(`^[a-z][a-z0-9]{1,7}_[a-z][a-z0-9]{0,39}$`)

// readName takes a name with its prefix.
func readName(s exporters.Setup, f exporters.Field, otherwise string) (string, error) {
	name := strings.ToLower(strings.TrimSpace(s.Details[f.Name]))
	if name == "" {
		return otherwise, nil
	}
	if f.Name == tableField.Name && standardSet.MatchString(name) {
		return name, nil
	}
	if !logicalName.MatchString(name) {
		return "", &exporters.InputError{Field: f.Name, Msg: "A name is the prefix of your publisher, an underscore, then letters and digits, such as " + f.Example + "."}
	}
	return name, nil
}

// standardSet is the set name of a table that every environment has, such as accounts.
var standardSet = regexp.MustCompile(`^[a-z]{3,50}$`)

// A target is the table and its key column.
type target struct {
	table  string // "" while the person has not typed it
	column string
}

func readTarget(s exporters.Setup) (target, error) {
	table, err := readName(s, tableField, "")
	if err != nil {
		return target{}, err
	}
	column, err := readName(s, columnField, defaultColumn)
	return target{table, column}, err
}

// A store is the table of keys. Its columns have the table's prefix.
type store struct{ table string }

func readStore(s exporters.Setup) (store, error) {
	table, err := readName(s, claimsField, defaultClaims)
	return store{table}, err
}

// set is the name of the table's rows in addresses. Dataverse makes it by the rules of
// English, which are kept simple here: the step that makes the table has it checked.
func (d store) set() string {
	if strings.HasSuffix(d.table, "s") || strings.HasSuffix(d.table, "x") {
		return d.table + "es"
	}
	return d.table + "s"
}

// column is a column's logical name.
func (d store) column(name string) string {
	prefix, _, _ := strings.Cut(d.table, "_")
	return prefix + "_" + name
}
