package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dedupedesk/rules"
)

const (
	rulesAim = 1  // s, a test over sizes.payload payloads
	keyAim   = 20 // µs, one key of a decoded event
)

// rules times a rule's test over many payloads, each decoded and given its key, and
// one key alone.
func (b *bench) rules(ctx context.Context) error {
	data, err := os.ReadFile(filepath.Join(b.root, "rules", "testdata", "pairs", "stripe-two-events-one-object", "first.json"))
	if err != nil {
		return err
	}
	e, err := rules.New()
	if err != nil {
		return err
	}
	p, issues := e.Compile(&rules.Rule{Key: `key("stripe", body.data.object.id, body.type)`})
	if len(issues) > 0 {
		return fmt.Errorf("the formula has issues: %v", issues)
	}
	headers := map[string]string{"Stripe-Signature": "t=1,v1=0"}
	var whole, key series
	for range b.rounds {
		var inKey time.Duration
		start := time.Now()
		for range b.payload {
			event, err := rules.DecodeEvent("application/json", data, headers, nil)
			if err != nil {
				return err
			}
			decoded := time.Now()
			if _, err := p.Keys(ctx, event); err != nil {
				return err
			}
			inKey += time.Since(decoded)
		}
		whole = append(whole, time.Since(start).Seconds())
		key = append(key, inKey.Seconds()*1e6/float64(b.payload))
	}
	name := fmt.Sprintf("%d payloads of %.1f KB, decoded and keyed", b.payload, float64(len(data))/1024)
	b.report.aimed(whole.figure(name, "s"), atMost(rulesAim))
	b.report.aimed(key.figure("one key of a decoded event", "µs"), atMost(keyAim))
	return nil
}
