package main_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/postgres"
	"dedupedesk/ledger/postgres/pgtest"
	"dedupedesk/ledger/sqlite"
)

// rows reads every key of the house past its engine, as another program would.
func (h *house) rows() map[string]ledger.Row {
	h.t.Helper()
	store, err := h.open()
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			h.t.Error(err)
		}
	}()
	return allRows(h.t, store)
}

// open opens the house's ledger past its engine.
func (h *house) open() (ledger.Store, error) {
	if h.url != "" {
		return postgres.Open(h.t.Context(), h.url)
	}
	return sqlite.Open(filepath.Join(h.dir, "ledger.db"))
}

func allRows(t *testing.T, store ledger.Store) map[string]ledger.Row {
	t.Helper()
	all := map[string]ledger.Row{}
	err := store.Read(t.Context(), func(r ledger.Reader) error {
		q := ledger.RowQuery{Order: ledger.ByKey, Limit: 5000}
		for {
			page, err := r.Rows(t.Context(), q)
			if err != nil {
				return err
			}
			for _, row := range page {
				all[row.Rule+"/"+row.Key] = row
			}
			if len(page) < q.Limit {
				return nil
			}
			last := page[len(page)-1]
			q.After = ledger.Position{Key: last.Key, ID: last.ID}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sound wants SQLite itself to find nothing wrong with the house's file, and the
// counters of either backend to agree with its rows.
func (h *house) sound() {
	h.t.Helper()
	if h.url != "" {
		if n := pgtest.Number(h.t, h.url, countersOff); n != 0 {
			h.t.Errorf("the counters are off by %d", n)
		}
		return
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(h.dir, "ledger.db")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var said string
	if err := db.QueryRow("PRAGMA quick_check").Scan(&said); err != nil || said != "ok" {
		h.t.Errorf("quick_check says %q, %v", said, err)
	}
	var off int
	err = db.QueryRow(`
		SELECT coalesce(sum(
			abs(n.total - (SELECT count(*) FROM claims AS c WHERE c.rule_id = n.rule_id))
			+ abs(n.done - (SELECT count(*) FROM claims AS c WHERE c.rule_id = n.rule_id AND state = 'done'))
			+ abs(n.claimed - (SELECT count(*) FROM claims AS c WHERE c.rule_id = n.rule_id AND state = 'claimed'))), 0)
		FROM rule_counts AS n`).Scan(&off)
	if err != nil || off != 0 {
		h.t.Errorf("the counters are off by %d, %v", off, err)
	}
}

// checkOnce wants no key of c to have been granted while another grant of it stood.
// It looks at nothing but what the callers were told: between two grants of one key
// the first must have been given back, or its time was over by the ledger's clock.
func (c *crowd) checkOnce() {
	c.t.Helper()
	byKey := map[string][]*grant{}
	for _, g := range c.grants {
		byKey[g.Key] = append(byKey[g.Key], g)
	}
	for key, all := range byKey {
		slices.SortFunc(all, func(a, b *grant) int { return cmp.Compare(a.Fence, b.Fence) })
		for i, g := range all[1:] {
			was := all[i]
			switch {
			case g.Fence == was.Fence:
				c.t.Errorf("%s: grant %d was told to %s and to %s", key, g.Fence, was.Owner, g.Owner)
			case g.lapses && g.tookOver && !g.from.Before(was.until):
			case was.end != "release" || !was.ended:
				c.t.Errorf("%s: %s got grant %d while %s held grant %d (%q sent: %v)", key, g.Owner, g.Fence, was.Owner, was.Fence, was.end, was.ended)
			case was.endedAt.After(g.told):
				c.t.Errorf("%s: %s got grant %d before %s gave back grant %d", key, g.Owner, g.Fence, was.Owner, was.Fence)
			}
		}
	}
}

// checkKept wants every answer of c to be in rows.
func (c *crowd) checkKept(rows map[string]ledger.Row) {
	c.t.Helper()
	for _, g := range c.grants {
		row, ok := rows[ledger.DefaultRule+"/"+g.Key]
		if !ok {
			c.t.Errorf("%s: granted, and not in the file", g.Key)
			continue
		}
		if err := g.keptIn(row); err != nil {
			c.t.Errorf("%s: %v; the row is in state %s with fence %d", g.Key, err, row.State, row.Fence)
		}
	}
}

// keptIn returns why row is not what g's caller was told.
func (g *grant) keptIn(row ledger.Row) error {
	gaveBack := g.end == "release" && g.ended
	switch {
	case row.Fence < g.Fence:
		return fmt.Errorf("grant %d is gone", g.Fence)
	case row.Fence > g.Fence && (gaveBack || g.lapses):
		return nil // another grant stands there, as it may
	case row.Fence > g.Fence:
		return fmt.Errorf("grant %d was never given back, and there is a later one", g.Fence)
	case row.Token != g.Token:
		return fmt.Errorf("grant %d has another token", g.Fence)
	case g.answered && g.end == "done" && row.State != ledger.Done:
		return fmt.Errorf("the answered done of grant %d is gone", g.Fence)
	case g.answered && gaveBack && row.State != ledger.Retryable:
		return fmt.Errorf("the answered release of grant %d is gone", g.Fence)
	case !g.ended && row.State != ledger.Claimed:
		return fmt.Errorf("grant %d was never reported", g.Fence)
	}
	return nil
}

// checkAccepted asks the engine of h, from outside, about everything that the
// callers of c were told: grants that stand are accepted by their token, what is
// finished stays finished, and a claim whose answer was lost is answered again.
func (c *crowd) checkAccepted(h *house) {
	c.t.Helper()
	c.url = h.engine.API
	newest := map[string]int64{}
	for _, g := range c.grants {
		newest[g.Key] = max(newest[g.Key], g.Fence)
	}
	work := make(chan *grant)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for g := range work {
				c.askAgain(g, newest[g.Key])
			}
		})
	}
	for _, g := range c.grants {
		work <- g
	}
	for _, g := range c.lost {
		work <- g
	}
	close(work)
	wg.Wait()
	c.client.CloseIdleConnections()
}

func (c *crowd) askAgain(g *grant, newest int64) {
	expect := func(path string, members map[string]any, want string, codes ...int) told {
		a, code, err := c.post(path, members)
		if err != nil || !slices.Contains(codes, code) || (code == http.StatusOK && a.Status != want) {
			c.t.Errorf("%s of %s, grant %d: %d %+v %v, want %s", path, g.Key, g.Fence, code, a, err, want)
		}
		return a
	}
	byToken := map[string]any{"key": g.Key, "token": g.Token}
	switch {
	case g.Token == "":
		// Nobody knows whether it was written. Its owner may ask again, and is told the
		// truth: its own grant, or that another one stands.
		a, code, err := c.post("/v1/claim", map[string]any{"key": g.Key, "owner": g.Owner})
		if err != nil || code != http.StatusOK || a.Run != (a.Token != "") {
			c.t.Errorf("a lost claim of %s, asked again: %d %+v %v", g.Key, code, a, err)
		}
	case g.end == "done" && g.ended:
		if a := expect("/v1/done", byToken, "done", http.StatusOK); g.answered && !a.Already {
			c.t.Errorf("%s: its done was answered before, and is new to the ledger", g.Key)
		}
		expect("/v1/claim", map[string]any{"key": g.Key, "owner": "somebody"}, "done", http.StatusOK)
	case g.end == "release" && g.ended:
		// Somebody may hold it since; nobody may hold it by this grant.
		if !g.answered {
			expect("/v1/release", byToken, "released", http.StatusOK, http.StatusConflict)
		}
		expect("/v1/renew", byToken, "", http.StatusConflict)
	case g.Fence == newest:
		expect("/v1/claim", map[string]any{"key": g.Key, "owner": "somebody"}, "in_progress", http.StatusOK)
		expect("/v1/renew", byToken, "claimed", http.StatusOK)
		expect("/v1/done", byToken, "done", http.StatusOK)
	}
}
