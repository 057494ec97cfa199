package rules

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Rule is one thing that must happen once, and how its copies are known.
// The zero value of a field means that the rule does not say; see WithDefaults.
type Rule struct {
	Rule          string // its name: 1 to 64 of a to z, 0 to 9, . _ -, starts with a letter or digit
	Title         string // what people read
	Sender        string // a preset's name, such as stripe
	Key           string // formula of the event key; text
	Each          string // formula of a list: one key for each item; optional
	When          string // formula of a condition; an event that fails it is ignored
	Lease         Duration
	Keep          Duration
	OnExpiry      string // next or ask
	MaxAttempts   int    // 0: no limit
	Answer        string // branch, wait or strict
	LongKeys      string // "" refuses a key that is too long, sha256 shortens it
	FoldCase      bool   // capitals do not count, as in a SharePoint column
	KeepSamples   int    // how many deliveries an engine keeps in memory, to be looked at
	Fingerprint   []string
	Samples       []Sample
	IfUnreachable string // stop or go_on
	CostPerDouble string // what one double run costs, such as 12.50 EUR; optional
}

// The bounds of a rule that its editors tell people.
const (
	MaxFormula     = 4096 // bytes
	MaxSamples     = 200
	MaxTitle       = 200  // code points
	MaxHeaders     = 200  // of one sample
	MaxKeptSamples = 1000 // deliveries that an engine keeps for a rule
)

// Other bounds, and defaults. Those of name, lease, keep and attempts are the
// ledger's, so that it takes every rule that passes here.
const (
	minLease     = Duration(5 * time.Second)
	maxLease     = Duration(7 * 24 * time.Hour)
	minKeep      = Duration(time.Hour)
	maxKeep      = Duration(3650 * 24 * time.Hour)
	defaultLease = Duration(15 * time.Minute)
	defaultKeep  = Duration(35 * 24 * time.Hour)

	maxMaxAttempts = 1_000_000
	maxFingerprint = 32
	maxSampleBytes = 1 << 20
)

var ruleName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// WithDefaults returns the rule with every field that has a default filled:
// title (the name), lease 15m, keep 35d, on_expiry next, answer branch,
// if_unreachable stop.
func (r *Rule) WithDefaults() Rule {
	d := *r
	fallback(&d.Title, d.Rule)
	fallback(&d.OnExpiry, "next")
	fallback(&d.Answer, "branch")
	fallback(&d.IfUnreachable, "stop")
	fallback(&d.Lease, defaultLease)
	fallback(&d.Keep, defaultKeep)
	return d
}

func fallback[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// fault is what is wrong with a field, whatever the file it came from.
type fault struct{ field, msg string }

// faults checks everything but the formulas' meaning. A rule without a name is
// a draft; [Parse] refuses it, the editor does not.
func (r *Rule) faults() []fault {
	var out []fault
	add := func(field, format string, args ...any) {
		out = append(out, fault{field, fmt.Sprintf(format, args...)})
	}
	if r.Rule != "" && !ruleName.MatchString(r.Rule) {
		add("rule", "The name is 1 to 64 of a to z, 0 to 9, . _ -, in small letters, and starts with a letter or digit.")
	}
	if utf8.RuneCountInString(r.Title) > MaxTitle {
		add("title", "The title is longer than %d characters.", MaxTitle)
	}
	oneOf := func(field, value string, allowed ...string) {
		for _, a := range allowed {
			if value == a || value == "" {
				return
			}
		}
		add(field, "%q is none of: %s.", value, joinWords(allowed, "or"))
	}
	oneOf("on_expiry", r.OnExpiry, "next", "ask")
	oneOf("answer", r.Answer, "branch", "wait", "strict")
	oneOf("long_keys", r.LongKeys, "sha256")
	oneOf("if_unreachable", r.IfUnreachable, "stop", "go_on")
	if r.Lease != 0 && (r.Lease < minLease || r.Lease > maxLease) {
		add("lease", "The time allowed lies between 5s and 7d.")
	}
	if r.Keep != 0 && (r.Keep < minKeep || r.Keep > maxKeep) {
		add("keep", "The time to keep finished keys lies between 1h and 3650d.")
	}
	if r.MaxAttempts < 0 || r.MaxAttempts > maxMaxAttempts {
		add("max_attempts", "The number of attempts lies between 0 (no limit) and %d.", maxMaxAttempts)
	}
	if r.KeepSamples < 0 || r.KeepSamples > MaxKeptSamples {
		add("keep_samples", "The number of samples to keep lies between 0 and %d.", MaxKeptSamples)
	}
	if fault := r.fingerprintFault(); fault != "" {
		add("fingerprint", "%s", fault)
	}
	return append(out, r.sampleFaults()...)
}

// fingerprintFault says why the formulas of the fingerprint are not even looked at.
func (r *Rule) fingerprintFault() string {
	if len(r.Fingerprint) > maxFingerprint {
		return fmt.Sprintf("A fingerprint has at most %d formulas.", maxFingerprint)
	}
	total := 0
	for _, text := range r.Fingerprint {
		total += len(text)
	}
	if total > 2*MaxFormula {
		return fmt.Sprintf("The formulas of a fingerprint have at most %d characters together.", 2*MaxFormula)
	}
	return ""
}

func (r *Rule) sampleFaults() []fault {
	if len(r.Samples) > MaxSamples {
		return []fault{{"samples", fmt.Sprintf("A rule has at most %d samples.", MaxSamples)}}
	}
	for i, s := range r.Samples {
		field := fmt.Sprintf("samples[%d]", i)
		if len(s.Body) > maxSampleBytes {
			return []fault{{field, "A sample is at most 1 MB."}}
		}
		if len(s.Headers) > MaxHeaders {
			return []fault{{field, fmt.Sprintf("A sample has at most %d headers.", MaxHeaders)}}
		}
	}
	return nil
}

// joinWords writes "a, b or c" with "or" as the last word.
func joinWords(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}
