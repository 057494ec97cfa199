package ledger

import (
	"testing"
	"time"
)

func TestATokenIsInForceUntilItsRevocation(t *testing.T) {
	for name, tt := range map[string]struct {
		revoked time.Time
		want    bool
	}{
		"never":  {time.Time{}, true},
		"now":    {noon, false},
		"before": {noon.Add(-time.Millisecond), false},
		"ahead":  {noon.Add(time.Millisecond), true},
	} {
		if got := (Token{RevokedAt: tt.revoked}).InForce(noon); got != tt.want {
			t.Errorf("revoked %s: in force %v", name, got)
		}
	}
}
