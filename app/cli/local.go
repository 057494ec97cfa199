package cli

import (
	"context"

	"dedupedesk/app/body"
	"dedupedesk/app/intake"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// local answers from the key file on this computer.
type local struct {
	ledger *ledger.Ledger
	intake *intake.Intake
	person string // who changes rules
}

func (l local) claim(ctx context.Context, q ledger.ClaimRequest) (decision, error) {
	res, err := l.intake.Claim(ctx, intake.Source{Rule: q.Rule, Key: q.Key},
		intake.Options{Owner: q.Owner, Lease: q.Lease, Fingerprint: q.Fingerprint, Plain: q.Plain})
	if err != nil {
		return decision{}, err
	}
	lease := q.Lease
	if lease == 0 {
		lease = res.Rule.Policy.Lease
	}
	return decision{res.Items[0].Answer, lease}, res.Items[0].Err
}

func (l local) done(ctx context.Context, q ledger.DoneRequest) (ledger.Answer, error) {
	return l.ledger.Done(ctx, q)
}

func (l local) release(ctx context.Context, q ledger.ReleaseRequest) (ledger.Answer, error) {
	return l.ledger.Release(ctx, q)
}

func (l local) renew(ctx context.Context, q ledger.RenewRequest) (ledger.Answer, error) {
	return l.ledger.Renew(ctx, q)
}

func (l local) keys(ctx context.Context, q ledger.KeyQuery) (ledger.KeyPage, error) {
	return l.ledger.Keys(ctx, q)
}

func (l local) key(ctx context.Context, rule, key string) (ledger.Life, error) {
	return l.ledger.Key(ctx, rule, key)
}

func (l local) rules(ctx context.Context) ([]ledger.Rule, error) { return l.ledger.Rules(ctx) }

func (l local) rule(ctx context.Context, name string) (ledger.Rule, error) {
	return l.ledger.Rule(ctx, name)
}

func (l local) putRule(ctx context.Context, file *rules.Rule, why ledger.Why) (body.Rule, error) {
	r, err := l.intake.ChangeRule(ctx, intake.Change{File: file, Why: why, By: l.person})
	if err != nil {
		return body.Rule{}, err
	}
	b := body.RuleOf(r.Rule)
	b.LookNote = r.LookBackNote(l.ledger.Now())
	return b, nil
}
