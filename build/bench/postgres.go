package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The benchmark of PostgreSQL gets its sizes and writes its figures by these.
const (
	postgresFigures = "DEDUPE_BENCH_FIGURES" // names the file for the figures
	postgresShort   = "DEDUPE_BENCH_SHORT"   // set in a short run
)

// postgres runs the benchmark of this folder: it needs a server of its own and the
// driver, which the house allows to tests and to the backend alone.
func (b *bench) postgres(ctx context.Context) error {
	file := filepath.Join(b.dir, "postgres.json")
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", "^$", "-bench", "^BenchmarkPostgres$", "-benchtime", "1x", "./build/bench")
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), postgresFigures+"="+file)
	if b.short {
		cmd.Env = append(cmd.Env, postgresShort+"=1")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var figures []figure
	if err := json.Unmarshal(data, &figures); err != nil {
		return err
	}
	for _, f := range figures {
		b.report.add(f)
	}
	return nil
}
