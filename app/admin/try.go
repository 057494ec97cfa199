package admin

import (
	"context"
	"fmt"
	"net/http"

	"dedupedesk/app/intake"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// try answers a press in "Try it now". It takes the road of a real call, with
// the same ledger behind it.
func (d Desk) try(w http.ResponseWriter, r *http.Request) error {
	rule, key := r.PostFormValue("rule"), r.PostFormValue("key")
	list, err := d.Ledger.Rules(r.Context())
	if err != nil {
		return err
	}
	v := page.TryView{Rules: ruleOptions(list, rule), Key: key, Token: r.PostFormValue("token"), May: true}
	line, err := d.press(r.Context(), &v, r.PostFormValue("act"), rule)
	if err != nil {
		return err
	}
	if v.Fault != "" {
		return d.fragment(w, r, http.StatusUnprocessableEntity, page.TryForm(v))
	}
	return d.fragment(w, r, http.StatusOK, page.TryAnswer(v, line))
}

// press does one act and says what came of it. What the ledger refuses is a line
// in the log, as a caller would see it; a key that is none is a fault of the form.
func (d Desk) press(ctx context.Context, v *page.TryView, act, rule string) (page.TryLine, error) {
	line := page.TryLine{At: d.Clock.Now().Local().Format("15:04:05"), Key: v.Key}
	id := ledger.Identity{Rule: rule, Key: v.Key, Token: v.Token}
	var a ledger.Answer
	var err error
	switch act {
	case "reserve":
		line.Act = "Reserve"
		a, err = d.reserve(ctx, rule, v.Key)
		if a.Token != "" {
			v.Token = a.Token
		}
	case "finish":
		line.Act = "Finish"
		a, err = d.report(id, func() (ledger.Answer, error) { return d.Ledger.Done(ctx, ledger.DoneRequest{Identity: id}) })
	case "again":
		line.Act = "Let it run again"
		a, err = d.report(id, func() (ledger.Answer, error) {
			return d.Ledger.Release(ctx, ledger.ReleaseRequest{Identity: id, Error: "let run again from Try it now"})
		})
	default:
		return line, &ledger.Error{Code: ledger.Invalid, Field: "act", Msg: "Choose what to try."}
	}
	return d.tell(line, v, a, err)
}

func (d Desk) reserve(ctx context.Context, rule, key string) (ledger.Answer, error) {
	res, err := d.Intake.Claim(ctx, intake.Source{Rule: rule, Key: key}, intake.Options{})
	if err != nil {
		return ledger.Answer{}, err
	}
	return res.Items[0].Answer, res.Items[0].Err
}

// report speaks for the grant that this page got, if it got one.
func (d Desk) report(id ledger.Identity, call func() (ledger.Answer, error)) (ledger.Answer, error) {
	if id.Token == "" {
		return ledger.Answer{}, &ledger.Error{Code: ledger.NotFound, Msg: "Nothing was reserved from this page yet. Press Reserve first."}
	}
	return call()
}

// httpOf is what a program sees of a refusal.
var httpOf = map[ledger.Code]int{
	ledger.NotFound: http.StatusNotFound, ledger.Stale: http.StatusConflict, ledger.Closed: http.StatusConflict,
	ledger.UnknownRule: http.StatusNotFound, ledger.Busy: http.StatusServiceUnavailable, ledger.Paused: http.StatusServiceUnavailable,
}

func (d Desk) tell(line page.TryLine, v *page.TryView, a ledger.Answer, err error) (page.TryLine, error) {
	if err != nil {
		code := ledger.CodeOf(err)
		if code == ledger.Invalid {
			v.Fault = ledger.MessageOf(err)
			return line, nil
		}
		status, known := httpOf[code]
		if !known {
			return line, err
		}
		line.Tone, line.Words, line.HTTP = "error", ledger.MessageOf(err), fmt.Sprintf("%d, code %s", status, code)
		return line, nil
	}
	line.Tone, line.Words, line.HTTP = "ok", a.Reason, "200, status "+string(a.Status)
	if line.Act == "Reserve" && !a.Run {
		line.Tone, line.Words = "stop", "Copy stopped. "+a.Reason
	}
	return line, nil
}
