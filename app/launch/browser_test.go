package launch

import (
	"strings"
	"testing"
)

func TestOpenerOfEachSystem(t *testing.T) {
	for _, tt := range []struct {
		goos string
		env  map[string]string
		want string // the command, "" where there is no screen
	}{
		{"windows", nil, "rundll32 url.dll,FileProtocolHandler"},
		{"darwin", nil, "open"},
		{"linux", map[string]string{"DISPLAY": ":0"}, "xdg-open"},
		{"linux", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, "xdg-open"},
		{"linux", nil, ""},
		{"freebsd", map[string]string{"DISPLAY": ":0"}, "xdg-open"},
		{"freebsd", nil, ""},
	} {
		name, args, ok := opener(tt.goos, func(name string) string { return tt.env[name] })
		if got := strings.Join(append([]string{name}, args...), " "); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s with %v opens by %q, %v, want %q", tt.goos, tt.env, got, ok, tt.want)
		}
	}
}
