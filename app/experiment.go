package main

import (
	"context"
	"crypto/rand"

	"dedupedesk/app/drill"
	labs "dedupedesk/app/lab"
	"dedupedesk/app/scratch"
	"dedupedesk/ledger"
	"dedupedesk/ledger/lab"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// runLab makes an experiment on a ledger of its own.
func runLab(ctx context.Context, c lab.Config, told func(lab.Progress)) (*lab.Result, error) {
	needs, err := scratchNeeds()
	if err != nil {
		return nil, err
	}
	return labs.Run(ctx, needs, c, told)
}

// runDrills tries a rule on endpoints that are thrown away.
func runDrills(ctx context.Context, c drill.Case) ([]drill.Outcome, error) {
	needs, err := scratchNeeds()
	if err != nil {
		return nil, err
	}
	return drill.Run(ctx, needs, c)
}

// scratchNeeds are what endpoints are made of that are thrown away. Their rules have a
// secret of their own, which nobody's keys are made with.
func scratchNeeds() (scratch.Needs, error) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails, says its documentation
	engine, err := rules.New(rules.WithSenders(presets.Known), rules.WithSecret(func() ([]byte, error) { return secret, nil }))
	return scratch.Needs{
		Open:  func(path string) (ledger.Store, error) { return sqlite.Open(path) },
		Rules: engine,
	}, err
}
