package exporters

// A Checklist is what a person follows to set up one platform. Its last step
// proves the setting.
type Checklist struct {
	Platform, Title, About string
	Route                  string // who stops the copy: one of the Route constants
	Steps                  []Step
	Covers                 []Cover
	Files                  []File
	NoKey                  bool // the way's: nothing has to be stopped
}

// A Step is one thing to do.
type Step struct {
	ID    string // stable: ticks are stored by it
	Title string
	Where string // what to click, in the vendor's own labels

	Value      string // to copy; "" where there is nothing to copy
	ValueLabel string
	File       string   // name of the file of the checklist that this step hands over, or ""
	Details    []string // Field.Name of each detail that Value, File, Blocked or Checks are made of
	Blocked    string   // why Value and File must not be used; "" where they may

	Warning  string // read before doing: what cannot be undone
	Why      string
	NotFixed string // what this step does not help against
	Checks   []Check
	Sources  []Source
	Tried    string // who tried it, or that nobody did
	Prove    bool   // this step shows whether the rest works
}

// Routes: who stops a copy.
const (
	RouteLedger      = "ledger"      // this program, through a public address
	RouteStore       = "store"       // the platform's own store
	RouteDestination = "destination" // a unique key where the result is written
	RouteNone        = "none"        // no key is needed: the extra run never starts
)

// BlockByChecks blocks the step by the first of its checks that failed, unless it
// is blocked already.
func (s *Step) BlockByChecks() {
	for _, c := range s.Checks {
		if c.Result == Fail && s.Blocked == "" {
			s.Blocked = c.Text
		}
	}
}

// Results of a Check.
const (
	OK   = "ok"
	Warn = "warn"
	Fail = "fail"
)

// A Check is something that we worked out about a step, in one sentence.
type Check struct {
	Result string // OK, Warn, Fail
	Text   string
}

// A Source is a page that a step relies on.
type Source struct {
	Page, URL string
	Read      string // the day it was read, 2026-10-31
}

// NotTried is the Tried of a step that rests on the vendor's page alone.
const NotTried = "From the vendor's page, not tried by us."

// NotStopped is said of a checklist that does not stop a sender's repeats.
const NotStopped = "These steps alone do not stop a copy that the sender repeats."

// Unstopped returns [NotStopped] where it is to be said of c, else "". It is not where c
// says nothing of causes, and where the work may be done again.
func (c Checklist) Unstopped() string {
	if len(c.Covers) == 0 || c.NoKey || c.StopsRepeats() {
		return ""
	}
	return NotStopped
}

// StopsRepeats reports whether c alone stops an event that the sender sends again.
func (c Checklist) StopsRepeats() bool { return c.state(SenderRetries) == Yes }

// StopsCopies reports whether c alone stops an event that comes twice: sent again
// by the sender, or handled by a second copy of the automation.
func (c Checklist) StopsCopies() bool { return c.StopsRepeats() || c.state(SecondCopy) == Yes }

// state returns how far c covers cause, [No] where it says nothing of it.
func (c Checklist) state(cause string) string {
	for _, v := range c.Covers {
		if v.Cause == cause {
			return v.State
		}
	}
	return No
}

// FileOf returns the file that s hands over, nil where it hands over none or must not
// be done yet.
func (c Checklist) FileOf(s Step) *File {
	if s.Blocked != "" || s.File == "" {
		return nil
	}
	for i := range c.Files {
		if c.Files[i].Name == s.File {
			return &c.Files[i]
		}
	}
	return nil
}

// Blocked reports whether a step of c must not be copied, and why: the first
// reason in the order of the steps.
func (c Checklist) Blocked() (string, bool) {
	for _, s := range c.Steps {
		if s.Blocked != "" {
			return s.Blocked, true
		}
	}
	return "", false
}
