package alerts_test

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"dedupedesk/app/alerts"
)

// A desktop is what shows notifications on a bus of its own.
type desktop struct{ shown chan [2]string }

// Notify is called by programs, as org.freedesktop.Notifications says.
func (d *desktop) Notify(_ string, _ uint32, _, title, text string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	d.shown <- [2]string{title, text}
	return 1, nil
}

func startDesktop(t *testing.T) *desktop {
	t.Helper()
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatalf("%v; build/test installs it", err)
	}
	t.Cleanup(func() { _ = daemon.Process.Kill(); _ = daemon.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
	conn, err := dbus.Connect(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	d := &desktop{shown: make(chan [2]string, 9)}
	if err := conn.Export(d, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestANotificationAppearsOnTheDesktop of a real bus, and where there is no desktop the
// state says so and it is tried again.
func TestANotificationAppearsOnTheDesktop(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+t.TempDir()+"/none")
	t.Setenv("PATH", t.TempDir()+":"+"/usr/bin")
	h := newHouse(t)
	b := h.book()
	if err := b.SetTarget(t.Context(), h.rule.ID, alerts.Target{Kind: alerts.Desktop, URL: "https://example.com"}); err == nil {
		t.Error("a notification with an address is taken")
	}
	h.target(b, alerts.Target{Kind: alerts.Desktop})
	h.stuck("<b>order:1</b>")
	h.look(b)
	if s, err := b.State(t.Context(), h.rule.ID); err != nil || !strings.Contains(s.Failure, "shows no notifications") || s.Tries != 1 {
		t.Fatalf("without a desktop: %+v, %v", s, err)
	}
	d := startDesktop(t)
	h.clock.Step(time.Minute)
	h.look(b)
	got := <-d.shown
	if got[0] != "Dedupe Desk" || !strings.Contains(got[1], "1 key needs a decision") || strings.Contains(got[1], "order:1") {
		t.Errorf("shown %q", got)
	}
	h.target(b, alerts.Target{Kind: alerts.Desktop, Keys: true})
	h.stuck("<i>order:2</i>")
	h.look(b)
	if got = <-d.shown; !strings.Contains(got[1], "‹i›order:2") {
		t.Errorf("shown %q", got)
	}
}
