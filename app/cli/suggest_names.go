package cli

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"time"

	"dedupedesk/app/datafolder"
	"dedupedesk/exporters"
	"dedupedesk/exporters/catalog"
	"dedupedesk/ledger"
)

// lookTime is how long a person who pressed Tab may wait.
const lookTime = 2 * time.Second

// knownRules returns the rules where given says that the keys are kept. Nothing is made
// or upgraded by that: of a file that is not there, or that dedupe.py made, there are
// none. A database is not asked.
func (c *call) knownRules(given map[string][]string) []suggestion {
	rules := look(c.ctx, func(ctx context.Context) ([]ledger.Rule, error) {
		c.ctx = ctx
		if !c.placed(given) {
			return nil, nil
		}
		if c.flags.URL == "" {
			l, err := c.openLedger()
			if err != nil {
				return nil, err
			}
			defer func() { _ = l.Close() }()
			return l.Rules(ctx)
		}
		k, err := c.keeper()
		if err != nil {
			return nil, err
		}
		return k.rules(ctx)
	})
	var list []suggestion
	for _, r := range rules {
		list = append(list, suggestion{r.Name, r.Title})
	}
	return list
}

// knownPasswords returns the names of passwords that are in force.
func (c *call) knownPasswords(given map[string][]string) []suggestion {
	tokens := look(c.ctx, func(ctx context.Context) ([]ledger.Token, error) {
		c.ctx = ctx
		if !c.placed(given) || c.flags.URL != "" {
			return nil, nil
		}
		l, err := c.openLedger()
		if err != nil {
			return nil, err
		}
		defer func() { _ = l.Close() }()
		return l.Tokens(ctx)
	})
	var list []suggestion
	for _, t := range tokens {
		if t.RevokedAt.IsZero() {
			list = append(list, suggestion{t.Name, "ends in " + t.Last4})
		}
	}
	return list
}

// look returns what find finds within [lookTime], and nothing where it fails. It does
// not wait for a find that hangs: the process ends soon.
func look[T any](ctx context.Context, find func(context.Context) ([]T, error)) []T {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	found := make(chan []T, 1)
	go func() {
		list, err := find(ctx)
		if err != nil {
			list = nil
		}
		found <- list
	}()
	select {
	case list := <-found:
		return list
	case <-ctx.Done():
		return nil
	}
}

// placed takes over the flags that say where the keys are, and reports whether names can
// be looked up there.
func (c *call) placed(given map[string][]string) bool {
	last := func(name string) string {
		if all := given[name]; len(all) > 0 {
			return all[len(all)-1]
		}
		return ""
	}
	c.flags.Data, c.flags.DB, c.flags.URL, c.flags.Token = last("data"), last("db"), last("url"), given["token"]
	switch {
	case c.flags.URL != "":
		return true
	case last("database-url") != "":
		return false
	case c.flags.DB != "":
		return isLedger(c.flags.DB)
	case c.flags.Data == "" && os.Getenv(DatabaseEnv) != "":
		return false
	}
	path := c.flags.Data
	if path == "" {
		var err error
		if path, err = datafolder.DefaultPath(); err != nil {
			return false
		}
	}
	return isLedger(filepath.Join(path, "ledger.db"))
}

// isLedger reports whether path is a key file of ours, by its header alone: the file of
// dedupe.py has no version.
func isLedger(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	header := make([]byte, 100)
	if _, err := io.ReadFull(f, header); err != nil || string(header[:16]) != "SQLite format 3\x00" {
		return false
	}
	const version = 60 // see https://sqlite.org/fileformat2.html (read 2026-11-30)
	return binary.BigEndian.Uint32(header[version:]) > 0
}

func platformSuggestions() []suggestion {
	var list []suggestion
	for _, e := range catalog.All() {
		list = append(list, suggestion{e.Name(), e.Title()})
	}
	return list
}

// detailSuggestions returns the beginnings of --set for a platform.
func detailSuggestions(platform string) []suggestion {
	e, ok := catalog.ByName(platform)
	if !ok {
		return nil
	}
	list := []suggestion{{exporters.RouteDetail + "=", "Another way than the advised one"}}
	for _, f := range e.Fields() {
		if len(f.Choices) == 0 {
			list = append(list, suggestion{f.Name + "=", f.Label})
		}
		for _, c := range f.Choices {
			list = append(list, suggestion{f.Name + "=" + c.Value, f.Label + " " + c.Text})
		}
	}
	return list
}
