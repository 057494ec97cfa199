package wdl

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestTimes goes beyond the reference's examples: formats, months of different
// length, clocks that are set back and forward, and times without a zone.
func TestTimes(t *testing.T) {
	for _, tt := range []struct{ expression, want string }{
		{"formatDateTime('2026-01-05T04:03:02.1204Z','d M yy h:m:s t')", "5 1 26 4:3:2 A"},
		{"formatDateTime('2026-01-05T16:03:02.1204Z','dd ddd MM MMM yyyy hh:mm:ss tt')", "05 Mon 01 Jan 2026 04:03:02 PM"},
		{"formatDateTime('2026-01-05T00:03:02.1204Z','h H HH')", "12 0 00"},
		{"formatDateTime('2026-01-05T16:03:02.1204Z','s.f s.fff s.fffffff s.FFFFFFF')", "2.1 2.120 2.1204000 2.1204"},
		{"formatDateTime('2026-01-05T16:03:02Z','s.FFF')", "2"},
		{"formatDateTime('2026-01-05T16:03:02Z','yyyyMMddTHHmmssK')", "20260105T160302Z"},
		{"formatDateTime('2026-01-05T16:03:02','yyyyMMddTHHmmssK')", "20260105T160302"},
		{"formatDateTime('2026-01-05T16:03:02Z','zzz')", "+00:00"},
		{`formatDateTime('2026-01-05T16:03:02Z','"day" d \d''at''')`, "day 5 dat"},
		{"formatDateTime('2026-01-05T16:03:02Z','%d')", "5"}, {"formatDateTime('2026-01-05T16:03:02Z','%h')", "4"},
		{"formatDateTime('2026-01-05T16:03:02Z','g')", "1/5/2026 4:03 PM"}, {"formatDateTime('2026-01-05T16:03:02Z','')", "1/5/2026 4:03:02 PM"},
		{"formatDateTime('2026-01-05T16:03:02Z','R')", "Mon, 05 Jan 2026 16:03:02 GMT"}, {"formatDateTime('2026-01-05T16:03:02Z','u')", "2026-01-05 16:03:02Z"},
		{"formatDateTime('2026-01-05','M')", "January 5"}, {"formatDateTime('2026-01-05','y')", "January 2026"}, {"formatDateTime('2026-01-05','d','en-US')", "1/5/2026"},
		{"addToTime('2026-01-31','1','Month')", "refused"}, {"addToTime('2026-01-31',1,'Month')", "2026-02-28T00:00:00.0000000"},
		{"addToTime('2024-01-31T10:00:00Z',1,'month')", "2024-02-29T10:00:00.0000000Z"}, {"addToTime('2024-02-29',1,'Year')", "2025-02-28T00:00:00.0000000"},
		{"subtractFromTime('2026-03-31',1,'Month')", "2026-02-28T00:00:00.0000000"}, {"addToTime('2026-01-31',2,'Week')", "2026-02-14T00:00:00.0000000"}, {"subtractFromTime('2026-01-15',13,'Month')", "2024-12-15T00:00:00.0000000"},
		{"addToTime('2026-01-31',1,'Fortnight')", "refused"}, {"addDays('2026-01-31',1.5)", "refused"}, {"addDays('9999-12-31',1)", "refused"}, {"addDays('0001-01-01',-1)", "refused"},
		{"convertToUtc('2026-07-01T10:00:00','W. Europe Standard Time')", "2026-07-01T08:00:00.0000000Z"}, {"convertToUtc('2026-01-01T10:00:00','w. europe standard time')", "2026-01-01T09:00:00.0000000Z"},
		{"convertToUtc('2026-03-29T02:30:00','W. Europe Standard Time')", "refused"},                      // the clock goes from 2 to 3
		{"convertToUtc('2026-10-25T02:30:00','W. Europe Standard Time')", "2026-10-25T01:30:00.0000000Z"}, // and from 3 to 2
		{"convertToUtc('2026-07-01T10:00:00Z','W. Europe Standard Time')", "2026-07-01T10:00:00.0000000Z"},
		{"convertFromUtc('2026-07-01T22:30:00Z','India Standard Time','yyyy-MM-dd HH:mm')", "2026-07-02 04:00"},
		{"convertTimeZone('2026-07-01T10:00:00','Tokyo Standard Time','Pacific Standard Time')", "2026-06-30T18:00:00.0000000"},
		{"dateDifference('2026-01-02','2026-01-01T23:59:58.5')", "-00:00:01.5000000"}, {"dateDifference('2026-01-02','2026-01-02')", "00:00:00"},
		{"ticks('9999-12-31T23:59:59.9999999Z')", "3155378975999999999"},
		{"parseDateTime('13/02/2026')", "refused"}, {"parseDateTime('2026-02-13 14:00','en-us')", "2026-02-13T14:00:00.0000000"}, {"parseDateTime('13.02.2026','en-us','dd.MM.yyyy')", "2026-02-13T00:00:00.0000000"}, {"parseDateTime('x','en-us','dd.MM.yyyy')", "refused"},
		{"formatDateTime('Thu, 15 Mar 2018 13:27:36 GMT')", "2018-03-15T13:27:36.0000000Z"},
		{"formatDateTime('2026-01-05','Q')", "refused"}, {"formatDateTime('2026-01-05','ffffffff')", "refused"}, {"formatDateTime('2026-01-05','d''')", "refused"},
	} {
		t.Run(tt.expression, func(t *testing.T) {
			got := evaluate(t, tt.expression)
			if got.OK == (tt.want == "refused") || got.OK && got.Text != tt.want {
				t.Errorf("%q, want %q (at %d: %s)", got.Text, tt.want, got.Offset, got.Reason)
			}
		})
	}
}

