package ledgertest

import (
	"fmt"
	"time"

	"dedupedesk/ledger"
)

// rename gives a rule another name and leaves its policy as it is.
func (b *bench) rename(was, name string) error {
	r, err := b.l.Rule(b.Context(), was)
	b.code(err, "")
	r.Name = name
	_, err = b.l.PutRule(b.Context(), was, r)
	return err
}

var ruleCases = []testCase{
	{"DefaultIsThere", func(b *bench) {
		r, err := b.l.Rule(b.Context(), ledger.DefaultRule)
		b.code(err, "")
		equal(b, "policy", r.Policy, ledger.DefaultPolicy())
		equal(b, "version", r.Version, 1)
		for _, act := range []func() error{
			func() error { return b.l.ArchiveRule(b.Context(), ledger.DefaultRule) },
			func() error { return b.rename(ledger.DefaultRule, "other") },
			func() error { return b.rename("shop", ledger.DefaultRule) },
		} {
			err := act()
			b.code(err, ledger.Invalid)
			equal(b, "field", ledger.FieldOf(err), "rule")
		}
	}},
	{"Peers44RenameKeepsTheKeys", func(b *bench) {
		b.finish("a")
		b.code(b.rename("shop", "store"), "")
		a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "store", Key: "a"})
		b.status(a, err, ledger.StatusDone)
		equal(b, "rule", a.Rule, "store")
		_, err = b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a"})
		b.code(err, ledger.UnknownRule)
	}},
	{"ARenameAndItsContentAreOneWrite", func(b *bench) {
		shop, err := b.l.Rule(b.Context(), "shop")
		b.code(err, "")
		b.rule("gone", ledger.DefaultPolicy())
		b.code(b.l.ArchiveRule(b.Context(), "gone"), "")
		good, bad := ledger.DefaultPolicy(), ledger.DefaultPolicy()
		bad.Keep = time.Minute
		for _, tt := range []struct {
			was, name string
			policy    ledger.Policy
			want      ledger.Code
		}{
			{"shop", "store", bad, ledger.Invalid},
			{"shop", "No Name", good, ledger.Invalid},
			{"shop", "gone", good, ledger.Invalid},
			{"gone", "store", good, ledger.UnknownRule},
			{"nobody", "store", good, ledger.UnknownRule},
		} {
			_, err := b.l.PutRule(b.Context(), tt.was, ledger.Rule{Name: tt.name, Doc: []byte("new"), Policy: tt.policy})
			b.code(err, tt.want)
			got, err := b.l.Rule(b.Context(), "shop")
			b.code(err, "")
			equal(b, tt.was+" to "+tt.name, fmt.Sprint(got), fmt.Sprint(shop))
			_, err = b.l.Rule(b.Context(), "store")
			b.code(err, ledger.UnknownRule)
		}
		for range 2 { // the second is the first one again, whose answer was lost
			got, err := b.l.PutRule(b.Context(), "shop", ledger.Rule{Name: "store", Doc: []byte("new"), Policy: good})
			b.code(err, "")
			equal(b, "renamed", fmt.Sprint(got.ID, got.Name, string(got.Doc), got.Version), fmt.Sprint(shop.ID, "store", "new", shop.Version+1))
		}
	}},
	{"AnArchivedNameIsTheSameRule", func(b *bench) {
		open := b.grant("open")
		b.finish("a")
		b.code(b.l.ArchiveRule(b.Context(), "shop"), "")
		_, err := b.l.Rule(b.Context(), "shop")
		b.code(err, ledger.UnknownRule)
		_, err = b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a"})
		b.code(err, ledger.UnknownRule)
		b.code(b.l.ArchiveRule(b.Context(), "shop"), ledger.UnknownRule)
		d, err := b.done("open", open.Token, "")
		b.status(d, err, ledger.StatusDone)
		b.rule("shop", ledger.DefaultPolicy())
		equal(b, "claim", b.claim("a", "").Status, ledger.StatusDone)
	}},
	{"VersionsCountChanges", func(b *bench) {
		p := ledger.DefaultPolicy()
		equal(b, "as it was", b.rule("shop", p).Version, 1)
		p.MaxAttempts = 5
		equal(b, "another policy", b.rule("shop", p).Version, 2)
		r, err := b.l.PutRule(b.Context(), "", ledger.Rule{Name: "shop", Title: "Shop", Doc: []byte(`{"a":1}`), Policy: p})
		b.code(err, "")
		equal(b, "another doc", r.Version, 3)
		r, err = b.l.Rule(b.Context(), "shop")
		b.code(err, "")
		equal(b, "doc", string(r.Doc), `{"a":1}`)
		equal(b, "title", r.Title, "Shop")
		equal(b, "policy", r.Policy, p)
	}},
	{"AClaimOfAnotherVersionIsRefused", func(b *bench) {
		_, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", RuleVersion: 2})
		b.code(err, ledger.RuleChanged)
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: "a", RuleVersion: 1})
	}},
	{"AClaimOfAnotherRuleOfThatNameIsRefused", func(b *bench) {
		shop, err := b.l.Rule(b.Context(), "shop")
		b.code(err, "")
		b.code(b.rename("shop", "store"), "")
		other := b.rule("shop", ledger.DefaultPolicy())
		equal(b, "the other's version", other.Version, shop.Version)
		_, err = b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", RuleID: shop.ID, RuleVersion: shop.Version})
		b.code(err, ledger.RuleChanged)
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "store", Key: "a", RuleID: shop.ID, RuleVersion: shop.Version})
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: "a", RuleID: other.ID})
		_, err = b.l.Claim(b.Context(), ledger.ClaimRequest{Key: "a", RuleID: -1})
		b.code(err, ledger.Invalid)
		equal(b, "field", ledger.FieldOf(err), "rule_id")
	}},
	{"RulesAreListedByName", func(b *bench) {
		b.rule("a.b-c_1", ledger.DefaultPolicy())
		all, err := b.l.Rules(b.Context())
		b.code(err, "")
		var names []string
		for _, r := range all {
			names = append(names, r.Name)
		}
		equal(b, "names", fmt.Sprint(names), "[a.b-c_1 default shop]")
		b.code(b.rename("shop", "a.b-c_1"), ledger.Invalid)
	}},
	{"BadRules", func(b *bench) {
		good := ledger.DefaultPolicy()
		for _, name := range []string{"", "Shop", "-a", ".a", "a b", "é", fmt.Sprintf("%065d", 1)} {
			_, err := b.l.PutRule(b.Context(), "", ledger.Rule{Name: name, Policy: good})
			b.code(err, ledger.Invalid)
			equal(b, "field", ledger.FieldOf(err), "rule")
		}
		for field, change := range map[string]func(*ledger.Policy){
			"lease":        func(p *ledger.Policy) { p.Lease = 0 },
			"keep":         func(p *ledger.Policy) { p.Keep = -day },
			"on_expiry":    func(p *ledger.Policy) { p.OnExpiry = "" },
			"max_attempts": func(p *ledger.Policy) { p.MaxAttempts = -1 },
		} {
			p := good
			change(&p)
			_, err := b.l.PutRule(b.Context(), "", ledger.Rule{Name: "shop", Policy: p})
			b.code(err, ledger.Invalid)
			equal(b, "field", ledger.FieldOf(err), field)
		}
	}},
}
