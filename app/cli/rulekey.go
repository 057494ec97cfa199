package cli

import (
	"errors"
	"io/fs"
	"strings"

	"dedupedesk/app/deliveries"
	"dedupedesk/app/intake"
	"dedupedesk/rules"
)

type ruleKey struct {
	Files   []string `arg:"" complete:"file" name:"file" help:"Files of deliveries: one JSON document, JSON lines, a JSON list, CSV or a spreadsheet (.xlsx). - is the input."`
	Rule    string   `complete:"rule" placeholder:"NAME" help:"Use this rule."`
	File    string   `complete:"file" placeholder:"RULE.yaml" help:"Use the rule in this file."`
	Headers string   `complete:"file" placeholder:"FILE" help:"A JSON object with the headers that came with every event."`
	Column  string   `placeholder:"NAME" help:"The column of a table that holds the payload; - takes the row itself. Not given: a column that holds JSON, else the row."`
	Sheet   string   `placeholder:"NAME" help:"The sheet of a spreadsheet. Not given: the first with a row."`
	Groups  bool     `help:"Print which deliveries share a key and what is suspicious, instead of the keys: exit 1 where something is."`
}

// Run prints one key a line, in the order of the events, or the groups. Events that
// the rule ignores and events without a key are told on the error output.
func (k *ruleKey) Run(c *call) error {
	file, program, err := k.program(c)
	if err != nil {
		return err
	}
	headers, err := k.headers(c)
	if err != nil {
		return err
	}
	out := keyPrinter{call: c, groups: k.Groups, many: len(k.Files) > 1, bulk: rules.NewBulk(program)}
	// A rule that goes through the body takes a list as one delivery.
	opt := deliveries.Options{Whole: strings.TrimSpace(file.Each) == "body", Column: k.Column, Sheet: k.Sheet}
	told := c.progress("tried", "deliveries", 0)
	for _, path := range k.Files {
		found, err := c.deliveries(path, opt)
		if err != nil {
			return err
		}
		for d := range found.All() {
			d.Sample.Headers = headers
			if err := out.add(path, d); err != nil {
				return err
			}
			told.at(int64(out.bulk.Totals().Deliveries))
		}
	}
	told.end(int64(out.bulk.Totals().Deliveries))
	return out.end()
}

// deliveries opens a file that the person names.
func (c *call) deliveries(path string, opt deliveries.Options) (*deliveries.File, error) {
	data, err := c.readUpTo(path, deliveries.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, misuse("There is no file " + path + ".")
	}
	if err != nil {
		return nil, err
	}
	found, err := deliveries.Open(path, data, opt)
	if err != nil {
		return nil, misuse(path + ": " + err.Error())
	}
	return found, nil
}

func (k *ruleKey) program(c *call) (*rules.Rule, *rules.Program, error) {
	if (k.Rule == "") == (k.File == "") {
		return nil, nil, misuse("Give one of --rule NAME and --file RULE.yaml.")
	}
	var file *rules.Rule
	var err error
	if k.File != "" {
		file, err = c.readRule(k.File)
	} else {
		file, err = c.namedRule(k.Rule)
	}
	if err != nil {
		return nil, nil, err
	}
	program, err := c.compile(file)
	return file, program, err
}

func (c *call) namedRule(name string) (*rules.Rule, error) {
	keeper, err := c.keeper()
	if err != nil {
		return nil, err
	}
	r, err := keeper.rule(c.ctx, name)
	if err != nil {
		return nil, err
	}
	return decodeRule(r)
}

func (c *call) compile(file *rules.Rule) (*rules.Program, error) {
	e, err := c.rulesEngine()
	if err != nil {
		return nil, err
	}
	full := file.WithDefaults()
	p, issues := e.Compile(&full)
	if len(issues) > 0 {
		return nil, &intake.IssuesError{Rule: full.Rule, Issues: issues}
	}
	return p, nil
}

func (k *ruleKey) headers(c *call) (map[string]string, error) {
	if k.Headers == "" {
		return nil, nil
	}
	data, err := c.read(k.Headers)
	if err != nil {
		return nil, err
	}
	v, err := rules.DecodeJSON(data)
	if err != nil {
		return nil, at(k.Headers, err)
	}
	members, ok := v.(rules.Object)
	if !ok {
		return nil, at(k.Headers, misuse("This must be an object of names and texts."))
	}
	out := make(map[string]string, len(members))
	for name, value := range members {
		if out[name], ok = value.(string); !ok {
			return nil, at(k.Headers, misuse("The header "+name+" must be text."))
		}
	}
	return out, nil
}
