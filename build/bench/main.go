// Command bench measures how fast Dedupe Desk is, and prints each figure beside its
// aim.
//
//	go run ./build/bench [-short|-long] [-json] [NAME…]
//
// Names are claims, script, viewer, engine, http, growth, prune, rules, reconcile and
// postgres; none means all of them.
//
// # What it promises
//
// Machines are unlike and busy, so what has an aim is, where it can be, a ratio of
// two things measured in turn in one run: the figure is the median of the rounds,
// with the least and the greatest beside it. A figure that misses its aim is printed
// as such and fails nothing: the command ends 0. It ends 1 where something could not
// be measured, or gave a wrong answer.
//
// The files it makes lie in a folder of their own below -dir and are removed at the
// end, also after an interrupt. The folder has to be on a disk: below build/bin by
// default, since a temporary folder is memory on some systems.
//
// # Units
//
// Times are per operation, sizes in MB of 2^20 bytes. A key is counted, not a call,
// where both claim and done are made for it.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == bareName {
		if err := serveBare(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures what args name and prints the figures to out, and what it is at to
// progress.
func run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	short := flags.Bool("short", false, "small files and short rounds: shows that all of it runs, its figures tell little")
	long := flags.Bool("long", false, "adds 10 million keys: some 7 GB and several minutes")
	asJSON := flags.Bool("json", false, "print the figures as JSON")
	dir := flags.String("dir", "", "make files below this folder, which has to be on a disk (default build/bin)")
	profile := flags.String("cpuprofile", "", "write a CPU profile of this process to `FILE`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b, err := newBench(ctx, *dir, sizesFor(*short, *long), progress)
	if err != nil {
		return err
	}
	defer func() {
		if removed := os.RemoveAll(b.dir); err == nil {
			err = removed
		}
	}()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	measured := b.measure(ctx, flags.Args())
	if *asJSON {
		err = b.report.writeJSON(out)
	} else {
		err = b.report.writeTable(out)
	}
	if measured != nil {
		return measured
	}
	return err
}
