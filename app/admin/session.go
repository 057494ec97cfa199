package admin

import (
	"encoding/json"
	"net/http"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/app/session"
)

func sessionRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "POST /session", Access: guard.Open, Handler: d.handle(d.openSession)},
		{Pattern: "POST /session/code", Access: guard.Window, Handler: d.handle(d.newCode)},
		{Pattern: "POST /engine/stop", Access: guard.Window, Handler: d.handle(d.stopEngine)},
	}
}

// openSession trades the one-time code of an address for a session.
func (d Desk) openSession(w http.ResponseWriter, r *http.Request) error {
	id, header, ok := d.Sessions.Open(r.PostFormValue("code"))
	if !ok {
		return problem.New(http.StatusUnauthorized, "used_code",
			"This address was used already or is too old. Open the app again, or run: "+d.Open)
	}
	http.SetCookie(w, &http.Cookie{
		Name: guard.CookieName(d.AdminPort), Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	return replyJSON(w, map[string]string{"header": header})
}

// newCode makes a one-time code for this user's own commands.
func (d Desk) newCode(w http.ResponseWriter, r *http.Request) error {
	role, ok := session.ParseRole(r.PostFormValue("role"))
	if !ok {
		return problem.New(http.StatusBadRequest, "invalid", "The role is look, decide or change.")
	}
	name := r.PostFormValue("name")
	if name == "" {
		return problem.New(http.StatusBadRequest, "invalid", "The name is missing. Decisions are signed with it.")
	}
	return replyJSON(w, map[string]string{"code": d.Sessions.NewCode(session.Session{Name: name, Role: role})})
}

func (d Desk) stopEngine(w http.ResponseWriter, _ *http.Request) error {
	d.Log.Info("asked to stop")
	defer d.Stop()
	return replyJSON(w, map[string]string{"status": "stopping"})
}

func replyJSON(w http.ResponseWriter, v any) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	return json.NewEncoder(w).Encode(v)
}