// TestTimesWarned tells where the service may read a time in another way.
func TestTimesWarned(t *testing.T) {
	for expression, says := range map[string]string{
		"dayOfWeek('2026-11-01T00:30:00+01:00')": "not in UTC",
		"dayOfMonth('03/04/2026')":               "month first: 4 March 2026",
		"utcNow()":                               "the time at which",
		"getPastTime(1,'Day')":                   "the time at which",
		"convertToUtc('2026-10-25T02:30:00','Central Europe Standard Time')": "comes twice",
		"sort(createArray('b','A'))":                                         "is not confirmed",
	} {
		if got := evaluate(t, expression); !got.OK || !strings.Contains(strings.Join(got.Warnings, "\n"), says) {
			t.Errorf("%s: %+v does not say %q", expression, got, says)
		}
	}
}

// TestEachZoneIsKnown loads every zone and takes its name in any case.
func TestEachZoneIsKnown(t *testing.T) {
	if len(windowsZones) < 130 {
		t.Fatalf("%d zones", len(windowsZones))
	}
	for key, zone := range windowsZones {
		if _, ok := Location(strings.ToUpper(zone.name)); !ok || key != strings.ToLower(zone.name) {
			t.Errorf("%s stands for %q, which is not known", zone.name, zone.city)
		}
		if name, ok := Zone(key); !ok || name != zone.name {
			t.Errorf("%s became %q", key, name)
		}
	}
	if _, ok := Zone("Europe/Berlin"); ok {
		t.Error("a name that Microsoft does not use was taken")
	}
	if name, ok := ZoneOf("europe/berlin"); !ok || name != "W. Europe Standard Time" {
		t.Errorf("Berlin's zone is %q", name)
	}
	if name, ok := ZoneOf("Europe"); ok {
		t.Errorf("Europe's zone is %q", name)
	}
}

// TestTimesComeBack writes any time in the round-trip form and reads it again, in any
// zone and back.
func TestTimesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-62_135_596_800, 253_402_300_799).Draw(t, "unix"), rapid.Int64Range(0, 9_999_999).Draw(t, "tick")*100).UTC()
		text, ok := moment{Time: at}.format("o")
		if !ok {
			t.Fatalf("%s cannot be written", at)
		}
		e := &evaluator{}
		back, ok := e.readTime(text)
		if !ok || !back.Equal(at) || back.floating || len(e.warnings) > 0 {
			t.Fatalf("%s came back as %s %v", text, back, e.warnings)
		}
	})
}
