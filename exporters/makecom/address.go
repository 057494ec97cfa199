package makecom

import (
	"net/netip"
	"net/url"
	"strings"

	"dedupedesk/exporters"
)

// notReachable is said of each address that only this computer or its own
// network knows.
const notReachable = "Make runs in the cloud and cannot reach this computer. Publish the address through a tunnel with a fixed name, a gateway or a small server, or use Make's own data store or a unique column, which need no address."

// readAddress takes the public https address of the claim endpoint and cuts a
// slash from its end. An empty one is returned as it is.
func readAddress(typed string) (string, error) {
	s := strings.TrimSpace(typed)
	if s == "" {
		return "", nil
	}
	wrong := func(msg string) (string, error) {
		return "", &exporters.InputError{Field: addressField.Name, Msg: msg}
	}
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" {
		return wrong("This is no web address. It looks like " + addressField.Example + ".")
	}
	if private(u.Hostname()) {
		return wrong(notReachable)
	}
	if u.Scheme != "https" {
		return wrong("The address must begin with https://, for the password travels in each call.")
	}
	if u.User != nil {
		return wrong("The address must not hold a name or password.")
	}
	if u.RawQuery != "" || u.Fragment != "" || u.ForceQuery {
		return wrong("Type the address alone, without anything behind a ? or #.")
	}
	if strings.ContainsAny(s, "{}\"' ") {
		return wrong("The address must not hold braces, quotes or spaces.")
	}
	return strings.TrimSuffix(strings.TrimSuffix(u.String(), "/"), "/v1"), nil
}

// private reports whether a host means this computer or its own network.
func private(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if a, err := netip.ParseAddr(host); err == nil {
		a = a.Unmap()
		return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified()
	}
	if !strings.Contains(host, ".") {
		return true // localhost, or a name of the own network
	}
	for _, end := range []string{".localhost", ".local", ".lan", ".internal", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "0.") // 127.1 and its like
}
