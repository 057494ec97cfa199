package api

import (
	"errors"
	"net/http"
	"strings"

	"dedupedesk/app/body"
	"dedupedesk/app/intake"
	"dedupedesk/app/problem"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// problemOf returns what the caller is told of err.
func problemOf(err error) *problem.Problem {
	if issues, ok := errors.AsType[*intake.IssuesError](err); ok {
		p := problem.New(http.StatusBadRequest, "faulty_formula", issues.Error())
		p.Field = issues.Issues[0].Place
		for _, i := range issues.Issues {
			p.Issues = append(p.Issues, problem.Issue{Place: i.Place, Line: i.Line, Column: i.Column, Detail: i.Msg})
		}
		return p
	}
	if bad, ok := errors.AsType[*rules.FileError](err); ok {
		return &problem.Problem{Status: http.StatusBadRequest, Code: "bad_rule_file", Field: bad.Field, Detail: bad.Error()}
	}
	return body.ProblemOf(err)
}

// A Profile says which HTTP status a decision gets, since no-code tools treat
// statuses differently.
type Profile string

// The profiles of a rule, as in its file.
const (
	Branch Profile = "branch" // always 200: the tool branches on the text status
	Wait   Profile = "wait"   // in progress is 429, so the tool's own retry waits
	Strict Profile = "strict" // a status for each decision, for developers
)

// profileCodes holds what differs from 200.
var profileCodes = map[Profile]map[ledger.Status]int{
	Branch: {},
	Wait:   {ledger.StatusInProgress: http.StatusTooManyRequests, ledger.StatusMismatch: http.StatusUnprocessableEntity},
	Strict: {
		ledger.StatusClaimed:    http.StatusCreated,
		ledger.StatusInProgress: http.StatusConflict,
		ledger.StatusHeld:       http.StatusConflict,
		ledger.StatusMismatch:   http.StatusUnprocessableEntity,
	},
}

// profileOf returns the profile that a request asks for, or else the rule's.
func profileOf(asked string, rule *intake.Rule) (Profile, error) {
	if asked == "" {
		asked = rule.File.Answer
	}
	return profileNamed(asked)
}

// profileNamed returns the profile of that name, "" meaning the default one.
func profileNamed(name string) (Profile, error) {
	if name == "" {
		return Branch, nil
	}
	if _, ok := profileCodes[Profile(name)]; !ok {
		return "", invalid("answer", `answer is branch, wait or strict, not "`+clip(name)+`".`)
	}
	return Profile(name), nil
}

// code returns the HTTP status of a decision under p.
func (p Profile) code(s ledger.Status) int {
	if c, ok := profileCodes[p][s]; ok {
		return c
	}
	return http.StatusOK
}

func invalid(field, msg string) error {
	return &ledger.Error{Code: ledger.Invalid, Field: field, Msg: msg}
}

// clip cuts what a caller sent, so that a message stays a sentence.
func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// stop returns err's words as the end of a sentence.
func stop(err error) string { return strings.TrimRight(err.Error(), ".") + "." }
