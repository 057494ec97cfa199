package exporters

import (
	"net/netip"
	"net/url"
	"strings"
)

// NotReachable says that a platform which runs in its vendor's cloud, named by its
// title, does not reach this computer, and what can be done.
func NotReachable(platform string) string {
	return platform + " runs in the cloud and cannot reach this computer. Publish the address through a tunnel with a fixed name, a gateway or a small server, or use a store of the platform's own or a unique column, which need no address."
}

// Placeholder stands where the password belongs. It is never replaced by us.
const Placeholder = "REPLACE_WITH_PASSWORD"

// AddressDetail is the name of the field of [AddressField].
const AddressDetail = "address"

const addressExample = "https://dedupe.yourcompany.com"

// AddressField asks for the public address of the claim endpoint, for a platform of
// that title in the cloud.
func AddressField(platform string) Field {
	return Field{
		Name: AddressDetail, Label: "Public address of the endpoint", Required: true, WithRule: true, Routes: []string{RouteLedger},
		Help:    "The https address under which " + platform + " reaches this program: the one that your tunnel, gateway or server gave it. The address on Connect exists on this computer alone.",
		Example: addressExample,
	}
}

// PublicAddress returns the typed https address of the claim endpoint, without a
// slash or /v1 at its end, and "" where nothing was typed. It returns an
// *InputError for one that platform, a title, cannot reach or that cannot be right.
func (s Setup) PublicAddress(platform string) (string, error) {
	return s.address(NotReachable(platform))
}

// NearAddress is [Setup.PublicAddress] for something that may stand beside this
// program: an address of this computer or of its network is right too, and may begin
// with http.
func (s Setup) NearAddress() (string, error) { return s.address("") }

// address reads the typed address. far says why one of the own network is wrong; ""
// where it is not.
func (s Setup) address(far string) (string, error) {
	typed := strings.TrimSpace(s.Details[AddressDetail])
	if typed == "" {
		return "", nil
	}
	wrong := func(msg string) (string, error) { return "", &InputError{Field: AddressDetail, Msg: msg} }
	bare := !strings.Contains(typed, "://")
	if bare {
		typed = "https://" + typed
	}
	u, err := url.Parse(typed)
	if err == nil && bare && far == "" && private(u.Hostname()) {
		u.Scheme = "http"
	}
	switch {
	case err != nil || u.Hostname() == "":
		return wrong("This is no web address. It looks like " + addressExample + ".")
	case private(u.Hostname()) && far != "":
		return wrong(far)
	case u.Scheme != "https" && !(u.Scheme == "http" && private(u.Hostname())):
		return wrong("The address must begin with https://, for the password travels in each call.")
	case u.User != nil:
		return wrong("The address must not hold a name or password.")
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return wrong("Type the address alone, without anything behind a ? or #.")
	case strings.ContainsAny(typed, "{}\"' "):
		return wrong("The address must not hold braces, quotes or spaces.")
	}
	// The endpoint's own paths begin with /v1; whoever pastes one means what stands before.
	before, _, _ := strings.Cut(u.String()+"/", "/v1/")
	return strings.TrimRight(before, "/"), nil
}

// NameStep lets calls in that come under address, which [Setup.PublicAddress] or
// [Setup.NearAddress] returned and which therefore needs no quotes in a shell. "" blocks the step.
func NameStep(address string, sources ...Source) Step {
	step := Step{
		ID: "name", Title: "Let the public name in",
		Where:    "In a terminal on the computer where this program runs: stop the helper (dedupe stop), then start it with this line, always so from then on: as a service of the system, or in a window that stays open. Where your keys are in a folder of their own, add --data and the folder.",
		Why:      "A call under any other name than this computer's own is refused with 421, so that no web page can reach this program under a false name. Under the public name only the calls of automations answer, never the pages.",
		NotFixed: "It makes no tunnel and no certificate: the address must lead to this computer already, and this computer must not sleep. Closing the terminal's window ends it, and the protection with it.",
		Sources:  sources,
		Tried:    "Tried here with the name in the request, not through a tunnel.",
		Details:  []string{AddressDetail},
	}
	host, err := url.Parse(address)
	if address == "" || err != nil {
		step.Blocked = "Type the public address above."
		return step
	}
	step.ValueLabel = "Start of the helper"
	step.Value = "dedupe serve --public-host " + host.Hostname()
	return step
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
