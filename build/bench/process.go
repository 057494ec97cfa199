package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A process is a running engine.
type process struct {
	cmd    *exec.Cmd
	host   string // of the claim endpoint
	admin  string // of the pages
	secret string // which opens the pages
	said   *bytes.Buffer
}

// startEngine starts an engine on a data folder and returns it with the time from its
// start to the first claim that it grants.
func startEngine(ctx context.Context, bin, dir, password string) (p *process, took time.Duration, err error) {
	host, err := freeAddress()
	if err != nil {
		return nil, 0, err
	}
	p = &process{host: host, said: &bytes.Buffer{}}
	p.cmd = exec.Command(bin, "serve", "--data", dir, "--api", host, "--admin", "127.0.0.1:0")
	p.cmd.Stdout, p.cmd.Stderr = p.said, p.said
	start := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
			err = fmt.Errorf("%w\n%s", err, p.said)
		}
	}()
	for {
		if err = p.granted(ctx, password); err == nil {
			break
		}
		if ctx.Err() != nil || time.Since(start) > time.Minute {
			return nil, 0, fmt.Errorf("the engine does not answer: %w", err)
		}
		time.Sleep(time.Millisecond)
	}
	return p, time.Since(start), p.readFile(dir)
}

// granted makes one claim.
func (p *process) granted(ctx context.Context, password string) error {
	c, err := newCaller(ctx, p.host, passwordLine(password))
	if err != nil {
		return err
	}
	defer c.conn.Close()
	_, err = c.claim()
	return err
}

func passwordLine(password string) string { return "X-Api-Key: " + password + "\r\n" }

// readFile reads where the pages are.
func (p *process) readFile(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "engine.json"))
	if err != nil {
		return err
	}
	var e struct{ Admin, Secret string }
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	p.secret = e.Secret
	if _, err := fmt.Sscanf(e.Admin, "http://%s", &p.admin); err != nil {
		return fmt.Errorf("the address %q in engine.json: %w", e.Admin, err)
	}
	return nil
}

// stop ends the engine as Ctrl+C does, or where the system has no such thing, hard.
func (p *process) stop() error {
	if p.cmd.Process.Signal(os.Interrupt) != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		return nil
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("the engine ended with %w\n%s", err, p.said)
	}
	return nil
}

// freeAddress returns an address that nobody listens at.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
