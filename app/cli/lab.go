package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"dedupedesk/ledger/lab"
)

type labCommand struct {
	Events    int      `default:"500" help:"How many events there are."`
	Twice     int      `default:"25" placeholder:"PERCENT" help:"How many of 100 events arrive twice."`
	Thrice    int      `default:"5" placeholder:"PERCENT" help:"How many of 100 events arrive three times."`
	Workers   int      `default:"8" help:"How many deliveries are worked on at the same time."`
	Work      int      `default:"20" placeholder:"MS" help:"How long the work takes, in milliseconds."`
	Scattered bool     `help:"Copies come anywhere, not back to back."`
	Fail      int      `placeholder:"PERCENT" help:"How many of 100 runs fail and are sent again."`
	Crash     int      `placeholder:"PERCENT" help:"How many of 100 runs end half way and are sent again."`
	Seed      uint64   `default:"1" help:"Which events come how often: the same number gives the same run."`
	Serial    bool     `help:"Each method one at a time, too. That takes as long again as all of them."`
	Method    []string `placeholder:"NAME" help:"Only this method, such as look-first; give it once for each."`
	Orders    bool     `help:"The other scenario: 40 orders that are all sent again, at 22 USD each."`
}

func (x *labCommand) config() lab.Config {
	c := lab.Default()
	c.Events, c.Twice, c.Thrice = x.Events, x.Twice, x.Thrice
	if x.Orders {
		c = lab.Resent()
	}
	c.Workers, c.Pause, c.Scattered, c.Fail, c.Crash, c.Seed, c.Serial = x.Workers, time.Duration(x.Work)*time.Millisecond, x.Scattered, x.Fail, x.Crash, x.Seed, x.Serial
	for _, m := range x.Method {
		c.Methods = append(c.Methods, lab.Method(strings.ReplaceAll(m, "-", " ")))
	}
	return c
}

// Run makes the experiment on ledgers of its own: the keys of this computer are not
// touched.
func (x *labCommand) Run(c *call) error {
	config := x.config()
	p := c.progress("tried", "deliveries", 0)
	var through int64
	r, err := c.program.Lab(c.ctx, config, func(now lab.Progress) {
		p.at(int64(len(now.Ended)*now.Of + now.Done))
		through = int64(len(now.Ended)*now.Of + now.Done)
	})
	p.end(through)
	if f, ok := errors.AsType[*lab.Fault](err); ok {
		return misuse("--" + strings.NewReplacer("pause", "work", "methods", "method").Replace(f.Field) + ": " + f.Msg)
	}
	if err != nil {
		return err
	}
	if c.flags.JSON {
		err = c.printJSON(labBodyOf(r))
	} else {
		err = c.printLab(r)
	}
	if err == nil && r.Partial {
		err = c.ctx.Err()
	}
	return err
}

// A labBody is a result as JSON.
type labBody struct {
	Events     int             `json:"events"`
	Deliveries int             `json:"deliveries"`
	Partial    bool            `json:"partial"`
	Methods    []labMethodBody `json:"methods"`
}

type labMethodBody struct {
	Method string `json:"method"`
	Mode   string `json:"mode"`
	Extra  int    `json:"extra_rows"`
	Lost   int    `json:"lost_events"`
	Held   int    `json:"need_decision"`
	Cost   int    `json:"extra_cost,omitempty"`
	Millis int64  `json:"took_ms"`
}

func labBodyOf(r *lab.Result) labBody {
	b := labBody{Events: r.Events, Deliveries: r.Deliveries, Partial: r.Partial}
	for _, o := range r.Methods {
		b.Methods = append(b.Methods, labMethodBody{
			Method: string(o.Method), Mode: r.Config.Mode(o.Serial), Extra: o.Extra, Lost: o.Lost, Held: o.Held, Cost: o.Extra * r.Config.Cost, Millis: o.Took.Milliseconds(),
		})
	}
	return b
}

func (c *call) printLab(r *lab.Result) error {
	if err := c.print("%d events, %d deliveries, invented; the table and the endpoint are real.", r.Events, r.Deliveries); err != nil {
		return err
	}
	for _, o := range r.Methods {
		line := fmt.Sprintf("%-15s %-14s %4d extra rows, %d lost events", o.Method, r.Config.Mode(o.Serial), o.Extra, o.Lost)
		if o.Held > 0 {
			line += fmt.Sprintf(", %d need a decision", o.Held)
		}
		if r.Config.Cost > 0 && o.Extra > 0 {
			line += fmt.Sprintf(", %d %s for nothing", o.Extra*r.Config.Cost, r.Config.Currency)
		}
		if o.Partial {
			line += ", not whole"
		}
		if err := c.print("%s", line); err != nil {
			return err
		}
	}
	return nil
}
