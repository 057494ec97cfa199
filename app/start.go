package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"os/user"
	"time"

	"dedupedesk/app/cli"
	"dedupedesk/app/datafolder"
	"dedupedesk/app/desktop"
	"dedupedesk/app/guard"
	"dedupedesk/app/launch"
	"dedupedesk/app/session"
)

// startApp opens the app: the native window in a build that has one, else the
// browser, else it prints the address and runs the engine in the foreground.
func startApp(ctx context.Context, o cli.ServeOptions) error {
	o.Log = nil // the log is in the data folder; here stands what a person needs
	folder, err := datafolder.Open(o.Data)
	if err != nil {
		return err
	}
	if desktop.Available && launch.HasDisplay() {
		if _, err := background(ctx, folder, o); err != nil {
			return err
		}
		return showWindow(ctx, folder, o)
	}
	if !launch.HasDisplay() {
		return stayInForeground(ctx, folder, o)
	}
	e, err := background(ctx, folder, o)
	if err != nil {
		return err
	}
	address, err := oneTime(ctx, e, person(), string(session.Change))
	if err != nil {
		return err
	}
	fmt.Println("Dedupe Desk is protecting in the background:", e.API)
	fmt.Println("Open it in a browser (this address works once):", address)
	fmt.Println("Stop it with:", command(folder, "stop"))
	if err := launch.Browser(address); err != nil && !errors.Is(err, launch.ErrNoBrowser) {
		return err
	}
	return nil
}

// background returns the engine of folder, started in the background if need be.
func background(ctx context.Context, folder *datafolder.Folder, o cli.ServeOptions) (datafolder.Engine, error) {
	if err := sameDatabase(folder, o.Target); err != nil {
		return datafolder.Engine{}, err
	}
	exe, err := os.Executable()
	if err != nil {
		return datafolder.Engine{}, fmt.Errorf("find this program: %w", err)
	}
	var env []string
	if o.DatabaseURL != "" {
		// Everybody on this computer can read the arguments of a process.
		env = []string{cli.DatabaseEnv + "=" + o.DatabaseURL}
	}
	return launch.Engine(ctx, folder, exe, env, serveArgs(folder, o)...)
}

// serveArgs returns the command line of an engine with o.
func serveArgs(folder *datafolder.Folder, o cli.ServeOptions) []string {
	args := []string{"serve", "--quiet", "--data", folder.Path()}
	for _, opt := range []struct{ name, value string }{{"--db", o.DB}, {"--api", o.API}, {"--admin", o.Admin}} {
		if opt.value != "" {
			args = append(args, opt.name, opt.value)
		}
	}
	for _, name := range o.PublicHosts {
		args = append(args, "--public-host", name)
	}
	return args
}

// stayInForeground prints the address and runs the engine here, unless one runs
// already.
func stayInForeground(ctx context.Context, folder *datafolder.Folder, o cli.ServeOptions) error {
	if e, ok, err := folder.Running(); err != nil || ok {
		if err != nil {
			return err
		}
		return printAddress(ctx, folder, e)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	told := make(chan error, 1)
	go func() { told <- tellWhenUp(ctx, folder) }()
	err := runEngine(ctx, o)
	cancel()
	return errors.Join(err, <-told)
}

// tellWhenUp prints the address once the engine answers.
func tellWhenUp(ctx context.Context, folder *datafolder.Folder) error {
	for ctx.Err() == nil {
		if e, ok, err := folder.Running(); err == nil && ok && launch.Answers(ctx, e) {
			return printAddress(ctx, folder, e)
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

func printAddress(ctx context.Context, folder *datafolder.Folder, e datafolder.Engine) error {
	address, err := oneTime(ctx, e, person(), string(session.Change))
	if err != nil {
		return err
	}
	fmt.Println("Dedupe Desk is protecting:", e.API)
	fmt.Println("Open it in a browser on this computer (this address works once, for a few minutes):")
	fmt.Println("  " + address)
	fmt.Println("For another address run:", command(folder, "open --print"))
	return nil
}

// openAddress returns a one-time address of the pages.
func openAddress(ctx context.Context, t cli.Target, name, role string) (string, error) {
	folder, err := datafolder.Open(t.Data)
	if err != nil {
		return "", err
	}
	e, err := background(ctx, folder, cli.ServeOptions{Target: t})
	if err != nil {
		return "", err
	}
	return oneTime(ctx, e, name, orDefault(role, string(session.Change)))
}

// oneTime asks e for a code. It sits behind the #, which browsers send to nobody.
func oneTime(ctx context.Context, e datafolder.Engine, name, role string) (string, error) {
	body, err := launch.Ask(ctx, e, guard.WindowHeader, "/session/code", url.Values{"name": {name}, "role": {role}})
	if err != nil {
		return "", err
	}
	var answer struct{ Code string }
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", fmt.Errorf("ask the engine for an address: %w", err)
	}
	return e.Admin + "/#code=" + answer.Code, nil
}

// stopEngine ends the engine of a data folder and waits until it is gone.
func stopEngine(ctx context.Context, dataDir string) error {
	folder, err := datafolder.Open(dataDir)
	if err != nil {
		return err
	}
	e, ok, err := folder.Running()
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("no engine runs on " + folder.Path())
	}
	if _, err := launch.Ask(ctx, e, guard.WindowHeader, "/engine/stop", nil); err != nil {
		return err
	}
	lock, err := folder.Lock(ctx)
	for errors.Is(err, datafolder.ErrRunning) && ctx.Err() == nil {
		lock, err = folder.Lock(ctx)
	}
	if err != nil {
		return err
	}
	return lock.Unlock()
}

// showWindow shows the native window until it is closed. The engine goes on.
func showWindow(ctx context.Context, folder *datafolder.Folder, o cli.ServeOptions) error {
	find := func() (desktop.Target, bool) {
		e, ok, err := folder.Running()
		return desktop.Target{Admin: e.Admin, Secret: e.Secret}, ok && err == nil
	}
	restart := func() error {
		_, err := background(context.WithoutCancel(ctx), folder, o)
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	id := sha256.Sum256([]byte(folder.Path()))
	return desktop.Run(hex.EncodeToString(id[:8]), desktop.Forward(find, guard.WindowHeader, gone(restart, log), log))
}

// person returns the name that signs this user's decisions.
func person() string {
	u, err := user.Current()
	if err != nil {
		return "this computer"
	}
	if u.Name != "" {
		return u.Name
	}
	return u.Username
}
