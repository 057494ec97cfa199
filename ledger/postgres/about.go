package postgres

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Name returns the address at url as people may see it, without user and password, or
// Invalid with field database_url.
func Name(url string) (string, error) {
	cfg, _, err := config(url)
	if err != nil {
		return "", err
	}
	c := cfg.ConnConfig
	if strings.HasPrefix(c.Host, "/") {
		return fmt.Sprintf("postgres:///%s?host=%s&port=%d", c.Database, c.Host, c.Port), nil
	}
	return "postgres://" + net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))) + "/" + c.Database, nil
}

// An About is what can be said of a database.
type About struct {
	Name    string        // as [Name] returns it
	Version string        // such as "PostgreSQL 15.18"
	Schema  string        // where the tables are
	Latency time.Duration // of the shortest of some trips
	Ahead   time.Duration // of the server's clock before this machine's
	Syncs   bool          // what is committed is on the server's disk
}

// Look connects once and returns what is found. Its errors are those of [Open].
func Look(ctx context.Context, url string) (About, error) {
	a, err := look(ctx, url)
	if err != nil {
		return About{}, fmt.Errorf("look at the database: %w", told(ctx, err))
	}
	return a, nil
}

func look(ctx context.Context, url string) (a About, err error) {
	cfg, schema, err := config(url)
	if err != nil {
		return About{}, err
	}
	a.Schema = schema
	if a.Name, err = Name(url); err != nil {
		return About{}, err
	}
	within, cancel := context.WithTimeout(ctx, waitFor)
	defer cancel()
	conn, err := pgx.ConnectConfig(within, cfg.ConnConfig)
	if err != nil {
		return About{}, err
	}
	defer func() { _ = conn.Close(within) }()
	if err := fit(within, conn); err != nil {
		return About{}, err
	}
	var version, fsync string
	err = conn.QueryRow(within, `SELECT version(), current_setting('fsync')`).Scan(&version, &fsync)
	if err != nil {
		return About{}, err
	}
	words := strings.Fields(version)
	a.Version, a.Syncs = strings.Join(words[:min(2, len(words))], " "), fsync != "off"
	for range 5 {
		var at time.Time
		began := time.Now()
		if err := conn.QueryRow(within, `SELECT clock_timestamp()`).Scan(&at); err != nil {
			return About{}, err
		}
		if trip := time.Since(began); a.Latency == 0 || trip < a.Latency {
			a.Latency, a.Ahead = trip, at.Sub(began.Add(trip/2))
		}
	}
	return a, nil
}
