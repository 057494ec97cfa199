package exporters

import (
	"strings"
	"testing"
)

// TestWhatIsNotSentIsNamed, whether a part of the key or another formula reads it.
func TestWhatIsNotSentIsNamed(t *testing.T) {
	headers := func(path []string) bool { return path[0] == "headers" && len(path) == 2 }
	for _, tt := range []struct {
		s    Setup
		want string
	}{
		{Setup{Parts: []Part{{Literal: "x"}, {Path: []string{"body", "query"}}, {Path: []string{"headers", "x-id"}}}}, ""},
		{Setup{Parts: []Part{{Path: []string{"query", "id"}}}}, "query.id"},
		{Setup{Outside: [][]string{{"headers", "x-id"}, {"query", "a", "b"}}}, "query.a.b"},
		{Setup{Outside: [][]string{{"headers"}}}, "(headers)"},
	} {
		err := tt.s.Unsent("Zapier", headers)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want … %s …", tt.s, err, tt.want)
		}
	}
}
