package describe

import "strings"

// Curl returns the example as a command for a shell, with the password taken from
// the environment variable DEDUPE_PASSWORD. asks tells whether the route wants one.
// It is a call of method at address, which has no path.
func (e Example) Curl(address, method string, asks bool) string {
	parts := []string{"curl -sS " + quoted(address+e.Path)}
	if method != "GET" && (method != "POST" || e.Body == "") {
		parts[0] = "curl -sS -X " + method + " " + quoted(address+e.Path)
	}
	if asks {
		parts = append(parts, `-H "Authorization: Bearer $DEDUPE_PASSWORD"`)
	}
	if e.Body != "" {
		if e.Kind != "application/x-www-form-urlencoded" { // which curl says by itself
			parts = append(parts, "-H "+quoted("Content-Type: "+e.Kind))
		}
		parts = append(parts, "--data-raw "+quoted(e.Body))
	}
	return strings.Join(parts, " \\\n  ")
}

// quoted returns s as one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
