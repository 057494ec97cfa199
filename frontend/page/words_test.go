package page

import (
	"testing"
	"time"
)

func TestAt(t *testing.T) {
	now := time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)
	for _, tt := range []struct {
		before time.Duration
		want   string
	}{
		{0, "just now"},
		{4*time.Second + 999*time.Millisecond, "just now"},
		{5 * time.Second, "5 seconds ago"},
		{59 * time.Second, "59 seconds ago"},
		{time.Minute, "1 minute ago"},
		{59*time.Minute + 59*time.Second, "59 minutes ago"},
		{time.Hour, "1 hour ago"},
		{24 * time.Hour, "1 day ago"},
		{7*24*time.Hour - time.Second, "6 days ago"},
		{7 * 24 * time.Hour, "23 Nov 2026"},
		{-11 * time.Minute, "in 11 minutes"},
		{-23*time.Hour - 59*time.Minute, "in 23 hours"},
	} {
		v := At(now.Add(-tt.before), now)
		if v.Text != tt.want {
			t.Errorf("%v before: %q, want %q", tt.before, v.Text, tt.want)
		}
		if back, err := time.Parse(time.RFC3339, v.At); err != nil || !back.Equal(now.Add(-tt.before)) {
			t.Errorf("%v before: datetime %q", tt.before, v.At)
		}
	}
	if v := At(time.Time{}, now); v != (TimeView{Text: "never"}) {
		t.Errorf("zero time: %+v", v)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1204: "1,204", 1000000: "1,000,000"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}
