package cli

// addresses are what an engine listens on.
type addresses struct {
	API        string   `name:"api" placeholder:"ADDR" help:"Address of the claim endpoint (127.0.0.1:47821). Port 0 picks a free one."`
	Admin      string   `placeholder:"ADDR" help:"Address of the pages (127.0.0.1:47820), on this computer only."`
	PublicHost []string `sep:"none" placeholder:"NAME" help:"A name under which a tunnel or proxy publishes the claim endpoint. May be given again."`
}

func (a addresses) options(c *call) (ServeOptions, error) {
	if c.flags.URL != "" {
		return ServeOptions{}, misuse("An engine runs on a data folder, a key file or a database: use --data, --db or --database-url.")
	}
	return ServeOptions{
		Target: c.target(), API: a.API, Admin: a.Admin, PublicHosts: a.PublicHost, Log: c.program.Err,
	}, nil
}

type startCommand struct{ addresses }

// Run starts the app.
func (s *startCommand) Run(c *call) error {
	o, err := s.options(c)
	if err != nil {
		return err
	}
	return c.program.Start(c.ctx, o)
}

type serveCommand struct {
	addresses
	Quiet bool `help:"Log to the data folder only, not here."`
}

// Run runs an engine until it is told to stop.
func (s *serveCommand) Run(c *call) error {
	o, err := s.options(c)
	if err != nil {
		return err
	}
	if s.Quiet {
		o.Log = nil
	}
	return c.program.Serve(c.ctx, o)
}

type openCommand struct {
	Print bool   `help:"Print the address instead of opening a browser."`
	Name  string `placeholder:"NAME" help:"Who opens the pages; signs decisions. Your name if not given."`
	Role  string `enum:"look,decide,change" default:"change" help:"What the pages allow: look, decide (on keys), change (everything)."`
}

// Run opens the pages by a one-time address, or prints it.
func (o *openCommand) Run(c *call) error {
	if c.flags.DB != "" || c.flags.URL != "" {
		return onFolder("open")
	}
	name := o.Name
	if name == "" {
		name = c.program.Person
	}
	address, err := c.program.Open(c.ctx, c.target(), name, o.Role)
	if err != nil {
		return err
	}
	if !o.Print && !c.flags.JSON && c.program.Browse != nil {
		if err := c.program.Browse(address); err == nil {
			return nil
		}
	}
	return c.answer(map[string]any{"url": address, "name": name, "role": o.Role}, "%s", address)
}

type stopCommand struct{}

// Run ends the engine.
func (s *stopCommand) Run(c *call) error {
	if c.flags.DB != "" || c.flags.DatabaseURL != "" || c.flags.URL != "" {
		return onFolder("stop")
	}
	if err := c.program.Stop(c.ctx, c.flags.Data); err != nil {
		return err
	}
	return c.answer(map[string]any{"stopped": true}, "stopped")
}

// onFolder refuses what does not name a data folder.
func onFolder(command string) error {
	return misuse("dedupe " + command + " finds the engine by its data folder: use --data, or nothing for your own.")
}
