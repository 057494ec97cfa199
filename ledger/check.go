package ledger

import (
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// validKey returns an Invalid error that blames the member key where key cannot be
// claimed: empty or with nothing in it that can be seen, longer than [MaxKeyRunes], not
// UTF-8, holding control or bidi characters or the byte order mark, or beginning or
// ending with white space or an invisible character. Each of them would make two keys
// look alike. The same keys are refused where a rule builds them.
func validKey(key string) error {
	if err := namedKey(key); err != nil {
		return err
	}
	if utf8.RuneCountInString(key) > MaxKeyRunes {
		return invalid("key", "The event key is longer than 255 characters.")
	}
	for _, r := range key {
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' {
			return invalid("key", "The event key holds a control character that cannot be seen.")
		}
	}
	first, _ := utf8.DecodeRuneInString(key)
	last, _ := utf8.DecodeLastRuneInString(key)
	switch {
	case !blank(first) && !blank(last):
		return nil
	case strings.TrimFunc(key, blank) == "":
		return emptyKey()
	case blank(first):
		return invalid("key", "The event key begins with a space or a character that cannot be seen; trim it.")
	}
	return invalid("key", "The event key ends with a space or a character that cannot be seen; trim it.")
}

// blank tells the characters that show nothing at the ends of a key: white space, and
// what Unicode calls format characters or to be ignored, but for the few that are drawn.
func blank(r rune) bool {
	if r < 0x80 {
		return unicode.IsSpace(r)
	}
	return unicode.IsSpace(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		(unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r))
}

func emptyKey() error {
	return invalid("key", "The event key is empty. Check the field it is built from.")
}

// namedKey checks a key that is only looked up. Files of the seed's script may hold
// keys that could not be claimed here, and people have to reach them.
func namedKey(key string) error {
	if strings.TrimSpace(key) == "" {
		return emptyKey()
	}
	if !utf8.ValidString(key) {
		return invalid("key", "The event key is not valid text (UTF-8).")
	}
	return nil
}

func validLease(d time.Duration) error {
	if d != 0 && (d < MinLease || d > MaxLease) {
		return badLease()
	}
	return nil
}

func badLease() error {
	return invalid("lease", "The time allowed must be between 5 seconds and 7 days.")
}

// validName checks an optional id chosen by the caller. One in which nothing can be
// seen is refused: it comes from a field that is empty by mistake, and every attempt
// would have it.
func validName(field, text string) error {
	if text != "" && strings.TrimFunc(text, blank) == "" {
		return invalid(field, "The "+field+" holds nothing that can be seen. Map the id of the run here, or leave it out.")
	}
	if utf8.RuneCountInString(text) > maxCallerText || !utf8.ValidString(text) {
		return invalid(field, "The "+field+" must be text of at most 255 characters.")
	}
	for _, r := range text {
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) {
			return invalid(field, "The "+field+" holds a control character that cannot be seen.")
		}
	}
	return nil
}

// validFormer checks keys that are only looked up.
func validFormer(former []FormerKey) error {
	if len(former) > 2*MaxFormer {
		return invalid("former", "There are too many former keys.")
	}
	for _, f := range former {
		if err := namedKey(f.Key); err != nil {
			return invalid("former", MessageOf(err))
		}
	}
	return nil
}

func (r ClaimRequest) check() error {
	if err := validKey(r.Key); err != nil {
		return err
	}
	if err := validName("owner", r.Owner); err != nil {
		return err
	}
	if err := validName("fingerprint", r.Fingerprint); err != nil {
		return err
	}
	if err := validFormer(r.Former); err != nil {
		return err
	}
	if r.RuleVersion < 0 {
		return invalid("rule_version", "The rule version is 1 or more.")
	}
	if r.RuleID < 0 {
		return invalid("rule_id", "The rule's number is 1 or more.")
	}
	return validLease(r.Lease)
}

func (id Identity) check() error {
	if err := namedKey(id.Key); err != nil {
		return err
	}
	if err := validName("owner", id.Owner); err != nil {
		return err
	}
	if err := validFormer(id.Former); err != nil {
		return err
	}
	if len(id.Token) > maxCallerText {
		return invalid("token", "The token is not one that a claim was answered with.")
	}
	if id.Token == "" && id.Owner == "" && !id.Plain {
		return invalid("token", "Say whose report this is: send the token that the claim was answered with, or its owner.")
	}
	return nil
}

func (r DoneRequest) check() error {
	if err := r.Identity.check(); err != nil {
		return err
	}
	if len(r.Result) > MaxResult {
		return invalid("result", "The result is larger than 8 KB. Store a reference to it instead.")
	}
	if len(r.Result) > 0 && !(utf8.Valid(r.Result) && json.Valid(r.Result)) {
		return invalid("result", "The result is not valid JSON.")
	}
	return nil
}

func (r ReleaseRequest) check() error {
	if err := r.Identity.check(); err != nil {
		return err
	}
	if r.RetryAfter < 0 || r.RetryAfter > MaxLease {
		return invalid("retry_after", "The wait before the next try must be between 0 seconds and 7 days.")
	}
	return nil
}

func (r RenewRequest) check() error {
	if err := r.Identity.check(); err != nil {
		return err
	}
	return validLease(r.Lease)
}

func (r DecideRequest) check() error {
	if err := namedKey(r.Key); err != nil {
		return err
	}
	switch r.Decision {
	case Finished, Again, Block, Forget:
	default:
		return invalid("decision", "A decision is one of finished, again, block and forget.")
	}
	if cleanError(r.By) == "" {
		return invalid("by", "Say who decides.")
	}
	if cleanError(r.Why) == "" {
		return invalid("why", "Say why. The reason is kept in the history.")
	}
	return nil
}

// cleanError makes a text that a caller sent fit to be kept and shown: valid UTF-8,
// one line, no control or bidi characters, at most maxError code points.
func cleanError(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
	clean = strings.TrimSpace(clean)
	runes := 0
	for i := range clean {
		if runes == maxError {
			return strings.TrimSpace(clean[:i])
		}
		runes++
	}
	return clean
}
