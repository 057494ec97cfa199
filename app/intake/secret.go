package intake

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// secretSetting holds the key of secret(x), in hex. It is in a backup, and in no
// export of keys or rules.
const secretSetting = "rules.secret"

// Secret returns the key with which secret(x) in a formula hides personal data. It
// is made at random when it is asked for first, and is one and the same for all who
// use the ledger from then on. It returns Busy or Corrupt.
func Secret(ctx context.Context, l *ledger.Ledger) ([]byte, error) {
	fresh := make([]byte, rules.MinSecret)
	rand.Read(fresh) // never fails
	kept, err := l.KeepSetting(ctx, secretSetting, hex.EncodeToString(fresh))
	if err != nil {
		return nil, fmt.Errorf("the key of secret(x): %w", err)
	}
	key, err := hex.DecodeString(kept)
	if err != nil {
		return nil, &ledger.Error{Code: ledger.Corrupt, Err: err, Msg: "The key of secret(…) in the key file is damaged. Restore a backup."}
	}
	return key, nil
}
