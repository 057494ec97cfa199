package session

import (
	"testing"
	"time"
)

func TestCodeOpensOneSession(t *testing.T) {
	b := NewBook(time.Now)
	code := b.NewCode(Session{Name: "Ana", Role: Decide})
	id, header, ok := b.Open(code)
	if !ok {
		t.Fatal("a fresh code was refused")
	}
	if _, _, again := b.Open(code); again {
		t.Error("a code opened a second session")
	}
	s, ok := b.Find(id)
	if !ok || s.Name != "Ana" || s.Role != Decide {
		t.Errorf("Find = %+v, %v", s, ok)
	}
	if _, ok := b.FindForChange(id, header); !ok {
		t.Error("the session's own header was refused")
	}
	if _, ok := b.FindForChange(id, "x"); ok {
		t.Error("a wrong header was accepted")
	}
	if _, ok := b.FindForChange("x", header); ok {
		t.Error("a wrong id was accepted")
	}
}

func TestCodesAndSessionsEnd(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	b := NewBook(func() time.Time { return now })
	old := b.NewCode(Session{Role: Look})
	now = now.Add(CodeLife + time.Second)
	if _, _, ok := b.Open(old); ok {
		t.Error("an old code opened a session")
	}
	id, _, _ := b.Open(b.NewCode(Session{Role: Look}))
	now = now.Add(SessionLife - time.Minute)
	if _, ok := b.Find(id); !ok {
		t.Error("a session ended early")
	}
	now = now.Add(SessionLife + time.Second)
	if _, ok := b.Find(id); ok {
		t.Error("an unused session lived on")
	}
}

func TestOpenThingsAreBounded(t *testing.T) {
	b := NewBook(time.Now)
	for range maxOpen + 50 {
		b.NewCode(Session{Role: Look})
	}
	if n := len(b.codes); n > maxOpen {
		t.Errorf("%d codes are open, want at most %d", n, maxOpen)
	}
}

func TestRolesIncludeTheOnesBefore(t *testing.T) {
	for _, tt := range []struct {
		have, need Role
		want       bool
	}{{Look, Look, true}, {Look, Decide, false}, {Decide, Look, true}, {Decide, Change, false}, {Change, Decide, true}, {"", Look, false}} {
		if got := tt.have.Covers(tt.need); got != tt.want {
			t.Errorf("%q covers %q = %v, want %v", tt.have, tt.need, got, tt.want)
		}
	}
	if _, ok := ParseRole("owner"); ok {
		t.Error("an unknown role was accepted")
	}
}
