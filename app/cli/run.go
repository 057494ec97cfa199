package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"time"

	"dedupedesk/app/body"
	"dedupedesk/ledger"
)

type runCommand struct {
	Key     string   `arg:"" help:"The event key."`
	Command []string `arg:"" complete:"command" name:"command" help:"The command and its arguments, after --."`
	Rule    string   `complete:"rule" placeholder:"NAME" help:"The rule that the key belongs to."`
}

// Run runs the command where the key is granted. Its output and exit code are
// handed on as they are.
func (r *runCommand) Run(c *call) error {
	lease, err := c.flags.lease()
	if err != nil {
		return err
	}
	// Looked up first, so that a misspelt command costs no attempt.
	if _, err := exec.LookPath(r.Command[0]); err != nil {
		return misuse(fmt.Sprintf("The command %q cannot be run. Nothing was reserved.", r.Command[0]))
	}
	k, err := c.keeper()
	if err != nil {
		return err
	}
	d, err := k.claim(c.ctx, ledger.ClaimRequest{Rule: ruleName(r.Rule), Key: r.Key, Owner: attemptID(), Lease: lease})
	if err != nil {
		return err
	}
	if !d.Run {
		return r.skip(c, d)
	}
	w := &work{
		call: c, keeper: k, lease: d.lease, asked: lease,
		id: ledger.Identity{Rule: d.Rule, Key: d.Key, Token: d.Token},
	}
	return w.do(r.Command)
}

// skip ends a copy: quietly where the work is done or under way, aloud where
// only a person can go on.
func (r *runCommand) skip(c *call, d decision) error {
	loud := needsPerson(d.Status)
	if c.flags.Verbose || loud {
		c.say("%s", d.Reason)
	}
	if c.flags.JSON {
		if err := c.printJSON(body.ClaimOf(d.Answer)); err != nil {
			return err
		}
	}
	if loud {
		return errNo
	}
	return nil
}

// attemptID names this attempt, for the key's history and for a repeat of the
// claim after a lost answer.
func attemptID() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails; see crypto/rand
	return "run:" + host + ":" + strconv.Itoa(os.Getpid()) + ":" + hex.EncodeToString(b)
}

// work is one granted key and the command that does its work.
type work struct {
	call   *call
	keeper keeper
	id     ledger.Identity
	lease  time.Duration // what was granted
	asked  time.Duration // --lease, 0 where the rule decides
}

// do runs the command, keeps the key meanwhile, and reports the end. It goes on
// after the end of the call's context: the command gets the signals itself, and
// its end has to be written down.
func (w *work) do(command []string) error {
	ctx := context.WithoutCancel(w.call.ctx)
	signals := make(chan os.Signal, 8)
	if heard := notIgnored(passedOn); len(heard) > 0 {
		signal.Notify(signals, heard...)
	}
	defer signal.Stop(signals)

	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = w.call.program.In, w.call.program.Out, w.call.program.Err
	// A signal that came before there was a command to pass it to.
	err := w.call.ctx.Err()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		if _, err := w.keeper.release(ctx, ledger.ReleaseRequest{Identity: w.id, Error: "the command was not started"}); err != nil {
			w.call.say("The key could not be given back: %s", sentence(err))
		}
		return fmt.Errorf("start the command: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stop := w.keepAlive(ctx)
	for {
		select {
		case s := <-signals:
			passSignal(cmd.Process, s)
		case err := <-ended:
			stop()
			return w.report(ctx, cmd, err)
		}
	}
}

// maxBeat is how far apart two requests for more time are at most. After this computer
// slept, a run has two minutes to report before anybody may take its key.
const maxBeat = 30 * time.Second

// keepAlive asks for more time at every third of the time allowed, and every half
// minute at least, beside the command: a ledger that does not answer must not keep a
// signal from it, nor hide its end. stop ends that and waits for it.
func (w *work) keepAlive(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		third := min(max(w.lease/3, time.Second), maxBeat)
		beat := time.NewTicker(third)
		defer beat.Stop()
		h := hold{until: time.Now().Add(w.lease)}
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
				if !w.renew(ctx, third, &h) {
					return
				}
			}
		}
	}()
	return func() { cancel(); <-stopped }
}

// A hold is what a run knows of its grant.
type hold struct {
	until  time.Time // the key is this run's until then
	warned bool      // that it may be no longer
}

// renew asks once for more time, for patience at most. It returns false once the key is
// lost for good.
func (w *work) renew(ctx context.Context, patience time.Duration, h *hold) bool {
	asked := time.Now()
	once, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := w.keeper.renew(once, ledger.RenewRequest{Identity: w.id, Lease: w.asked})
	switch code := ledger.CodeOf(err); {
	case ctx.Err() != nil: // the command has ended
	case err == nil:
		*h = hold{until: asked.Add(w.lease)}
	case code == ledger.Stale || code == ledger.Closed || code == ledger.NotFound:
		w.call.say("The key is no longer held by this run, so another may do the same work: %s", sentence(err))
		return false
	case !h.warned && time.Now().Add(patience).After(h.until):
		// A busy ledger may answer at the next beat, but that is the last one in time.
		h.warned = true
		w.call.say("The time allowed for the key is nearly up and could not be made longer, so another run may do the same work: %s", sentence(err))
	}
	return true
}

// report writes the command's end down and returns its exit code.
func (w *work) report(ctx context.Context, cmd *exec.Cmd, waited error) error {
	code := exitCode(cmd.ProcessState)
	var exit *exec.ExitError
	if waited != nil && !errors.As(waited, &exit) && code == 0 {
		// The command ended well; only copying its output did not.
		w.call.say("%v", waited)
	}
	if code == 0 {
		err := w.insist(func() error {
			_, err := w.keeper.done(ctx, ledger.DoneRequest{Identity: w.id})
			return err
		})
		if err != nil {
			return told("The command ended well, but that could not be written down, so the work may be done again: ", err)
		}
		return nil
	}
	err := w.insist(func() error {
		_, err := w.keeper.release(ctx, ledger.ReleaseRequest{Identity: w.id, Error: "exit status " + strconv.Itoa(code)})
		return err
	})
	if err != nil {
		w.call.say("The command failed, and the key could not be given back: %s", sentence(err))
	}
	return &exitError{code}
}

// waits lie between the tries to write an end down.
var waits = [...]time.Duration{200 * time.Millisecond, time.Second, 3 * time.Second, 6 * time.Second}

// insist tries again where the ledger could not answer, for an end that is not
// written down means work done twice.
func (w *work) insist(try func() error) error {
	for _, wait := range waits {
		err := try()
		if code := ledger.CodeOf(err); err == nil || (code != ledger.Busy && code != ledger.Internal) {
			return err
		}
		time.Sleep(wait)
	}
	return try()
}
