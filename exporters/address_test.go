package exporters_test

import (
	"errors"
	"strings"
	"testing"

	"dedupedesk/exporters"
)

func TestAddresses(t *testing.T) {
	for typed, want := range map[string]string{
		"":                                    "",
		"https://dedupe.example.com":          "https://dedupe.example.com",
		" dedupe.example.com/ ":               "https://dedupe.example.com",
		"https://example.com:8443/dedupe/v1/": "https://example.com:8443/dedupe",
		"https://93.184.216.34":               "https://93.184.216.34",
		"https://dedupe.example.com/v1/claim": "https://dedupe.example.com",
		"https://example.com/a/v1/":           "https://example.com/a",
		"https://example.com/v12":             "https://example.com/v12",
	} {
		got, err := (exporters.Setup{Details: map[string]string{"address": typed}}).PublicAddress("Make")
		if err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", typed, got, err, want)
		}
	}
}

func TestAddressesThatMakeCannotReach(t *testing.T) {
	for _, typed := range []string{
		"http://127.0.0.1:47821", "127.0.0.1", "https://127.8.9.1", "https://127.1", "https://[::1]:47821", "https://[::ffff:127.0.0.1]", "localhost:47821", "https://LOCALHOST.",
		"https://api.localhost", "https://0.0.0.0", "https://10.0.0.5", "https://192.168.1.2", "https://172.16.3.4", "https://169.254.1.1", "https://[fe80::1]", "https://[fd00::1]",
		"https://my-pc", "https://my-pc.local", "https://nas.lan",
	} {
		_, err := (exporters.Setup{Details: map[string]string{"address": typed}}).PublicAddress("Make")
		var input *exporters.InputError
		if !errors.As(err, &input) || input.Field != "address" || !strings.Contains(input.Msg, "cannot reach this computer") {
			t.Errorf("%q: %v", typed, err)
		}
	}
}

func TestAddressesThatAreWrong(t *testing.T) {
	for typed, reason := range map[string]string{
		"http://dedupe.example.com":            "https://",
		"ftp://dedupe.example.com":             "https://",
		"https://user:pw@dedupe.example.com":   "name or password",
		"https://dedupe.example.com?token=x":   "behind a ?",
		"https://dedupe.example.com/#a":        "behind a ?",
		"https://dedupe.example.com/{{1.url}}": "braces",
		"https://":                             "no web address",
		"https://a b.example.com":              "no web address",
	} {
		_, err := (exporters.Setup{Details: map[string]string{"address": typed}}).PublicAddress("Make")
		var input *exporters.InputError
		if !errors.As(err, &input) || !strings.Contains(input.Msg, reason) {
			t.Errorf("%q: %v, want … %s …", typed, err, reason)
		}
	}
}

func TestAddressesOfTheOwnNetwork(t *testing.T) {
	for typed, want := range map[string]string{
		"": "", "127.0.0.1:47821": "http://127.0.0.1:47821", "http://localhost:47821/v1/": "http://localhost:47821", "http://dedupe:47821": "http://dedupe:47821",
		"host.docker.internal:47821": "http://host.docker.internal:47821", "https://10.0.0.5": "https://10.0.0.5", "dedupe.example.com": "https://dedupe.example.com",
	} {
		got, err := (exporters.Setup{Details: map[string]string{"address": typed}}).NearAddress()
		if err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", typed, got, err, want)
		}
	}
	for _, typed := range []string{"http://dedupe.example.com", "ftp://localhost", "http://user:pw@localhost", "http://localhost/$(id)'", "http://localhost/{{1}}"} {
		_, err := (exporters.Setup{Details: map[string]string{"address": typed}}).NearAddress()
		var input *exporters.InputError
		if !errors.As(err, &input) {
			t.Errorf("%q: %v", typed, err)
		}
	}
}
