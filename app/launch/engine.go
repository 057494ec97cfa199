package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"dedupedesk/app/datafolder"
)

// startPatience is how long a started engine may take to answer. A cold disk and
// a large key file are slow; most starts take a tenth of a second.
const startPatience = 30 * time.Second

// Engine returns the engine of f. Where none runs, it starts the program at exe
// with args, which must run one, and waits until it answers. The program has this one's
// environment and env besides.
func Engine(ctx context.Context, f *datafolder.Folder, exe string, env []string, args ...string) (datafolder.Engine, error) {
	if e, ok, err := running(ctx, f); err != nil || ok {
		return e, err
	}
	said, err := os.CreateTemp(f.Path(), "start-*.log")
	if err != nil {
		return datafolder.Engine{}, fmt.Errorf("start the engine: %w", err)
	}
	defer func() { _ = os.Remove(said.Name()) }()
	defer func() { _ = said.Close() }()
	cmd := exec.Command(exe, args...)
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Dir = f.Path()
	cmd.Env = append(os.Environ(), env...)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return datafolder.Engine{}, fmt.Errorf("start the engine: %w", err)
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	return await(ctx, f, gone, said.Name())
}

// running returns the engine that has f and answers. It looks twice: between an engine's
// lock and its own address, that of a killed one may still be read.
func running(ctx context.Context, f *datafolder.Folder) (datafolder.Engine, bool, error) {
	e, ok, err := f.Running()
	if err != nil || !ok || !Answers(ctx, e) {
		return datafolder.Engine{}, false, err
	}
	again, ok, err := f.Running()
	return e, ok && again == e, err
}

// await waits for an engine that answers, or for the end of the one that was
// started. One that ends because another was faster is no fault.
func await(ctx context.Context, f *datafolder.Folder, gone <-chan error, said string) (datafolder.Engine, error) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	ended := false
	for {
		if e, ok, err := running(ctx, f); err == nil && ok {
			return e, nil
		}
		// Another one that is still starting has the folder before it can be reached.
		if owned, err := f.Owned(); ended && err == nil && !owned {
			return datafolder.Engine{}, errors.New("the background helper ended at once: " + lastWords(said))
		}
		select {
		case <-gone:
			ended, gone = true, nil
		case <-ctx.Done():
			return datafolder.Engine{}, errors.New("the background helper did not answer in time: " + lastWords(said))
		case <-tick.C:
		}
	}
}

// lastWords returns the last line that a started engine wrote.
func lastWords(path string) string {
	data, err := os.ReadFile(path)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return "it said nothing; see engine.log in the data folder"
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "dedupe: ")
}

// client calls the engine itself; it never follows the system's proxy settings.
var client = &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{Proxy: nil}}

// Answers tells whether e answers calls now.
func Answers(ctx context.Context, e datafolder.Engine) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.API+"/healthz", nil)
	if err != nil {
		return false
	}
	resp, err := client.Do(req)
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode == http.StatusOK
}

// Ask posts a form to the engine's pages with the engine's own secret, and
// returns the answer's body.
func Ask(ctx context.Context, e datafolder.Engine, header, path string, form url.Values) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.Admin+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, fmt.Errorf("ask the engine: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set(header, e.Secret)
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask the engine: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("ask the engine: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask the engine: it answered %s: %s", resp.Status, bytes.TrimSpace(body))
	}
	return body, nil
}
