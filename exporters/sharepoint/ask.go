package sharepoint

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

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
		Help: "A row is refused by its own list. For all else a list of event keys says whose turn it is.",
		Choices: []exporters.Choice{
			{Value: guardRow, Text: "A row of a list that the flow writes"},
			{Value: guardOther, Text: "Something else: a mail, an invoice, a call"},
		},
	}
}

var (
	listField = exporters.Field{
		Name: "list", Label: "Title of the list", Routes: []string{exporters.RouteDestination},
		Help:    "As it stands above the list. Needed only to set the column up from inside a flow.",
		Example: "Orders",
	}
	columnField = exporters.Field{
		Name: "column", Label: "Name of the column", Routes: []string{exporters.RouteDestination},
		Help:    "Letters and digits without spaces, so that its internal name is the same.",
		Example: defaultColumn,
	}
	claimsField = exporters.Field{
		Name: "claims", Label: "Title of the list of keys", WithRule: true, Routes: []string{exporters.RouteStore},
		Help:    "A new list for this alone. Letters and digits without spaces.",
		Example: defaultClaims,
	}
	siteField = exporters.Field{
		Name: "site", Label: "Address of the site", WithRule: true, Required: true, Routes: []string{exporters.RouteStore},
		Help:    "Open the site's start page and copy the address up to the site's name.",
		Example: "https://yourcompany.sharepoint.com/sites/ops",
	}
)

const (
	defaultColumn = "EventKey"
	defaultClaims = "Claims"
)

// A target is the column that the steps are about.
type target struct {
	list   string // "" while the person has not typed it
	column string
}

// plainName keeps the internal name equal to the display name.
var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]{0,31}$`)

func readTarget(s exporters.Setup) (target, error) {
	column, err := readName(s, columnField, defaultColumn)
	if err != nil {
		return target{}, err
	}
	t := target{list: strings.TrimSpace(s.Details[listField.Name]), column: column}
	if utf8.RuneCountInString(t.list) > 255 || strings.ContainsFunc(t.list, unicode.IsControl) {
		return target{}, &exporters.InputError{Field: listField.Name, Msg: "A list's title has at most 255 characters, on one line."}
	}
	return t, nil
}

func readName(s exporters.Setup, f exporters.Field, otherwise string) (string, error) {
	name := strings.TrimSpace(s.Details[f.Name])
	if name == "" {
		name = otherwise
	}
	if !plainName.MatchString(name) {
		return "", &exporters.InputError{Field: f.Name, Msg: "Use a letter first, then letters and digits, at most 32 in all. A name with spaces gets another internal name."}
	}
	return name, nil
}

// A store is the list of keys.
type store struct {
	list string
	site string // "" while the person has not typed it
}

func readStore(s exporters.Setup) (store, error) {
	list, err := readName(s, claimsField, defaultClaims)
	if err != nil {
		return store{}, err
	}
	site, err := readSite(s.Details[siteField.Name])
	return store{list, site}, err
}

// readSite takes an https address without anything behind the site's name.
func readSite(typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return "", nil
	}
	wrong := func(msg string) (string, error) {
		return "", &exporters.InputError{Field: siteField.Name, Msg: msg}
	}
	if !strings.Contains(typed, "://") {
		typed = "https://" + typed
	}
	u, err := url.Parse(typed)
	switch {
	case err != nil || u.Hostname() == "" || !strings.Contains(u.Hostname(), "."):
		return wrong("This is no web address. It looks like " + siteField.Example + ".")
	case u.Scheme != "https" || u.User != nil:
		return wrong("The address begins with https:// and holds no name or password.")
	case u.RawQuery != "" || u.Fragment != "" || strings.Contains(u.Path, ".aspx") || strings.Contains(u.Path, "/_layouts/"):
		return wrong("Take the address up to the site's name alone, such as " + siteField.Example + ".")
	case strings.ContainsAny(typed, "@{}\"' "):
		return wrong("The address must not hold braces, quotes, @ or spaces.")
	}
	return strings.TrimSuffix(u.String(), "/"), nil
}
