package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// bareName is the argument with which this program is the bare server instead.
const bareName = "bare-server"

// bareAnswer has the members of a granted claim.
type bareAnswer struct {
	Status     string `json:"status"`
	Run        bool   `json:"run"`
	Reason     string `json:"reason"`
	Rule       string `json:"rule"`
	Key        string `json:"key"`
	Token      string `json:"token"`
	Fence      int64  `json:"fence"`
	Attempt    int    `json:"attempt"`
	LeaseUntil string `json:"lease_until"`
	Repeated   bool   `json:"repeated"`
	TookOver   bool   `json:"took_over"`
	FirstSeen  string `json:"first_seen"`
}

// serveBare answers claims and keeps nothing: the same server of the standard library,
// which only decodes and answers. It prints its address, and ends when in does.
func serveBare(in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/claim", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Key, Owner string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Key == "" {
			http.Error(w, "no key", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		now := time.Now().UTC()
		_ = json.NewEncoder(w).Encode(bareAnswer{ // a caller that went away
			Status: "claimed", Run: true, Reason: "You got it. Do the work, then report it finished.", Rule: "default",
			Key: in.Key, Token: "1.AAAAAAAAAAAAAAAAAAAAAA", Fence: 1, Attempt: 1,
			LeaseUntil: now.Add(15 * time.Minute).Format(time.RFC3339Nano), FirstSeen: now.Format(time.RFC3339Nano),
		})
	})
	fmt.Fprintln(out, listener.Addr())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		_ = server.Close()
	}()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// startBare starts the bare server in a process of its own, as the engine is one.
func startBare(ctx context.Context) (host string, stop func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, self, bareName)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() error {
		_ = in.Close() // which ends it
		return cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = stop()
		return "", nil, fmt.Errorf("the bare server did not start: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}
